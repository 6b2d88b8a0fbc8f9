//! `finalize.attempts.jsonl`: what every attempt to finalize found, so that an error that stays is known again (CR-22, CR-204).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_review::{
    step::Step,
    validation::{Validation, ValidationStatus},
    violation::Violation,
};

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// 1.
    pub schema_version: u32,
    /// From 1.
    pub attempt: u32,
    /// What the validation gave.
    pub status: ValidationStatus,
    /// What it found.
    pub violations: Vec<Found>,
}

/// A violation as it is known again: words and places in a file may change while its cause stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The step.
    pub step: Step,
    /// The code.
    pub code: String,
    /// What it is about.
    pub subject: Option<String>,
    /// The file; relative to the run.
    pub file: Option<String>,
}

impl From<&Violation> for Found {
    fn from(violation: &Violation) -> Self {
        let Violation { step, code, subject, file, .. } = violation;
        Self { step: *step, code: (*code).to_owned(), subject: subject.clone(), file: file.clone() }
    }
}

/// The last attempt of a log; a log whose last line is no attempt has none.
pub fn last(log: &[u8]) -> Option<Attempt> {
    let line = log.split(|byte| *byte == b'\n').rfind(|line| !line.is_empty())?;
    serde_json::from_slice(line).ok()
}

/// Marks what the previous attempt had found already, and gives the next attempt.
pub fn next(previous: Option<&Attempt>, validation: &mut Validation) -> Attempt {
    for violation in &mut validation.violations {
        violation.recurring = previous.is_some_and(|previous| previous.violations.contains(&Found::from(&*violation)));
    }
    Attempt {
        schema_version: 1,
        attempt: previous.map_or(0, |previous| previous.attempt) + 1,
        status: validation.status,
        violations: validation.violations.iter().map(Found::from).collect(),
    }
}

/// The log with one more line.
pub fn append(log: &[u8], attempt: &Attempt) -> Vec<u8> {
    let line = serde_json::to_vec(attempt).expect("an attempt has string keys and no numbers beyond integers");
    [log, &line, b"\n"].concat()
}
