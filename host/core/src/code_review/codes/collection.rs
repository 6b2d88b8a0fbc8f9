//! Codes of a pull request that could not be collected (CR-190): tokens of `pr-error.txt`.

codes! {
    EXPORT_NETWORK: AskUser, "export-network",
        "The export failed because the network did not answer",
        "The connection is down or blocked",
        "Check the connection, then export again";
    EXPORT_RATE_LIMIT: AskUser, "export-rate-limit",
        "The export failed because too many requests were made",
        "The limit of the service is reached",
        "Wait until it is lifted, then export again";
    EXPORT_UNKNOWN: AskUser, "export-unknown",
        "The export failed for a reason that is not known",
        "The tool gave an unexpected answer",
        "Read its output, then decide";
    EXPORTS_MISSING: AskUser, "exports-missing",
        "The exports of the pull request are not there",
        "They were not made, or lie elsewhere",
        "Make them, or name their folder";
    EXPORT_AUTH: AskUser, "export-auth",
        "The export failed because nobody is signed in",
        "The sign-in is missing or has run out",
        "Sign in, then export again";
    EXPORT_PERMISSION: AskUser, "export-permission",
        "The export failed because access was refused",
        "The account may not read the repository",
        "Ask for access, then export again";
    EXPORT_TOOL_MISSING: AskUser, "export-tool-missing",
        "The tool that exports is not there",
        "It is not installed, or is not on the path",
        "Install it, then export again";
    PR_METADATA_MISSING: AskUser, "pr-metadata-missing",
        "The exported description of the pull request is not there",
        "The export broke off",
        "Export again";
    PR_METADATA_INVALID: AskUser, "pr-metadata-invalid",
        "The exported description of the pull request cannot be read",
        "It was cut off or edited",
        "Export again";
    PR_NOT_OPEN: AskUser, "pr-not-open",
        "The pull request is not open",
        "It was merged or closed",
        "Name an open pull request";
    PR_IDENTITY_MISMATCH: AskUser, "pr-identity-mismatch",
        "The exported pull request is not the one that was asked for",
        "Another one was exported",
        "Export the one that is meant";
    REMOTE_NOT_FOUND: AskUser, "remote-not-found",
        "The repository has no such remote",
        "The name is mistyped, or the remote was not added",
        "Add the remote or name another";
    REMOTE_MISMATCH: AskUser, "remote-mismatch",
        "The remote leads to another repository",
        "A remote of a fork was named",
        "Name the remote of the pull request's repository";
    TARGET_NOT_FETCHED: AskUser, "target-not-fetched",
        "The target branch is not in the local repository",
        "It was not fetched",
        "Fetch it, then start again";
    TARGET_DIVERGED: AskUser, "target-diverged",
        "The local target branch is not the exported one",
        "One of the two moved on",
        "Fetch and export again";
    HEAD_NOT_FETCHED: AskUser, "head-not-fetched",
        "The head of the pull request is not in the local repository",
        "It was not fetched",
        "Fetch it, then start again";
    HEAD_MISMATCH: AskUser, "head-mismatch",
        "The fetched head is not the exported one",
        "The pull request was pushed to meanwhile",
        "Fetch and export again";
    WORKTREE_OBSTRUCTED: AskUser, "worktree-obstructed",
        "The worktree for the review cannot be made",
        "Other files are in its place",
        "Ask whose they are, then free the place";
    WORKTREE_UNMERGED: AskUser, "worktree-unmerged",
        "The worktree has conflicts",
        "A merge was not ended",
        "End the merge, then start again";
    DIFF_UNAVAILABLE: AskUser, "diff-unavailable",
        "The diff of the pull request cannot be made",
        "A commit that it needs is missing",
        "Fetch the missing commits, then start again";
}
