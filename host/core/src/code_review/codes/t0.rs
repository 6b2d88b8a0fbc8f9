//! Codes of the step `t0`.

codes! {
    MISSING_T0_ARTIFACT: Stop, "missing-t0-artifact",
        "A file that the start of the run records is not there",
        "It was removed, or the start broke off",
        "Start a new run";
    REVIEW_SCOPE_EMPTY: Stop, "review-scope-empty",
        "There is nothing to review in the scope",
        "Nothing differs from the base, or the paths are wrong",
        "Start a new run with a scope that holds a change";
    REVIEW_DIFF_DIGEST_MISMATCH: Stop, "review-diff-digest-mismatch",
        "The recorded diff is not the one whose digest was recorded",
        "The diff was edited after the start",
        "Start a new run";
    REVIEW_MIRROR_RECEIPT_INVALID: Stop, "review-mirror-receipt-invalid",
        "The receipt of the copied source cannot be read",
        "It was edited or cut off",
        "Start a new run";
    REVIEW_MIRROR_MISMATCH: Stop, "review-mirror-mismatch",
        "The copied source is not what its receipt says",
        "A file of the copy was changed, added or removed",
        "Start a new run and read the copy without changing it";
    REVIEW_WORKTREE_OCCUPIED: AskUser, "review-worktree-occupied",
        "The place for the worktree of the review is taken",
        "An earlier worktree or other files are there",
        "Ask whose they are, then free the place or name another";
    REVIEW_SOURCE_CHANGED_DURING_CAPTURE: AskUser, "review-source-changed-during-capture",
        "The source changed while it was recorded",
        "Somebody edited files at the same time",
        "Ask to let the files rest, then start again";
    REVIEW_SCOPE_CLASSIFICATION_MISSING: SupplyEvidence, "review-scope-classification-missing",
        "A path to inspect has no recorded part in the repository",
        "The record of parts is incomplete or gone",
        "Start the run again, so that every path is classified";
    REVIEW_COMMIT_SHA_UNBOUND: SupplyEvidence, "review-commit-sha-unbound",
        "The reviewed commit is not the one that the records of this run name",
        "It was shortened or copied from elsewhere, or no gate observed the reviewed tree",
        "Copy it from the receipts, or run the gates on the reviewed tree";
}
