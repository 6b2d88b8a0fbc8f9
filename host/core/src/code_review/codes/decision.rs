//! Codes of the step `decision`.

codes! {
    RESULT_MISSING_REVIEW_DECISION: RepairCopy, "result-missing-review-decision",
        "The result has no decision",
        "It was left out",
        "Add the decision";
    INVALID_REVIEW_RECOMMENDATION: RepairCopy, "invalid-review-recommendation",
        "The recommendation is not one of the known words",
        "It is misspelled",
        "Use one of the words that the message lists";
    REVIEW_DECISION_TEXT_MISSING: RepairCopy, "review-decision-text-missing",
        "The decision has no reason",
        "The text is empty",
        "Write the reason";
    RESULT_STATUS_CONFLICT: RepairCopy, "result-status-conflict",
        "The status of the result does not go with its decision",
        "One of the two was changed",
        "Set the status that the message names";
    REVIEW_ACCEPT_WITH_FINDINGS: SupplyEvidence, "review-accept-with-findings",
        "The review accepts although there are findings",
        "A finding was overlooked in the decision",
        "Decide anew, or refute the findings with evidence";
    REVIEW_ACCEPT_WITH_UNDECIDABLE_SCOPE: SupplyEvidence, "review-accept-with-undecidable-scope",
        "The review accepts although part of the scope could not be judged",
        "The limit was not taken into account",
        "Judge the rest, or decide anew";
    REVIEW_ACCEPT_WITH_INCOMPLETE_VERIFICATION: SupplyEvidence, "review-accept-with-incomplete-verification",
        "The review accepts although candidates are not checked to the end",
        "The check broke off",
        "End the check, or decide anew";
    REVIEW_ACCEPT_WITHOUT_PASS: SupplyEvidence, "review-accept-without-pass",
        "The review accepts although the check did not pass",
        "The decision came before the check",
        "Let the check pass, or decide anew";
    REVIEW_MINOR_WITH_CRITICAL_FINDING: SupplyEvidence, "review-minor-with-critical-finding",
        "Minor changes are asked for although a finding is critical",
        "The severity was not taken into account",
        "Decide anew, or show that the finding is less severe";
    REVIEW_MINOR_HIGH_UNNAMED: SupplyEvidence, "review-minor-high-unnamed",
        "Minor changes are asked for, but a finding of high severity is not named in the reason",
        "It was overlooked",
        "Name the finding and say why it is minor";
    REVIEW_APPROVAL_WITH_FAILED_GATES: SupplyEvidence, "review-approval-with-failed-gates",
        "The review approves although gates failed",
        "The failure was not taken into account",
        "Decide anew, or show that the failure has another cause";
    REVIEW_APPROVAL_GATE_UNNAMED: SupplyEvidence, "review-approval-gate-unnamed",
        "The review approves, but the reason does not name a gate that did not pass",
        "It was overlooked",
        "Name the gate and say why it does not count";
    REVIEW_BEHAVIORAL_FAILURE_UNVALIDATED: SupplyEvidence, "review-behavioral-failure-unvalidated",
        "A failed behaviour is neither confirmed nor refuted",
        "The failure was not followed up",
        "Make it a candidate and decide it";
    REVIEW_OPEN_CANDIDATE_NOT_EXPLAINED: SupplyEvidence, "review-open-candidate-not-explained",
        "An open candidate is not mentioned in the decision",
        "It was overlooked",
        "Say why it is open and what would decide it";
    REVIEW_VERDICT_UNCITED: SupplyEvidence, "review-verdict-uncited",
        "The reason of the decision refers to nothing",
        "It is general",
        "Name the findings, gates or paths that it rests on";
    REVIEW_REJECT_WITHOUT_REQUIREMENT: SupplyEvidence, "review-reject-without-requirement",
        "The review rejects without naming what is violated",
        "The requirement was left out",
        "Name the requirement";
    REVIEW_CHANGE_VERDICT_WITHOUT_ACTIONS: SupplyEvidence, "review-change-verdict-without-actions",
        "Changes are asked for, but none is named",
        "The actions were left out",
        "Name what has to change";
    REVIEW_NULL_VERDICT_UNSUPPORTED: SupplyEvidence, "review-null-verdict-unsupported",
        "There is no verdict, and nothing that keeps the review from one",
        "The decision was put off",
        "Decide, or name what prevents it";
    REVIEW_RATING_VERDICT_INCOHERENT: Warning, "review-rating-verdict-incoherent",
        "The ratings and the decision point in different directions",
        "Reviewers and decision weigh differently",
        "Read the reason of the decision before you rely on it";
    REVIEW_SEVERITY_VERDICT_INCOHERENT: Warning, "review-severity-verdict-incoherent",
        "The severities and the decision point in different directions",
        "Findings are weighed unlike their severity",
        "Read the reason of the decision before you rely on it";
}
