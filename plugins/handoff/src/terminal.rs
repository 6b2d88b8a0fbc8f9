//! Reports of reviews that ended before they judged the source: they show a state and no verdict.

use reading::handoff::{Closed, Handoff};

use crate::{
    blocks::{artifacts, confidence, gates, next_steps, outcome},
    text::{heading, line, list, row, table},
};

/// The pull request could not be collected.
pub fn unavailable(handoff: &Handoff<'_>, diagnostic: &str) -> Vec<String> {
    let mut blocks = vec![line(&handoff.opening())];
    blocks.extend(outcome(handoff));
    blocks.extend(status(&[
        ("Availability", "unavailable"),
        ("Source findings", "not assessed"),
        ("Merge decision", "not made"),
        ("Process diagnostic", diagnostic),
    ]));
    blocks.extend([heading("Verification"), list(gates(handoff))]);
    blocks.extend(next_steps(handoff));
    blocks.extend(confidence(handoff));
    blocks.extend(artifacts(handoff));
    blocks
}

/// Closing is advised without a detailed review.
pub fn closed(handoff: &Handoff<'_>, closed: &Closed<'_>) -> Vec<String> {
    let mut blocks = vec![line(&handoff.opening())];
    blocks.extend(outcome(handoff));
    blocks.extend(status(&[
        ("Disposition", "closed"),
        ("Close code", closed.code),
        ("Reviewed head", closed.head),
        ("Source findings", "not assessed"),
        ("Detailed review", "skipped"),
        ("GitHub mutation", "not performed"),
    ]));
    let evidence = closed.evidence.iter().map(|(claim, source)| [claim, " — ", source].concat());
    blocks.extend([heading("Evidence"), list(evidence)]);
    blocks.extend([heading("Counterevidence checked"), list(closed.counterevidence.iter().map(|checked| (*checked).to_owned()))]);
    blocks.extend([heading("Verification"), list(gates(handoff))]);
    blocks.extend(confidence(handoff));
    blocks.extend(artifacts(handoff));
    blocks
}

fn status(rows: &[(&str, &str)]) -> [String; 2] {
    [heading("Status"), table(&["Field", "Value"], rows.iter().map(|(field, value)| row([*field, *value])))]
}
