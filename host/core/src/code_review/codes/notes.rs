//! Codes of the step `notes`.

codes! {
    REVIEW_NOTES_SECTION_MISSING: RepairCopy, "review-notes-section-missing",
        "The notes lack a section",
        "It was left out or its heading was changed",
        "Add the section with its exact heading";
    REVIEW_NOTES_SECTION_EMPTY: RepairCopy, "review-notes-section-empty",
        "A section of the notes has no text",
        "It was not filled in",
        "Write it, or say that there is nothing";
    REVIEW_NOTES_SECTION_DUPLICATE: RepairCopy, "review-notes-section-duplicate",
        "A section stands in the notes twice",
        "It was copied",
        "Keep one of the two";
    REVIEW_NOTES_TABLE_MISPLACED: RepairCopy, "review-notes-table-misplaced",
        "A table stands in a section that it does not belong to",
        "It was moved",
        "Move it to its section";
    REVIEW_NOTES_TABLE_FORBIDDEN: RepairCopy, "review-notes-table-forbidden",
        "A table stands where the notes have none",
        "It was added for overview",
        "Write it as text, or leave it out";
}
