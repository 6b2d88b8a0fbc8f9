//! Reports of reviews that ended before they judged the source: they show a state and no verdict.

use crate::{
    blocks::{artifacts, confidence, gates, next_steps, outcome},
    part::{Part, Unreadable},
    text::{heading, line, list, row, table},
};

/// The pull request could not be collected.
pub fn unavailable(handoff: Part<'_>) -> Result<Vec<String>, Unreadable> {
    let terminal = handoff.get("terminal")?;
    let mut blocks = vec![line(terminal.text("explanation")?)];
    blocks.extend(outcome(handoff)?);
    blocks.extend(status(&[
        ("Availability", "unavailable"),
        ("Source findings", "not assessed"),
        ("Merge decision", "not made"),
        ("Process diagnostic", terminal.text("diagnostic")?),
    ]));
    blocks.extend([heading("Verification"), list(gates(handoff)?)]);
    blocks.extend(next_steps(handoff)?);
    blocks.extend(confidence(handoff)?);
    blocks.extend(artifacts(handoff)?);
    Ok(blocks)
}

/// Closing is advised without a detailed review.
pub fn closed(handoff: Part<'_>) -> Result<Vec<String>, Unreadable> {
    let terminal = handoff.get("terminal")?;
    let mut blocks = vec![line(&["Closing without detailed review is advised: ", terminal.text("summary")?].concat())];
    blocks.extend(outcome(handoff)?);
    blocks.extend(status(&[
        ("Disposition", "closed"),
        ("Close code", terminal.text("code")?),
        ("Reviewed head", terminal.text("head_sha")?),
        ("Source findings", "not assessed"),
        ("Detailed review", "skipped"),
        ("GitHub mutation", "not performed"),
    ]));
    let mut evidence = Vec::new();
    for one in terminal.items("evidence")? {
        evidence.push([one.text("claim")?, " — ", one.text("source")?].concat());
    }
    blocks.extend([heading("Evidence"), list(evidence)]);
    let checked = terminal.texts("counterevidence_checked")?.into_iter().map(str::to_owned);
    blocks.extend([heading("Counterevidence checked"), list(checked)]);
    blocks.extend([heading("Verification"), list(gates(handoff)?)]);
    blocks.extend(confidence(handoff)?);
    blocks.extend(artifacts(handoff)?);
    Ok(blocks)
}

fn status(rows: &[(&str, &str)]) -> [String; 2] {
    [heading("Status"), table(&["Field", "Value"], rows.iter().map(|(field, value)| row([*field, *value])))]
}
