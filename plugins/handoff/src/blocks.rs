//! The blocks that every report has.

use crate::{
    part::{Part, Unreadable},
    text::{heading, line, list},
};

/// Title and summary of the outcome.
pub fn outcome(handoff: Part<'_>) -> Result<[String; 3], Unreadable> {
    let outcome = handoff.get("outcome")?;
    Ok([heading("Outcome"), line(outcome.text("title")?), line(outcome.text("summary")?)])
}

/// One bullet a gate, or one for all when none applies.
pub fn gates(handoff: Part<'_>) -> Result<Vec<String>, Unreadable> {
    let (mut bullets, mut applies) = (Vec::new(), false);
    for gate in handoff.items("verification")? {
        applies |= gate.text("status")? != "not-applicable";
        bullets.push(self::gate(gate)?);
    }
    if !applies {
        return Ok(vec!["Checks were not run; no executable verification applies to this branch.".to_owned()]);
    }
    Ok(bullets)
}

fn gate(gate: Part<'_>) -> Result<String, Unreadable> {
    let (id, status, evidence) = (gate.text("check")?, gate.text("status")?, gate.text("evidence")?);
    let exit = gate.integer("command_exit").map(|exit| [", exit ", &exit.to_string()].concat()).unwrap_or_default();
    let why = match status {
        "fail" => [" (", gate.text("reason")?, &exit, ")"].concat(),
        "missing-command" => [" (", gate.text("reason")?, ")"].concat(),
        "not-applicable" => [" (", gate.text("detail")?, ")"].concat(),
        _ => String::new(),
    };
    Ok([id, ": ", status, &why, " — ", evidence].concat())
}

/// What is left to do; nothing when nothing is.
pub fn next_steps(handoff: Part<'_>) -> Result<Vec<String>, Unreadable> {
    let mut bullets = Vec::new();
    for entry in handoff.items("remaining")? {
        let (id, item) = (entry.text("row_id")?, entry.text("item")?);
        let (owner, next) = (entry.text("owner")?, entry.text("next_action")?);
        bullets.push([id, " — ", item, " — owner: ", owner, " — next: ", next].concat());
    }
    Ok(if bullets.is_empty() { Vec::new() } else { vec![heading("Next steps"), list(bullets)] })
}

/// The score, and what it is short of.
pub fn confidence(handoff: Part<'_>) -> Result<Vec<String>, Unreadable> {
    let confidence = handoff.get("confidence")?;
    let mut bullets: Vec<String> = confidence.texts("limits")?.into_iter().map(|limit| ["Limit: ", limit].concat()).collect();
    for gap in confidence.items("gaps")? {
        let why = gap.text("evidence").or_else(|_| gap.text("rationale"))?;
        bullets.push(["Gap [", gap.text("status")?, "]: ", gap.text("gap")?, " — ", why].concat());
    }
    let hundredths = confidence.hundredths("score")?;
    let score = format!("{}.{:02} ({}).", hundredths / 100, hundredths % 100, confidence.text("band")?);
    let mut blocks = vec![heading("Confidence"), score];
    blocks.extend((!bullets.is_empty()).then(|| list(bullets)));
    Ok(blocks)
}

/// Where the evidence lies.
pub fn artifacts(handoff: Part<'_>) -> Result<[String; 2], Unreadable> {
    let mut bullets = Vec::new();
    for artifact in handoff.items("artifacts")? {
        bullets.push([artifact.text("label")?, ": ", artifact.text("path")?].concat());
    }
    Ok([heading("Artifact"), list(bullets)])
}
