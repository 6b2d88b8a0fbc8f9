//! Codes of the step `notes-data`.

codes! {
    REVIEW_NOTES_DECISION_MISMATCH: RepairCopy, "review-notes-decision-mismatch",
        "The decision in the notes is not that of the result",
        "It was changed in one place only",
        "Copy it from the result";
    REVIEW_NOTES_SNAPSHOT_MISMATCH: RepairCopy, "review-notes-snapshot-mismatch",
        "The snapshot table of the notes does not show the values of the run",
        "A row was written by hand",
        "Copy the rows that the message gives";
    REVIEW_NOTES_SCOPE_MISMATCH: RepairCopy, "review-notes-scope-mismatch",
        "The scope in the notes is not that of the run",
        "It was copied from another run",
        "Copy it from the run";
    REVIEW_NOTES_TIER_MISMATCH: RepairCopy, "review-notes-tier-mismatch",
        "The tier in the notes is not that of the routing",
        "It was changed in one place only",
        "Copy it from the routing";
    REVIEW_NOTES_PASS_MISMATCH: RepairCopy, "review-notes-pass-mismatch",
        "The reviews in the notes are not those of the manifest",
        "One was left out or added",
        "Copy them from the manifest";
    REVIEW_NOTES_FINDINGS_MISMATCH: RepairCopy, "review-notes-findings-mismatch",
        "The findings in the notes are not those of the result",
        "One was changed in one place only",
        "Copy them from the result";
    REVIEW_NOTES_RESIDUAL_RISK_MISSING: RepairCopy, "review-notes-residual-risk-missing",
        "The notes do not state the remaining risk",
        "It was left out",
        "State the risk, or say that there is none";
    REVIEW_NOTES_CONFIDENCE_MISMATCH: RepairCopy, "review-notes-confidence-mismatch",
        "The confidence in the notes is not that of the result",
        "It was changed in one place only",
        "Copy it from the result";
    REVIEW_NOTES_TESTS_COMMAND_MISSING: RepairCopy, "review-notes-tests-command-missing",
        "The notes do not name the command of the tests",
        "It was left out",
        "Copy the command from the gates";
    REVIEW_NOTES_GATE_ENVIRONMENT_MISSING: RepairCopy, "review-notes-gate-environment-missing",
        "The notes do not say where the gates ran",
        "It was left out",
        "Name the environment of the gates";
    ONLINE_TRIAGE_DISPOSITION_INVALID: RepairCopy, "online-triage-disposition-invalid",
        "The answer to an online comment is not one of the known words",
        "It is misspelled",
        "Use one of the words that the message lists";
    ONLINE_TRIAGE_FALLBACK_MISSING: RepairCopy, "online-triage-fallback-missing",
        "The comments could not be read and the notes do not say so",
        "It was overlooked",
        "State that they could not be read and why";
    REVIEW_NOTES_PATH_MISSING: SupplyEvidence, "review-notes-path-missing",
        "A path of the scope is not among the inspected files",
        "It was overlooked",
        "Inspect it and list it";
    REVIEW_NOTES_INSPECTION_LINE_MISSING: SupplyEvidence, "review-notes-inspection-line-missing",
        "An inspected file has no line that says what was looked at",
        "It was left out",
        "Add the line";
    ONLINE_TRIAGE_ITEM_MISSING: SupplyEvidence, "online-triage-item-missing",
        "An online comment is not answered",
        "It was overlooked",
        "Answer it";
}
