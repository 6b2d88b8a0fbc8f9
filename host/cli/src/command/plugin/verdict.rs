//! What calls and cases came to, in lines and in JSON.

use code_polishy_core::{
    plugin::{PluginFault, PluginFaultKind},
    plugin_case::Difference,
    text::{escape_line, shorten},
};
use code_polishy_sandbox::check::Probe;
use serde_json::{Value, json};

use super::cases::{CaseResult, Outcome};
use crate::view::lines::{BAD, GOOD, OPEN, count, paint};

/// Differences of a case that are shown.
const SHOWN: usize = 10;
/// Bytes of a value that are shown.
const SHOWN_BYTES: usize = 200;

/// Why a canonical call does not pass, or what the plugin itself said against it.
pub fn broken(probe: &Probe) -> Option<String> {
    let line = |style, word: &str, why: &str| Some(format!("{} {}: {why}", paint(style, word), probe.call));
    match &probe.fault {
        _ if !probe.repeats => line(BAD, "FAIL", "the second call gave another answer, log or fuel"),
        Some(fault) if fault.kind == PluginFaultKind::Refused => {
            line(OPEN, "NOTE", &format!("the plugin refused: {}", escape_line(&fault.message)))
        }
        Some(fault) => line(BAD, "FAIL", &words(fault)),
        None => None,
    }
}

/// What happened, with the plugin's last word.
fn words(fault: &PluginFault) -> String {
    let last = fault.log.last().map(|line| format!(" ({})", escape_line(line))).unwrap_or_default();
    format!("{}{last}", escape_line(&fault.message))
}

/// A case, and each place at which its answer is another.
pub fn case(outcome: &Outcome) -> Vec<String> {
    let head = |style, word: &str, why: &str| format!("{} case {}{why}", paint(style, word), escape_line(&outcome.name));
    match &outcome.result {
        CaseResult::Passed => vec![head(GOOD, "PASS", "")],
        CaseResult::Accepted => vec![head(OPEN, "ACCEPTED", ": the answer is written as the expected one")],
        CaseResult::Unexpecting => vec![head(BAD, "FAIL", ": it does not say what it expects; --accept writes the answer")],
        CaseResult::Unsteady => vec![head(BAD, "FAIL", ": the second call gave another answer")],
        CaseResult::Faulty(fault) => vec![head(BAD, "FAIL", &format!(": {}", words(fault)))],
        CaseResult::Differs(found) => {
            let more = found.len().saturating_sub(SHOWN);
            let rest = (more > 0).then(|| format!("  and {} more", count(more, "difference")));
            let first = head(BAD, "FAIL", &format!(": the answer differs in {}", count(found.len(), "place")));
            std::iter::once(first).chain(found.iter().take(SHOWN).flat_map(difference)).chain(rest).collect()
        }
    }
}

/// Expected before got, as in a patch.
fn difference(found: &Difference) -> Vec<String> {
    let line = found.line.map(|line| format!(", line {line}")).unwrap_or_default();
    let side = |style, sign: &str, value: &Option<String>| {
        let value = value.as_deref().map_or_else(|| "nothing".to_owned(), |value| escape_line(&shorten(value, SHOWN_BYTES)));
        format!("    {}", paint(style, &format!("{sign} {value}")))
    };
    vec![format!("  {}{line}", escape_line(&found.pointer)), side(BAD, "-", &found.expected), side(GOOD, "+", &found.actual)]
}

/// A case as a program reads it.
pub fn document(outcome: &Outcome) -> Value {
    let state = match &outcome.result {
        CaseResult::Passed => "passed",
        CaseResult::Accepted => "accepted",
        CaseResult::Differs(_) => "differs",
        CaseResult::Unexpecting => "nothing-expected",
        CaseResult::Unsteady => "differs-from-itself",
        CaseResult::Faulty(_) => "fault",
    };
    let mut document = json!({"case": outcome.name, "state": state});
    match &outcome.result {
        CaseResult::Differs(found) => document["differences"] = found.iter().map(place).collect(),
        CaseResult::Faulty(fault) => document["fault"] = json!({"code": fault.kind.code(), "message": fault.message, "next": fault.next}),
        _ => {}
    }
    document
}

fn place(found: &Difference) -> Value {
    let mut place = json!({"pointer": found.pointer, "expected": found.expected, "actual": found.actual});
    if let Some(line) = found.line {
        place["line"] = line.into();
    }
    place
}
