//! Whole policy files: what they resolve to, or everything that is wrong with them.
#![allow(clippy::disallowed_methods, reason = "the samples are files")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use code_polishy_core::{
    canonical::artifact_bytes,
    diagnostic::Diagnostic,
    policy::load,
    text::{control_free, escape_line},
};

fn samples(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policy_samples").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).expect("there").map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn snapshot(folder: &str, file: &Path, text: &str) {
    let name = format!("{folder}-{}", file.file_stem().expect("named").to_string_lossy());
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "policy_samples/snapshots", omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
}

fn shown(diagnostic: &Diagnostic) -> String {
    let place = format!("{}:{}", diagnostic.line.expect("a line"), diagnostic.column.expect("a column"));
    let pointer = if diagnostic.pointer.is_empty() { "the whole file".to_owned() } else { escape_line(&diagnostic.pointer) };
    format!("{place} {pointer}\n  {}: {}\n  next: {}\n", diagnostic.code, diagnostic.message, diagnostic.next)
}

#[test]
fn valid_policies_resolve_every_default() {
    for file in samples("valid") {
        let policy = load(&std::fs::read(&file).expect("readable")).unwrap_or_else(|faults| panic!("{}: {faults:#?}", file.display()));
        snapshot("valid", &file, std::str::from_utf8(&artifact_bytes(&policy)).expect("JSON is text"));
    }
}

#[test]
fn invalid_policies_report_everything_in_file_order() {
    for file in samples("invalid") {
        let faults = load(&std::fs::read(&file).expect("readable")).expect_err(&file.display().to_string());
        let places: Vec<_> = faults.iter().map(|fault| (fault.line, fault.column)).collect();
        assert!(places.is_sorted(), "{}", file.display());
        snapshot("invalid", &file, &faults.iter().map(shown).collect::<String>());
    }
}

/// Every place in the value.
fn pointers(value: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    match value {
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, value)| pointers(value, &format!("{pointer}/{index}"), found))
        }
        Value::Object(members) => members.iter().for_each(|(key, value)| pointers(value, &format!("{pointer}/{key}"), found)),
        _ => {}
    }
}

#[test]
fn one_wrong_value_anywhere_is_a_complete_diagnostic() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policy_samples/valid/full.json");
    let whole: Value = serde_json::from_slice(&std::fs::read(file).expect("readable")).expect("valid");
    let mut places = Vec::new();
    pointers(&whole, "", &mut places);
    for place in places {
        for wrong in [Value::Null, json!(-1), json!("../\u{1b}"), json!([{}, [""]]), json!({"": {}})] {
            let mut policy = whole.clone();
            *policy.pointer_mut(&place).expect("there") = wrong;
            let bytes = serde_json::to_vec(&policy).expect("plain");
            for fault in load(&bytes).err().into_iter().flatten() {
                let said = [&fault.code, &fault.message, &fault.next].iter().all(|text| !text.is_empty() && control_free(text, false));
                assert!(said && fault.line == Some(1) && fault.column.is_some(), "{place}: {fault:?}");
                assert!(policy.pointer(&fault.pointer).is_some(), "{place}: {fault:?}");
            }
        }
    }
}
