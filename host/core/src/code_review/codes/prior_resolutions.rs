//! Codes of the step `prior-resolutions`.

codes! {
    PRIOR_RESOLUTIONS_MISSING: SupplyEvidence, "prior-resolutions-missing";
    PRIOR_RESOLUTIONS_NOT_DELIVERED: SupplyEvidence, "prior-resolutions-not-delivered";
    PRIOR_RESOLUTION_REREPORTED_WITHOUT_EVIDENCE: SupplyEvidence, "prior-resolution-rereported-without-evidence";
    PRIOR_RESOLUTION_DISPOSITION_MISSING: RepairCopy, "prior-resolution-disposition-missing";
    PRIOR_RESOLUTIONS_NEWER: Warning, "prior-resolutions-newer";
}
