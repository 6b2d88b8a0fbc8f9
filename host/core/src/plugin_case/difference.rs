//! Where two answers differ, in the words that their author wrote them with.

use serde_json::Value;

use super::Answer;
use crate::canonical::escape_pointer;

/// One place at which an answer is another than the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// RFC 6901 pointer into the answer.
    pub pointer: String,
    /// Line in a text of several lines, from 1.
    pub line: Option<usize>,
    /// What was expected as JSON; `None` when nothing was.
    pub expected: Option<String>,
    /// What came as JSON; `None` when nothing did.
    pub actual: Option<String>,
}

/// Every difference, in the order of the document; none for equal answers. A text of several lines differs at its first other line.
pub fn differences(expected: &Answer, actual: &Answer) -> Vec<Difference> {
    let value = |answer: &Answer| serde_json::to_value(answer).expect("answers have string keys");
    let mut found = Vec::new();
    compare(String::new(), Some(&value(expected)), Some(&value(actual)), &mut found);
    found
}

fn compare(pointer: String, expected: Option<&Value>, actual: Option<&Value>, found: &mut Vec<Difference>) {
    if expected == actual {
        return;
    }
    match (expected, actual) {
        (Some(Value::Object(wanted)), Some(Value::Object(got))) => {
            let missing = got.keys().filter(|key| !wanted.contains_key(*key));
            for key in wanted.keys().chain(missing) {
                compare(format!("{pointer}/{}", escape_pointer(key)), wanted.get(key), got.get(key), found);
            }
        }
        (Some(Value::Array(wanted)), Some(Value::Array(got))) => {
            for index in 0..wanted.len().max(got.len()) {
                compare(format!("{pointer}/{index}"), wanted.get(index), got.get(index), found);
            }
        }
        (Some(Value::String(wanted)), Some(Value::String(got))) if wanted.contains('\n') || got.contains('\n') => {
            found.push(first_line(pointer, wanted, got));
        }
        _ => found.push(Difference { pointer, line: None, expected: expected.map(Value::to_string), actual: actual.map(Value::to_string) }),
    }
}

/// Line ends count: a final one too many is a line of its own.
fn first_line(pointer: String, expected: &str, actual: &str) -> Difference {
    let (mut wanted, mut got) = (expected.split_inclusive('\n'), actual.split_inclusive('\n'));
    let mut line = 1;
    loop {
        match (wanted.next(), got.next()) {
            (Some(one), Some(other)) if one == other => line += 1,
            (one, other) => {
                let json = |text: &str| Value::from(text).to_string();
                return Difference { pointer, line: Some(line), expected: one.map(json), actual: other.map(json) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin_case::{ArtifactAnswer, Bytes, FailureAnswer};
    use serde_json::json;

    fn answer(value: Value) -> Answer {
        serde_json::from_value(value).expect("an answer")
    }

    fn shown(expected: Value, actual: Value) -> Vec<String> {
        let word = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
        let line = |line: Option<usize>| line.map(|line| format!(":{line}")).unwrap_or_default();
        differences(&answer(expected), &answer(actual))
            .iter()
            .map(|found| format!("{}{} {} {}", found.pointer, line(found.line), word(&found.expected), word(&found.actual)))
            .collect()
    }

    #[test]
    fn each_place_is_named() {
        let verdict = |summary: &str, cases: Value| json!({"verdict": {"outcome": "failed", "cases": cases, "summary": summary}});
        let (one, two) = (json!({"name": "a", "outcome": "passed"}), json!({"name": "b", "outcome": "failed", "line": 3}));
        assert_eq!(shown(verdict("x", json!([one])), verdict("x", json!([one]))), <[String; 0]>::default());
        assert_eq!(
            shown(verdict("x", json!([one])), verdict("y", json!([one, two]))),
            [r#"/verdict/cases/1 nothing {"name":"b","outcome":"failed","line":3}"#, r#"/verdict/summary "x" "y""#]
        );
        assert_eq!(shown(verdict("x", json!(null)), verdict("x", json!([]))), ["/verdict/cases null []"]);
        assert_eq!(shown(json!({"roles": {"a/b": null}}), json!({"roles": {"a/b": "test"}})), [r#"/roles/a~1b null "test""#]);
    }

    #[test]
    fn long_texts_differ_at_a_line() {
        let artifacts = |text: &str| {
            Answer::Artifacts(vec![ArtifactAnswer {
                name: "a".to_owned(),
                media_type: "text/plain".to_owned(),
                content: Bytes(text.as_bytes().to_vec()),
            }])
        };
        let found = differences(&artifacts("a\nb\nc\n"), &artifacts("a\nB\nc\n"));
        assert_eq!((found[0].pointer.as_str(), found[0].line), ("/artifacts/0/content", Some(2)));
        assert_eq!(found[0].actual.as_deref(), Some(r#""B\n""#));
        let found = differences(&artifacts("a\n"), &artifacts("a\n\n"));
        assert_eq!((found[0].line, found[0].expected.as_deref()), (Some(2), None));
    }

    #[test]
    fn a_failure_is_no_answer_of_another_kind() {
        let failure = Answer::Failure(FailureAnswer { code: "bad".to_owned(), message: "no".to_owned(), hint: String::new() });
        assert_eq!(differences(&answer(json!({"roles": {}})), &failure).len(), 2);
    }
}
