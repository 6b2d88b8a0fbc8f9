//! Codes of the step `notes-data`.

codes! {
    REVIEW_NOTES_DECISION_MISMATCH: RepairCopy, "review-notes-decision-mismatch", "CR-117",
        "A line of `Decision Summary` is missing, doubled or differs from the result",
        "One of the two was changed alone",
        "Write the line that the hint gives, once";
    REVIEW_NOTES_SNAPSHOT_MISMATCH: RepairCopy, "review-notes-snapshot-mismatch", "CR-123",
        "The snapshot table or its legend is not what the receipts and the result give",
        "A row was written by hand, left out or moved",
        "Copy rows and legend from the hints";
    REVIEW_NOTES_SCOPE_MISMATCH: RepairCopy, "review-notes-scope-mismatch", "CR-117",
        "`Scope` does not state target, reviewed commit or prior resolutions as the run has them",
        "A line was left out or shortened",
        "Write the line that the hint gives";
    REVIEW_NOTES_TIER_MISMATCH: RepairCopy, "review-notes-tier-mismatch", "CR-117",
        "`Risk Tier` does not state the tier and its mechanical evidence",
        "It was written before the run was routed",
        "Copy both from `review-routing.json`";
    REVIEW_NOTES_PASS_MISMATCH: RepairCopy, "review-notes-pass-mismatch", "CR-117",
        "The passes or the manifest in the notes are not those of the run",
        "A pass was left out, added or stated at another level",
        "Write one item for each pass, as the hints give it";
    REVIEW_NOTES_FINDINGS_MISMATCH: RepairCopy, "review-notes-findings-mismatch", "CR-117",
        "`Findings` does not name every finding, or denies that there are any",
        "A finding was confirmed or refuted later",
        "Describe each finding under its exact id, or write the sentence of the hint";
    REVIEW_NOTES_RESIDUAL_RISK_MISSING: RepairCopy, "review-notes-residual-risk-missing", "CR-117",
        "`No-Finding Residual Risks` says `none` although gaps, limits or open claims remain",
        "The section was written before them",
        "Say what may still be wrong";
    REVIEW_NOTES_CONFIDENCE_MISMATCH: RepairCopy, "review-notes-confidence-mismatch", "CR-117",
        "A part of the confidence in the notes is missing, doubled or differs from the result",
        "One of the two was changed alone",
        "Write what the hint gives, in its order";
    REVIEW_NOTES_TESTS_COMMAND_MISSING: RepairCopy, "review-notes-tests-command-missing", "CR-117",
        "The notes do not state the command of the tests gate as it was recorded",
        "The line was left out, or the gate ran again",
        "Copy the command of the hint";
    REVIEW_NOTES_GATE_ENVIRONMENT_MISSING: RepairCopy, "review-notes-gate-environment-missing", "CR-117",
        "A variable was given to a gate, and the notes do not state it",
        "The line was left out",
        "Add the line that the hint gives";
    ONLINE_TRIAGE_DISPOSITION_INVALID: RepairCopy, "online-triage-disposition-invalid", "CR-121",
        "The triage table has another header, or a disposition that is not one of the known ones",
        "A word is misspelled, or its finding or claim is unknown",
        "Use a disposition that the hint names";
    ONLINE_TRIAGE_FALLBACK_MISSING: RepairCopy, "online-triage-fallback-missing", "CR-121",
        "What could not be read online is not stated in the triage",
        "The canonical gap or the list of what is missing was left out",
        "Write the words that the hint gives";
    REVIEW_NOTES_PATH_MISSING: SupplyEvidence, "review-notes-path-missing", "CR-117",
        "A path under review is not listed in `Files Inspected`",
        "It was not inspected, or is spelled otherwise",
        "Inspect it, then list it by its exact path";
    REVIEW_NOTES_INSPECTION_LINE_MISSING: SupplyEvidence, "review-notes-inspection-line-missing", "CR-117",
        "One of the four inspection lines of `Files Inspected` is missing or empty",
        "It was left out",
        "Write what you found, or `not applicable` and why";
    ONLINE_TRIAGE_ITEM_MISSING: SupplyEvidence, "online-triage-item-missing", "CR-121",
        "An online comment, review or unresolved thread has no row in the triage",
        "It was overlooked, or arrived with a later export",
        "Add a row that says what became of it";
}
