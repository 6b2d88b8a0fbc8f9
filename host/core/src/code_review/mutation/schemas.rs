//! The records of reviews that hold fit their schemas, which refuse a key too many and a key too few.

use jsonschema::Validator;
use serde_json::{Value, json};

use super::{record, records, run::Review, shape::Shape, words::RESULT_FILE};
use crate::{
    canonical::digest_bytes,
    code_review::{handoff::FINAL_FILE, result::ReviewResult},
    schema::{named, of_review_file},
};

fn validator(name: &str) -> Validator {
    jsonschema::draft202012::new(&named(name).expect("listed")).expect("a schema")
}

/// A record of the review; its result is bound to a hand-off and a list of files, as every finished one is.
fn finished(review: &Review, path: &str) -> Value {
    let mut record = record(review, path);
    if path == RESULT_FILE {
        let digest = digest_bytes(b"bound");
        record["metadata"]["final_handoff"] = json!({
            "schema_version": 1, "handoff_path": "final-handoff.json", "handoff_sha256": digest, "rendered_path": FINAL_FILE,
            "rendered_sha256": digest, "validation_path": "final-handoff.validation.json", "branch": "assessed"
        });
        record["metadata"]["run_manifest"] = json!({"path": "run-manifest.json", "sha256": digest, "file_count": 30});
    }
    record
}

/// The schema of each record, with the record.
fn documents(shape: &Shape) -> Vec<(String, &'static str, Value)> {
    let review = Review::of(shape);
    let found = records(&review).into_iter().map(|path| {
        let name = of_review_file(&path).unwrap_or_else(|| panic!("{path} has no schema"));
        let record = finished(&review, &path);
        (path, name, record)
    });
    found.collect()
}

#[test]
fn every_record_of_a_review_that_holds_fits_its_schema() {
    for shape in [Shape::plain(), Shape::rich(), Shape::clean()] {
        for (path, name, record) in documents(&shape) {
            let faults: Vec<String> =
                validator(name).iter_errors(&record).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
            assert!(faults.is_empty(), "{path}: {faults:#?}");
        }
    }
}

#[test]
fn a_result_that_holds_is_of_the_type_that_its_schema_describes() {
    for shape in [Shape::plain(), Shape::rich(), Shape::clean()] {
        let result = finished(&Review::of(&shape), RESULT_FILE);
        let read: ReviewResult = serde_json::from_value(result.clone()).expect("a result");
        assert_eq!(read.metadata.review_findings.len(), result["metadata"]["review_findings"].as_array().expect("a list").len());
    }
}

#[test]
fn a_key_too_many_and_a_key_too_few_are_refused() {
    for (path, name, record) in documents(&Shape::rich()) {
        let schema = validator(name);
        let refuses = |changed: &Value, what: &str| assert!(!schema.is_valid(changed), "{path} with {what}");
        let mut objects = vec![String::new()];
        if path == RESULT_FILE {
            objects.extend(
                ["/metadata", "/findings", "/metadata/review_decision", "/metadata/review_validation/candidates/0"].map(str::to_owned),
            );
        }
        for place in objects {
            let at = |changed: &mut Value| changed.pointer_mut(&place).and_then(Value::as_object_mut).cloned().expect("an object");
            let members = at(&mut record.clone());
            for key in members.keys() {
                let mut fewer = members.clone();
                fewer.shift_remove(key);
                let mut changed = record.clone();
                *changed.pointer_mut(&place).expect("there") = Value::Object(fewer);
                refuses(&changed, &format!("no {key} in {place}"));
            }
            let mut changed = record.clone();
            changed.pointer_mut(&place).expect("there")["surplus"] = json!(0);
            refuses(&changed, &format!("a surplus key in {place}"));
        }
    }
}
