//! The blocks that every report has.

use reading::handoff::{Gate, Handoff};

use crate::text::{heading, line, list};

/// Title and summary of the outcome.
pub fn outcome(handoff: &Handoff<'_>) -> [String; 3] {
    [heading("Outcome"), line(handoff.title), line(handoff.summary)]
}

/// One bullet a gate, or one for all when none applies.
pub fn gates(handoff: &Handoff<'_>) -> Vec<String> {
    if handoff.is_unchecked() {
        return vec!["Checks were not run; no executable verification applies to this branch.".to_owned()];
    }
    handoff.gates.iter().map(gate).collect()
}

fn gate(gate: &Gate<'_>) -> String {
    let why = gate.why().map(|why| [" (", &why, ")"].concat()).unwrap_or_default();
    [gate.id, ": ", gate.status, &why, " — ", gate.evidence].concat()
}

/// What is left to do; nothing when nothing is.
pub fn next_steps(handoff: &Handoff<'_>) -> Vec<String> {
    let entries = handoff.remaining.iter();
    let bullets: Vec<String> =
        entries.map(|entry| [entry.id, " — ", entry.item, " — owner: ", entry.owner, " — next: ", entry.next].concat()).collect();
    if bullets.is_empty() { Vec::new() } else { vec![heading("Next steps"), list(bullets)] }
}

/// The score, and what it is short of.
pub fn confidence(handoff: &Handoff<'_>) -> Vec<String> {
    let confidence = &handoff.confidence;
    let limits = confidence.limits.iter().map(|limit| ["Limit: ", limit].concat());
    let gaps = confidence.gaps.iter().map(|gap| ["Gap [", gap.status, "]: ", gap.gap, " — ", gap.why].concat());
    let bullets: Vec<String> = limits.chain(gaps).collect();
    let mut blocks = vec![heading("Confidence"), [&confidence.score(), " (", confidence.band, ")."].concat()];
    blocks.extend((!bullets.is_empty()).then(|| list(bullets)));
    blocks
}

/// Where the evidence lies.
pub fn artifacts(handoff: &Handoff<'_>) -> [String; 2] {
    [heading("Artifact"), list(handoff.artifacts.iter().map(|(label, path)| [label, ": ", path].concat()))]
}
