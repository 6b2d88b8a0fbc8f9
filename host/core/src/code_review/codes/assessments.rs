//! Codes of the step `assessments`.

codes! {
    REVIEW_ASSESSMENTS_INVALID: RepairCopy, "review-assessments-invalid",
        "The assessments of the reviewers do not have the required shape",
        "A field is missing or of another type",
        "Write them as the schema of the result shows them";
    REVIEW_PRIMARY_SOFTWARE_ENGINEER_ORDER: RepairCopy, "review-primary-software-engineer-order",
        "The assessment of the primary software engineer does not stand first",
        "The order was changed",
        "Put it first";
    REVIEW_SUBSTITUTE_LABEL_MISMATCH: RepairCopy, "review-substitute-label-mismatch",
        "A substitute is not labelled as one, or somebody else is",
        "The label was copied or forgotten",
        "Copy the label from the manifest";
    REVIEW_ASSESSMENT_ROLE_MISSING: RepairCopy, "review-assessment-role-missing",
        "A role that reviewed has no assessment",
        "It was forgotten",
        "Add the assessment of the role";
    REVIEW_ASSESSMENT_ROLE_DUPLICATE: RepairCopy, "review-assessment-role-duplicate",
        "A role has more than one assessment",
        "It was copied",
        "Keep one assessment for each role";
    REVIEW_ASSESSMENT_ROLE_UNBOUND: RepairCopy, "review-assessment-role-unbound",
        "An assessment belongs to no role that reviewed",
        "The role was renamed or made up",
        "Name a role of the manifest";
    REVIEW_ASSESSMENT_RATING_MISMATCH: RepairCopy, "review-assessment-rating-mismatch",
        "A rating is not the one that the reviewer gave",
        "It was changed or copied wrongly",
        "Copy the rating from the answer of the reviewer";
    REVIEW_ASSESSMENT_EVIDENCE_INVALID: RepairCopy, "review-assessment-evidence-invalid",
        "The evidence of an assessment is not that of the reviewer's answer",
        "A path or digest was copied wrongly",
        "Copy it from the manifest";
    REVIEW_ASSESSMENT_MAIN_EVIDENCE_INVALID: RepairCopy, "review-assessment-main-evidence-invalid",
        "The evidence of the main assessment does not hold",
        "It names a place that the run does not have",
        "Name a place of the reviewed source";
    REVIEW_ASSESSMENT_CONTENT_INVALID: SupplyEvidence, "review-assessment-content-invalid",
        "An assessment says nothing of substance",
        "A text is empty or a placeholder",
        "Write what was looked at and what was found";
    REVIEW_ASSESSMENT_NULL_READINESS: SupplyEvidence, "review-assessment-null-readiness",
        "An assessment leaves the readiness open",
        "It was not decided",
        "State the readiness, or let the role review again";
    REVIEW_ASSESSMENT_MAIN_MISSING: SupplyEvidence, "review-assessment-main-missing",
        "The main assessment is not there",
        "It was forgotten",
        "Add the main assessment";
}
