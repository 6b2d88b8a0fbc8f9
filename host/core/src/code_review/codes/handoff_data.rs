//! Codes of the step `handoff-data`.

codes! {
    HANDOFF_CANDIDATE_ATTRIBUTION_MISSING: RepairCopy, "code-review-final-handoff-candidate-attribution-missing",
        "A candidate in the hand-off does not say who raised it",
        "It was left out",
        "Name its authors";
    HANDOFF_REVIEW_SNAPSHOT_FIELDS_MISMATCH: RepairCopy, "code-review-final-handoff-review-snapshot-fields-mismatch",
        "The snapshot of the review does not have the required rows",
        "A row was left out or added",
        "Use the rows that the message gives";
    HANDOFF_REVIEW_SNAPSHOT_SUGGESTION_MISMATCH: RepairCopy, "code-review-final-handoff-review-snapshot-suggestion-mismatch",
        "A suggestion in the snapshot of the review is not the one that its value gives",
        "It was reworded",
        "Copy the suggestion that the message gives";
    HANDOFF_REVIEW_SNAPSHOT_VALUE_MISMATCH: RepairCopy, "code-review-final-handoff-review-snapshot-value-mismatch",
        "A value in the snapshot of the review is not that of the run",
        "It was changed in one place only",
        "Copy the value that the message gives";
    HANDOFF_PR_SNAPSHOT_FIELDS_MISMATCH: RepairCopy, "code-review-final-handoff-pr-snapshot-fields-mismatch",
        "The snapshot of the pull request does not have the required rows",
        "A row was left out or added",
        "Use the rows that the message gives";
    HANDOFF_PR_SNAPSHOT_SUGGESTION_MISMATCH: RepairCopy, "code-review-final-handoff-pr-snapshot-suggestion-mismatch",
        "A suggestion in the snapshot of the pull request is not the one that its value gives",
        "It was reworded",
        "Copy the suggestion that the message gives";
    HANDOFF_PR_SNAPSHOT_VALUE_MISMATCH: RepairCopy, "code-review-final-handoff-pr-snapshot-value-mismatch",
        "A value in the snapshot of the pull request is not that of the run",
        "It was changed in one place only",
        "Copy the value that the message gives";
    HANDOFF_REVIEWERS_MISMATCH: RepairCopy, "code-review-final-handoff-reviewers-mismatch",
        "The reviewers in the hand-off are not those of the result",
        "One was left out or added",
        "Copy them from the result";
    HANDOFF_REVIEW_SUMMARY_MISMATCH: RepairCopy, "code-review-final-handoff-review-summary-mismatch",
        "The summary in the hand-off is not that of the result",
        "It was reworded",
        "Copy it from the result";
    HANDOFF_FINDINGS_TABLE_MISSING: RepairCopy, "code-review-final-handoff-findings-table-missing",
        "There are findings, but the hand-off has no table of them",
        "It was left out",
        "Add the table";
    HANDOFF_FINDING_IDENTITY_MISMATCH: RepairCopy, "code-review-final-handoff-finding-identity-mismatch",
        "The findings in the hand-off are not those of the result",
        "One was left out or added",
        "Add a row for each finding, and no other";
    HANDOFF_FINDING_CONTENT_MISMATCH: RepairCopy, "code-review-final-handoff-finding-content-mismatch",
        "A finding in the hand-off differs from the result",
        "It was reworded",
        "Copy it from the result";
    HANDOFF_FINDING_AUTHORS_MISMATCH: RepairCopy, "code-review-final-handoff-finding-authors-mismatch",
        "The authors of a finding in the hand-off are not those of the result",
        "One was left out",
        "Copy them from the result";
    HANDOFF_VERIFICATION_MISMATCH: RepairCopy, "code-review-final-handoff-verification-mismatch",
        "The verification in the hand-off is not that of the gates",
        "It was changed in one place only",
        "Copy it from the gates";
    HANDOFF_CONFIDENCE_MISMATCH: RepairCopy, "code-review-final-handoff-confidence-mismatch",
        "The confidence in the hand-off is not that of the result",
        "It was changed in one place only",
        "Copy it from the result";
    HANDOFF_RESULT_ARTIFACT_MISSING: RepairCopy, "code-review-final-handoff-result-artifact-missing",
        "The hand-off does not name the result",
        "It was left out",
        "Add the path of the result";
    REVIEW_OPEN_CANDIDATE_REMAINING_MISSING: RepairCopy, "review-open-candidate-remaining-missing",
        "An open candidate is not among what remains",
        "It was left out",
        "Add it";
    REVIEW_OPEN_CANDIDATE_REMAINING_MISMATCH: RepairCopy, "review-open-candidate-remaining-mismatch",
        "What remains of an open candidate is not what the result says",
        "It was reworded",
        "Copy it from the result";
    HANDOFF_SNAPSHOT_SOURCE_INVALID: Stop, "code-review-final-handoff-snapshot-source-invalid",
        "What a snapshot is taken from is damaged or gone",
        "A record was changed after the start",
        "Start a new run";
    HANDOFF_NOTES_STATUS_CONFLICT: AskUser, "handoff-notes-status-conflict",
        "Notes and hand-off call the state of the review by different names",
        "One of the two was changed",
        "Ask which holds, then correct the other";
}
