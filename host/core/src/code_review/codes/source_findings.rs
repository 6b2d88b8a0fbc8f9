//! Codes of the step `source-findings`.

codes! {
    SOURCE_FINDINGS_LEDGER_MISMATCH: RepairCopy, "source-findings-ledger-mismatch",
        "The list of original findings is not what the reviewers reported",
        "A finding was left out or added",
        "Copy every finding from the answers";
    SOURCE_FINDING_ORIGINAL_ALTERED: RepairCopy, "source-finding-original-altered",
        "An original finding differs from the reviewer's answer",
        "Its text was polished",
        "Copy the text unchanged";
    SOURCE_DUPLICATES_MISMATCH: RepairCopy, "source-duplicates-mismatch",
        "The duplicates are not those that follow from the mapping",
        "A finding was mapped anew",
        "State the duplicates as the message says";
    SOURCE_FINDING_AUTHOR_DROPPED: RepairCopy, "source-finding-author-dropped",
        "A merged finding lacks one of its authors",
        "The author was lost in merging",
        "Add every author of the original findings";
    SOURCE_FINDING_EVIDENCE_DROPPED: RepairCopy, "source-finding-evidence-dropped",
        "A merged finding lacks evidence of an original",
        "It was lost in merging",
        "Add the evidence of every original finding";
    SOURCE_FINDING_MAPPING_INCOMPLETE: RepairCopy, "source-finding-mapping-incomplete",
        "An original finding is mapped to nothing",
        "It was overlooked",
        "Map it to a finding or say why it is none";
    SOURCE_FINDINGS_COLLAPSED: SupplyEvidence, "source-findings-collapsed",
        "Different findings were merged into one",
        "They seemed alike",
        "Keep them apart, or show that they have the same cause";
    SOURCE_RECONCILIATION_INVALID: SupplyEvidence, "source-reconciliation-invalid",
        "The reason why findings were merged or changed does not hold",
        "It is empty or names unknown findings",
        "State the reason and name the findings";
    SOURCE_RECONCILIATION_SEVERITY_WEAKENED: SupplyEvidence, "source-reconciliation-severity-weakened",
        "A merged finding is less severe than an original without a reason",
        "The milder severity was taken",
        "Take the highest severity, or give evidence for a lower one";
}
