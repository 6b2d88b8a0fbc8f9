//! Codes of the step `evidence`.

codes! {
    REVIEW_EVIDENCE_UNRESOLVED: SupplyEvidence, "review-evidence-unresolved";
    REVIEW_BLOCKING_EVIDENCE_MISSING: SupplyEvidence, "review-blocking-evidence-missing";
    EVIDENCE_INDEX_MISMATCH: Stop, "evidence-index-mismatch";
}
