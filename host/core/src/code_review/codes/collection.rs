//! Codes of a pull request that could not be collected (CR-190): tokens of `pr-error.txt`.

codes! {
    EXPORT_NETWORK: AskUser, "export-network", "CR-190",
        "The pull request was not exported because the network failed",
        "The connection is down, slow or blocked",
        "Check the connection, export again, then import it";
    EXPORT_RATE_LIMIT: AskUser, "export-rate-limit", "CR-190",
        "The pull request was not exported because the service takes no more requests for now",
        "Its limit of requests is reached",
        "Wait until the limit is lifted, export again, then import it";
    EXPORT_UNKNOWN: AskUser, "export-unknown", "CR-190",
        "The pull request was not exported, and the exporter did not say why",
        "The service or the exporter gave an unexpected answer",
        "Run the exporter by itself and read what it prints";
    EXPORTS_MISSING: AskUser, "exports-missing", "CR-190",
        "The folder does not hold the export of a pull request",
        "The exporter was not run, or another folder was named",
        "Export the pull request, or name the folder of its export";
    EXPORT_AUTH: AskUser, "export-auth", "CR-190",
        "The pull request was not exported because nobody is signed in",
        "The sign-in is missing or has expired",
        "Sign the exporter in, export again, then import it";
    EXPORT_PERMISSION: AskUser, "export-permission", "CR-190",
        "The pull request was not exported because access was refused",
        "The account may not read the repository",
        "Ask for access, export again, then import it";
    EXPORT_TOOL_MISSING: AskUser, "export-tool-missing", "CR-190",
        "The pull request was not exported because the exporter could not be started",
        "It is not installed, or is not on the search path",
        "Install the exporter, export again, then import it";
    PR_METADATA_MISSING: AskUser, "pr-metadata-missing", "CR-190",
        "The export has no description of the pull request",
        "The exporter stopped early",
        "Export the pull request again in full";
    PR_METADATA_INVALID: AskUser, "pr-metadata-invalid", "CR-190",
        "The exported description of the pull request cannot be read",
        "It was cut off, edited, or written by another tool",
        "Export the pull request again";
    PR_NOT_OPEN: AskUser, "pr-not-open", "CR-190",
        "The pull request is not open",
        "It was merged or closed",
        "Name an open pull request";
    PR_IDENTITY_MISMATCH: AskUser, "pr-identity-mismatch", "CR-190",
        "The exported pull request is not the one that was asked for",
        "Another number or address was exported",
        "Export the pull request that is meant";
    REMOTE_NOT_FOUND: AskUser, "remote-not-found", "CR-190",
        "The repository has no remote that fits",
        "Its name is misspelled, or it was not added",
        "Add the remote of the pull request's repository, or name another one";
    REMOTE_MISMATCH: AskUser, "remote-mismatch", "CR-190",
        "The remote leads to another repository than that of the pull request",
        "The remote of a fork was named",
        "Name the remote of the repository that the pull request belongs to";
    TARGET_NOT_FETCHED: AskUser, "target-not-fetched", "CR-190",
        "The target branch of the pull request is not in this repository",
        "It was not fetched",
        "Fetch the target branch, then import again";
    TARGET_DIVERGED: AskUser, "target-diverged", "CR-190",
        "The fetched target branch does not contain the base that the export names",
        "The branch was rewritten, or one of the two is old",
        "Fetch the target branch and export again";
    HEAD_NOT_FETCHED: AskUser, "head-not-fetched", "CR-190",
        "The head of the pull request is not in this repository",
        "It was not fetched",
        "Fetch the exact head, then import again";
    HEAD_MISMATCH: AskUser, "head-mismatch", "CR-190",
        "The fetched head is not the one that the export names",
        "The pull request got new commits in between",
        "Fetch the head and export again";
    WORKTREE_OBSTRUCTED: AskUser, "worktree-obstructed", "CR-190",
        "Both places where the review worktree may be made are taken",
        "Files or an older worktree are there",
        "Find out whose they are, free one of the places, then import again";
    WORKTREE_UNMERGED: AskUser, "worktree-unmerged", "CR-190",
        "The review worktree has unmerged paths",
        "A merge in it was not finished",
        "Finish or remove that worktree, then import again";
    DIFF_UNAVAILABLE: AskUser, "diff-unavailable", "CR-190",
        "The difference between base and head cannot be made",
        "A commit or its content is missing from the repository",
        "Fetch the missing commits, then import again";
}
