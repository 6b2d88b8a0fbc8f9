use serde_json::{Value, json};

use super::super::handoff::case::{Case, REPORT};
use crate::code_review::{
    config::CONFIG_FILE,
    handoff::{Branch, FINAL_FILE, FinalHandoff, HANDOFF_VALIDATION_FILE, HandoffValidation},
    step::Step,
    violation::Violation,
};

fn settled() -> Case {
    let mut case = Case::new();
    case.settle();
    case
}

fn violations(case: &Case) -> (Vec<Violation>, Vec<Violation>) {
    case.violations(&[Step::Handoff, Step::Render])
}

fn found(case: &Case) -> Vec<String> {
    violations(case).0.iter().map(Violation::token).collect()
}

#[test]
fn what_was_rendered_and_tied_together_holds() {
    assert_eq!(found(&settled()), Vec::<String>::new());
}

#[test]
fn the_records_are_written_in_their_order() {
    let record = HandoffValidation::of(Branch::Assessed, "aa", "bb");
    let expected = "{\"schema_version\":1,\"status\":\"pass\",\"skill\":\"code-review\",\"branch\":\"assessed\",\"handoff_sha256\":\"aa\",\"rendered_sha256\":\"bb\"}";
    assert_eq!(serde_json::to_string(&record).expect("JSON"), expected);
    let binding = FinalHandoff::of(Branch::CallerContract, "aa", "bb");
    let expected = "{\"schema_version\":1,\"handoff_path\":\"final-handoff.json\",\"handoff_sha256\":\"aa\",\"rendered_path\":\"final.md\",\
                    \"rendered_sha256\":\"bb\",\"validation_path\":\"final-handoff.validation.json\",\"branch\":\"caller-contract\"}";
    assert_eq!(serde_json::to_string(&binding).expect("JSON"), expected);
}

#[test]
fn the_report_is_what_the_handoff_renders_to() {
    let mut case = settled();
    case.rendered = Some(Ok(REPORT.replace("**Outcome**", "**Result**").into_bytes()));
    let (violations, _) = violations(&case);
    assert_eq!((violations.len(), violations[0].token().as_str(), violations[0].line), (1, "rendered-final-mismatch:final.md", Some(3)));
    let mut gone = settled();
    gone.fixture.image.files.remove(FINAL_FILE);
    let expected = [
        "rendered-final-mismatch:final.md",
        "handoff-validation-record-mismatch:rendered_sha256",
        "final-handoff-binding-mismatch:rendered_sha256",
    ];
    assert_eq!(found(&gone), expected);
}

#[test]
fn a_handoff_that_cannot_be_rendered_is_refused() {
    let mut case = settled();
    case.rendered = Some(Err("`tables` is missing".to_owned()));
    assert_eq!(found(&case), ["renderer-failed:handoff"]);
    case.rendered = None;
    assert_eq!(found(&case), ["renderer-failed:handoff"]);
}

#[test]
fn the_validation_record_is_of_these_files() {
    let mut case = settled();
    let right: Value = serde_json::from_slice(case.fixture.image.bytes(HANDOFF_VALIDATION_FILE).expect("written")).expect("JSON");
    for (key, value) in [
        ("schema_version", json!(2)),
        ("status", json!("fail")),
        ("skill", json!("other")),
        ("branch", json!("closed")),
        ("handoff_sha256", json!("0")),
        ("rendered_sha256", json!("0")),
    ] {
        let mut record = right.clone();
        record[key] = value;
        case.fixture.write(HANDOFF_VALIDATION_FILE, record.to_string().as_bytes());
        assert_eq!(found(&case), [format!("handoff-validation-record-mismatch:{key}")]);
    }
    for bytes in ["{}", "{", "[]"] {
        case.fixture.write(HANDOFF_VALIDATION_FILE, bytes.as_bytes());
        assert!(found(&case)[0].starts_with("handoff-validation-record-mismatch"), "{bytes}");
    }
    case.fixture.image.files.remove(HANDOFF_VALIDATION_FILE);
    assert_eq!(found(&case), ["handoff-validation-record-mismatch:final-handoff.validation.json"]);
}

#[test]
fn the_result_is_bound_to_these_files() {
    let mut case = settled();
    let right = case.metadata["final_handoff"].clone();
    for (key, value) in [
        ("schema_version", json!(2)),
        ("handoff_path", json!("handoff.json")),
        ("handoff_sha256", json!("0")),
        ("rendered_path", json!("report.md")),
        ("rendered_sha256", json!("0")),
        ("validation_path", json!("validation.json")),
        ("branch", json!("closed")),
    ] {
        case.metadata["final_handoff"] = right.clone();
        case.metadata["final_handoff"][key] = value;
        assert_eq!(found(&case), [format!("final-handoff-binding-mismatch:{key}")]);
    }
    case.metadata["final_handoff"] = Value::Null;
    assert_eq!(found(&case), ["final-handoff-binding-mismatch"]);
}

#[test]
fn no_file_has_the_path_of_another() {
    let mut case = settled();
    case.metadata["final_handoff"]["rendered_path"] = json!("final-handoff.json");
    assert_eq!(found(&case), ["handoff-paths-alias:rendered_path", "final-handoff-binding-mismatch:rendered_path"]);
}

/// C-120
#[test]
fn only_a_required_renderer_must_have_written() {
    let mut case = settled();
    let renderers = json!([{"id": "slides", "required": true}, {"id": "speech", "required": false}]);
    let config = json!({"schema_version": 1, "codeReview": {"renderers": renderers}, "policy": null});
    case.fixture.write(CONFIG_FILE, config.to_string().as_bytes());
    let (refused, warned) = violations(&case);
    let tokens = |violations: &[Violation]| violations.iter().map(Violation::token).collect::<Vec<_>>();
    assert_eq!((tokens(&refused), tokens(&warned)), (vec!["renderer-failed:slides".to_owned()], vec!["renderer-failed:speech".to_owned()]));
    case.fixture.write("renders/slides/deck.html", b"<p>");
    case.fixture.write("renders/speech/talk.txt", b"Hello.");
    let (refused, warned) = violations(&case);
    assert!(refused.is_empty() && warned.is_empty());
}
