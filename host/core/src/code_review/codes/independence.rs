//! Codes of the step `independence`.

codes! {
    INDEPENDENCE_METADATA_MISMATCH: RepairCopy, "independence-metadata-mismatch", "CR-166",
        "What the metadata says about independence is not what the run gives",
        "It was written by hand",
        "Write the values that the messages give";
    INDEPENDENT_REVIEW_REQUIRED_FOR_COMPLETION: AskUser, "independent-review-required-for-completion", "CR-63",
        "The run requires independent review, and a pass is not attested, or no role was asked",
        "A reviewer without receipts took part, or the parent did the pass",
        "Let an adapter attest the reviewers, or decide on a new run with a waiver";
    INDEPENDENCE_WAIVER_INVALID: AskUser, "independence-waiver-invalid", "CR-63",
        "The waiver of independent review does not hold",
        "It names no other run, lacks the user's words, requires what it waives, or its gap is not declared as open",
        "Start a new run with --revised-scope-of and --waiver, and declare its gap";
}
