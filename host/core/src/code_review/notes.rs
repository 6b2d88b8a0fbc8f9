//! `review-notes.md`: the sections that a review has, and when it has its action table (CR-116 to CR-120).

use super::vocabulary::{SUBSTITUTE_SUFFIX, Scope, Verdict};

/// The file's name.
pub const NOTES_FILE: &str = "review-notes.md";

/// The section of the action table.
pub const ACTION_TABLE: &str = "Review Findings and Merge Blocks";

/// The section of the decision.
pub const DECISION_SUMMARY: &str = "Decision Summary";

/// The section of the parent's own assessment.
pub const MAIN_ASSESSMENT: &str = "Main Reviewer Assessment";

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
        "No-Finding Residual Risks",
        "Confidence Gaps",
        "Confidence Calibration",
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
