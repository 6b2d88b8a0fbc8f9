//! What is wrong with a run: every violation of one validation, each with its place and what to do about it (CR-22, CR-23).

use schemars::JsonSchema;
use serde::Serialize;

use super::{codes::Code, next_action::NextAction, step::Step};
use crate::{diagnostic::Diagnostic, strict::At};

/// One violation, or one warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Violation {
    /// The step that found it.
    pub step: Step,
    /// A code of the catalogue.
    pub code: &'static str,
    /// The id, path, role, section or gate that it is about.
    pub subject: Option<String>,
    /// RFC 6901 pointer into the JSON file `file`.
    pub pointer: Option<String>,
    /// The file, relative to the run.
    pub file: Option<String>,
    /// Line in the file, from 1.
    pub line: Option<u32>,
    /// What is wrong, in one sentence without the final full stop.
    pub message: String,
    /// What makes it right.
    pub hint: String,
    /// `None` for a warning.
    pub next_action: Option<NextAction>,
    /// The previous attempt had it too: its cause has not been found (CR-22).
    pub recurring: bool,
}

impl Violation {
    /// A violation of no place in particular; the sink gives it its step.
    pub fn new(code: &Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            step: Step::Image,
            code: code.name,
            subject: None,
            pointer: None,
            file: None,
            line: None,
            message: message.into(),
            hint: hint.into(),
            next_action: code.action,
            recurring: false,
        }
    }

    /// The same, with the remedy of the code as its hint.
    pub fn of(code: &Code, message: impl Into<String>) -> Self {
        Self::new(code, message, as_hint(code.remedy))
    }

    /// The same, about this id, path, role, section or gate.
    #[must_use]
    pub fn subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// The same, in this file of the run.
    #[must_use]
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// The same, in this file at this RFC 6901 pointer.
    #[must_use]
    pub fn at(mut self, file: impl Into<String>, pointer: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self.pointer = Some(pointer.into());
        self
    }

    /// The same, in this file at this line, from 1.
    #[must_use]
    pub fn line(mut self, file: impl Into<String>, line: u32) -> Self {
        self.file = Some(file.into());
        self.line = Some(line);
        self
    }

    /// The same, where a value of a JSON file stands.
    #[must_use]
    pub(crate) fn at_node(self, file: &str, at: &At) -> Self {
        self.at(file, at.pointer.clone())
    }

    /// The violation as the end of a command that is not a validation.
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.code, self.message.clone(), self.hint.clone());
        Diagnostic {
            path: self.subject.clone().or_else(|| self.file.clone()),
            pointer: self.pointer.clone().unwrap_or_default(),
            line: self.line,
            ..diagnostic
        }
    }

    /// The same, which changes nothing.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.next_action = None;
        self
    }

    /// The code, with its subject after a colon when there is one.
    pub fn token(&self) -> String {
        match &self.subject {
            Some(subject) => format!("{}:{subject}", self.code),
            None => self.code.to_owned(),
        }
    }
}

/// A hint goes on where a message ended: it begins with a small letter.
fn as_hint(remedy: &str) -> String {
    let mut letters = remedy.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// Collects what one step finds.
#[derive(Debug)]
pub struct Sink {
    step: Step,
    violations: Vec<Violation>,
    warnings: Vec<Violation>,
}

impl Sink {
    /// For this step.
    pub fn new(step: Step) -> Self {
        Self { step, violations: Vec::new(), warnings: Vec::new() }
    }

    /// Records a violation, or a warning when its code is one.
    pub fn push(&mut self, violation: Violation) {
        let violation = Violation { step: self.step, ..violation };
        match violation.next_action {
            Some(_) => self.violations.push(violation),
            None => self.warnings.push(violation),
        }
    }

    /// The same for what was found, if anything.
    pub fn extend(&mut self, violations: impl IntoIterator<Item = Violation>) {
        violations.into_iter().for_each(|violation| self.push(violation));
    }

    /// The step's name.
    pub(crate) fn step_name(&self) -> String {
        match serde_json::to_value(self.step) {
            Ok(serde_json::Value::String(name)) => name,
            _ => String::new(),
        }
    }

    /// Nothing was refused so far; warnings do not count.
    pub fn is_clean(&self) -> bool {
        self.violations.is_empty()
    }

    /// The violations and the warnings.
    pub fn finish(self) -> (Vec<Violation>, Vec<Violation>) {
        (self.violations, self.warnings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_review::codes;

    #[test]
    fn a_remedy_as_hint_goes_on_after_a_message() {
        let violation = Violation::of(&codes::REVIEW_SCOPE_EMPTY, "nothing changed");
        assert_eq!(violation.hint, "change something, or name another scope or target");
    }
}
