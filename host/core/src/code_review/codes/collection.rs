//! Codes of a pull request that could not be collected (CR-190): tokens of `pr-error.txt`.

codes! {
    EXPORT_NETWORK: AskUser, "export-network";
    EXPORT_RATE_LIMIT: AskUser, "export-rate-limit";
    EXPORT_UNKNOWN: AskUser, "export-unknown";
    EXPORTS_MISSING: AskUser, "exports-missing";
    EXPORT_AUTH: AskUser, "export-auth";
    EXPORT_PERMISSION: AskUser, "export-permission";
    EXPORT_TOOL_MISSING: AskUser, "export-tool-missing";
    PR_METADATA_MISSING: AskUser, "pr-metadata-missing";
    PR_METADATA_INVALID: AskUser, "pr-metadata-invalid";
    PR_NOT_OPEN: AskUser, "pr-not-open";
    PR_IDENTITY_MISMATCH: AskUser, "pr-identity-mismatch";
    REMOTE_NOT_FOUND: AskUser, "remote-not-found";
    REMOTE_MISMATCH: AskUser, "remote-mismatch";
    TARGET_NOT_FETCHED: AskUser, "target-not-fetched";
    TARGET_DIVERGED: AskUser, "target-diverged";
    HEAD_NOT_FETCHED: AskUser, "head-not-fetched";
    HEAD_MISMATCH: AskUser, "head-mismatch";
    WORKTREE_OBSTRUCTED: AskUser, "worktree-obstructed";
    WORKTREE_UNMERGED: AskUser, "worktree-unmerged";
    DIFF_UNAVAILABLE: AskUser, "diff-unavailable";
}
