//! Codes of the step `decision`.

codes! {
    RESULT_MISSING_REVIEW_DECISION: RepairCopy, "result-missing-review-decision", "CR-165",
        "The result has no decision, or one with other fields than the three it has",
        "The decision was left out or shortened",
        "Record recommendation, summary and rationale";
    INVALID_REVIEW_RECOMMENDATION: RepairCopy, "invalid-review-recommendation", "CR-97",
        "The recommendation is not one of the five verdicts, and not null",
        "It is misspelled, or a word of an older family",
        "Use the word of the hint";
    REVIEW_DECISION_TEXT_MISSING: RepairCopy, "review-decision-text-missing", "CR-165",
        "The summary or the rationale of the decision is empty",
        "It was left for later",
        "Write both";
    RESULT_STATUS_CONFLICT: RepairCopy, "result-status-conflict", "CR-108",
        "The status of the result does not follow from its checks, findings, readiness and confidence",
        "One of them was changed after the status was written",
        "Write the status that the hint gives";
    REVIEW_ACCEPT_WITH_FINDINGS: SupplyEvidence, "review-accept-with-findings", "CR-100",
        "The verdict is `accept-as-is`, and there are findings",
        "A finding was confirmed after the verdict",
        "Choose the verdict that the findings ask for";
    REVIEW_ACCEPT_WITH_UNDECIDABLE_SCOPE: SupplyEvidence, "review-accept-with-undecidable-scope", "CR-100",
        "The verdict is `accept-as-is`, and an assessment could not decide its scope",
        "A null rating was not taken into account",
        "Settle what is undecided, or give no judgment";
    REVIEW_ACCEPT_WITH_INCOMPLETE_VERIFICATION: SupplyEvidence, "review-accept-with-incomplete-verification", "CR-100",
        "The verdict is `accept-as-is`, and work that can be done is left",
        "A claim was not followed to its end",
        "Do the remaining checks first, then decide";
    REVIEW_ACCEPT_WITHOUT_PASS: SupplyEvidence, "review-accept-without-pass", "CR-100",
        "The verdict is `accept-as-is` with complete verification, and the status is not `pass`",
        "A gate or the confidence keeps the status from passing",
        "Make the status pass, or state what blocks the verification";
    REVIEW_MINOR_WITH_CRITICAL_FINDING: SupplyEvidence, "review-minor-with-critical-finding", "CR-101",
        "The verdict is `minor-changes`, and a finding is critical",
        "The severity was not taken into account",
        "Choose a verdict that asks for more work, or lower the severity with evidence";
    REVIEW_MINOR_HIGH_UNNAMED: SupplyEvidence, "review-minor-high-unnamed", "CR-101",
        "The verdict is `minor-changes`, and the rationale does not name a finding of high severity",
        "It was overlooked",
        "Name the finding in the rationale, and why its repair is small";
    REVIEW_APPROVAL_WITH_FAILED_GATES: SupplyEvidence, "review-approval-with-failed-gates", "CR-102",
        "The verdict approves although the status does not pass, and nothing bears that",
        "A failed gate, a low confidence or an unfinished check was not taken into account",
        "Refute the failure or record it as a finding, name what is unavailable and state readiness `blocked`, or choose another verdict";
    REVIEW_APPROVAL_GATE_UNNAMED: SupplyEvidence, "review-approval-gate-unnamed", "CR-102",
        "The verdict approves, and a gate that failed or did not run is named nowhere",
        "It was overlooked",
        "Name it as `gate:<id>` in the rationale, a gap or evidence";
    REVIEW_BEHAVIORAL_FAILURE_UNVALIDATED: SupplyEvidence, "review-behavioral-failure-unvalidated", "CR-103",
        "A gate that tests behaviour failed, and no claim is about it",
        "The failure was not followed up",
        "Record a claim whose check or evidence names `gate:<id>`";
    REVIEW_OPEN_CANDIDATE_NOT_EXPLAINED: SupplyEvidence, "review-open-candidate-not-explained", "CR-106",
        "A claim is open, and the rationale does not name it",
        "It was overlooked",
        "Name its id, and why the verdict stands without it";
    REVIEW_VERDICT_UNCITED: SupplyEvidence, "review-verdict-uncited", "CR-105",
        "The rationale asks for changes without naming a finding or a requirement",
        "It stays general",
        "Name a finding id, or a requirement as `req:<path>:<line>` or `req:<address>`";
    REVIEW_REJECT_WITHOUT_REQUIREMENT: SupplyEvidence, "review-reject-without-requirement", "CR-105",
        "The verdict is `reject`, and no requirement is cited",
        "The documented direction was left out",
        "Cite the requirement as `req:<path>:<line>` or `req:<address>`";
    REVIEW_CHANGE_VERDICT_WITHOUT_ACTIONS: SupplyEvidence, "review-change-verdict-without-actions", "CR-105",
        "The verdict asks for changes, and no finding or blocker says which",
        "Findings were refuted after the verdict",
        "Record what has to change, or choose another verdict";
    REVIEW_NULL_VERDICT_UNSUPPORTED: SupplyEvidence, "review-null-verdict-unsupported", "CR-106",
        "There is no verdict, and nothing is recorded that keeps the question undecidable",
        "The decision was put off",
        "Choose a verdict, or record the open claim or the scope that cannot be decided";
    REVIEW_RATING_VERDICT_INCOHERENT: Warning, "review-rating-verdict-incoherent", "CR-107",
        "A reviewer's rating and the verdict point in different directions",
        "Reviewer and verdict weigh the change differently",
        "Explain the disagreement in the rationale";
    REVIEW_SEVERITY_VERDICT_INCOHERENT: Warning, "review-severity-verdict-incoherent", "CR-107",
        "The severities of the findings and the verdict point in different directions",
        "The findings are weighed unlike their severity",
        "Explain the weight in the rationale";
}
