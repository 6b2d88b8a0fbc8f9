//! The report of a review that judged the source.

use reading::handoff::{ACTIONS, Action, Assessed, Handoff, Snapshot, person};
use reading::words::joined;

use crate::{
    blocks::{artifacts, confidence, gates, next_steps, outcome},
    text::{heading, line, list, row, table},
};

const LEGEND: &str = "Legend: 1 = Approve · 2 = Minor changes · 3 = Major revision · 4 = Insufficient, but a good initiative · 5 = Block.";

/// The blocks, in order.
pub fn blocks(handoff: &Handoff<'_>, assessed: &Assessed<'_>) -> Vec<String> {
    let mut blocks = vec![handoff.opening()];
    blocks.extend(outcome(handoff));
    blocks.push(heading("Results"));
    blocks.extend(snapshot(&assessed.snapshot, handoff.report_path));
    if let Some(actions) = &assessed.actions {
        blocks.extend([heading(ACTIONS), overview(actions)]);
    }
    blocks.extend([heading("Verification"), verification(handoff, assessed.snapshot.readiness)]);
    blocks.extend(next_steps(handoff));
    blocks.extend(confidence(handoff));
    blocks.extend(artifacts(handoff));
    blocks
}

fn snapshot(snapshot: &Snapshot<'_>, report_path: &str) -> [String; 4] {
    let mut rows: Vec<String> = snapshot.rows.iter().map(|cells| row(cells.iter().copied())).collect();
    rows.push(row(["Reviewers", &reviewers(snapshot)]));
    rows.push(row(["Report", &report_link(report_path)]));
    [heading(snapshot.title), line(snapshot.summary), table(&["Field", "Value"], rows), LEGEND.to_owned()]
}

fn reviewers(snapshot: &Snapshot<'_>) -> String {
    let rated = snapshot.reviewers.iter().map(|reviewer| {
        let rating = reviewer.rating.map_or_else(|| "no source judgment".to_owned(), |rating| rating.to_string());
        [person(reviewer.role), " [", &rating, "]"].concat()
    });
    joined(rated, ", ") + "."
}

/// In angle brackets where Markdown would end the path early.
fn report_link(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._~:@+-".contains(&byte);
    if path.bytes().all(is_plain) {
        return format!("[Markdown report]({path})");
    }
    let escaped = path.replace('\\', "\\\\").replace('<', "\\<").replace('>', "\\>");
    format!("[Markdown report](<{escaped}>)")
}

/// One line an action; what is said in full stands in the notes.
fn overview(actions: &[Action<'_>]) -> String {
    let rows = actions.iter().map(|action| {
        let authors = joined(action.authors.iter().map(|author| person(author).to_owned()), ", ");
        row([action.id, &authors, action.title, action.change, action.status])
    });
    table(&["ID", "Author", "Finding", "Resolution proposal", "Status"], rows)
}

fn verification(handoff: &Handoff<'_>, readiness: &str) -> String {
    let mut bullets = gates(handoff);
    bullets.push(format!("verification readiness: {readiness}"));
    let levels = joined(handoff.passes.iter().map(|pass| [person(pass.role), " ", pass.level].concat()), "; ");
    bullets.push(format!("reviewer evidence: {}", if levels.is_empty() { "none (parent-only)" } else { &levels }));
    list(bullets)
}
