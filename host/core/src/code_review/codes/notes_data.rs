//! Codes of the step `notes-data`.

codes! {
    REVIEW_NOTES_DECISION_MISMATCH: RepairCopy, "review-notes-decision-mismatch";
    REVIEW_NOTES_SNAPSHOT_MISMATCH: RepairCopy, "review-notes-snapshot-mismatch";
    REVIEW_NOTES_SCOPE_MISMATCH: RepairCopy, "review-notes-scope-mismatch";
    REVIEW_NOTES_TIER_MISMATCH: RepairCopy, "review-notes-tier-mismatch";
    REVIEW_NOTES_PASS_MISMATCH: RepairCopy, "review-notes-pass-mismatch";
    REVIEW_NOTES_FINDINGS_MISMATCH: RepairCopy, "review-notes-findings-mismatch";
    REVIEW_NOTES_RESIDUAL_RISK_MISSING: RepairCopy, "review-notes-residual-risk-missing";
    REVIEW_NOTES_CONFIDENCE_MISMATCH: RepairCopy, "review-notes-confidence-mismatch";
    REVIEW_NOTES_TESTS_COMMAND_MISSING: RepairCopy, "review-notes-tests-command-missing";
    REVIEW_NOTES_GATE_ENVIRONMENT_MISSING: RepairCopy, "review-notes-gate-environment-missing";
    ONLINE_TRIAGE_DISPOSITION_INVALID: RepairCopy, "online-triage-disposition-invalid";
    ONLINE_TRIAGE_FALLBACK_MISSING: RepairCopy, "online-triage-fallback-missing";
    REVIEW_NOTES_PATH_MISSING: SupplyEvidence, "review-notes-path-missing";
    REVIEW_NOTES_INSPECTION_LINE_MISSING: SupplyEvidence, "review-notes-inspection-line-missing";
    ONLINE_TRIAGE_ITEM_MISSING: SupplyEvidence, "online-triage-item-missing";
}
