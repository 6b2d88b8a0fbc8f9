//! Schemas against the readers: an independent validator and the readers agree on what is well-formed.
#![allow(clippy::disallowed_methods, reason = "the samples are files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use code_polishy_core::{
    policy::{inputs, load, scope},
    schema,
};
use jsonschema::Validator;
use serde_json::Value;

fn validator(name: &str) -> Validator {
    jsonschema::draft202012::new(&schema::named(name).expect("listed")).expect("a valid schema")
}

fn samples(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policy_samples").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).expect("there").map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    files
}

/// Faults that a schema of the form does not state, by what they are about.
const BEYOND_THE_FORM: &[(&str, &[&str])] = &[
    ("the bytes: a value with two spellings, a key that stands twice", &["json-duplicate-key", "version-not-integer"]),
    (
        "names that refer to each other",
        &[
            "check-name-twice",
            "feature-alias-of-itself",
            "feature-alias-taken",
            "feature-name-twice",
            "feature-unknown-module",
            "feature-unknown-suite",
            "merge-gate-unknown-module",
            "module-circle",
            "module-name-twice",
            "module-on-itself",
            "module-unknown-foundation",
            "plugin-twice",
            "renderer-unknown",
            "suite-name-twice",
            "suite-runner-unknown",
        ],
    ),
    ("the identity of a name", &["feature-alias-invisible"]),
    (
        "suites that a feature may name",
        &[
            "feature-suite-destructive",
            "feature-suite-environment",
            "feature-suite-live-kind",
            "feature-suite-mutation",
            "feature-suite-supplemental",
        ],
    ),
    ("levels against their default", &["level-on-request-under-merge", "level-weaker-than-default"]),
    ("what patterns match", &["scope-excludes-everything", "scope-excludes-everything-together"]),
    ("kinds, costs and runs of suites", &["suite-focused-standard", "suite-mutation-full", "suite-recommended-expensive"]),
    ("what a command does", &["check-shell", "suite-no-op", "suite-passes-without-tests", "suite-program-outside", "suite-shell"]),
];

#[test]
fn every_schema_is_one() {
    for name in schema::names() {
        let schema = schema::named(name).expect("listed");
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
    }
}

#[test]
fn a_valid_policy_fits_the_schema() {
    let validator = validator("config");
    for file in samples("valid") {
        let policy: Value = serde_json::from_slice(&std::fs::read(&file).expect("readable")).expect("JSON");
        let faults: Vec<String> = validator.iter_errors(&policy).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert!(faults.is_empty(), "{}: {faults:#?}", file.display());
    }
}

#[test]
fn a_policy_with_a_structural_fault_does_not_fit() {
    let validator = validator("config");
    let mut passed = Vec::new();
    for file in samples("invalid") {
        let bytes = std::fs::read(&file).expect("readable");
        let Ok(policy) = serde_json::from_slice::<Value>(&bytes) else { continue };
        if validator.is_valid(&policy) {
            passed.push(file.file_stem().expect("named").to_string_lossy().into_owned());
        }
    }
    let mut expected: Vec<&str> = BEYOND_THE_FORM.iter().flat_map(|(_, files)| *files).copied().collect();
    passed.sort_unstable();
    expected.sort_unstable();
    assert_eq!(passed, expected);
}

/// Every place in the value.
fn places(value: &Value, place: &str, found: &mut Vec<String>) {
    found.push(place.to_owned());
    match value {
        Value::Array(elements) => elements.iter().enumerate().for_each(|(index, value)| places(value, &format!("{place}/{index}"), found)),
        Value::Object(members) => members.iter().for_each(|(key, value)| places(value, &format!("{place}/{key}"), found)),
        _ => {}
    }
}

#[test]
fn what_the_policy_reader_takes_fits_the_schema() {
    let validator = validator("config");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policy_samples/valid/full.json");
    let whole: Value = serde_json::from_slice(&std::fs::read(file).expect("readable")).expect("JSON");
    let mut found = Vec::new();
    places(&whole, "", &mut found);
    for place in found {
        for other in [Value::Null, 1.into(), true.into(), "a".into(), " A/b.wasm".into(), serde_json::json!([]), serde_json::json!({})] {
            let mut policy = whole.clone();
            *policy.pointer_mut(&place).expect("there") = other.clone();
            if load(policy.to_string().as_bytes()).is_ok() {
                let faults: Vec<String> = validator.iter_errors(&policy).map(|fault| fault.to_string()).collect();
                assert!(faults.is_empty(), "{place} = {other}: {faults:?}");
            }
        }
    }
}

/// A page of the documentation.
fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every key that a schema names, at any depth.
fn keys(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            let named = object.get("properties").and_then(Value::as_object).into_iter().flat_map(|properties| properties.keys().cloned());
            found.extend(named);
            object.values().for_each(|value| keys(value, found));
        }
        Value::Array(elements) => elements.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn the_policy_page_names_every_key_and_every_policy_input() {
    let page = page("policy.md");
    for pattern in [inputs::MANIFESTS, inputs::LOCK_FILES, inputs::CI_WORKFLOWS, inputs::CONTAINER_FILES, scope::BUILT_IN_EXCLUDES].concat()
    {
        assert!(page.contains(&format!("`{pattern}`")), "{pattern}");
    }
    let mut named = BTreeSet::new();
    keys(&schema::named("config").expect("listed"), &mut named);
    for key in named {
        let whole = |text: &str| text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| word == key);
        assert!(page.split('`').skip(1).step_by(2).any(whole), "{key}");
    }
    let example = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    load(example.as_bytes()).unwrap_or_else(|faults| panic!("{faults:#?}"));
}

#[test]
fn the_artifact_page_names_every_field() {
    let page = page("artifacts.md");
    for name in ["journal", "packet", "result", "proof", "receipt", "report"] {
        let schema = schema::named(name).expect("listed");
        let row = page.lines().find(|line| line.starts_with(&format!("| {name} |"))).expect("a row");
        let listed: Vec<&str> = row.split('`').skip(1).step_by(2).filter(|key| !key.starts_with("code-polishy")).collect();
        let expected: Vec<&String> = schema["properties"].as_object().expect("an object").keys().collect();
        assert_eq!(listed, expected, "{name}");
    }
}

#[test]
fn the_artifact_page_links_every_schema_of_code_review() {
    let page = page("artifacts.md");
    for name in schema::names().filter_map(|name| name.strip_prefix("code-review/")) {
        assert!(page.contains(&format!("[{name}](schemas/code-review/{name}.json)")), "{name}");
    }
}
