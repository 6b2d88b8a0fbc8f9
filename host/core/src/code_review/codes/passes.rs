//! Codes of the step `passes`.

codes! {
    METADATA_SPECIALIST_PASS_MISMATCH: RepairCopy, "metadata-specialist-pass-mismatch",
        "The reviews in the metadata are not those of the manifest",
        "They were copied from another run",
        "Copy them from the manifest";
    METADATA_MIRROR_MISMATCH: RepairCopy, "metadata-mirror-mismatch",
        "The metadata names another copy of the source",
        "It was copied from another run",
        "Copy the value from the receipt of the copy";
    REVIEWER_RESPONSE_INVALID: SupplyEvidence, "reviewer-response-invalid",
        "The answer of a reviewer does not have the required shape",
        "A section is missing, empty or doubled",
        "Ask the reviewer for a complete answer and record it";
    REVIEWER_RESPONSE_ROLE_MISSING: SupplyEvidence, "reviewer-response-role-missing",
        "The answer of a reviewer does not say its role",
        "The line was forgotten",
        "Ask the reviewer to name the role";
    REVIEW_COVERAGE_PATH_MISSING: SupplyEvidence, "review-coverage-path-missing",
        "A path was given to a reviewer who does not mention it",
        "It was overlooked",
        "Let the reviewer look at the path and say so";
}
