//! Codes of the step `handoff`.

codes! {
    HANDOFF_FIELDS_MISMATCH: RepairCopy, "handoff-fields-mismatch",
        "The hand-off has a field that is missing, unknown or of another type",
        "It was written by hand",
        "Write it as its schema shows it";
    HANDOFF_PRESENTATION_VERSION_INVALID: RepairCopy, "handoff-presentation-version-invalid",
        "The hand-off is of a presentation that is not rendered here",
        "It was written by another version",
        "Use the version that the message names";
    HANDOFF_BRANCH_INVALID: RepairCopy, "handoff-branch-invalid",
        "The hand-off follows another branch of outcomes than the result",
        "It was copied from another run",
        "Use the branch that the result gives";
    HANDOFF_OUTCOME_NOT_CANONICAL: RepairCopy, "handoff-outcome-not-canonical",
        "The outcome of the hand-off is not the fixed text",
        "It was reworded",
        "Copy the text that the message gives";
    HANDOFF_TABLE_INVALID: RepairCopy, "handoff-table-invalid",
        "A table of the hand-off has the wrong shape",
        "Columns or rows are missing",
        "Write it as the message says";
    HANDOFF_ROW_ID_DUPLICATE: RepairCopy, "handoff-row-id-duplicate",
        "Two rows of a table have the same id",
        "One was copied",
        "Keep one row for each id";
    HANDOFF_ROW_WIDTH_MISMATCH: RepairCopy, "handoff-row-width-mismatch",
        "A row has more or fewer cells than its table has columns",
        "A cell was left out",
        "Write one cell for each column";
    HANDOFF_SOURCE_ID_DUPLICATE: RepairCopy, "handoff-source-id-duplicate",
        "A source is named twice",
        "It was copied",
        "Name it once";
    HANDOFF_SOURCE_COVERAGE_MISMATCH: RepairCopy, "handoff-source-coverage-mismatch",
        "The sources of the hand-off are not those of the result",
        "One was left out or added",
        "Name each source of the result once";
    HANDOFF_REMAINING_INVALID: RepairCopy, "handoff-remaining-invalid",
        "What remains is stated in the wrong shape",
        "It was written by hand",
        "Write it as the message says";
    HANDOFF_NEXT_STEPS_MISMATCH: RepairCopy, "handoff-next-steps-mismatch",
        "The next steps are not those that follow from the result",
        "They were reworded",
        "Copy the steps that the message gives";
    HANDOFF_ARTIFACTS_INVALID: RepairCopy, "handoff-artifacts-invalid",
        "The list of artifacts is not that of the run",
        "A path was copied wrongly",
        "Copy the paths from the run";
    HANDOFF_TERMINAL_TABLE_FORBIDDEN: RepairCopy, "handoff-terminal-table-forbidden",
        "A review that ended early has a table",
        "It was copied from a full review",
        "Leave the table out";
    HANDOFF_CALLER_CONTRACT_INVALID: RepairCopy, "handoff-caller-contract-invalid",
        "What the caller asks for is answered in the wrong shape",
        "It was written by hand",
        "Write it as the message says";
}
