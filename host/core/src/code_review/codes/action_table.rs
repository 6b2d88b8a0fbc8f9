//! Codes of the step `action-table`.

codes! {
    REVIEW_FINDINGS_ACTION_TABLE_HEADER_MISMATCH: RepairCopy, "review-findings-action-table-header-mismatch", "CR-119",
        "The action table has another header than the required one, or stands in the notes twice",
        "A column was renamed or moved, or the table was copied",
        "Keep one table, with the header that the hint gives";
    REVIEW_FINDINGS_ACTION_TABLE_DIVIDER_INVALID: RepairCopy, "review-findings-action-table-divider-invalid", "CR-119",
        "The line below the header is not a divider with one cell of dashes for each column",
        "It was edited, or a column was added in the header only",
        "Write three or more dashes in each of the five cells";
    REVIEW_FINDINGS_ACTION_TABLE_CELL_EMPTY: RepairCopy, "review-findings-action-table-cell-empty", "CR-119",
        "A cell of the action table is empty",
        "It was left for later",
        "Copy the text from the record that the row shows";
    REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_DUPLICATE: RepairCopy, "review-findings-action-table-identity-duplicate", "CR-119",
        "Two rows of the action table have the same id",
        "A row was copied",
        "Keep one row for each action";
    REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_UNBOUND: RepairCopy, "review-findings-action-table-identity-unbound", "CR-119",
        "A row has an id that is no finding and no blocker of the result",
        "The finding was removed or renamed",
        "Copy the exact id from the result, or remove the row";
    REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_COVERAGE_MISMATCH: RepairCopy, "review-findings-action-table-identity-coverage-mismatch", "CR-119",
        "A finding or blocker of the result has no row",
        "It was recorded after the table was written",
        "Add one row for each id that the message names";
    REVIEW_FINDINGS_ACTION_TABLE_CONTENT_MISMATCH: RepairCopy, "review-findings-action-table-content-mismatch", "CR-119",
        "The required change or the evidence in a row differs from the record",
        "One of the two was changed without the other",
        "Copy the cell from the record, evidence joined by `; `";
    REVIEW_FINDINGS_ACTION_TABLE_AUTHORS_MISMATCH: RepairCopy, "review-findings-action-table-authors-mismatch", "CR-119",
        "The authors in a row are not those of its record",
        "A name was left out, or stands there with its suffix",
        "Copy the authors without suffix, joined by `, `";
    REVIEW_MISSING_FINDINGS_ACTION_TABLE: RepairCopy, "review-missing-findings-action-table", "CR-118",
        "The review asks for changes, and its notes have no action table",
        "The section was left out",
        "Add the table directly below the decision, one row for each finding and blocker";
    REVIEW_ACTION_STATUS_INVALID: RepairCopy, "review-action-status-invalid", "CR-120",
        "The status in a row is not one of the words that a status may be",
        "It is misspelled or made up",
        "Use the word of the hint";
    REVIEW_ACTION_STATUS_CLOSED: RepairCopy, "review-action-status-closed", "CR-120",
        "The status in a row says that the work is done, which a review cannot know",
        "An action was closed before its change was verified",
        "Use a status that leaves the action open, such as `Implemented; verify`";
}
