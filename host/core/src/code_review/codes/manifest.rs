//! Codes of the step `manifest`.

codes! {
    SPECIALIST_MANIFEST_MISSING: SupplyEvidence, "specialist-manifest-missing";
    MANIFEST_PASS_MISSING: SupplyEvidence, "manifest-pass-missing";
    MANIFEST_PASS_UNFINISHED: SupplyEvidence, "manifest-pass-unfinished";
    MANIFEST_OUTPUT_MISSING: SupplyEvidence, "manifest-output-missing";
    MANIFEST_DERIVATION_MISMATCH: Stop, "manifest-derivation-mismatch";
    ROLE_CARD_MISSING: Stop, "role-card-missing";
    ROLE_CARD_MISMATCH: Stop, "role-card-mismatch";
}
