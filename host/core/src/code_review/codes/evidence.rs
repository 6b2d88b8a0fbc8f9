//! Codes of the step `evidence`.

codes! {
    REVIEW_EVIDENCE_UNRESOLVED: SupplyEvidence, "review-evidence-unresolved", "CR-83",
        "A piece of evidence names a file, a line or a requirement that is not there",
        "A path or line is wrong, or is that of another revision",
        "Name the exact path and lines of the reviewed tree, or begin with `base:` for the base";
    REVIEW_BLOCKING_EVIDENCE_MISSING: SupplyEvidence, "review-blocking-evidence-missing", "CR-83",
        "A critical or high finding points at no line of source",
        "Its evidence is prose alone",
        "Begin one evidence text with the path and line that show the defect";
    EVIDENCE_INDEX_MISMATCH: Stop, "evidence-index-mismatch", "CR-84",
        "The index of evidence is not what the result and the reviewed trees give",
        "The index or the result was changed after it was written",
        "Run `code-polishy code-review finalize` again; a promoted run is not repaired";
}
