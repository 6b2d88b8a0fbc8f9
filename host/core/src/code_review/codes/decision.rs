//! Codes of the step `decision`.

codes! {
    RESULT_MISSING_REVIEW_DECISION: RepairCopy, "result-missing-review-decision";
    INVALID_REVIEW_RECOMMENDATION: RepairCopy, "invalid-review-recommendation";
    REVIEW_DECISION_TEXT_MISSING: RepairCopy, "review-decision-text-missing";
    RESULT_STATUS_CONFLICT: RepairCopy, "result-status-conflict";
    REVIEW_ACCEPT_WITH_FINDINGS: SupplyEvidence, "review-accept-with-findings";
    REVIEW_ACCEPT_WITH_UNDECIDABLE_SCOPE: SupplyEvidence, "review-accept-with-undecidable-scope";
    REVIEW_ACCEPT_WITH_INCOMPLETE_VERIFICATION: SupplyEvidence, "review-accept-with-incomplete-verification";
    REVIEW_ACCEPT_WITHOUT_PASS: SupplyEvidence, "review-accept-without-pass";
    REVIEW_MINOR_WITH_CRITICAL_FINDING: SupplyEvidence, "review-minor-with-critical-finding";
    REVIEW_MINOR_HIGH_UNNAMED: SupplyEvidence, "review-minor-high-unnamed";
    REVIEW_APPROVAL_WITH_FAILED_GATES: SupplyEvidence, "review-approval-with-failed-gates";
    REVIEW_APPROVAL_GATE_UNNAMED: SupplyEvidence, "review-approval-gate-unnamed";
    REVIEW_BEHAVIORAL_FAILURE_UNVALIDATED: SupplyEvidence, "review-behavioral-failure-unvalidated";
    REVIEW_OPEN_CANDIDATE_NOT_EXPLAINED: SupplyEvidence, "review-open-candidate-not-explained";
    REVIEW_VERDICT_UNCITED: SupplyEvidence, "review-verdict-uncited";
    REVIEW_REJECT_WITHOUT_REQUIREMENT: SupplyEvidence, "review-reject-without-requirement";
    REVIEW_CHANGE_VERDICT_WITHOUT_ACTIONS: SupplyEvidence, "review-change-verdict-without-actions";
    REVIEW_NULL_VERDICT_UNSUPPORTED: SupplyEvidence, "review-null-verdict-unsupported";
    REVIEW_RATING_VERDICT_INCOHERENT: Warning, "review-rating-verdict-incoherent";
    REVIEW_SEVERITY_VERDICT_INCOHERENT: Warning, "review-severity-verdict-incoherent";
}
