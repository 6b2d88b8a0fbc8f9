//! Codes of the step `t0`.

codes! {
    MISSING_T0_ARTIFACT: Stop, "missing-t0-artifact", "CR-28",
        "A file that the start of the run records is not there",
        "The start broke off, or the file was removed",
        "Start a new run";
    REVIEW_SCOPE_EMPTY: Stop, "review-scope-empty", "CR-29",
        "There is nothing to review",
        "Nothing changed in the scope, and no target with files was named",
        "Change something, or name another scope or target";
    REVIEW_DIFF_DIGEST_MISMATCH: Stop, "review-diff-digest-mismatch", "CR-28",
        "The recorded difference, or a list made from it, does not fit the other receipts",
        "One of them was edited after the start",
        "Start a new run";
    REVIEW_MIRROR_RECEIPT_INVALID: Stop, "review-mirror-receipt-invalid", "CR-32",
        "The receipt of the mirror cannot be read, or does not fit the other receipts",
        "It was edited or cut off",
        "Start a new run";
    REVIEW_MIRROR_MISMATCH: Stop, "review-mirror-mismatch", "CR-31",
        "The mirror is not what was captured",
        "A file in the review worktree was changed, added or removed",
        "Restore the review worktree, or start a new run and leave it unchanged";
    REVIEW_WORKTREE_OCCUPIED: AskUser, "review-worktree-occupied", "CR-31",
        "The place of the review worktree is taken",
        "An earlier worktree or other files are there",
        "Find out whose they are, then free the place or name another";
    REVIEW_SOURCE_CHANGED_DURING_CAPTURE: AskUser, "review-source-changed-during-capture", "CR-31",
        "The source changed while it was recorded",
        "Something wrote to the checkout at the same time",
        "Start again when nothing writes to it";
    REVIEW_SCOPE_CLASSIFICATION_MISSING: SupplyEvidence, "review-scope-classification-missing", "CR-219",
        "A path under review has no recorded part in the project",
        "The record of parts was edited or cut off",
        "Start a new run";
    REVIEW_COMMIT_SHA_UNBOUND: SupplyEvidence, "review-commit-sha-unbound", "CR-127",
        "The reviewed commit is not one that the receipts or the gates observed",
        "It was shortened, copied from elsewhere, or no gate ran on the reviewed tree",
        "Copy it from the receipts, or run the gates on the reviewed tree";
}
