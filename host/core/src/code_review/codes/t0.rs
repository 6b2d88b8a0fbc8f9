//! Codes of the step `t0`.

codes! {
    MISSING_T0_ARTIFACT: Stop, "missing-t0-artifact";
    REVIEW_SCOPE_EMPTY: Stop, "review-scope-empty";
    REVIEW_DIFF_DIGEST_MISMATCH: Stop, "review-diff-digest-mismatch";
    REVIEW_MIRROR_RECEIPT_INVALID: Stop, "review-mirror-receipt-invalid";
    REVIEW_MIRROR_MISMATCH: Stop, "review-mirror-mismatch";
    REVIEW_WORKTREE_OCCUPIED: AskUser, "review-worktree-occupied";
    REVIEW_SOURCE_CHANGED_DURING_CAPTURE: AskUser, "review-source-changed-during-capture";
    REVIEW_SCOPE_CLASSIFICATION_MISSING: SupplyEvidence, "review-scope-classification-missing";
    REVIEW_COMMIT_SHA_UNBOUND: SupplyEvidence, "review-commit-sha-unbound";
}
