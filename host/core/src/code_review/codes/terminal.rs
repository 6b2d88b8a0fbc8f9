//! Codes of the step `terminal`.

codes! {
    TERMINAL_REVIEW_NON_PR_SCOPE: RepairCopy, "terminal-review-non-pr-scope",
        "A review that ended early is not of a pull request",
        "Only reviews of pull requests may end early",
        "Review the scope in full";
    TERMINAL_REVIEW_UNEXPECTED_FIELDS: RepairCopy, "terminal-review-unexpected-fields",
        "A review that ended early has fields of a full review",
        "They were copied",
        "Remove the fields that the message names";
    TERMINAL_REVIEW_HAS_FINDINGS: RepairCopy, "terminal-review-has-findings",
        "A review that ended early has findings",
        "They were copied",
        "Remove them, or review in full";
    TERMINAL_REVIEW_FORBIDDEN_ARTIFACT: RepairCopy, "terminal-review-forbidden-artifact",
        "A review that ended early has an artifact of a full review",
        "It was left from an attempt",
        "Take the artifact out of the run";
    TERMINAL_NOTES_MISMATCH: RepairCopy, "terminal-notes-mismatch",
        "The notes do not fit a review that ended early",
        "They were written for a full review",
        "Write them as the message says";
    TERMINAL_GATES_INVALID: RepairCopy, "terminal-gates-invalid",
        "The gates do not fit a review that ended early",
        "Gates were run or recorded all the same",
        "Record the gates as the message says";
    TERMINAL_CONFIDENCE_MISMATCH: RepairCopy, "terminal-confidence-mismatch",
        "The confidence does not fit a review that ended early",
        "It was copied from a full review",
        "State it as the message says";
    UNAVAILABLE_REVIEW_STATUS_INVALID: RepairCopy, "unavailable-review-status-invalid",
        "The status does not fit a review that could not take place",
        "It was copied from a full review",
        "Set the status that the message names";
    UNAVAILABLE_REVIEW_FAILURE_ARTIFACT_MISMATCH: RepairCopy, "unavailable-review-failure-artifact-mismatch",
        "The recorded failure is not the one that the result names",
        "One of the two was changed",
        "Copy the failure from its record";
    UNAVAILABLE_REVIEW_DIAGNOSTIC_INVALID: RepairCopy, "unavailable-review-diagnostic-invalid",
        "The reason why the review could not take place is incomplete",
        "A field was left out",
        "Write it as the message says";
    CLOSED_REVIEW_DECISION_INVALID: SupplyEvidence, "closed-review-decision-invalid",
        "The decision does not fit a review that closes a pull request",
        "It was copied from a full review",
        "Decide as the message says";
    CLOSED_REVIEW_CODE_INVALID: SupplyEvidence, "closed-review-code-invalid",
        "The reason for closing is not one of the known words",
        "It is misspelled",
        "Use one of the words that the message lists";
    CLOSED_REVIEW_DISTINCT_EVIDENCE_REQUIRED: SupplyEvidence, "closed-review-distinct-evidence-required",
        "Closing rests on fewer pieces of evidence than it needs",
        "The same evidence was named twice",
        "Add evidence of another kind";
    CLOSED_REVIEW_NOT_ADVISORY: SupplyEvidence, "closed-review-not-advisory",
        "A review that closes is not marked as advice",
        "The mark was left out",
        "Mark it as advice: a person closes the pull request";
    CLOSED_REVIEW_COUNTEREVIDENCE_REQUIRED: SupplyEvidence, "closed-review-counterevidence-required",
        "Nothing was looked for that speaks against closing",
        "The search was left out",
        "Look for it and record what you found";
    CLOSED_REVIEW_HEAD_MISMATCH: SupplyEvidence, "closed-review-head-mismatch",
        "The evidence for closing is for another head",
        "The pull request moved on",
        "Collect the evidence for the present head";
    CLOSED_REVIEW_CONFIDENCE_BELOW_THRESHOLD: SupplyEvidence, "closed-review-confidence-below-threshold",
        "The confidence is too low for closing",
        "Evidence is missing",
        "Add evidence, or review in full";
    CLOSED_REVIEW_PUBLIC_FALLBACK_INSUFFICIENT: Stop, "closed-review-public-fallback-insufficient",
        "Public pages alone do not suffice for closing",
        "The regular way was not open",
        "Start a new run by the regular way";
    CLOSED_REVIEW_PR_STATE_NOT_OPEN: Stop, "closed-review-pr-state-not-open",
        "The pull request is not open, so that there is nothing to close",
        "It was merged or closed meanwhile",
        "Stop: nothing is left to decide";
}
