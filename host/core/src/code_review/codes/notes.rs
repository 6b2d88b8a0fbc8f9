//! Codes of the step `notes`.

codes! {
    REVIEW_NOTES_SECTION_MISSING: RepairCopy, "review-notes-section-missing";
    REVIEW_NOTES_SECTION_EMPTY: RepairCopy, "review-notes-section-empty";
    REVIEW_NOTES_SECTION_DUPLICATE: RepairCopy, "review-notes-section-duplicate";
    REVIEW_NOTES_TABLE_MISPLACED: RepairCopy, "review-notes-table-misplaced";
    REVIEW_NOTES_TABLE_FORBIDDEN: RepairCopy, "review-notes-table-forbidden";
}
