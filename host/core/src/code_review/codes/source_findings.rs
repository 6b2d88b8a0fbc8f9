//! Codes of the step `source-findings`.

codes! {
    SOURCE_FINDINGS_LEDGER_MISMATCH: RepairCopy, "source-findings-ledger-mismatch";
    SOURCE_FINDING_ORIGINAL_ALTERED: RepairCopy, "source-finding-original-altered";
    SOURCE_DUPLICATES_MISMATCH: RepairCopy, "source-duplicates-mismatch";
    SOURCE_FINDING_AUTHOR_DROPPED: RepairCopy, "source-finding-author-dropped";
    SOURCE_FINDING_EVIDENCE_DROPPED: RepairCopy, "source-finding-evidence-dropped";
    SOURCE_FINDING_MAPPING_INCOMPLETE: RepairCopy, "source-finding-mapping-incomplete";
    SOURCE_FINDINGS_COLLAPSED: SupplyEvidence, "source-findings-collapsed";
    SOURCE_RECONCILIATION_INVALID: SupplyEvidence, "source-reconciliation-invalid";
    SOURCE_RECONCILIATION_SEVERITY_WEAKENED: SupplyEvidence, "source-reconciliation-severity-weakened";
}
