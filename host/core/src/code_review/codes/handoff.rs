//! Codes of the step `handoff`.

codes! {
    HANDOFF_FIELDS_MISMATCH: RepairCopy, "handoff-fields-mismatch";
    HANDOFF_PRESENTATION_VERSION_INVALID: RepairCopy, "handoff-presentation-version-invalid";
    HANDOFF_BRANCH_INVALID: RepairCopy, "handoff-branch-invalid";
    HANDOFF_OUTCOME_NOT_CANONICAL: RepairCopy, "handoff-outcome-not-canonical";
    HANDOFF_TABLE_INVALID: RepairCopy, "handoff-table-invalid";
    HANDOFF_ROW_ID_DUPLICATE: RepairCopy, "handoff-row-id-duplicate";
    HANDOFF_ROW_WIDTH_MISMATCH: RepairCopy, "handoff-row-width-mismatch";
    HANDOFF_SOURCE_ID_DUPLICATE: RepairCopy, "handoff-source-id-duplicate";
    HANDOFF_SOURCE_COVERAGE_MISMATCH: RepairCopy, "handoff-source-coverage-mismatch";
    HANDOFF_REMAINING_INVALID: RepairCopy, "handoff-remaining-invalid";
    HANDOFF_NEXT_STEPS_MISMATCH: RepairCopy, "handoff-next-steps-mismatch";
    HANDOFF_ARTIFACTS_INVALID: RepairCopy, "handoff-artifacts-invalid";
    HANDOFF_TERMINAL_TABLE_FORBIDDEN: RepairCopy, "handoff-terminal-table-forbidden";
    HANDOFF_CALLER_CONTRACT_INVALID: RepairCopy, "handoff-caller-contract-invalid";
}
