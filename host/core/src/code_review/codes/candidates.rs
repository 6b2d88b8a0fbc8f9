//! Codes of the step `candidates`.

codes! {
    REVIEW_VALIDATION_MISSING: Stop, "review-validation-missing";
    REVIEW_VALIDATION_FIELDS_INVALID: Stop, "review-validation-fields-invalid";
    REVIEW_FINDING_RECORDS_VERSION_INVALID: Stop, "review-finding-records-version-invalid";
    REVIEW_VALIDATION_VERDICT_MISMATCH: RepairCopy, "review-validation-verdict-mismatch";
    REVIEW_VALIDATION_READINESS_CONFLICT: RepairCopy, "review-validation-readiness-conflict";
    REVIEW_OPEN_VERIFICATION_PASS: RepairCopy, "review-open-verification-pass";
    REVIEW_CANDIDATE_FIELDS_INVALID: RepairCopy, "review-candidate-fields-invalid";
    REVIEW_CANDIDATE_ID_DUPLICATE: RepairCopy, "review-candidate-id-duplicate";
    REVIEW_CANDIDATE_TEXT_MISSING: RepairCopy, "review-candidate-text-missing";
    REVIEW_CANDIDATE_REVISION_UNBOUND: RepairCopy, "review-candidate-revision-unbound";
    REVIEW_CANDIDATE_DISPOSITION_INVALID: RepairCopy, "review-candidate-disposition-invalid";
    REVIEW_CANDIDATE_CONFIRMED_SET_MISMATCH: RepairCopy, "review-candidate-confirmed-set-mismatch";
    REVIEW_CANDIDATE_REFUTED_WITHOUT_COUNTEREVIDENCE: SupplyEvidence, "review-candidate-refuted-without-counterevidence";
    REVIEW_CANDIDATE_FIX_IDENTITY_MISSING: SupplyEvidence, "review-candidate-fix-identity-missing";
    REVIEW_CANDIDATE_PREREQUISITE_MISSING: SupplyEvidence, "review-candidate-prerequisite-missing";
    REVIEW_CANDIDATE_FEASIBLE_CONFLICT: SupplyEvidence, "review-candidate-feasible-conflict";
    REVIEW_CANDIDATE_PACKAGE_ABSENCE_ONLY: SupplyEvidence, "review-candidate-package-absence-only";
    REVIEW_CANDIDATE_REPRODUCTION_MISSING: SupplyEvidence, "review-candidate-reproduction-missing";
}
