//! Codes of the step `handoff-data`.

codes! {
    HANDOFF_CANDIDATE_ATTRIBUTION_MISSING: RepairCopy, "code-review-final-handoff-candidate-attribution-missing", "CR-152",
        "The hand-off has no snapshot of the review, or one without reviewers, summary and readiness",
        "The table was written by hand",
        "Copy reviewers, summary and readiness from the result";
    HANDOFF_REVIEW_SNAPSHOT_FIELDS_MISMATCH: RepairCopy, "code-review-final-handoff-review-snapshot-fields-mismatch", "CR-152",
        "The snapshot of the review does not have its six rows in order",
        "A row was left out, added or moved",
        "Write the rows that the hint gives";
    HANDOFF_REVIEW_SNAPSHOT_SUGGESTION_MISMATCH: RepairCopy, "code-review-final-handoff-review-snapshot-suggestion-mismatch", "CR-152",
        "The suggestion in the snapshot of the review is not that of the verdict",
        "The verdict was changed, or the suggestion reworded",
        "Write the suggestion that the hint gives";
    HANDOFF_REVIEW_SNAPSHOT_VALUE_MISMATCH: RepairCopy, "code-review-final-handoff-review-snapshot-value-mismatch", "CR-124",
        "A value in the snapshot of the review is not what the receipts say",
        "It was copied from elsewhere or shortened",
        "Write the value that the hint gives";
    HANDOFF_PR_SNAPSHOT_FIELDS_MISMATCH: RepairCopy, "code-review-final-handoff-pr-snapshot-fields-mismatch", "CR-152",
        "The snapshot of the pull request does not have its six rows in order",
        "A row was left out, added or moved",
        "Write the rows that the hint gives";
    HANDOFF_PR_SNAPSHOT_SUGGESTION_MISMATCH: RepairCopy, "code-review-final-handoff-pr-snapshot-suggestion-mismatch", "CR-152",
        "The suggestion in the snapshot of the pull request is not that of the verdict",
        "The verdict was changed, or the suggestion reworded",
        "Write the suggestion that the hint gives";
    HANDOFF_PR_SNAPSHOT_VALUE_MISMATCH: RepairCopy, "code-review-final-handoff-pr-snapshot-value-mismatch", "CR-124",
        "A value in the snapshot of the pull request is not what the receipts say",
        "It was copied from elsewhere or shortened",
        "Write the value that the hint gives";
    HANDOFF_REVIEWERS_MISMATCH: RepairCopy, "code-review-final-handoff-reviewers-mismatch", "CR-152",
        "The reviewers of the hand-off are not the assessments of the result",
        "An assessment was changed, left out or added",
        "Copy the assessments from the result";
    HANDOFF_REVIEW_SUMMARY_MISMATCH: RepairCopy, "code-review-final-handoff-review-summary-mismatch", "CR-152",
        "The summary of the hand-off is not that of the decision",
        "It was reworded",
        "Copy it from the decision";
    HANDOFF_FINDINGS_TABLE_MISSING: RepairCopy, "code-review-final-handoff-findings-table-missing", "CR-152",
        "The review asks for changes, and the hand-off has no table of them",
        "It was left out",
        "Add the table `Review Findings and Merge Blocks`";
    HANDOFF_FINDING_IDENTITY_MISMATCH: RepairCopy, "code-review-final-handoff-finding-identity-mismatch", "CR-153",
        "The rows of the action table are not the findings and blockers of the result",
        "One was left out, added or renamed",
        "Write one row for each finding and blocker, and no other";
    HANDOFF_FINDING_CONTENT_MISMATCH: RepairCopy, "code-review-final-handoff-finding-content-mismatch", "CR-153",
        "A row of the action table differs from its record or from its row in the notes",
        "One of them was changed alone",
        "Copy the row from the record, and its status from the notes";
    HANDOFF_FINDING_AUTHORS_MISMATCH: RepairCopy, "code-review-final-handoff-finding-authors-mismatch", "CR-153",
        "The authors in a row are not those of its record",
        "A name was left out or changed",
        "Copy the authors from the record";
    HANDOFF_VERIFICATION_MISMATCH: RepairCopy, "code-review-final-handoff-verification-mismatch", "CR-155",
        "Status, readiness or a gate of the hand-off is not what the result and the gates record",
        "The gates ran again, the result changed, or a line was edited",
        "Copy the value that the hint gives; the five gates stand in their order";
    HANDOFF_CONFIDENCE_MISMATCH: RepairCopy, "code-review-final-handoff-confidence-mismatch", "CR-157",
        "The confidence of the hand-off is not that of the result",
        "One of the two was changed alone",
        "Copy score, band, limits and gaps from the result";
    HANDOFF_RESULT_ARTIFACT_MISSING: RepairCopy, "code-review-final-handoff-result-artifact-missing", "CR-157",
        "The artifacts of the hand-off do not begin with the result",
        "It was left out or moved",
        "Put the result of this run first";
    REVIEW_OPEN_CANDIDATE_REMAINING_MISSING: RepairCopy, "review-open-candidate-remaining-missing", "CR-156",
        "An open claim is not among what remains",
        "Its entry was left out",
        "Add one entry under the id of the claim";
    REVIEW_OPEN_CANDIDATE_REMAINING_MISMATCH: RepairCopy, "review-open-candidate-remaining-mismatch", "CR-156",
        "What remains of an open claim does not repeat owner, claim, prerequisite, next check and closure condition",
        "The words were changed in one place",
        "Copy them from the claim word for word";
    HANDOFF_SNAPSHOT_SOURCE_INVALID: Stop, "code-review-final-handoff-snapshot-source-invalid", "CR-126",
        "The receipts do not give the values that a snapshot shows",
        "A receipt is damaged, or names a check without name or of an unknown kind",
        "Start a new run from sound evidence";
    HANDOFF_NOTES_STATUS_CONFLICT: AskUser, "handoff-notes-status-conflict", "CR-168",
        "Notes and hand-off give an action different statuses",
        "One of the two was changed alone",
        "Decide which one holds, and correct the other";
}
