//! What a command answers, in every form at once, so that no view can say what another does not.

use code_polishy_core::diagnostic::{Diagnostic, Failure};
use serde_json::Value;

use crate::exit::Exit;

/// The answer of a command that came to its end.
#[derive(Clone, Debug)]
pub struct Reply {
    /// For people.
    pub human: Human,
    /// For programs: the one document of `--format json`.
    pub document: Value,
    /// How the process ends.
    pub exit: Exit,
    /// Why the answer is what it is; shown to people on standard error.
    pub remarks: Vec<Diagnostic>,
    /// What failed outside although there is an answer; shown on standard error in both formats.
    pub fault: Option<Failure>,
}

/// Standard output for people.
#[derive(Clone, Debug)]
pub enum Human {
    /// Lines without line ends, already escaped.
    Lines(Vec<String>),
    /// Bytes that were asked for as they are: a schema, a script, a render.
    Exact(Vec<u8>),
    /// Nothing, and these lines on standard error.
    Errors(Vec<String>),
    /// It was printed while the command ran.
    Printed,
}

impl Reply {
    /// Success in lines.
    pub fn lines(lines: Vec<String>, document: Value) -> Self {
        Self { human: Human::Lines(lines), document, exit: Exit::Done, remarks: Vec::new(), fault: None }
    }

    /// Success in bytes.
    pub fn exact(bytes: Vec<u8>, document: Value) -> Self {
        Self { human: Human::Exact(bytes), ..Self::lines(Vec::new(), document) }
    }

    /// The same, ending so.
    #[must_use]
    pub fn ending(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }
}
