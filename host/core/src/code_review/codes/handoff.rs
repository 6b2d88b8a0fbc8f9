//! Codes of the step `handoff`.

codes! {
    HANDOFF_FIELDS_MISMATCH: RepairCopy, "handoff-fields-mismatch", "CR-149",
        "The hand-off cannot be read, or has a missing, unknown or ill-typed field",
        "It was written against another shape",
        "Write exactly the fields that its schema shows";
    HANDOFF_PRESENTATION_VERSION_INVALID: RepairCopy, "handoff-presentation-version-invalid", "CR-149",
        "The presentation of the hand-off is not the one of its branch",
        "It was copied from an older hand-off or from another branch",
        "Write the version that the hint gives";
    HANDOFF_BRANCH_INVALID: RepairCopy, "handoff-branch-invalid", "CR-149",
        "The branch of the hand-off is unknown, or not that of the result",
        "It is misspelled, or was copied from another run",
        "Write the branch that the hint gives";
    HANDOFF_OUTCOME_NOT_CANONICAL: RepairCopy, "handoff-outcome-not-canonical", "CR-151",
        "The outcome of the hand-off is not its fixed text",
        "It was reworded",
        "Copy title and summary from the hint";
    HANDOFF_TABLE_INVALID: RepairCopy, "handoff-table-invalid", "CR-152",
        "A table of the hand-off has a missing, unknown or doubled part, or another title or layout",
        "It was written against another shape",
        "Write exactly the tables that the branch has, with their columns";
    HANDOFF_ROW_ID_DUPLICATE: RepairCopy, "handoff-row-id-duplicate", "CR-153",
        "Two rows of the hand-off have the same id",
        "A row was copied",
        "Keep one row for each id";
    HANDOFF_ROW_WIDTH_MISMATCH: RepairCopy, "handoff-row-width-mismatch", "CR-153",
        "A row has more or fewer cells than its table has columns",
        "A cell was left out or split",
        "Write one cell for each column";
    HANDOFF_SOURCE_ID_DUPLICATE: RepairCopy, "handoff-source-id-duplicate", "CR-154",
        "A source record stands twice, or in more than one row",
        "An id was copied",
        "Name each source record in exactly one row";
    HANDOFF_SOURCE_COVERAGE_MISMATCH: RepairCopy, "handoff-source-coverage-mismatch", "CR-154",
        "The source records and the rows that use them do not cover each other",
        "A record was added or removed without its row",
        "Use every source record in one row, and count none as omitted";
    HANDOFF_REMAINING_INVALID: RepairCopy, "handoff-remaining-invalid", "CR-156",
        "An entry of what remains is ill-formed, stands twice, or is of nothing that can remain",
        "It was written for a closed claim, or a field is missing",
        "Keep one whole entry for each open claim, action or operation";
    HANDOFF_NEXT_STEPS_MISMATCH: RepairCopy, "handoff-next-steps-mismatch", "CR-156",
        "The next steps are not the ids of what remains, in the same order",
        "One of the two was changed alone",
        "Copy the ids from `remaining` in order";
    HANDOFF_ARTIFACTS_INVALID: RepairCopy, "handoff-artifacts-invalid", "CR-157",
        "The artifacts are not a list of labels and paths, or the path of the notes is another one",
        "A field is missing, empty or of another type",
        "Give each artifact its label and its path, the result first, and the notes their absolute path";
    HANDOFF_TERMINAL_TABLE_FORBIDDEN: RepairCopy, "handoff-terminal-table-forbidden", "CR-186",
        "A review that ended early has a table",
        "It was copied from a full review",
        "Leave the list of tables empty";
    HANDOFF_CALLER_CONTRACT_INVALID: RepairCopy, "handoff-caller-contract-invalid", "CR-158",
        "The answer in the caller's own format is missing, ill-formed, or was not agreed at the start",
        "The format was not given to `start`, or the output is blank",
        "Write format, evidence and output as the start recorded them, or leave the branch `assessed`";
}
