//! What went wrong, in the words and shape that people, scripts and agents get.

use schemars::JsonSchema;
use serde::Serialize;

/// One violation: what happened, where, and what to do next (BR-4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// Stable identifier, lower-case words in groups: `policy.unknown-key`.
    pub code: String,
    /// The file it is about: repository-relative with `/`, or the name of an input such as `standard input`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// RFC 6901 pointer into that file's JSON; empty for the whole document or for a file that is not JSON.
    pub pointer: String,
    /// Line in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column in the line, from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What is wrong, in one sentence without the final full stop.
    pub message: String,
    /// What the user does about it.
    pub next: String,
}

impl Diagnostic {
    /// A diagnostic about no file in particular.
    pub fn new(code: impl Into<String>, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self { code: code.into(), path: None, pointer: String::new(), line: None, column: None, message: message.into(), next: next.into() }
    }

    /// The same, about this file.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same, at this RFC 6901 pointer.
    #[must_use]
    pub fn at_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }

    /// The same, at this line and column, both from 1.
    #[must_use]
    pub fn at_position(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }
}

/// Why a command ends without its result; owns the exit status (BR-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// A gate, a reviewer's result, a proof, or a precondition that the user can fix says no: exit 1.
    Blocked,
    /// Malformed input, policy, option or reference: exit 2.
    Usage,
    /// Git, files, locks, processes or a plugin failed: exit 3.
    Operational,
    /// The user or the system ended the command, which cleaned up: exit 130.
    Interrupted,
}

impl FailureKind {
    /// The exit status of BR-6.
    pub fn exit_status(self) -> u8 {
        match self {
            Self::Blocked => 1,
            Self::Usage => 2,
            Self::Operational => 3,
            Self::Interrupted => 130,
        }
    }
}

/// The end of a command without its result: every violation found, and the one next step (BR-10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Decides the exit status.
    pub kind: FailureKind,
    /// At least one, in a stable order.
    pub diagnostics: Vec<Diagnostic>,
    /// The text after `NEXT: `; absent, the first diagnostic's `next` is shown.
    pub next: Option<String>,
}

impl Failure {
    /// A failure with these violations.
    pub fn new(kind: FailureKind, diagnostics: Vec<Diagnostic>) -> Self {
        Self { kind, diagnostics, next: None }
    }

    /// A precondition or a decision says no.
    pub fn blocked(code: impl Into<String>, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self::new(FailureKind::Blocked, vec![Diagnostic::new(code, message, next)])
    }

    /// Malformed input.
    pub fn usage(code: impl Into<String>, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self::new(FailureKind::Usage, vec![Diagnostic::new(code, message, next)])
    }

    /// Something outside failed.
    pub fn operational(code: impl Into<String>, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self::new(FailureKind::Operational, vec![Diagnostic::new(code, message, next)])
    }

    /// The command was interrupted and has cleaned up.
    pub fn interrupted() -> Self {
        Self::new(FailureKind::Interrupted, vec![Diagnostic::new("interrupted", "interrupted before it was done", "run the command again")])
    }

    /// The same, with this text after `NEXT: `.
    #[must_use]
    pub fn with_next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }

    /// The same, with every diagnostic that names no file naming this one.
    #[must_use]
    pub fn at_path(mut self, path: &str) -> Self {
        for diagnostic in &mut self.diagnostics {
            diagnostic.path.get_or_insert_with(|| path.to_owned());
        }
        self
    }

    /// The text after `NEXT: `.
    pub fn next_step(&self) -> &str {
        match (&self.next, self.diagnostics.first()) {
            (Some(next), _) => next,
            (None, Some(first)) => &first.next,
            (None, None) => "run the command again with --verbose",
        }
    }
}

impl From<Diagnostic> for Failure {
    /// Malformed input is the common case of a lone diagnostic.
    fn from(diagnostic: Diagnostic) -> Self {
        Self::new(FailureKind::Usage, vec![diagnostic])
    }
}
