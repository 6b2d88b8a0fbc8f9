//! Codes of the step `assessments`.

codes! {
    REVIEW_ASSESSMENTS_INVALID: RepairCopy, "review-assessments-invalid", "CR-86",
        "The assessments are not a list of `role`, `rating` and `evidence`",
        "A field is missing, unknown or of another type, or the list is empty",
        "Write one assessment for each pass, with exactly these three fields";
    REVIEW_PRIMARY_SOFTWARE_ENGINEER_ORDER: RepairCopy, "review-primary-software-engineer-order", "CR-86",
        "The software engineer reviewed, and another assessment stands first",
        "The list was sorted or added to at the front",
        "Move the assessment of the software engineer to the front";
    REVIEW_SUBSTITUTE_LABEL_MISMATCH: RepairCopy, "review-substitute-label-mismatch", "CR-87",
        "A label says that the parent did a pass that a reviewer did, or fails to say that the parent did it",
        "The label was copied from another run, or the pass was substituted later",
        "Add or remove the suffix as the hint says";
    REVIEW_ASSESSMENT_ROLE_MISSING: RepairCopy, "review-assessment-role-missing", "CR-86",
        "A pass of the manifest has no assessment",
        "It was left out",
        "Add what the response of that pass states";
    REVIEW_ASSESSMENT_ROLE_DUPLICATE: RepairCopy, "review-assessment-role-duplicate", "CR-86",
        "A pass has more than one assessment",
        "An entry was copied",
        "Keep one assessment for each pass";
    REVIEW_ASSESSMENT_ROLE_UNBOUND: RepairCopy, "review-assessment-role-unbound", "CR-86",
        "An assessment names a role that did not review in this run",
        "The label is misspelled, or was copied from another run",
        "Name a pass of the manifest by its label, or remove the assessment";
    REVIEW_ASSESSMENT_RATING_MISMATCH: RepairCopy, "review-assessment-rating-mismatch", "CR-89",
        "The rating in the result is not the one that its source states",
        "It was changed or copied from elsewhere",
        "Copy the rating from the response or the notes that the assessment names";
    REVIEW_ASSESSMENT_EVIDENCE_INVALID: RepairCopy, "review-assessment-evidence-invalid", "CR-89",
        "An assessment points at something other than the response of its pass",
        "The path is that of another pass or attempt, or its line does not exist",
        "Write the path that the hint gives, with a line or without";
    REVIEW_ASSESSMENT_MAIN_EVIDENCE_INVALID: RepairCopy, "review-assessment-main-evidence-invalid", "CR-90",
        "The assessment of the main reviewer does not point at the notes of the review",
        "The path of a response was copied",
        "Point at `review-notes.md`, with a line or without";
    REVIEW_ASSESSMENT_CONTENT_INVALID: SupplyEvidence, "review-assessment-content-invalid", "CR-68",
        "An assessment is not stated once with its four lines in full",
        "A line is missing, repeated, empty or inside a code block",
        "State version, rating, readiness and rationale once each, outside code blocks";
    REVIEW_ASSESSMENT_NULL_READINESS: SupplyEvidence, "review-assessment-null-readiness", "CR-88",
        "A rating is null, and its source does not say that verification is blocked",
        "The scope could not be decided, and what blocks it was not stated",
        "State `blocked` with the prerequisite and the next check, or give a rating";
    REVIEW_ASSESSMENT_MAIN_MISSING: SupplyEvidence, "review-assessment-main-missing", "CR-90",
        "Nobody but the parent reviewed, and the main reviewer has no assessment",
        "The section of the notes or the assessment was left out",
        "Rate in `Main Reviewer Assessment` of the notes, and add the assessment";
}
