//! Codes of the step `action-table`.

codes! {
    REVIEW_FINDINGS_ACTION_TABLE_HEADER_MISMATCH: RepairCopy, "review-findings-action-table-header-mismatch";
    REVIEW_FINDINGS_ACTION_TABLE_DIVIDER_INVALID: RepairCopy, "review-findings-action-table-divider-invalid";
    REVIEW_FINDINGS_ACTION_TABLE_CELL_EMPTY: RepairCopy, "review-findings-action-table-cell-empty";
    REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_DUPLICATE: RepairCopy, "review-findings-action-table-identity-duplicate";
    REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_UNBOUND: RepairCopy, "review-findings-action-table-identity-unbound";
    REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_COVERAGE_MISMATCH: RepairCopy, "review-findings-action-table-identity-coverage-mismatch";
    REVIEW_FINDINGS_ACTION_TABLE_CONTENT_MISMATCH: RepairCopy, "review-findings-action-table-content-mismatch";
    REVIEW_FINDINGS_ACTION_TABLE_AUTHORS_MISMATCH: RepairCopy, "review-findings-action-table-authors-mismatch";
    REVIEW_MISSING_FINDINGS_ACTION_TABLE: RepairCopy, "review-missing-findings-action-table";
    REVIEW_ACTION_STATUS_INVALID: RepairCopy, "review-action-status-invalid";
    REVIEW_ACTION_STATUS_CLOSED: RepairCopy, "review-action-status-closed";
}
