//! Codes of the step `source-findings`.

codes! {
    SOURCE_FINDINGS_LEDGER_MISMATCH: RepairCopy, "source-findings-ledger-mismatch", "CR-92",
        "The list of original findings is not what the responses report",
        "One was left out, added or changed",
        "Copy every original from the responses, unchanged";
    SOURCE_FINDING_ORIGINAL_ALTERED: RepairCopy, "source-finding-original-altered", "CR-94",
        "A claim changes the words or the severity of the original that it stands for",
        "It was polished or reweighed without a record",
        "Copy the original, or reconcile it with its reason";
    SOURCE_DUPLICATES_MISMATCH: RepairCopy, "source-duplicates-mismatch", "CR-96",
        "The duplicates are not the originals of equal content",
        "An original was added or changed later",
        "Copy the value of the hint";
    SOURCE_FINDING_AUTHOR_DROPPED: RepairCopy, "source-finding-author-dropped", "CR-94",
        "A finding does not name a reviewer whose original it stands for",
        "The author was lost in merging",
        "Name every reviewer whose original it has";
    SOURCE_FINDING_EVIDENCE_DROPPED: RepairCopy, "source-finding-evidence-dropped", "CR-94",
        "A finding does not cite the response or a place of the original that it stands for",
        "It was lost in merging",
        "Keep the response and each cited place in its evidence";
    SOURCE_FINDING_MAPPING_INCOMPLETE: RepairCopy, "source-finding-mapping-incomplete", "CR-93",
        "An original is mapped to no claim, or the mapping names an unknown original",
        "One was overlooked or renamed",
        "Map each original to the one claim that judges it";
    SOURCE_FINDINGS_COLLAPSED: SupplyEvidence, "source-findings-collapsed", "CR-95",
        "A claim takes several different originals without saying why they are one",
        "They seemed alike",
        "Record the reconciliation, or give each its own claim";
    SOURCE_RECONCILIATION_INVALID: SupplyEvidence, "source-reconciliation-invalid", "CR-95",
        "The record of why originals are one does not hold",
        "It lacks a field, or its origins or evidence are not those of the claim",
        "Write invariant, rationale, origins and evidence as the message says";
    SOURCE_RECONCILIATION_SEVERITY_WEAKENED: SupplyEvidence, "source-reconciliation-severity-weakened", "CR-95",
        "A claim is less severe than the strongest original that it takes",
        "The milder severity was kept",
        "Keep the strongest severity, or record the counterevidence";
}
