//! Codes of the step `manifest`.

codes! {
    SPECIALIST_MANIFEST_MISSING: SupplyEvidence, "specialist-manifest-missing",
        "The list of reviews is not in the run",
        "It was not derived yet",
        "Derive the manifest, then validate again";
    MANIFEST_PASS_MISSING: SupplyEvidence, "manifest-pass-missing",
        "A role that the routing asks for has no review",
        "It was not sent out",
        "Let the role review and record its answer";
    MANIFEST_PASS_UNFINISHED: SupplyEvidence, "manifest-pass-unfinished",
        "A review was begun but not ended",
        "The reviewer broke off, or its end was not recorded",
        "Record its end, or try again";
    MANIFEST_OUTPUT_MISSING: SupplyEvidence, "manifest-output-missing",
        "A review ended but its answer is not in the run",
        "The file was not saved",
        "Record the answer of the reviewer";
    MANIFEST_DERIVATION_MISMATCH: Stop, "manifest-derivation-mismatch",
        "The list of reviews does not follow from the events",
        "It was edited by hand",
        "Start a new run";
    ROLE_CARD_MISSING: Stop, "role-card-missing",
        "The description of a role is not in the run",
        "It was removed",
        "Start a new run";
    ROLE_CARD_MISMATCH: Stop, "role-card-mismatch",
        "The description of a role is not the one that was recorded",
        "It was edited after the start",
        "Start a new run";
}
