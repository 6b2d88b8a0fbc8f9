//! Whole files, kept beside their reports, and what holds for every file.
//!
//! `ACCEPT=1 cargo test -p sarif` writes the files again: look at them before they are committed.

use std::collections::BTreeSet;

use code_polishy_sdk::serde_json::{self, Value};
use reading::samples::{ALL, GATES, HOSTILE, findings};

use super::*;

fn rendered(report: &str) -> String {
    let artifacts = Sarif::render(report, &NoOptions {}).expect("a report");
    assert_eq!((artifacts.len(), artifacts[0].name.as_str()), (1, "report.sarif"));
    String::from_utf8(artifacts[0].content.clone()).expect("made of text")
}

fn log(report: &str) -> Value {
    serde_json::from_str(&rendered(report)).expect("JSON")
}

#[test]
fn gates_of_each_ending_are_drawn_as_kept() {
    for (name, report) in GATES {
        let path = format!("{}/tests/{name}.sarif", env!("CARGO_MANIFEST_DIR"));
        let drawn = rendered(report);
        if std::env::var_os("ACCEPT").is_some() {
            std::fs::write(&path, &drawn).expect("the folder is there");
        }
        assert!(std::fs::read_to_string(&path).is_ok_and(|kept| kept == drawn), "{path} is not what `{name}.json` gives");
    }
}

/// The schema as published, without a pattern of languages that is no regular expression: it has a bracket too many.
fn schema() -> jsonschema::Validator {
    let mut schema: Value = serde_json::from_str(include_str!("../tests/sarif-schema-2.1.0.json")).expect("JSON");
    for owner in ["run", "toolComponent"] {
        let language = schema.pointer_mut(&format!("/definitions/{owner}/properties/language")).and_then(Value::as_object_mut);
        let pattern = language.and_then(|language| language.remove("pattern")).expect("has one");
        assert!(pattern.as_str().is_some_and(|pattern| pattern.ends_with("]?$")));
    }
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
}

#[test]
fn every_log_keeps_the_schema() {
    let schema = schema();
    for (name, report) in ALL.into_iter().chain(GATES) {
        let log = log(report);
        let faults: Vec<String> = schema.iter_errors(&log).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert!(faults.is_empty(), "{name}: {faults:#?}");
    }
    let bare = serde_json::json!({"version": "2.1.0", "runs": [{}]});
    assert!(!schema.is_valid(&bare), "the schema asks for something");
}

#[test]
fn each_result_names_its_rule_and_is_one_of_its_kind() {
    for (name, report) in ALL.into_iter().chain(GATES) {
        let log = log(report);
        let run = &log["runs"][0];
        let results = run["results"].as_array().expect("an array");
        for result in results {
            let index = usize::try_from(result["ruleIndex"].as_u64().expect("a number")).expect("small");
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"], "{name}");
        }
        let fingerprints: BTreeSet<String> = results.iter().map(|result| result["partialFingerprints"].to_string()).collect();
        assert_eq!(fingerprints.len(), results.len(), "{name}");
        assert_eq!(
            !results.is_empty(),
            ["blocked", "failed", "proofs", "hostile"].contains(&name) || GATES.iter().any(|(gate, _)| *gate == name)
        );
    }
}

#[test]
fn a_gate_that_got_to_its_end_ran_well_whatever_it_found() {
    let successful = |index: usize| log(GATES[index].1)["runs"][0]["invocations"][0]["executionSuccessful"] == true;
    assert_eq!([0, 1, 2, 3].map(successful), [true, true, true, false]);
}

#[test]
fn foreign_text_neither_hides_nor_commands() {
    for report in [HOSTILE, GATES[4].1] {
        let text = rendered(report);
        assert!(!text.contains(['<', '>', '&', '\u{1b}', '\u{202e}', '\u{2028}', '\u{feff}', '\r']), "{text}");
        let log = log(report);
        for result in log["runs"][0]["results"].as_array().expect("an array") {
            let message = result["message"]["text"].as_str().expect("text");
            assert!(!message.replace('\n', "").contains(char::is_control) && !message.replace("\\]", "").contains("]("), "{message}");
            let uri = result.pointer("/locations/0/physicalLocation/artifactLocation/uri").and_then(Value::as_str).expect("text");
            assert!(
                !uri.contains([':', '?', '#', '\\']) && !uri.starts_with('/') && !uri.split('/').any(|segment| segment == ".."),
                "{uri}"
            );
        }
    }
}

#[test]
fn many_findings_are_all_there() {
    assert_eq!(log(&findings(5_000))["runs"][0]["results"].as_array().map(Vec::len), Some(5_000));
}

#[test]
fn what_is_no_report_is_refused() {
    let code = |report: &str| Sarif::render(report, &NoOptions {}).map(drop).map_err(|failure| failure.code);
    assert_eq!(code("{"), Err("bad-report".to_owned()));
    assert_eq!(code(r#"{"protocol":"code-polishy-report/v2"}"#), Err("unknown-report".to_owned()));
}
