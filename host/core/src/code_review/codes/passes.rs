//! Codes of the step `passes`.

codes! {
    METADATA_SPECIALIST_PASS_MISMATCH: RepairCopy, "metadata-specialist-pass-mismatch", "CR-166",
        "The passes in the metadata are not those of the manifest, in its order",
        "They were copied before the last event, or from another run",
        "Copy the passes that `validate --manifest-only` prints";
    METADATA_MIRROR_MISMATCH: RepairCopy, "metadata-mirror-mismatch", "CR-166",
        "A value of the metadata is not what run, routing and manifest give",
        "It was written by hand, or before the last event",
        "Copy the values that `validate --manifest-only` prints";
    REVIEWER_RESPONSE_INVALID: SupplyEvidence, "reviewer-response-invalid", "CR-68",
        "The response of a reviewer does not have its required sections and shape",
        "A section is missing, repeated, or its JSON cannot be read",
        "Join only a response that parses; ask for it again as a format correction";
    REVIEWER_RESPONSE_ROLE_MISSING: SupplyEvidence, "reviewer-response-role-missing", "CR-68",
        "The response of a reviewer does not begin with the role it is from",
        "The line `role_id:` was left out, or names another role",
        "Ask for the response again, with that line first";
    REVIEW_COVERAGE_PATH_MISSING: SupplyEvidence, "review-coverage-path-missing", "CR-68",
        "A reviewer does not say that it inspected a path it was given",
        "The path was overlooked, or is spelled otherwise",
        "Ask the reviewer to inspect it, or do the pass as a substitute";
}
