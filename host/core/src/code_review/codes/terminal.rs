//! Codes of the step `terminal`.

codes! {
    TERMINAL_REVIEW_NON_PR_SCOPE: RepairCopy, "terminal-review-non-pr-scope", "CR-186",
        "A review that ended early is not of a pull request",
        "The branch was chosen for a local review",
        "Finish the review in full";
    TERMINAL_REVIEW_UNEXPECTED_FIELDS: RepairCopy, "terminal-review-unexpected-fields", "CR-187",
        "A review that ended early has fields of a full review",
        "They were copied",
        "Remove the fields that the message names";
    TERMINAL_REVIEW_HAS_FINDINGS: RepairCopy, "terminal-review-has-findings", "CR-186",
        "A review that ended early has findings",
        "They were copied, or work went on",
        "Remove them, or finish the review in full";
    TERMINAL_REVIEW_FORBIDDEN_ARTIFACT: RepairCopy, "terminal-review-forbidden-artifact", "CR-195",
        "A review that ended early has a file that only a full review has",
        "It was left by an attempt at a full review",
        "Finish the review in full, or start a new run";
    TERMINAL_NOTES_MISMATCH: RepairCopy, "terminal-notes-mismatch", "CR-191",
        "The notes of a review that ended early are not its fixed text",
        "They were edited",
        "Run `code-polishy code-review finalize` again, which writes them";
    TERMINAL_GATES_INVALID: RepairCopy, "terminal-gates-invalid", "CR-188",
        "The gates of a review that ended early are not its fixed records",
        "Gates were run, or the record was edited",
        "Run `code-polishy code-review finalize` again, which writes them";
    TERMINAL_CONFIDENCE_MISMATCH: RepairCopy, "terminal-confidence-mismatch", "CR-189",
        "The confidence of a review that ended early is not its fixed record",
        "It was copied from a full review",
        "Run `code-polishy code-review finalize` again, which writes it";
    UNAVAILABLE_REVIEW_STATUS_INVALID: RepairCopy, "unavailable-review-status-invalid", "CR-188",
        "A review whose evidence could not be collected does not have the status of one",
        "It was copied from a full review",
        "Write the status `fail` and the review status `unavailable`";
    UNAVAILABLE_REVIEW_FAILURE_ARTIFACT_MISMATCH: RepairCopy, "unavailable-review-failure-artifact-mismatch", "CR-188",
        "The failure in the result is not the one in `pr-error.txt`",
        "One of the two was edited",
        "Copy the code from `pr-error.txt`";
    UNAVAILABLE_REVIEW_DIAGNOSTIC_INVALID: RepairCopy, "unavailable-review-diagnostic-invalid", "CR-190",
        "What is kept about the failed collection has fields or values that it may not have",
        "Output of a command was put into the record",
        "Keep the closed fields only, and import again";
    CLOSED_REVIEW_DECISION_INVALID: SupplyEvidence, "closed-review-decision-invalid", "CR-193",
        "The decision to close has a missing, unknown, empty or ill-typed field",
        "It was written against another shape",
        "Write exactly the fields that its schema shows";
    CLOSED_REVIEW_CODE_INVALID: SupplyEvidence, "closed-review-code-invalid", "CR-194",
        "The reason to close is not one of the known words",
        "It is misspelled, or the case is another",
        "Use the word of the hint, or finish the review in full";
    CLOSED_REVIEW_DISTINCT_EVIDENCE_REQUIRED: SupplyEvidence, "closed-review-distinct-evidence-required", "CR-193",
        "Closing rests on fewer than two claims from two sources",
        "The same source was named twice",
        "Add evidence from another source, or finish the review in full";
    CLOSED_REVIEW_NOT_ADVISORY: SupplyEvidence, "closed-review-not-advisory", "CR-193",
        "The decision to close is not marked as advice",
        "The mark was left out or set to false",
        "Write `advisory_only` as true; a person closes a pull request";
    CLOSED_REVIEW_COUNTEREVIDENCE_REQUIRED: SupplyEvidence, "closed-review-counterevidence-required", "CR-193",
        "Nothing is recorded that was looked for against closing",
        "The search was left out",
        "Look for what speaks against closing, and record it";
    CLOSED_REVIEW_HEAD_MISMATCH: SupplyEvidence, "closed-review-head-mismatch", "CR-193",
        "The decision to close is about another head than the verified one",
        "The pull request got new commits, or the id was shortened",
        "Judge the verified head, and write its full id";
    CLOSED_REVIEW_CONFIDENCE_BELOW_THRESHOLD: SupplyEvidence, "closed-review-confidence-below-threshold", "CR-195",
        "The confidence is below the 0.90 that closing needs",
        "The evidence does not suffice",
        "Add evidence, or finish the review in full";
    CLOSED_REVIEW_PUBLIC_FALLBACK_INSUFFICIENT: Stop, "closed-review-public-fallback-insufficient", "CR-195",
        "Evidence from public pages alone does not suffice to close",
        "The regular export was not possible",
        "Export the pull request in full and start a new run";
    CLOSED_REVIEW_PR_STATE_NOT_OPEN: Stop, "closed-review-pr-state-not-open", "CR-195",
        "The pull request is not open, so there is nothing to close",
        "It was merged or closed meanwhile",
        "Leave it; nothing is left to decide";
}
