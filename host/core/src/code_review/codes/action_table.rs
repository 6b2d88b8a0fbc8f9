//! Codes of the step `action-table`.

codes! {
    REVIEW_FINDINGS_ACTION_TABLE_HEADER_MISMATCH: RepairCopy, "review-findings-action-table-header-mismatch",
        "The header of the action table is not the required one",
        "A column was renamed or moved",
        "Copy the header that the message gives";
    REVIEW_FINDINGS_ACTION_TABLE_DIVIDER_INVALID: RepairCopy, "review-findings-action-table-divider-invalid",
        "The line below the header is not a divider of as many columns",
        "It was edited",
        "Write one divider cell for each column";
    REVIEW_FINDINGS_ACTION_TABLE_CELL_EMPTY: RepairCopy, "review-findings-action-table-cell-empty",
        "A cell of the action table is empty",
        "It was left out",
        "Fill the cell";
    REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_DUPLICATE: RepairCopy, "review-findings-action-table-identity-duplicate",
        "Two rows have the same id",
        "One was copied",
        "Keep one row for each id";
    REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_UNBOUND: RepairCopy, "review-findings-action-table-identity-unbound",
        "A row has an id that is not in the result",
        "The finding was removed or renamed",
        "Copy the id from the result, or remove the row";
    REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_COVERAGE_MISMATCH: RepairCopy, "review-findings-action-table-identity-coverage-mismatch",
        "A finding of the result has no row",
        "It was left out",
        "Add a row for it";
    REVIEW_FINDINGS_ACTION_TABLE_CONTENT_MISMATCH: RepairCopy, "review-findings-action-table-content-mismatch",
        "A row differs from its finding",
        "It was changed in one place only",
        "Copy the row from the finding";
    REVIEW_FINDINGS_ACTION_TABLE_AUTHORS_MISMATCH: RepairCopy, "review-findings-action-table-authors-mismatch",
        "The authors in a row are not those of its finding",
        "One was left out",
        "Copy them from the finding";
    REVIEW_MISSING_FINDINGS_ACTION_TABLE: RepairCopy, "review-missing-findings-action-table",
        "There are findings, but no action table",
        "It was left out",
        "Add the table";
    REVIEW_ACTION_STATUS_INVALID: RepairCopy, "review-action-status-invalid",
        "The status of an action is not one of the known words",
        "It is misspelled",
        "Use one of the words that the message lists";
    REVIEW_ACTION_STATUS_CLOSED: RepairCopy, "review-action-status-closed",
        "An action is called done in a review that has just been made",
        "It was closed too early",
        "Leave it open";
}
