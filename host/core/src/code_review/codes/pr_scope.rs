//! Codes of the step `pr-scope`.

codes! {
    MISSING_PR_ARTIFACT: Stop, "missing-pr-artifact", "CR-38",
        "A file that a pull request's run must have is missing or cannot be read",
        "The import broke off, or the file was removed or edited",
        "Import the pull request again";
    PR_DESCRIPTION_MISSING: Stop, "pr-description-missing", "CR-37",
        "The recorded pull request has no description",
        "The export left the field `body` out",
        "Export the pull request again in full, and import it";
    PR_STATE_NOT_OPEN: Stop, "pr-state-not-open", "CR-37",
        "The pull request was not open when it was recorded",
        "It had been merged or closed",
        "Review an open pull request";
    PR_ROUTING_INVALID: Stop, "pr-routing-invalid", "CR-38",
        "The record of where the pull request comes from cannot be read or contradicts the export",
        "It was edited, or copied from another run",
        "Import the pull request again";
    PR_REMOTE_MISMATCH: Stop, "pr-remote-mismatch", "CR-39",
        "The recorded remote does not lead to the repository of the pull request",
        "A fork or another host was named",
        "Import again with the remote of that repository";
    PR_TARGET_BRANCH_INVALID: Stop, "pr-target-branch-invalid", "CR-39",
        "The record of the target branch cannot be read or does not fit the base",
        "It was edited, or the branch was rewritten",
        "Fetch the target branch and import the pull request again";
    PR_OID_JOIN_MISMATCH: Stop, "pr-oid-join-mismatch", "CR-39",
        "The records name different commits for the same base or head",
        "A record was edited, or taken at another time",
        "Import the pull request again";
    PR_LOCAL_CHECKOUT_INVALID: Stop, "pr-local-checkout-invalid", "CR-40",
        "The record of the review worktree does not show a detached checkout of exactly the head",
        "It was edited, or another way of checking out was used",
        "Import the pull request again";
    PR_WORKTREE_PREFLIGHT_INVALID: Stop, "pr-worktree-preflight-invalid", "CR-38",
        "The record of the checkout's state before the review does not show that it was safe",
        "It was edited, or paths were unmerged or overlapped",
        "Import the pull request again";
    PR_LOCAL_DIFF_PROVENANCE_INVALID: Stop, "pr-local-diff-provenance-invalid", "CR-41",
        "The recorded difference was not made from the verified checkout by its one command",
        "The record was edited, or the difference came from elsewhere",
        "Import the pull request again";
    PR_RAW_SOURCE_FORBIDDEN: Stop, "pr-raw-source-forbidden", "CR-41",
        "Source was taken from a raw download instead of the verified checkout",
        "Files were fetched from the forge one by one",
        "Read source in the review worktree only, and start a new run";
    PR_FORCE_FORBIDDEN: Stop, "pr-force-forbidden", "CR-42",
        "A recorded command forces git or a forge client",
        "A branch, worktree or history may have been overwritten",
        "Look at what was overwritten, then start a new run without force";
    PR_PUBLIC_FALLBACK_EVIDENCE_INVALID: Stop, "pr-public-fallback-evidence-invalid", "CR-44",
        "What could not be read through public pages is not stated as it must be",
        "The list is empty, unsorted, has unknown words, or contradicts the export",
        "Import the pull request again";
    PR_REVIEW_THREAD_STATUS_INVALID: SupplyEvidence, "pr-review-thread-status-invalid", "CR-38",
        "The summary of comments, reviews and threads is not what the exported files give",
        "It was edited, or one of the files was",
        "Import the pull request again";
    PR_REVIEW_THREAD_ERROR_MISMATCH: SupplyEvidence, "pr-review-thread-error-mismatch", "CR-43",
        "The error of reading the threads does not fit their status, or is recorded differently in two places",
        "One of the records was edited",
        "Import the pull request again";
    PR_REVIEW_THREAD_UNAVAILABLE_MUST_BE_EMPTY: SupplyEvidence, "pr-review-thread-unavailable-must-be-empty", "CR-43",
        "The threads could not be read, and yet some are recorded",
        "Those of an earlier export were kept",
        "Import the pull request again";
}
