//! Codes of the step `evidence`.

codes! {
    REVIEW_EVIDENCE_UNRESOLVED: SupplyEvidence, "review-evidence-unresolved",
        "A piece of evidence names a place that cannot be found in the reviewed source",
        "A path, a line or a revision is wrong, or lies outside the scope",
        "Name the exact path and lines of the reviewed revision";
    REVIEW_BLOCKING_EVIDENCE_MISSING: SupplyEvidence, "review-blocking-evidence-missing",
        "A finding that blocks has no evidence of its own",
        "It was written down as a claim without a place",
        "Add the path and lines that show it, or lower its weight";
    EVIDENCE_INDEX_MISMATCH: Stop, "evidence-index-mismatch",
        "The index of evidence is not the one that follows from the run",
        "The index was changed, or files of the run were",
        "Start a new run";
}
