//! Codes of the step `candidates`.

codes! {
    REVIEW_VALIDATION_MISSING: Stop, "review-validation-missing",
        "The result has no record of how candidates were checked",
        "It was left out",
        "Start a new run that records the check of candidates";
    REVIEW_VALIDATION_FIELDS_INVALID: Stop, "review-validation-fields-invalid",
        "The record of how candidates were checked has the wrong shape",
        "It was written by another tool",
        "Start a new run";
    REVIEW_FINDING_RECORDS_VERSION_INVALID: Stop, "review-finding-records-version-invalid",
        "The findings are of a version that is not read here",
        "They were written by another version",
        "Start a new run with this version";
    REVIEW_VALIDATION_VERDICT_MISMATCH: RepairCopy, "review-validation-verdict-mismatch",
        "The verdict of the check does not follow from the candidates",
        "A candidate was changed later",
        "State the verdict that the candidates give";
    REVIEW_VALIDATION_READINESS_CONFLICT: RepairCopy, "review-validation-readiness-conflict",
        "The readiness does not go with the candidates",
        "One of the two was changed",
        "State the readiness that the candidates give";
    REVIEW_OPEN_VERIFICATION_PASS: RepairCopy, "review-open-verification-pass",
        "The review is said to pass while a candidate is open",
        "The candidate was not decided",
        "Decide the candidate, or do not let the review pass";
    REVIEW_CANDIDATE_FIELDS_INVALID: RepairCopy, "review-candidate-fields-invalid",
        "A candidate has a field that is missing, unknown or of another type",
        "It was written by hand",
        "Write it as the schema of the result shows it";
    REVIEW_CANDIDATE_ID_DUPLICATE: RepairCopy, "review-candidate-id-duplicate",
        "Two candidates have the same id",
        "One was copied",
        "Give each its own id";
    REVIEW_CANDIDATE_TEXT_MISSING: RepairCopy, "review-candidate-text-missing",
        "A text of a candidate is empty",
        "It was forgotten",
        "Write what is claimed and why";
    REVIEW_CANDIDATE_REVISION_UNBOUND: RepairCopy, "review-candidate-revision-unbound",
        "A candidate refers to a revision that was not reviewed",
        "The revision was copied from another run",
        "Name the revision of this run";
    REVIEW_CANDIDATE_DISPOSITION_INVALID: RepairCopy, "review-candidate-disposition-invalid",
        "The decision about a candidate is not one of the known words",
        "It is misspelled",
        "Use one of the words that the message lists";
    REVIEW_CANDIDATE_CONFIRMED_SET_MISMATCH: RepairCopy, "review-candidate-confirmed-set-mismatch",
        "The confirmed candidates are not the findings",
        "A finding was added or left out",
        "Make each confirmed candidate a finding, and nothing else";
    REVIEW_CANDIDATE_REFUTED_WITHOUT_COUNTEREVIDENCE: SupplyEvidence, "review-candidate-refuted-without-counterevidence",
        "A candidate is refuted without anything that refutes it",
        "Only an opinion was recorded",
        "Name what shows that it does not hold";
    REVIEW_CANDIDATE_FIX_IDENTITY_MISSING: SupplyEvidence, "review-candidate-fix-identity-missing",
        "A candidate is said to be fixed, but not by what",
        "The commit or path was left out",
        "Name what fixes it";
    REVIEW_CANDIDATE_PREREQUISITE_MISSING: SupplyEvidence, "review-candidate-prerequisite-missing",
        "A candidate does not say what must hold for it to happen",
        "It was left out",
        "State the conditions and how they come about";
    REVIEW_CANDIDATE_FEASIBLE_CONFLICT: SupplyEvidence, "review-candidate-feasible-conflict",
        "A candidate is called possible and impossible at once",
        "Two fields contradict each other",
        "Decide which holds and show it";
    REVIEW_CANDIDATE_PACKAGE_ABSENCE_ONLY: SupplyEvidence, "review-candidate-package-absence-only",
        "A candidate rests on a package that is not installed, and on nothing else",
        "The missing package was taken for a defect",
        "Show a failure of the reviewed source, or refute the candidate";
    REVIEW_CANDIDATE_REPRODUCTION_MISSING: SupplyEvidence, "review-candidate-reproduction-missing",
        "A candidate that was reproduced has no record of it",
        "The output was not kept",
        "Record the command and what it printed";
}
