//! Codes of the step `passes`.

codes! {
    METADATA_SPECIALIST_PASS_MISMATCH: RepairCopy, "metadata-specialist-pass-mismatch";
    METADATA_MIRROR_MISMATCH: RepairCopy, "metadata-mirror-mismatch";
    REVIEWER_RESPONSE_INVALID: SupplyEvidence, "reviewer-response-invalid";
    REVIEWER_RESPONSE_ROLE_MISSING: SupplyEvidence, "reviewer-response-role-missing";
    REVIEW_COVERAGE_PATH_MISSING: SupplyEvidence, "review-coverage-path-missing";
}
