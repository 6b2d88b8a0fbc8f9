//! Codes of the step `assessments`.

codes! {
    REVIEW_ASSESSMENTS_INVALID: RepairCopy, "review-assessments-invalid";
    REVIEW_PRIMARY_SOFTWARE_ENGINEER_ORDER: RepairCopy, "review-primary-software-engineer-order";
    REVIEW_SUBSTITUTE_LABEL_MISMATCH: RepairCopy, "review-substitute-label-mismatch";
    REVIEW_ASSESSMENT_ROLE_MISSING: RepairCopy, "review-assessment-role-missing";
    REVIEW_ASSESSMENT_ROLE_DUPLICATE: RepairCopy, "review-assessment-role-duplicate";
    REVIEW_ASSESSMENT_ROLE_UNBOUND: RepairCopy, "review-assessment-role-unbound";
    REVIEW_ASSESSMENT_RATING_MISMATCH: RepairCopy, "review-assessment-rating-mismatch";
    REVIEW_ASSESSMENT_EVIDENCE_INVALID: RepairCopy, "review-assessment-evidence-invalid";
    REVIEW_ASSESSMENT_MAIN_EVIDENCE_INVALID: RepairCopy, "review-assessment-main-evidence-invalid";
    REVIEW_ASSESSMENT_CONTENT_INVALID: SupplyEvidence, "review-assessment-content-invalid";
    REVIEW_ASSESSMENT_NULL_READINESS: SupplyEvidence, "review-assessment-null-readiness";
    REVIEW_ASSESSMENT_MAIN_MISSING: SupplyEvidence, "review-assessment-main-missing";
}
