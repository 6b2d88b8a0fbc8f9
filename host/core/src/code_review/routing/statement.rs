//! What the author states about a change: the file of `--signals` (CR-51).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{RoutingFacts, SIGNALS};
use crate::{
    canonical::read_strict,
    code_review::codes,
    diagnostic::Diagnostic,
    strict::{Kind, parse},
};

const KIND: Kind = Kind { code: "signals", noun: "the file of signals", file: "" };

/// One signal, as it is stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// Whether it holds; null while nobody has said so.
    pub value: Option<bool>,
    /// Why; text.
    pub evidence: String,
}

/// Every signal with its statement, in byte order of the names.
pub type Statements = BTreeMap<String, Statement>;

/// Statements to fill in: what the paths make true is stated, with the paths as evidence; the rest is open.
pub fn template(facts: &RoutingFacts) -> Statements {
    let statement = |signal: &str| match facts.mandatory.get(signal) {
        Some(path) => Statement { value: Some(true), evidence: format!("the change has {path}") },
        None => Statement { value: None, evidence: String::new() },
    };
    SIGNALS.map(|signal| (signal.to_owned(), statement(signal))).into()
}

/// Reads the file.
///
/// # Errors
/// `usage-error`: it is no object of statements. Which signals it has, and whether they are filled in, is judged with the routing.
pub fn read(bytes: &[u8]) -> Result<Statements, Box<Diagnostic>> {
    let statements = read_strict(bytes, codes::USAGE_ERROR.name, "write each signal as {\"value\": true, \"evidence\": \"why\"}")?;
    let again = parse(KIND, bytes).ok().and_then(|(_, root)| root.duplicates().first().map(|member| member.at.clone()));
    match again {
        None => Ok(statements),
        Some(at) => {
            let diagnostic = Diagnostic::new(codes::USAGE_ERROR.name, "a key stands here for the second time", "state each signal once");
            Err(Box::new(diagnostic.at_pointer(at.pointer)))
        }
    }
}

/// The stated signals and their reasons, as a routing has them; one without a value is not stated.
pub fn stated(statements: Statements) -> (BTreeMap<String, bool>, BTreeMap<String, String>) {
    let filled = statements.into_iter().filter_map(|(signal, Statement { value, evidence })| Some((signal, value?, evidence)));
    filled.map(|(signal, value, evidence)| ((signal.clone(), value), (signal, evidence))).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::artifact_bytes;

    #[test]
    fn what_is_not_filled_in_is_not_stated() {
        let text = br#"{"bug_fix": {"value": true, "evidence": "it crashed"}, "behavior_change": {"value": null, "evidence": ""}}"#;
        let (signals, evidence) = stated(read(text).expect("statements"));
        assert_eq!(signals, BTreeMap::from([("bug_fix".to_owned(), true)]));
        assert_eq!(evidence, BTreeMap::from([("bug_fix".to_owned(), "it crashed".to_owned())]));
    }

    #[test]
    fn a_statement_has_its_two_keys_once() {
        for text in [
            r#"{"bug_fix": true}"#,
            r#"{"bug_fix": {"value": "yes", "evidence": "x"}}"#,
            r#"{"bug_fix": {"value": true, "evidence": "x", "more": 1}}"#,
            r#"{"bug_fix": {"value": true, "evidence": "x"}, "bug_fix": {"value": true, "evidence": "x"}}"#,
        ] {
            assert_eq!(read(text.as_bytes()).expect_err(text).code, "usage-error", "{text}");
        }
    }

    #[test]
    fn the_template_is_read_and_states_what_the_paths_say() {
        let mut facts = RoutingFacts::of(&crate::code_review::fixture::Fixture::new(&[]).t0, &[]);
        facts.mandatory.insert("axis_doc_scribe", "docs/a.txt".to_owned());
        let template = template(&facts);
        assert_eq!(read(&artifact_bytes(&template)).expect("statements"), template);
        let (signals, evidence) = stated(template);
        assert_eq!(signals, BTreeMap::from([("axis_doc_scribe".to_owned(), true)]));
        assert_eq!(evidence["axis_doc_scribe"], "the change has docs/a.txt");
    }
}
