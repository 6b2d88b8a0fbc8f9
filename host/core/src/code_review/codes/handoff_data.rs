//! Codes of the step `handoff-data`.

codes! {
    HANDOFF_CANDIDATE_ATTRIBUTION_MISSING: RepairCopy, "code-review-final-handoff-candidate-attribution-missing";
    HANDOFF_REVIEW_SNAPSHOT_FIELDS_MISMATCH: RepairCopy, "code-review-final-handoff-review-snapshot-fields-mismatch";
    HANDOFF_REVIEW_SNAPSHOT_SUGGESTION_MISMATCH: RepairCopy, "code-review-final-handoff-review-snapshot-suggestion-mismatch";
    HANDOFF_REVIEW_SNAPSHOT_VALUE_MISMATCH: RepairCopy, "code-review-final-handoff-review-snapshot-value-mismatch";
    HANDOFF_PR_SNAPSHOT_FIELDS_MISMATCH: RepairCopy, "code-review-final-handoff-pr-snapshot-fields-mismatch";
    HANDOFF_PR_SNAPSHOT_SUGGESTION_MISMATCH: RepairCopy, "code-review-final-handoff-pr-snapshot-suggestion-mismatch";
    HANDOFF_PR_SNAPSHOT_VALUE_MISMATCH: RepairCopy, "code-review-final-handoff-pr-snapshot-value-mismatch";
    HANDOFF_REVIEWERS_MISMATCH: RepairCopy, "code-review-final-handoff-reviewers-mismatch";
    HANDOFF_REVIEW_SUMMARY_MISMATCH: RepairCopy, "code-review-final-handoff-review-summary-mismatch";
    HANDOFF_FINDINGS_TABLE_MISSING: RepairCopy, "code-review-final-handoff-findings-table-missing";
    HANDOFF_FINDING_IDENTITY_MISMATCH: RepairCopy, "code-review-final-handoff-finding-identity-mismatch";
    HANDOFF_FINDING_CONTENT_MISMATCH: RepairCopy, "code-review-final-handoff-finding-content-mismatch";
    HANDOFF_FINDING_AUTHORS_MISMATCH: RepairCopy, "code-review-final-handoff-finding-authors-mismatch";
    HANDOFF_VERIFICATION_MISMATCH: RepairCopy, "code-review-final-handoff-verification-mismatch";
    HANDOFF_CONFIDENCE_MISMATCH: RepairCopy, "code-review-final-handoff-confidence-mismatch";
    HANDOFF_RESULT_ARTIFACT_MISSING: RepairCopy, "code-review-final-handoff-result-artifact-missing";
    REVIEW_OPEN_CANDIDATE_REMAINING_MISSING: RepairCopy, "review-open-candidate-remaining-missing";
    REVIEW_OPEN_CANDIDATE_REMAINING_MISMATCH: RepairCopy, "review-open-candidate-remaining-mismatch";
    HANDOFF_SNAPSHOT_SOURCE_INVALID: Stop, "code-review-final-handoff-snapshot-source-invalid";
    HANDOFF_NOTES_STATUS_CONFLICT: AskUser, "handoff-notes-status-conflict";
}
