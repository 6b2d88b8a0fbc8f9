//! Codes of the step `notes`.

codes! {
    REVIEW_NOTES_SECTION_MISSING: RepairCopy, "review-notes-section-missing", "CR-117",
        "The notes lack a section",
        "It was left out, or its heading is worded otherwise",
        "Add it under the heading that the hint gives";
    REVIEW_NOTES_SECTION_EMPTY: RepairCopy, "review-notes-section-empty", "CR-116",
        "A section of the notes has no body",
        "It was not filled in",
        "Write the body below its heading";
    REVIEW_NOTES_SECTION_DUPLICATE: RepairCopy, "review-notes-section-duplicate", "CR-116",
        "A section stands in the notes more than once",
        "It was copied",
        "Join the sections into one";
    REVIEW_NOTES_TABLE_MISPLACED: RepairCopy, "review-notes-table-misplaced", "CR-118",
        "The action table does not stand directly below the decision",
        "Another section was put between them",
        "Move it directly below `Decision Summary`";
    REVIEW_NOTES_TABLE_FORBIDDEN: RepairCopy, "review-notes-table-forbidden", "CR-118",
        "The notes have an action table although nothing is asked for",
        "It was copied, or the findings were refuted",
        "Remove the section";
}
