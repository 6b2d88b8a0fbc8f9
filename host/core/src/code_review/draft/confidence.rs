//! The confidence: gaps, calibration, and what the gates recorded (CR-110 to CR-114, CR-117).

use super::{
    known::Known,
    sketch::{Piece, Sketch, There, Words, list},
};
use crate::code_review::{
    confidence::{Confidence, score},
    notes::{
        CALIBRATION, CALIBRATION_PARTS, CHANGED_COMMAND, GAPS, GATE_ENVIRONMENT, TESTS_COMMAND,
        gates::{changed_commands, environment, tests_command},
        text::told,
    },
};

/// `Confidence Gaps`.
pub(super) fn gaps(known: &Known<'_>) -> Sketch {
    let confidence = known.context.confidence.as_ref();
    let told = confidence.map(|confidence| list(&confidence.closures.iter().map(told).collect::<Vec<_>>()));
    let words = Words::of("each gap with what became of it, or `none`", told);
    Sketch::new(GAPS).with([Piece::paragraph(There::List, words)])
}

/// What the parts of the calibration leave open, in their order.
const PART_GAPS: [&str; 6] = [
    "the score before the recovery",
    "what was observed",
    "each gap, or `none`",
    "what was done to close them",
    "the score after it",
    "what cannot be closed, or `none`",
];

/// What the record says in a part.
fn body(part: &str, confidence: &Confidence) -> String {
    match part {
        "Initial Confidence" => score(confidence.initial),
        "Objective Evidence" => list(&confidence.evidence),
        GAPS => list(&confidence.gaps),
        "Recovery Actions" => list(&confidence.recovery_actions),
        "Recomputed Confidence" => score(confidence.hundredths),
        _ => list(&confidence.remaining_limits),
    }
}

/// `Confidence Calibration`.
pub(super) fn calibration(known: &Known<'_>) -> Sketch {
    let confidence = known.context.confidence.as_ref();
    let parts = CALIBRATION_PARTS.into_iter().zip(PART_GAPS);
    let parts = parts.map(|(title, what)| Piece::part(title, what, confidence.map(|confidence| body(title, confidence))));
    let gates = known.context.gates.as_ref();
    let image = known.context.facts.image;
    let command = gates.map(|gates| tests_command(gates, image).unwrap_or_else(|| "none".to_owned()));
    let changed = gates.map(changed_commands).unwrap_or_default();
    let given = gates.map(environment).unwrap_or_default();
    Sketch::new(CALIBRATION)
        .with([Piece::line(TESTS_COMMAND, "as the gates recorded it", command)])
        .with(changed.iter().map(|value| Piece::one_of_lines(CHANGED_COMMAND, value)))
        .with(given.iter().map(|value| Piece::one_of_lines(GATE_ENVIRONMENT, value)))
        .with(parts)
}
