//! Documents for programs (contract 2.2): exactly one a command, on refusal too.

use code_polishy_core::{
    code_review::vocabulary,
    diagnostic::{Diagnostic, Failure},
    gate::report,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::arguments::{BehaviorReview, CodeReview, Command, Plugin};

/// The protocol of a command's document, with the name that the document gives the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// `behavior-review/v1`, with the action.
    Review(&'static str),
    /// `code-review/v1`, with the command of the group.
    CodeReview(&'static str),
    /// `code-polishy-report/v1`.
    Report(&'static str),
    /// `code-polishy-plugin/v1`.
    Plugin(&'static str),
}

/// Actions of `behavior-review`, for the document of a command line that does not parse.
const REVIEW_ACTIONS: [&str; 6] = ["capture-intent", "require", "status", "prepare", "finalize", "cleanup"];
/// Commands of `code-review`.
const CODE_REVIEW_COMMANDS: [&str; 11] =
    ["start", "import-pr", "route", "reviewer-event", "validate", "discard", "gates", "notes", "finalize", "complete", "find"];
/// Actions of `plugin`.
const PLUGIN_ACTIONS: [&str; 8] = ["new", "build", "add", "list", "check", "run", "inspect", "warm"];
/// Commands whose documents are reports.
const COMMANDS: [&str; 10] =
    ["checkpoint-gate", "merge-gate", "report", "test", "test-levels", "init", "schema", "explain", "demo", "completions"];

impl Protocol {
    /// Of a command.
    pub fn of(command: &Command) -> Self {
        match command {
            Command::BehaviorReview(action) => Self::Review(match action {
                BehaviorReview::CaptureIntent(_) => "capture-intent",
                BehaviorReview::Require(_) => "require",
                BehaviorReview::Status(_) => "status",
                BehaviorReview::Prepare(_) => "prepare",
                BehaviorReview::Finalize(_) => "finalize",
                BehaviorReview::Cleanup => "cleanup",
            }),
            Command::CodeReview(command) => Self::CodeReview(match command {
                CodeReview::Start(_) => "start",
                CodeReview::ImportPr(_) => "import-pr",
                CodeReview::Route(_) => "route",
                CodeReview::ReviewerEvent(_) => "reviewer-event",
                CodeReview::Validate(_) => "validate",
                CodeReview::Gates(_) => "gates",
                CodeReview::Notes(_) => "notes",
                CodeReview::Discard(_) => "discard",
                CodeReview::Finalize(_) => "finalize",
                CodeReview::Complete(_) => "complete",
                CodeReview::Find(_) => "find",
            }),
            Command::RegressionProof(_) => Self::Review("regression-proof"),
            Command::CheckpointGate(_) => Self::Report("checkpoint-gate"),
            Command::MergeGate(_) => Self::Report("merge-gate"),
            Command::Report(_) => Self::Report("report"),
            Command::Test(_) => Self::Report("test"),
            Command::TestLevels(_) => Self::Report("test-levels"),
            Command::Init => Self::Report("init"),
            Command::Schema(_) => Self::Report("schema"),
            Command::Explain(_) => Self::Report("explain"),
            Command::Plugin(action) => Self::Plugin(match action {
                Plugin::New(_) => "new",
                Plugin::Build(_) => "build",
                Plugin::Add(_) => "add",
                Plugin::List => "list",
                Plugin::Check(_) => "check",
                Plugin::Run(_) => "run",
                Plugin::Inspect(_) => "inspect",
                Plugin::Warm => "warm",
            }),
            Command::Demo(_) => Self::Report("demo"),
            Command::Completions(_) => Self::Report("completions"),
        }
    }

    /// Of the names of a command line that does not parse.
    pub fn guess(names: &[&str]) -> Self {
        let known = |all: &[&'static str], position: usize| {
            let name = names.get(position)?;
            all.iter().copied().find(|known| known == name)
        };
        match names.first() {
            Some(&"behavior-review") => Self::Review(known(&REVIEW_ACTIONS, 1).unwrap_or("behavior-review")),
            Some(&"regression-proof") => Self::Review("regression-proof"),
            Some(&"code-review") => Self::CodeReview(known(&CODE_REVIEW_COMMANDS, 1).unwrap_or("code-review")),
            Some(&"plugin") => Self::Plugin(known(&PLUGIN_ACTIONS, 1).unwrap_or("plugin")),
            _ => Self::Report(known(&COMMANDS, 0).unwrap_or("code-polishy")),
        }
    }

    /// The document of a command's result.
    pub fn done(self, state: &str, member: &str, value: &impl Serialize) -> Value {
        let mut document = self.head(state);
        document[member] = serde_json::to_value(value).expect("results have string keys");
        document
    }

    /// The document of a refusal.
    ///
    /// A review document has one typed member, so the step that stands after `NEXT:` is the `next` of its first diagnostic; the others
    /// have it as `next` of their own.
    pub fn refused(self, failure: &Failure) -> Value {
        if let Self::CodeReview(command) = self {
            let errors: Vec<Value> = failure.diagnostics.iter().map(error).collect();
            return code_review(command, "error", None, &json!({"errors": errors}));
        }
        let mut diagnostics = failure.diagnostics.clone();
        if let (Self::Review(_), Some(first)) = (self, diagnostics.first_mut()) {
            failure.next_step().clone_into(&mut first.next);
        }
        let mut document = self.done("refused", "diagnostics", &diagnostics);
        if !matches!(self, Self::Review(_)) {
            document["next"] = failure.next_step().into();
        }
        document
    }

    fn head(self, state: &str) -> Value {
        match self {
            Self::Review(action) => json!({"protocol": "behavior-review/v1", "action": action, "state": state}),
            Self::CodeReview(command) => code_review(command, state, None, &json!({})),
            Self::Report(command) => json!({"protocol": report::PROTOCOL, "command": command, "state": state}),
            Self::Plugin(command) => json!({"protocol": "code-polishy-plugin/v1", "command": command, "state": state}),
        }
    }
}

/// The document of a `code-review` command: the common fields, then its own.
pub fn code_review(command: &str, status: &str, run: Option<&str>, fields: &impl Serialize) -> Value {
    let mut document = json!({"protocol": vocabulary::PROTOCOL, "command": command, "status": status, "run": run});
    if let Value::Object(fields) = serde_json::to_value(fields).expect("results have string keys") {
        for (key, value) in fields {
            document[key] = value;
        }
    }
    document
}

fn error(diagnostic: &Diagnostic) -> Value {
    json!({"code": diagnostic.code, "subject": diagnostic.path, "message": diagnostic.message, "hint": diagnostic.next})
}

/// The value of a state as documents spell it.
pub fn word(state: &impl Serialize) -> String {
    match serde_json::to_value(state) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_their_protocol() {
        assert_eq!(Protocol::guess(&["behavior-review", "prepare"]), Protocol::Review("prepare"));
        assert_eq!(Protocol::guess(&["behavior-review"]), Protocol::Review("behavior-review"));
        assert_eq!(Protocol::guess(&["plugin"]), Protocol::Plugin("plugin"));
        assert_eq!(Protocol::guess(&["test-levels"]), Protocol::Report("test-levels"));
        assert_eq!(Protocol::guess(&[]), Protocol::Report("code-polishy"));
    }

    #[test]
    fn a_review_document_has_one_typed_member() {
        let failure = Failure::blocked("result.findings", "one finding", "mend it").with_next("report the findings to the caller");
        insta::assert_snapshot!(Protocol::Review("finalize").refused(&failure).to_string(), @r#"{"protocol":"behavior-review/v1","action":"finalize","state":"refused","diagnostics":[{"code":"result.findings","pointer":"","message":"one finding","next":"report the findings to the caller"}]}"#);
        insta::assert_snapshot!(Protocol::Report("merge-gate").refused(&failure).to_string(), @r#"{"protocol":"code-polishy-report/v1","command":"merge-gate","state":"refused","diagnostics":[{"code":"result.findings","pointer":"","message":"one finding","next":"mend it"}],"next":"report the findings to the caller"}"#);
    }
}
