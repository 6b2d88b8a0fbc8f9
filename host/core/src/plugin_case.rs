//! A call of a plugin as a JSON document: what goes in, and what is expected back. Authors keep them as `cases/<name>.json`.
//!
//! `{"call": "judge", "input": {…}, "expect": {…}}`. Bytes are text, or `{"base64": "…"}` where they are not UTF-8.

mod answer;
mod bytes;
mod difference;
mod input;
mod receipt;

use schemars::JsonSchema;
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;

pub use answer::{Answer, ArtifactAnswer, AttestationAnswer, CaseAnswer, FailureAnswer, InvocationAnswer, ReportFileAnswer, VerdictAnswer};
pub use bytes::Bytes;
pub use difference::{Difference, differences};
pub use input::{
    ClassifyInput, ExecutionInput, ExitInput, FileInput, Input, JudgeInput, PathInput, PathKindInput, PlanInput, RenderInput, StreamInput,
    SuiteInput,
};

pub use receipt::{ReceiptInput, VerifyInput};

use crate::{
    canonical::{present, read_strict},
    diagnostic::Diagnostic,
    plugin::PluginKind,
};

/// Code of a document that cannot be read.
const CODE: &str = "plugin-case.malformed";
const NEXT: &str = "mend the document; `code-polishy schema plugin-case` says what it may hold";

/// A function of the contract that is called with an input of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// Of a suite runner: what to add to the command.
    Plan,
    /// Of a suite runner: what the run means.
    Judge,
    /// Of path roles: what part each path plays.
    Classify,
    /// Of a report renderer: the files to write.
    Render,
    /// Of a reviewer adapter: whether a receipt is genuine.
    Verify,
}

impl Call {
    /// The kind of plugin that has it.
    pub fn kind(self) -> PluginKind {
        match self {
            Self::Plan | Self::Judge => PluginKind::SuiteRunner,
            Self::Classify => PluginKind::PathRoles,
            Self::Render => PluginKind::ReportRenderer,
            Self::Verify => PluginKind::ReviewerAdapter,
        }
    }

    /// The name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Judge => "judge",
            Self::Classify => "classify",
            Self::Render => "render",
            Self::Verify => "verify",
        }
    }

    /// The call that is meant when a kind's input does not name one.
    pub fn usual(kind: PluginKind) -> Self {
        match kind {
            PluginKind::SuiteRunner => Self::Judge,
            PluginKind::PathRoles => Self::Classify,
            PluginKind::ReportRenderer => Self::Render,
            PluginKind::ReviewerAdapter => Self::Verify,
        }
    }
}

/// A call with its input and what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What goes in; says which call it is.
    pub input: Input,
    /// What must come back; `None` when nobody has said yet.
    pub expect: Option<Answer>,
}

/// One call of a plugin with its input and what is expected of it: a file `cases/<name>.json`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseDocument<I> {
    /// The function that is called.
    #[serde(rename = "call")]
    _call: Call,
    /// What goes in, as the call demands.
    input: I,
    /// What must come back: the answer under its name, or the plugin's own failure. `plugin check --accept` writes it.
    #[serde(default, deserialize_with = "present")]
    #[schemars(transform = crate::schema::shape::without_null)]
    expect: Option<Answer>,
}

/// The input of some call, for the schema.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "a schema is made of it, no value")]
pub(crate) enum AnyInput {
    Plan(PlanInput),
    Judge(JudgeInput),
    Classify(ClassifyInput),
    Render(RenderInput),
    Verify(VerifyInput),
}

impl Case {
    /// Reads a case strictly: an unknown key, a wrong type and an input of another call are refused with their pointer.
    pub fn read(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        #[derive(Deserialize)]
        struct Head {
            call: Call,
        }
        let head: Head = read_strict(bytes, CODE, NEXT)?;
        let case = match head.call {
            Call::Plan => document(bytes, Input::Plan),
            Call::Judge => document(bytes, Input::Judge),
            Call::Classify => document(bytes, Input::Classify),
            Call::Render => document(bytes, Input::Render),
            Call::Verify => document(bytes, Input::Verify),
        }?;
        case.input.check().map_err(|(pointer, what)| Box::new(Diagnostic::new(CODE, what, NEXT).at_pointer(format!("/input{pointer}"))))?;
        match &case.expect {
            Some(answer) if !answer.answers(head.call) => {
                let what = format!("`{}` does not answer with `{}`", head.call.name(), answer.name());
                Err(Box::new(Diagnostic::new(CODE, what, NEXT).at_pointer("/expect")))
            }
            _ => Ok(case),
        }
    }

    /// Reads a case, or the bare input of a call.
    pub fn read_input(bytes: &[u8], call: Call) -> Result<Self, Box<Diagnostic>> {
        #[derive(Deserialize)]
        struct Head {
            call: Option<IgnoredAny>,
        }
        if read_strict::<Head>(bytes, CODE, NEXT)?.call.is_some() {
            return Self::read(bytes);
        }
        let input = match call {
            Call::Plan => Input::Plan(read_strict(bytes, CODE, NEXT)?),
            Call::Judge => Input::Judge(read_strict(bytes, CODE, NEXT)?),
            Call::Classify => Input::Classify(read_strict(bytes, CODE, NEXT)?),
            Call::Render => Input::Render(read_strict(bytes, CODE, NEXT)?),
            Call::Verify => Input::Verify(read_strict(bytes, CODE, NEXT)?),
        };
        input.check().map_err(|(pointer, what)| Box::new(Diagnostic::new(CODE, what, NEXT).at_pointer(pointer)))?;
        Ok(Self { input, expect: None })
    }
}

/// The document of a case with this answer expected; every other key keeps its place and value.
///
/// `None` when the document is no object, which no case is.
pub fn accepted(document: &[u8], answer: &Answer) -> Option<Value> {
    let mut document: Value = serde_json::from_slice(document).ok()?;
    document.as_object_mut()?.insert("expect".to_owned(), serde_json::to_value(answer).ok()?);
    Some(document)
}

fn document<I: DeserializeOwned>(bytes: &[u8], input: fn(I) -> Input) -> Result<Case, Box<Diagnostic>> {
    let document: CaseDocument<I> = read_strict(bytes, CODE, NEXT)?;
    Ok(Case { input: input(document.input), expect: document.expect })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::{PathKind, ProcessExit, Role};

    fn refusal(text: &str) -> (String, String) {
        let diagnostic = Case::read(text.as_bytes()).expect_err("must be refused");
        (diagnostic.pointer, diagnostic.message)
    }

    const JUDGE: &str = r#"{"call":"judge","input":{"suite":{"name":"unit","kind":"unit","argv":["t"],"cwd":"."},
        "execution":{"exit":{"code":1},"output":"ok\n","errors":{"base64":"/w=="},"files":[{"path":"a.xml","content":"x"}]}},
        "expect":{"verdict":{"outcome":"failed","cases":[{"name":"a","outcome":"failed","line":3}],"summary":"1 failed"}}}"#;

    #[test]
    fn a_case_is_read_into_facts() {
        let case = Case::read(JUDGE.as_bytes()).expect("valid");
        let Input::Judge(judge) = case.input else { panic!("{:?}", case.input) };
        assert_eq!(judge.suite.facts().argv, ["t"]);
        let run = judge.execution.facts();
        assert_eq!((run.exit, run.output.head.as_slice(), run.output.total), (ProcessExit::Code(1), &b"ok\n"[..], 3));
        assert_eq!((run.errors.head.as_slice(), run.files[0].content.as_slice()), (&b"\xff"[..], &b"x"[..]));
        let Some(Answer::Verdict(verdict)) = case.expect else { panic!("{:?}", case.expect) };
        assert_eq!(verdict.cases.expect("known")[0].line, Some(3));
    }

    #[test]
    fn what_is_absent_has_the_plain_value() {
        let text = r#"{"paths":[{"path":"a","head":"four"}]}"#;
        let case = Case::read_input(text.as_bytes(), Call::Classify).expect("valid");
        let Input::Classify(classify) = &case.input else { panic!("{:?}", case.input) };
        let fact = &classify.facts()[0];
        assert_eq!((fact.kind, fact.executable, fact.size, fact.attributes.len()), (PathKind::File, false, 4, 0));
        assert_eq!(case.input.options(), "{}");
    }

    #[test]
    fn unknown_keys_and_wrong_types_are_refused_where_they_stand() {
        let with = |from: &str, to: &str| refusal(&JUDGE.replacen(from, to, 1));
        assert_eq!(with("\"kind\":\"unit\"", "\"kin\":\"unit\"").0, "/input/suite/kin");
        assert_eq!(with("\"code\":1", "\"code\":\"1\"").0, "/input/execution/exit/code");
        assert_eq!(with("\"summary\"", "\"sumary\"").0, "/expect/verdict/sumary");
        assert_eq!(with("\"base64\":\"/w==\"", "\"base64\":\"?\"").0, "/input/execution/errors");
        assert_eq!(with("\"call\":\"judge\"", "\"call\":\"plan\"").0, "/input/execution");
        assert_eq!(with("\"verdict\"", "\"verdikt\"").0, "/expect");
        assert!(refusal("{\"input\":{}}").1.contains("missing field `call`"));
    }

    #[test]
    fn an_answer_of_another_call_is_refused() {
        let text = r#"{"call":"classify","input":{"paths":[]},"expect":{"artifacts":[]}}"#;
        assert_eq!(refusal(text), ("/expect".to_owned(), "`classify` does not answer with `artifacts`".to_owned()));
        let text = r#"{"call":"classify","input":{"paths":[{"path":"a"},{"path":"a"}]}}"#;
        assert_eq!(refusal(text), ("/input/paths/1".to_owned(), "the path `a` is there twice".to_owned()));
    }

    #[test]
    fn a_receipt_to_judge_is_there_and_is_a_reviewers() {
        let receipt = r#"{"event":"joined","role":"sw-engineer","reviewer_id":"r","at":"2026-01-31T12:00:00Z","content":"x"}"#;
        let case = |receipts: &str| format!(r#"{{"call":"verify","input":{{"run_id":"one","receipts":[{receipts}]}}}}"#);
        let read = Case::read(case(receipt).as_bytes()).expect("valid");
        let Input::Verify(verify) = &read.input else { panic!("{:?}", read.input) };
        let fact = &verify.facts()[0];
        assert_eq!((fact.attempt, fact.mode.as_str(), fact.content.as_slice()), (1, "spawned", &b"x"[..]));
        assert_eq!(refusal(&case("")).0, "/input/receipts");
        let substitute = receipt.replace("\"content\"", "\"mode\":\"substituted\",\"content\"");
        assert_eq!(refusal(&case(&substitute)).0, "/input/receipts/0/mode");
    }

    #[test]
    fn accepting_changes_what_is_expected_and_nothing_else() {
        let answer = Answer::Roles([("a".to_owned(), Some(Role::Test))].into());
        let text = br#"{"input":{"paths":[{"path":"a"}]},"call":"classify"}"#;
        let document = accepted(text, &answer).expect("an object").to_string();
        assert_eq!(document, r#"{"input":{"paths":[{"path":"a"}]},"call":"classify","expect":{"roles":{"a":"test"}}}"#);
        assert_eq!(Case::read(document.as_bytes()).expect("valid").expect, Some(answer));
    }
}
