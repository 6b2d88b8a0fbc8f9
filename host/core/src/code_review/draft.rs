//! A draft of `review-notes.md`: what the data determine, and a marked gap for everything that only the author knows (CR-116 to CR-129).
//!
//! A draft over notes adds what they lack and closes gaps whose words are known by now. It changes nothing that the author wrote.

mod confidence;
mod decision;
mod fill;
mod known;
mod open;
mod sketch;
mod subject;
#[cfg(test)]
mod tests;
mod triage;
mod work;

use serde_json::json;

use super::{codes, context::Facts, violation::Violation, vocabulary::Scope};
use crate::{
    diagnostic::Diagnostic,
    strict::{Json, Kind, Node, parse, quoted},
};
use known::Known;
use sketch::Sketch;

pub use open::Open;

/// Notes, and what is left to write in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The whole text.
    pub text: String,
    /// Its gaps, in order.
    pub left: Vec<Open>,
}

/// Where the records of the result come from.
#[derive(Clone, Copy, Debug)]
pub enum Records<'r> {
    /// There are none yet.
    None,
    /// The bytes of a result.
    Result(&'r [u8]),
    /// The bytes of a result's `metadata` alone.
    Metadata(&'r [u8]),
}

/// Why there is no draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDraft {
    /// Collection's receipts do not hold.
    Receipts(Vec<Violation>),
    /// A receipt of the snapshot cannot be shown: a sentence.
    Snapshot(String),
    /// The records are no JSON object.
    Records(Box<Diagnostic>),
    /// What is added would be part of something that the author's notes do not end, such as a fence.
    Unclosed,
}

/// The draft of a run, over the notes that it has.
///
/// # Errors
///
/// [`NoDraft`].
pub fn draft(facts: &Facts<'_>, records: Records<'_>, notes: Option<&str>) -> Result<Draft, NoDraft> {
    let result = read(records).map_err(NoDraft::Records)?;
    let notes = notes.unwrap_or_default();
    let known = Known::read(facts, result, notes).map_err(NoDraft::Receipts)?;
    over(&known, notes)
}

/// The draft of what is known, over these notes.
fn over(known: &Known<'_>, notes: &str) -> Result<Draft, NoDraft> {
    let notes = if notes.trim().is_empty() { "# Review notes\n" } else { notes };
    let sketches = sketches(known).map_err(NoDraft::Snapshot)?;
    let text = fill::fill(&sketches, notes);
    if fill::fill(&sketches, &text) != text {
        return Err(NoDraft::Unclosed);
    }
    let left = open::all(&text);
    Ok(Draft { text, left })
}

/// Every section that is due, in order.
fn sketches(known: &Known<'_>) -> Result<Vec<Sketch>, String> {
    let Some(t0) = &known.context.t0 else { return Ok(Vec::new()) };
    let mut sketches = vec![decision::summary(known)];
    sketches.extend(decision::action_table(known));
    sketches.extend([subject::table(known, t0)?, subject::scope(known, t0), subject::tier(known), work::files(t0)]);
    sketches.extend([work::passes(known), work::manifest(known)]);
    sketches.extend(work::main_assessment(known));
    sketches.extend([work::findings(known), work::risks(), confidence::gaps(known), confidence::calibration(known)]);
    let pull_request = known.context.pr.as_ref().filter(|_| t0.run.scope == Scope::Pr);
    sketches.extend(pull_request.map(triage::triage));
    Ok(sketches)
}

/// The records as a result; metadata alone brings its own score.
fn read(records: Records<'_>) -> Result<Option<Node>, Box<Diagnostic>> {
    let kind = |noun, file| Kind { code: "result", noun, file };
    let object = |kind: Kind, bytes: &[u8]| {
        let (_, root) = parse(kind, bytes)?;
        let fault = match (&root.json, root.duplicates().first()) {
            (Json::Object(_), None) => return Ok(root),
            (_, Some(again)) => format!("{} has the key {} twice", kind.noun, quoted(&again.key)),
            (other, None) => format!("{} is {}, not an object", kind.noun, other.type_name()),
        };
        Err(Box::new(Diagnostic::new(codes::USAGE_ERROR.name, fault, "write an object with the keys of the record, each once")))
    };
    match records {
        Records::None => Ok(None),
        Records::Result(bytes) => object(kind("the result", "result.candidate.json"), bytes).map(Some),
        Records::Metadata(bytes) => {
            let metadata = object(kind("the metadata", ""), bytes)?.value();
            let result = json!({"confidence": metadata["confidence_recovery"]["final_confidence"], "metadata": metadata});
            object(kind("the metadata", ""), result.to_string().as_bytes()).map(Some)
        }
    }
}
