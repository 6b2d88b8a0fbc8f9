//! `review-notes.md`: the sections that a review has, and when it has its action table (CR-116 to CR-120).

pub(super) mod gates;
pub(super) mod snapshot;
pub(super) mod text;

use super::vocabulary::{SUBSTITUTE_SUFFIX, Scope, Verdict};

/// The file's name.
pub const NOTES_FILE: &str = "review-notes.md";

/// The section of the action table.
pub const ACTION_TABLE: &str = "Review Findings and Merge Blocks";

/// The section of the decision.
pub const DECISION_SUMMARY: &str = "Decision Summary";

/// The section of the parent's own assessment.
pub const MAIN_ASSESSMENT: &str = "Main Reviewer Assessment";

/// The lines of the decision, in the order of a draft.
pub const DECISION_LABELS: [&str; 7] =
    ["Recommendation", "Summary", "Rationale", "Blocking findings", "Minor changes", "Required next work", "Confidence"];

/// What the author says about the inspected files, each in one line.
pub const INSPECTION_LINES: [&str; 4] = ["Docstring style", "Comment policy", "Simplicity and readability", "Reproducibility"];

/// What `Findings` says when there are none.
pub const NO_FINDINGS: &str = "No confirmed findings remain.";

/// The section of what may still be wrong.
pub const RESIDUAL_RISKS: &str = "No-Finding Residual Risks";

/// The section of the gaps, and the part of the calibration that lists them.
pub const GAPS: &str = "Confidence Gaps";

/// The section of the confidence.
pub const CALIBRATION: &str = "Confidence Calibration";

/// The parts of the calibration, in the order of a draft.
pub const CALIBRATION_PARTS: [&str; 6] =
    ["Initial Confidence", "Objective Evidence", GAPS, "Recovery Actions", "Recomputed Confidence", "Remaining Limits"];

/// The line of the calibration that tells what the tests gate ran.
pub const TESTS_COMMAND: &str = "Tests gate command";

/// The lines of the calibration that tell which values the gates were given.
pub const GATE_ENVIRONMENT: &str = "Gate environment";

/// The lines of the calibration that tell which gates have another command than the one that failed, and why (CR-227).
pub const CHANGED_COMMAND: &str = "Changed command";

/// The labels of the gates' lines.
pub const GATE_LABELS: [&str; 3] = [TESTS_COMMAND, CHANGED_COMMAND, GATE_ENVIRONMENT];

/// The columns of the action table.
pub const ACTION_COLUMNS: [&str; 5] = ["Finding / area", "Author", "Required change", "Evidence", "Status"];

/// What a row of the action table says of its action (CR-120).
pub const ACTION_STATUSES: [&str; 7] =
    ["Required", "Minor change", "Verify", "Implemented; verify", "Required verification", "Reject", "Not aligned"];

/// The snapshot's section.
pub fn snapshot_title(scope: Scope) -> &'static str {
    if scope == Scope::Pr { "PR Snapshot" } else { "Review Snapshot" }
}

/// The sections that every assessed review has, in the order of a draft; the action table and the main assessment come to them.
pub fn required_sections(scope: Scope) -> Vec<&'static str> {
    let mut titles = vec![
        DECISION_SUMMARY,
        snapshot_title(scope),
        "Scope",
        "Risk Tier",
        "Files Inspected",
        "Specialist Passes",
        "Specialist Manifest",
        "Findings",
        RESIDUAL_RISKS,
        GAPS,
        CALIBRATION,
    ];
    titles.extend((scope == Scope::Pr).then_some("Online Review Triage"));
    titles
}

/// The action table is due: there are actions, or the verdict asks for a source change (CR-118). Else it is forbidden.
pub fn needs_action_table(actions: usize, verdict: Option<Verdict>) -> bool {
    actions > 0 || verdict.is_some_and(|verdict| verdict != Verdict::AcceptAsIs)
}

/// Authors as people read them: without the suffix of substitutes (CR-119).
pub fn people(authors: &[String]) -> String {
    let names: Vec<&str> = authors.iter().map(|author| author.strip_suffix(SUBSTITUTE_SUFFIX).unwrap_or(author)).collect();
    names.join(", ")
}
