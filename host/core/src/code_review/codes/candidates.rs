//! Codes of the step `candidates`.

codes! {
    REVIEW_VALIDATION_MISSING: Stop, "review-validation-missing", "CR-73",
        "The result does not say how its claims were judged",
        "`review_validation` was left out",
        "Record every claim with its disposition in `review_validation`";
    REVIEW_VALIDATION_FIELDS_INVALID: Stop, "review-validation-fields-invalid", "CR-73",
        "The record of how claims were judged has a missing, unknown or ill-typed field, or another version",
        "It was written against another shape",
        "Write exactly the fields that the schema of the result shows";
    REVIEW_FINDING_RECORDS_VERSION_INVALID: Stop, "review-finding-records-version-invalid", "CR-73",
        "The findings are marked with a version that is not 2",
        "The marker was copied from an older result or lowered",
        "Write version 2, and the findings in the shape of that version";
    REVIEW_VALIDATION_VERDICT_MISMATCH: RepairCopy, "review-validation-verdict-mismatch", "CR-73",
        "The verdict in `review_validation` is not the recommendation of the decision",
        "One of the two was changed without the other",
        "Write the same verdict in both places";
    REVIEW_VALIDATION_READINESS_CONFLICT: RepairCopy, "review-validation-readiness-conflict", "CR-77",
        "The stated readiness does not fit the claims, ratings and gaps",
        "A claim was opened or closed after the readiness was written",
        "State the readiness that the hint gives";
    REVIEW_OPEN_VERIFICATION_PASS: RepairCopy, "review-open-verification-pass", "CR-77",
        "The status is `pass` although verification is not complete",
        "A claim was left open after the status was written",
        "Write the status `fail`, or close what is open";
    REVIEW_CANDIDATE_FIELDS_INVALID: RepairCopy, "review-candidate-fields-invalid", "CR-74",
        "A claim has a missing, unknown or ill-typed field",
        "It was written against another shape",
        "Write exactly the twenty fields that the schema of the result shows";
    REVIEW_CANDIDATE_ID_DUPLICATE: RepairCopy, "review-candidate-id-duplicate", "CR-75",
        "Two claims have the same id",
        "An entry was copied",
        "Give each claim its own id";
    REVIEW_CANDIDATE_TEXT_MISSING: RepairCopy, "review-candidate-text-missing", "CR-74",
        "A text of a claim is empty",
        "It was left for later",
        "Write it; only the missing prerequisite of a closed claim may be empty";
    REVIEW_CANDIDATE_REVISION_UNBOUND: RepairCopy, "review-candidate-revision-unbound", "CR-76",
        "A claim is bound to a revision that this run did not freeze",
        "A branch name, a shortened id or the revision of another run was used",
        "Copy one of the revisions that the hint names";
    REVIEW_CANDIDATE_DISPOSITION_INVALID: RepairCopy, "review-candidate-disposition-invalid", "CR-74",
        "The disposition of a claim is not one of the words it may be",
        "It is misspelled or made up",
        "Use the word of the hint, or null while feasible work is left";
    REVIEW_CANDIDATE_CONFIRMED_SET_MISMATCH: RepairCopy, "review-candidate-confirmed-set-mismatch", "CR-74",
        "The confirmed claims and the findings are not the same set with the same severities",
        "A finding was added, removed or changed without its claim",
        "Make each confirmed claim a finding of the same id and severity, and nothing else";
    REVIEW_CANDIDATE_REFUTED_WITHOUT_COUNTEREVIDENCE: SupplyEvidence, "review-candidate-refuted-without-counterevidence", "CR-74",
        "A claim is refuted, and nothing is recorded that speaks against it",
        "A failed reproduction or an opinion was taken for counterevidence",
        "Record what affirmatively contradicts the claim, or leave it open";
    REVIEW_CANDIDATE_FIX_IDENTITY_MISSING: SupplyEvidence, "review-candidate-fix-identity-missing", "CR-74",
        "A claim is called fixed, and the record does not name both states by their ids",
        "The original or the fixed revision was left out",
        "Name two different full commit ids or digests in `check` or `result`";
    REVIEW_CANDIDATE_PREREQUISITE_MISSING: SupplyEvidence, "review-candidate-prerequisite-missing", "CR-74",
        "An open claim does not say what is missing, who owns it, what checks it and when it is closed",
        "A field was left empty",
        "Fill the missing prerequisite, the owner, the next check and an observable closure condition";
    REVIEW_CANDIDATE_FEASIBLE_CONFLICT: SupplyEvidence, "review-candidate-feasible-conflict", "CR-77",
        "A claim says that its checks are complete and that work is left, or neither",
        "One of disposition and `feasible_checks_complete` was changed alone",
        "Write false exactly for a null disposition";
    REVIEW_CANDIDATE_PACKAGE_ABSENCE_ONLY: SupplyEvidence, "review-candidate-package-absence-only", "CR-79",
        "A claim stays open only because a package is missing",
        "No preparation of the package was tried and recorded",
        "Prepare the package once and record the attempt in `dependency-evidence.json`";
    REVIEW_CANDIDATE_REPRODUCTION_MISSING: SupplyEvidence, "review-candidate-reproduction-missing", "CR-80",
        "A claim names a reproduction whose receipt or output the run does not keep",
        "The receipt was not written, or is that of another claim",
        "Keep one whole receipt with its outputs below `reproductions/<id>`";
}
