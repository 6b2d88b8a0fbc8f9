//! Codes of the step `prior-resolutions`.

codes! {
    PRIOR_RESOLUTIONS_MISSING: SupplyEvidence, "prior-resolutions-missing", "CR-47",
        "An earlier run recorded what became of its findings, and this run did not keep that as it was",
        "The copy was removed, edited, or made before",
        "Import the pull request again";
    PRIOR_RESOLUTIONS_NOT_DELIVERED: SupplyEvidence, "prior-resolutions-not-delivered", "CR-71",
        "A reviewer's context does not name the prior resolutions",
        "The context was written by hand, or before they were kept",
        "Route the run again before its first event, or start a new run";
    PRIOR_RESOLUTION_REREPORTED_WITHOUT_EVIDENCE: SupplyEvidence, "prior-resolution-rereported-without-evidence", "CR-122",
        "A claim repeats a finding that was rejected before, and points at no new line",
        "The reviewer did not know of the rejection",
        "Cite a line that the earlier record lacks, or refute the claim";
    PRIOR_RESOLUTION_DISPOSITION_MISSING: RepairCopy, "prior-resolution-disposition-missing", "CR-122",
        "`Scope` does not say what became of a finding that was rejected before",
        "The line was left out",
        "Add the line that the hint gives";
    PRIOR_RESOLUTIONS_NEWER: Warning, "prior-resolutions-newer", "CR-218",
        "Earlier runs recorded more resolutions after this run kept its copy",
        "Their repair went on meanwhile",
        "Read the newer entries; start a new run if they matter";
}
