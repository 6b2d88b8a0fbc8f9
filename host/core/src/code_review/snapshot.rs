//! The snapshot table of a review: who, what, at which commit, with which suggestion, from the receipts alone (CR-123 to CR-129).

mod ci;
mod forge;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{
    assessment::Assessment,
    notes::NOTES_FILE,
    pull_request::PullRequest,
    t0::T0,
    vocabulary::{NO_JUDGMENT, SUBSTITUTE_SUFFIX, Scope, Verdict},
};
use crate::canonical::read_strict;

pub use ci::rollup;
pub use forge::escape;

/// The paragraph below every snapshot table (CR-124).
pub const LEGEND: &str =
    "Legend: 1 = Approve · 2 = Minor changes · 3 = Major revision · 4 = Insufficient, but a good initiative · 5 = Block.";

/// The words of the row `Type` (CR-125).
pub const TYPES: [&str; 9] = ["fix", "feat", "refactor", "perf", "docs", "ci", "chore", "test", "mixed"];

/// The checks of the reviewed commit, as `start --ci-rollup` retained them.
pub const CI_ROLLUP_FILE: &str = "ci-rollup.json";

/// The columns.
pub const COLUMNS: [&str; 2] = ["Field", "Value"];

/// The row whose word the author chooses.
pub const TYPE: &str = "Type";

/// The row that says what the verdict asks for.
pub const SUGGESTION: &str = "Suggestion";

/// What a cell says when the forge or the caller gave nothing.
pub const UNAVAILABLE: &str = "unavailable";

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first cell.
    pub field: &'static str,
    /// The second cell, before it is escaped for a table.
    pub value: String,
}

/// What the rows are made of: this run's receipts, and nothing else (CR-124).
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    /// Collection's facts.
    pub t0: &'s T0,
    /// The collected pull request; scope pr only.
    pub pull_request: Option<&'s PullRequest>,
    /// The bytes of [`CI_ROLLUP_FILE`]; unused for a pull request.
    pub ci_rollup: Option<&'s [u8]>,
    /// Full id of the reviewed commit, or of the commit below a mirror (CR-127).
    pub commit: Option<&'s str>,
    /// One of [`TYPES`].
    pub change_type: &'s str,
    /// `review_decision.recommendation`.
    pub verdict: Option<Verdict>,
}

/// A commit together with its checks.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CiRollup {
    /// The full id that the checks are of.
    commit: String,
    /// As the forge tells them (CR-126); null or empty when there are none.
    #[serde(rename = "statusCheckRollup")]
    checks: Value,
}

/// The rows that machine records have, in order; people also read [`reviewers`] and [`report_link`].
///
/// # Errors
///
/// A sentence that says which source cannot be read.
pub fn rows(source: Source<'_>) -> Result<Vec<Row>, String> {
    let local = matches!(source.t0.run.scope, Scope::WorkingTree | Scope::Path);
    let mut rows = match source.pull_request {
        Some(pull_request) => of_pull_request(pull_request)?,
        None if source.t0.run.scope == Scope::Pr => return Err("the pull request was not collected".to_owned()),
        None => of_change(source, local)?,
    };
    let commit = commit(source.commit, local);
    rows.extend([
        row(TYPE, source.change_type),
        row("Commit", source.pull_request.map_or(commit, |pull_request| pull_request.head_oid.clone())),
        row(SUGGESTION, Verdict::suggestion(source.verdict)),
    ]);
    Ok(rows)
}

fn row(field: &'static str, value: impl Into<String>) -> Row {
    Row { field, value: value.into() }
}

/// The reviewed commit as the table shows it; a mirror's is only what it stands on.
pub fn commit(id: Option<&str>, local: bool) -> String {
    let suffix = if local { " (working-tree base)" } else { "" };
    format!("{}{suffix}", id.unwrap_or("none"))
}

fn of_pull_request(pull_request: &PullRequest) -> Result<Vec<Row>, String> {
    let PullRequest { number, url, title, author, status_checks, .. } = pull_request;
    Ok(vec![
        row("PR", format!("[#{number} — {}]({url})", escape(title))),
        row("Author", author.as_ref().map_or_else(|| UNAVAILABLE.to_owned(), |login| format!("@{}", escape(login)))),
        row("CI", rollup(status_checks.as_ref())?),
    ])
}

fn of_change(source: Source<'_>, local: bool) -> Result<Vec<Row>, String> {
    let revision = match source.commit {
        _ if local => format!("diff sha256:{}", source.t0.review_input_sha256),
        commit => commit.unwrap_or("none").to_owned(),
    };
    Ok(vec![row("Scope", source.t0.run.target_label.as_str()), row("Revision", revision), row("CI", retained_checks(source)?)])
}

fn retained_checks(source: Source<'_>) -> Result<String, String> {
    let Some(bytes) = source.ci_rollup else { return Ok(UNAVAILABLE.to_owned()) };
    let retained: CiRollup = read_strict(bytes, CI_ROLLUP_FILE, "the checks of the commit").map_err(|fault| fault.message)?;
    if Some(retained.commit.as_str()) != source.commit {
        return Err(format!("`{CI_ROLLUP_FILE}` is about the commit {}", retained.commit));
    }
    rollup(Some(&retained.checks))
}

/// The row `Reviewers`: each label with its rating, in the order of the assessments (CR-128).
pub fn reviewers(assessments: &[Assessment]) -> String {
    let one = |assessment: &Assessment| {
        let role = assessment.role.strip_suffix(SUBSTITUTE_SUFFIX).unwrap_or(&assessment.role);
        let rating = assessment.rating.map_or_else(|| NO_JUDGMENT.to_owned(), |rating| rating.to_string());
        format!("{role} [{rating}]")
    };
    format!("{}.", assessments.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// The row `Report`: a link to the notes of the run in this folder (CR-128).
pub fn report_link(run_path: &str) -> String {
    let path = format!("{}/{NOTES_FILE}", run_path.trim_end_matches('/'));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._~:@+-".contains(&byte);
    if path.bytes().all(is_plain) {
        return format!("[Markdown report]({path})");
    }
    let escaped = path.replace('\\', "\\\\").replace('<', "\\<").replace('>', "\\>");
    format!("[Markdown report](<{escaped}>)")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::code_review::fixture::Fixture;

    fn pull_request() -> PullRequest {
        PullRequest {
            number: 7,
            url: "https://forge.example/acme/tool/pull/7".to_owned(),
            title: "[x] <b>".to_owned(),
            author: Some("mira".to_owned()),
            status_checks: Some(json!([])),
            head_oid: "a".repeat(40),
            base_oid: "b".repeat(40),
            item_ids: Vec::new(),
            unresolved_threads: Vec::new(),
            threads_unavailable: false,
            fallback: None,
        }
    }

    fn values(source: Source<'_>) -> Vec<(&'static str, String)> {
        rows(source).expect("readable").into_iter().map(|row| (row.field, row.value)).collect()
    }

    /// C-100, C-101
    #[test]
    fn a_pull_request_is_shown_with_its_title_harmless() {
        let mut t0 = Fixture::new(&[]).t0;
        t0.run.scope = Scope::Pr;
        let pull_request = pull_request();
        let source = Source {
            t0: &t0,
            pull_request: Some(&pull_request),
            ci_rollup: None,
            commit: Some("of the source"),
            change_type: "fix",
            verdict: Some(Verdict::NeedsMoreWork),
        };
        let expected = [
            ("PR", "[#7 — &#91;x&#93; &lt;b&gt;](https://forge.example/acme/tool/pull/7)".to_owned()),
            ("Author", "@mira".to_owned()),
            ("CI", "unavailable".to_owned()),
            ("Type", "fix".to_owned()),
            ("Commit", "a".repeat(40)),
            ("Suggestion", "major revision".to_owned()),
        ];
        assert_eq!(values(source), expected);
        assert!(rows(Source { pull_request: None, ..source }).is_err());
        let gone = PullRequest { author: None, ..pull_request.clone() };
        assert_eq!(values(Source { pull_request: Some(&gone), ..source })[1].1, "unavailable");
    }

    /// C-101
    #[test]
    fn a_local_change_is_named_by_its_diff_and_the_commit_below() {
        let t0 = Fixture::new(&[]).t0;
        let id = "c".repeat(40);
        let source = Source { t0: &t0, pull_request: None, ci_rollup: None, commit: Some(&id), change_type: "docs", verdict: None };
        let rows = values(source);
        assert_eq!(rows[0], ("Scope", "working tree".to_owned()));
        assert_eq!(rows[1], ("Revision", format!("diff sha256:{}", t0.review_input_sha256)));
        assert_eq!(rows[4], ("Commit", format!("{id} (working-tree base)")));
        assert_eq!(rows[5], ("Suggestion", "no source judgment".to_owned()));
        assert_eq!(values(Source { commit: None, ..source })[4].1, "none (working-tree base)");
    }

    #[test]
    fn retained_checks_count_for_their_own_commit() {
        let mut t0 = Fixture::new(&[]).t0;
        t0.run.scope = Scope::Commit;
        let file = br#"{"commit": "c", "statusCheckRollup": [{"__typename": "StatusContext", "context": "build", "state": "SUCCESS"}]}"#;
        let source = Source { t0: &t0, pull_request: None, ci_rollup: Some(file), commit: Some("c"), change_type: "ci", verdict: None };
        let rows = values(source);
        assert_eq!([&rows[1].1, &rows[2].1, &rows[4].1], ["c", "passing", "c"]);
        assert!(super::rows(Source { commit: Some("d"), ..source }).is_err());
        assert!(super::rows(Source { ci_rollup: Some(b"{}"), ..source }).is_err());
    }

    #[test]
    fn reviewers_are_named_without_suffix() {
        let assessment = |role: &str, rating| Assessment { role: role.to_owned(), rating, evidence: String::new() };
        let all = [assessment("Software engineer", Some(2)), assessment("QA specialist (parent substitute)", None)];
        assert_eq!(reviewers(&all), "Software engineer [2], QA specialist [no source judgment].");
    }

    #[test]
    fn a_report_with_an_unusual_path_is_quoted() {
        assert_eq!(report_link("/r/a b/"), "[Markdown report](</r/a b/review-notes.md>)");
        assert_eq!(report_link("/r/a-b"), "[Markdown report](/r/a-b/review-notes.md)");
        assert_eq!(report_link("/r/a >"), "[Markdown report](</r/a \\>/review-notes.md>)");
    }
}
