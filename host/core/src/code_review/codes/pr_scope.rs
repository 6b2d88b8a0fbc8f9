//! Codes of the step `pr-scope`.

codes! {
    MISSING_PR_ARTIFACT: Stop, "missing-pr-artifact";
    PR_DESCRIPTION_MISSING: Stop, "pr-description-missing";
    PR_STATE_NOT_OPEN: Stop, "pr-state-not-open";
    PR_ROUTING_INVALID: Stop, "pr-routing-invalid";
    PR_REMOTE_MISMATCH: Stop, "pr-remote-mismatch";
    PR_TARGET_BRANCH_INVALID: Stop, "pr-target-branch-invalid";
    PR_OID_JOIN_MISMATCH: Stop, "pr-oid-join-mismatch";
    PR_LOCAL_CHECKOUT_INVALID: Stop, "pr-local-checkout-invalid";
    PR_WORKTREE_PREFLIGHT_INVALID: Stop, "pr-worktree-preflight-invalid";
    PR_LOCAL_DIFF_PROVENANCE_INVALID: Stop, "pr-local-diff-provenance-invalid";
    PR_RAW_SOURCE_FORBIDDEN: Stop, "pr-raw-source-forbidden";
    PR_FORCE_FORBIDDEN: Stop, "pr-force-forbidden";
    PR_PUBLIC_FALLBACK_EVIDENCE_INVALID: Stop, "pr-public-fallback-evidence-invalid";
    PR_REVIEW_THREAD_STATUS_INVALID: SupplyEvidence, "pr-review-thread-status-invalid";
    PR_REVIEW_THREAD_ERROR_MISMATCH: SupplyEvidence, "pr-review-thread-error-mismatch";
    PR_REVIEW_THREAD_UNAVAILABLE_MUST_BE_EMPTY: SupplyEvidence, "pr-review-thread-unavailable-must-be-empty";
}
