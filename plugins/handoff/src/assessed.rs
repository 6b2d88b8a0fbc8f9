//! The report of a review that judged the source.

use crate::{
    blocks::{artifacts, confidence, gates, next_steps, outcome},
    opening::opening,
    part::{Part, Unreadable},
    text::{heading, line, list, person, row, table},
};

const ACTIONS: &str = "Review Findings and Merge Blocks";
const LEGEND: &str = "Legend: 1 = Approve · 2 = Minor changes · 3 = Major revision · 4 = Insufficient, but a good initiative · 5 = Block.";

/// The blocks, in order.
pub fn blocks(handoff: Part<'_>) -> Result<Vec<String>, Unreadable> {
    let (mut snapshot, mut actions) = (None, None);
    for table in handoff.items("tables")? {
        let place = if table.text("title")? == ACTIONS { &mut actions } else { &mut snapshot };
        *place = Some(table);
    }
    let snapshot = snapshot.ok_or(Unreadable("tables"))?;
    let readiness = snapshot.text("verification_readiness")?;
    let count = actions.map(|table| Ok(table.items("rows")?.count())).transpose()?.unwrap_or(0);
    let mut blocks = vec![opening(handoff, readiness, count)?];
    blocks.extend(outcome(handoff)?);
    blocks.push(heading("Results"));
    blocks.extend(snapshot_blocks(handoff, snapshot)?);
    if let Some(actions) = actions {
        blocks.extend([heading(ACTIONS), overview(actions)?]);
    }
    blocks.extend([heading("Verification"), verification(handoff, readiness)?]);
    blocks.extend(next_steps(handoff)?);
    blocks.extend(confidence(handoff)?);
    blocks.extend(artifacts(handoff)?);
    Ok(blocks)
}

fn snapshot_blocks(handoff: Part<'_>, snapshot: Part<'_>) -> Result<[String; 4], Unreadable> {
    let mut rows = Vec::new();
    for machine in snapshot.items("rows")? {
        rows.push(row(machine.texts("cells")?));
    }
    rows.push(row(["Reviewers", &reviewers(snapshot)?]));
    rows.push(row(["Report", &report_link(handoff.text("report_path")?)]));
    let title = heading(snapshot.text("title")?);
    Ok([title, line(snapshot.text("summary")?), table(&["Field", "Value"], rows), LEGEND.to_owned()])
}

fn reviewers(snapshot: Part<'_>) -> Result<String, Unreadable> {
    let mut rated = Vec::new();
    for reviewer in snapshot.items("reviewers")? {
        let rating = reviewer.integer("rating").map_or_else(|| "no source judgment".to_owned(), |rating| rating.to_string());
        rated.push([person(reviewer.text("role")?), " [", &rating, "]"].concat());
    }
    Ok(format!("{}.", rated.join(", ")))
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
fn overview(actions: Part<'_>) -> Result<String, Unreadable> {
    let mut rows = Vec::new();
    for action in actions.items("rows")? {
        let authors: Vec<&str> = action.texts("authors")?.into_iter().map(person).collect();
        let cells = action.texts("cells")?;
        let [id, change, _, status] = cells[..] else {
            return Err(Unreadable("cells"));
        };
        rows.push(row([id, &authors.join(", "), action.text("title")?, change, status]));
    }
    Ok(table(&["ID", "Author", "Finding", "Resolution proposal", "Status"], rows))
}

fn verification(handoff: Part<'_>, readiness: &str) -> Result<String, Unreadable> {
    let mut bullets = gates(handoff)?;
    bullets.push(format!("verification readiness: {readiness}"));
    let mut evidence = Vec::new();
    for pass in handoff.items("reviewer_evidence")? {
        evidence.push([person(pass.text("role")?), " ", pass.text("evidence_level")?].concat());
    }
    let evidence = if evidence.is_empty() { "none (parent-only)".to_owned() } else { evidence.join("; ") };
    bullets.push(format!("reviewer evidence: {evidence}"));
    Ok(list(bullets))
}
