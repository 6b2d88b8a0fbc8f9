//! Codes of the step `independence`.

codes! {
    INDEPENDENCE_METADATA_MISMATCH: RepairCopy, "independence-metadata-mismatch";
    INDEPENDENT_REVIEW_REQUIRED_FOR_COMPLETION: AskUser, "independent-review-required-for-completion";
    INDEPENDENCE_WAIVER_INVALID: AskUser, "independence-waiver-invalid";
}
