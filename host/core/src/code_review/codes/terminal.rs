//! Codes of the step `terminal`.

codes! {
    TERMINAL_REVIEW_NON_PR_SCOPE: RepairCopy, "terminal-review-non-pr-scope";
    TERMINAL_REVIEW_UNEXPECTED_FIELDS: RepairCopy, "terminal-review-unexpected-fields";
    TERMINAL_REVIEW_HAS_FINDINGS: RepairCopy, "terminal-review-has-findings";
    TERMINAL_REVIEW_FORBIDDEN_ARTIFACT: RepairCopy, "terminal-review-forbidden-artifact";
    TERMINAL_NOTES_MISMATCH: RepairCopy, "terminal-notes-mismatch";
    TERMINAL_GATES_INVALID: RepairCopy, "terminal-gates-invalid";
    TERMINAL_CONFIDENCE_MISMATCH: RepairCopy, "terminal-confidence-mismatch";
    UNAVAILABLE_REVIEW_STATUS_INVALID: RepairCopy, "unavailable-review-status-invalid";
    UNAVAILABLE_REVIEW_FAILURE_ARTIFACT_MISMATCH: RepairCopy, "unavailable-review-failure-artifact-mismatch";
    UNAVAILABLE_REVIEW_DIAGNOSTIC_INVALID: RepairCopy, "unavailable-review-diagnostic-invalid";
    CLOSED_REVIEW_DECISION_INVALID: SupplyEvidence, "closed-review-decision-invalid";
    CLOSED_REVIEW_CODE_INVALID: SupplyEvidence, "closed-review-code-invalid";
    CLOSED_REVIEW_DISTINCT_EVIDENCE_REQUIRED: SupplyEvidence, "closed-review-distinct-evidence-required";
    CLOSED_REVIEW_NOT_ADVISORY: SupplyEvidence, "closed-review-not-advisory";
    CLOSED_REVIEW_COUNTEREVIDENCE_REQUIRED: SupplyEvidence, "closed-review-counterevidence-required";
    CLOSED_REVIEW_HEAD_MISMATCH: SupplyEvidence, "closed-review-head-mismatch";
    CLOSED_REVIEW_CONFIDENCE_BELOW_THRESHOLD: SupplyEvidence, "closed-review-confidence-below-threshold";
    CLOSED_REVIEW_PUBLIC_FALLBACK_INSUFFICIENT: Stop, "closed-review-public-fallback-insufficient";
    CLOSED_REVIEW_PR_STATE_NOT_OPEN: Stop, "closed-review-pr-state-not-open";
}
