//! The decision, and the table of its actions (CR-117 to CR-120).

use super::{
    known::Known,
    sketch::{Piece, Row, Sketch, Table, Words},
};
use crate::code_review::{
    confidence::score,
    finding::Finding,
    notes::{ACTION_COLUMNS, ACTION_STATUSES, ACTION_TABLE, DECISION_LABELS, DECISION_SUMMARY, needs_action_table, people},
    vocabulary::{NO_JUDGMENT, Severity, Verdict},
};

/// What is to be done: an id, who asks for it, the change, and the evidence.
struct Action<'k> {
    id: &'k str,
    authors: &'k [String],
    change: &'k str,
    evidence: &'k [String],
}

/// `Decision Summary`.
pub(super) fn summary(known: &Known<'_>) -> Sketch {
    let decision = known.context.decision.as_ref();
    let confidence = known.context.confidence.as_ref();
    let verdict = decision.map(|decision| decision.recommendation.map_or(NO_JUDGMENT, Verdict::as_str).to_owned());
    let values = [
        ("the verdict, or `no source judgment`", verdict),
        ("the decision in one to three sentences", decision.map(|decision| decision.summary.clone())),
        ("why the verdict follows", decision.map(|decision| decision.rationale.clone())),
        ("ids of critical and high findings, or `none`", known.findings().map(|all| ids(all, &[Severity::Critical, Severity::High]))),
        ("ids of medium and low findings, or `none`", known.findings().map(|all| ids(all, &[Severity::Medium, Severity::Low]))),
        ("what is left to do for each id, or `none`", actions(known).map(|actions| next_work(&actions))),
        ("the score", confidence.map(|confidence| format!("{} ({})", score(confidence.hundredths), confidence.band.as_str()))),
    ];
    let lines = DECISION_LABELS.into_iter().zip(values);
    Sketch::new(DECISION_SUMMARY).with(lines.map(|(label, (what, value))| Piece::line(label, what, value)))
}

fn ids(findings: &[Finding], severities: &[Severity]) -> String {
    let of_these = findings.iter().filter(|finding| severities.contains(&finding.severity));
    or_none(of_these.map(|finding| finding.id.as_str()).collect::<Vec<_>>().join(", "))
}

fn next_work(actions: &[Action<'_>]) -> String {
    or_none(actions.iter().map(|action| format!("{}: {}", action.id, action.change)).collect::<Vec<_>>().join(" "))
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none".to_owned() } else { text }
}

/// Canonical actions in the order of the records; `None` while the result does not have them.
fn actions<'k>(known: &'k Known<'_>) -> Option<Vec<Action<'k>>> {
    let findings = known.findings()?.iter().map(|it| (&it.id, &it.authors, &it.required_change, &it.evidence));
    let blockers = known.blockers()?.iter().map(|it| (&it.id, &it.authors, &it.required_change, &it.evidence));
    let all = findings.chain(blockers).map(|(id, authors, change, evidence)| Action { id, authors, change, evidence });
    Some(all.collect())
}

/// The action table, where it is due.
pub(super) fn action_table(known: &Known<'_>) -> Option<Sketch> {
    let (actions, decision) = (actions(known)?, known.context.decision.as_ref()?);
    let due = needs_action_table(actions.len(), decision.recommendation);
    let status = format!("one of {}", ACTION_STATUSES.join(", "));
    let row = |action: &Action<'_>| Row {
        key: action.id.to_owned(),
        cells: vec![
            Words::known(people(action.authors)),
            Words::known(action.change),
            Words::known(action.evidence.join("; ")),
            Words::open(&status),
        ],
    };
    let table = Table { columns: &ACTION_COLUMNS, rows: actions.iter().map(row).collect(), below: None };
    due.then(|| Sketch::new(ACTION_TABLE).with_table(table))
}
