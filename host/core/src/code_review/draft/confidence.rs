//! The confidence: gaps, calibration, and what the gates recorded (CR-110 to CR-114, CR-117).

use super::{
    known::Known,
    sketch::{Piece, Sketch, There, Words, list},
};
use crate::code_review::{
    confidence::{Confidence, score},
    gates::Gates,
    notes::{
        CALIBRATION, CALIBRATION_PARTS, GAPS, GATE_ENVIRONMENT, TESTS_COMMAND,
        text::{normal, told},
    },
};

/// `Confidence Gaps`.
pub(super) fn gaps(known: &Known<'_>) -> Sketch {
    let confidence = known.context.confidence.as_ref();
    let told = confidence.map(|confidence| list(&confidence.closures.iter().map(told).collect::<Vec<_>>()));
    let words = Words::of("each gap with what became of it, or `none`", told);
    Sketch::new(GAPS).with([Piece::paragraph(There::List, words)])
}

/// `Confidence Calibration`.
pub(super) fn calibration(known: &Known<'_>) -> Sketch {
    let confidence = known.context.confidence.as_ref();
    let bodies: [(&str, fn(&Confidence) -> String); 6] = [
        ("the score before the recovery", |confidence| score(confidence.initial)),
        ("what was observed", |confidence| list(&confidence.evidence)),
        ("each gap, or `none`", |confidence| list(&confidence.gaps)),
        ("what was done to close them", |confidence| list(&confidence.recovery_actions)),
        ("the score after it", |confidence| score(confidence.hundredths)),
        ("what cannot be closed, or `none`", |confidence| list(&confidence.remaining_limits)),
    ];
    let parts = CALIBRATION_PARTS.into_iter().zip(bodies).map(|(title, (what, body))| Piece::part(title, what, confidence.map(body)));
    let gates = known.context.gates.as_ref();
    let command = Piece::line(TESTS_COMMAND, "as the gates recorded it", gates.map(|gates| tests_command(known, gates)));
    Sketch::new(CALIBRATION).with([command]).with(environment(gates)).with(parts)
}

fn tests_command(known: &Known<'_>, gates: &Gates) -> String {
    let tests = gates.checks.iter().find(|check| check.id == "tests").and_then(|check| check.command_path.as_deref());
    tests.and_then(|path| known.context.facts.image.text(path)).map_or_else(|| "none".to_owned(), normal)
}

fn environment(gates: Option<&Gates>) -> impl Iterator<Item = Piece> {
    let checks = gates.into_iter().flat_map(|gates| &gates.checks);
    let given = checks.flat_map(|check| check.environment.iter().map(move |(name, value)| format!("{}:{name}={value}", check.id)));
    given.map(|value| Piece::one_of_lines(GATE_ENVIRONMENT, &value))
}
