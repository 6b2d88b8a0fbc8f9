//! Codes of the step `pr-scope`.

codes! {
    MISSING_PR_ARTIFACT: Stop, "missing-pr-artifact",
        "A file of the pull request is not in the run",
        "The export broke off, or the file was removed",
        "Start a new run";
    PR_DESCRIPTION_MISSING: Stop, "pr-description-missing",
        "The description of the pull request is not in the run",
        "It was not exported",
        "Start a new run with a complete export";
    PR_STATE_NOT_OPEN: Stop, "pr-state-not-open",
        "The pull request was not open when it was recorded",
        "It had been merged or closed",
        "Stop: review an open pull request";
    PR_ROUTING_INVALID: Stop, "pr-routing-invalid",
        "The recorded identity of the pull request cannot be read or contradicts itself",
        "The record was edited",
        "Start a new run";
    PR_REMOTE_MISMATCH: Stop, "pr-remote-mismatch",
        "The remote is not the one that the pull request belongs to",
        "Another remote of the same name was used",
        "Start a new run with the right remote";
    PR_TARGET_BRANCH_INVALID: Stop, "pr-target-branch-invalid",
        "The target branch is missing or is not the one of the pull request",
        "The target was changed after the export",
        "Start a new run";
    PR_OID_JOIN_MISMATCH: Stop, "pr-oid-join-mismatch",
        "The recorded commits do not agree with each other",
        "Head, base or merge base moved between two records",
        "Start a new run";
    PR_LOCAL_CHECKOUT_INVALID: Stop, "pr-local-checkout-invalid",
        "The local checkout is not the head of the pull request",
        "Another commit was checked out",
        "Start a new run on the head of the pull request";
    PR_WORKTREE_PREFLIGHT_INVALID: Stop, "pr-worktree-preflight-invalid",
        "The worktree was not clean or not the expected one before the review",
        "Something changed in it",
        "Start a new run in a clean worktree";
    PR_LOCAL_DIFF_PROVENANCE_INVALID: Stop, "pr-local-diff-provenance-invalid",
        "The recorded diff was not made from the recorded commits",
        "The diff or its record was replaced",
        "Start a new run";
    PR_RAW_SOURCE_FORBIDDEN: Stop, "pr-raw-source-forbidden",
        "Source was taken from the network instead of from git",
        "A file was downloaded in raw form",
        "Start a new run and read source from the fetched commits";
    PR_FORCE_FORBIDDEN: Stop, "pr-force-forbidden",
        "A command with force was recorded",
        "A worktree or branch was overwritten",
        "Stop and look at what was lost, then start a new run without force";
    PR_PUBLIC_FALLBACK_EVIDENCE_INVALID: Stop, "pr-public-fallback-evidence-invalid",
        "The evidence for a review by public pages alone does not hold",
        "It is incomplete, or the regular way was open",
        "Start a new run by the regular way";
    PR_REVIEW_THREAD_STATUS_INVALID: SupplyEvidence, "pr-review-thread-status-invalid",
        "The status of the review threads is not one of the known words",
        "It is misspelled",
        "Record the status as the message says";
    PR_REVIEW_THREAD_ERROR_MISMATCH: SupplyEvidence, "pr-review-thread-error-mismatch",
        "The error of the review threads does not go with their status",
        "One of the two was changed",
        "Record the error exactly when the threads could not be read";
    PR_REVIEW_THREAD_UNAVAILABLE_MUST_BE_EMPTY: SupplyEvidence, "pr-review-thread-unavailable-must-be-empty",
        "Threads are listed although they are said to be unavailable",
        "The list of an earlier export was kept",
        "Empty the list, or export the threads again";
}
