//! Codes of the step `independence`.

codes! {
    INDEPENDENCE_METADATA_MISMATCH: RepairCopy, "independence-metadata-mismatch",
        "What the metadata says of independence does not follow from the reviews",
        "It was written by hand",
        "State it as the message says";
    INDEPENDENT_REVIEW_REQUIRED_FOR_COMPLETION: AskUser, "independent-review-required-for-completion",
        "The review needs an independent reviewer and has none",
        "No other reviewer was at hand",
        "Ask for an independent review or for a waiver";
    INDEPENDENCE_WAIVER_INVALID: AskUser, "independence-waiver-invalid",
        "The waiver of an independent review does not hold",
        "It is for another run, or lacks its reason or its author",
        "Ask for a waiver for this run";
}
