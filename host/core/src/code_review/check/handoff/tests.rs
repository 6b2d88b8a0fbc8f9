use serde_json::{Value, json};

use super::case::Case;
use crate::code_review::{
    handoff::{HANDOFF_FILE, Handoff},
    run::CallerContract,
    step::Step,
};

fn found(case: &mut Case) -> Vec<String> {
    case.found(&[Step::Handoff])
}

/// What is found after each change of a right hand-off.
fn after(changes: &[(&str, Value, &str)]) {
    for (pointer, value, expected) in changes {
        let mut case = Case::new();
        case.set(pointer, value.clone());
        assert_eq!(found(&mut case), [*expected], "{pointer} = {value}");
    }
}

#[test]
fn a_right_handoff_holds() {
    assert_eq!(found(&mut Case::new()), Vec::<String>::new());
    assert_eq!(found(&mut Case::pull_request()), Vec::<String>::new());
}

#[test]
fn a_handoff_is_written_as_it_was_read() {
    for handoff in [Case::new().handoff, Case::pull_request().handoff] {
        let read: Handoff = serde_json::from_value(handoff.clone()).expect("a hand-off");
        assert_eq!(serde_json::to_value(read).expect("JSON"), handoff);
    }
}

#[test]
fn every_key_is_due_and_no_other() {
    let keys: Vec<String> = Case::new().handoff.as_object().expect("an object").keys().cloned().collect();
    assert_eq!(keys.len(), 18);
    for key in keys {
        let mut case = Case::new();
        case.remove(&format!("/{key}"));
        assert_eq!(found(&mut case), ["handoff-fields-mismatch"], "{key}");
    }
    let mut case = Case::new();
    case.handoff["note"] = json!("more");
    assert_eq!(found(&mut case), ["handoff-fields-mismatch"]);
}

#[test]
fn fields_have_one_type() {
    let fields = "handoff-fields-mismatch";
    after(&[
        ("/schema_version", json!(true), fields),
        ("/schema_version", json!(2), fields),
        ("/presentation_version", json!(13.0), fields),
        ("/skill", json!("behavior-review"), fields),
        ("/result_status", json!("passed"), fields),
        ("/outcome", json!("Review Decision"), fields),
        ("/source_records/0", json!({"id": "S-1"}), fields),
        ("/source_coverage/omitted_source_records_total", json!(-1), fields),
        ("/verification/0/status", json!("green"), fields),
        ("/verification/0/command_exit", json!("0"), fields),
        ("/reviewer_evidence/0/evidence_level", json!("seen"), fields),
        ("/confidence/score", json!(0.905), fields),
        ("/confidence/band", json!("good"), fields),
        ("/terminal", json!({"code": "DUPLICATE"}), fields),
        ("/tables/0/summary", json!(" "), fields),
        ("/tables/0/summary", json!("a\u{7}b"), fields),
        ("/remaining/0", json!({"row_id": "C-1"}), "handoff-remaining-invalid"),
        ("/artifacts/1", json!({"label": "Run"}), "handoff-artifacts-invalid"),
        ("/next_steps", json!("C-1"), "handoff-next-steps-mismatch"),
    ]);
    let mut open = Case::new();
    open.set("/confidence/gaps/0", json!({"gap": "No staging.", "status": "unresolved", "evidence": "(-0.10) None."}));
    assert_eq!(found(&mut open), [fields, fields], "an open gap has a rationale, and no evidence");
}

#[test]
fn what_is_no_strict_json_has_its_place() {
    let mut case = Case::new();
    case.settle();
    case.fixture.write(HANDOFF_FILE, b"{\n  \"skill\": }");
    let (violations, _) = case.violations(&[Step::Handoff]);
    assert_eq!((violations[0].code, violations[0].line), ("handoff-fields-mismatch", Some(2)));
    case.fixture.image.files.remove(HANDOFF_FILE);
    let (violations, _) = case.violations(&[Step::Handoff]);
    assert_eq!(violations[0].token(), "handoff-fields-mismatch:final-handoff.json");
    let twice = case.handoff.to_string().replacen("\"skill\"", "\"skill\":\"code-review\",\"skill\"", 1);
    case.fixture.write(HANDOFF_FILE, twice.as_bytes());
    let (violations, _) = case.violations(&[Step::Handoff]);
    assert_eq!((violations.len(), violations[0].pointer.as_deref()), (1, Some("/skill")));
}

#[test]
fn branch_presentation_and_outcome_follow_the_result() {
    after(&[
        ("/presentation_version", json!(12), "handoff-presentation-version-invalid"),
        ("/branch", json!("done"), "handoff-branch-invalid"),
        ("/outcome/title", json!("Decision"), "handoff-outcome-not-canonical"),
        ("/outcome/summary", json!("Recommendation: reject."), "handoff-outcome-not-canonical"),
    ]);
    let mut undecided = Case::new();
    undecided.metadata["review_decision"]["recommendation"] = Value::Null;
    assert_eq!(found(&mut undecided), ["handoff-outcome-not-canonical"]);
    undecided.set("/outcome/summary", json!("Recommendation: no source judgment."));
    assert_eq!(found(&mut undecided), Vec::<String>::new());
}

#[test]
fn a_review_that_ended_early_has_no_table() {
    let mut case = Case::new();
    case.metadata["review_status"] = json!("closed");
    assert_eq!(found(&mut case), ["handoff-branch-invalid"]);
    case.set("/branch", json!("closed"));
    case.set("/presentation_version", json!(12));
    case.set("/outcome", json!({"title": "Review Decision: close", "summary": "Close code: SPAM."}));
    let evidence = json!([{"claim": "One.", "source": "pr.json"}, {"claim": "Two.", "source": "comments.json"}]);
    let terminal = json!({"code": "SPAM", "summary": "Advertising.", "head_sha": "c".repeat(40), "evidence": evidence,
        "counterevidence_checked": ["Whether it fixes anything."]});
    case.set("/terminal", terminal);
    assert_eq!(found(&mut case), ["handoff-terminal-table-forbidden"]);
    case.set("/tables", json!([]));
    case.set("/source_records", json!([]));
    case.set(
        "/source_coverage",
        json!({"source_records_total": 0, "represented_source_records_total": 0, "omitted_source_records_total": 0}),
    );
    assert_eq!(found(&mut case), Vec::<String>::new());
    case.set("/outcome/summary", json!("Close code: DUPLICATE."));
    assert_eq!(found(&mut case), ["handoff-outcome-not-canonical"]);
    case.set("/terminal", Value::Null);
    assert_eq!(found(&mut case), ["handoff-fields-mismatch", "handoff-outcome-not-canonical"]);
}

#[test]
fn what_could_not_be_collected_says_why() {
    let mut case = Case::new();
    case.metadata["review_status"] = json!("unavailable");
    case.set("/branch", json!("unavailable"));
    case.set("/presentation_version", json!(12));
    case.set("/outcome", json!({"title": "PR Review Availability: unavailable", "summary": "Reason: head-mismatch."}));
    case.set("/terminal", json!({"code": "head-mismatch", "explanation": "The head moved.", "diagnostic": "The head moved."}));
    case.set("/tables", json!([]));
    case.set("/source_records", json!([]));
    case.set(
        "/source_coverage",
        json!({"source_records_total": 0, "represented_source_records_total": 0, "omitted_source_records_total": 0}),
    );
    case.set("/remaining/0/row_id", json!("collection"));
    case.set("/next_steps/0", json!("collection"));
    assert_eq!(found(&mut case), Vec::<String>::new());
}

/// C-116
#[test]
fn tables_and_rows_have_their_form() {
    let table = "handoff-table-invalid";
    after(&[
        ("/tables/0/title", json!("PR Snapshot"), table),
        ("/tables/0/columns", json!(["Field", "Values"]), table),
        ("/tables/1/columns/3", json!("State"), table),
        ("/tables/1/layout", json!("wide"), table),
        ("/tables/1/overview_only", json!(false), table),
        ("/tables/1/rows/1/source_ids", json!("S-8"), table),
        ("/tables/0/rows/0/cells", json!(["Scope"]), "handoff-row-width-mismatch:row-1"),
        ("/tables/1/rows/1/id", json!("F-1"), "handoff-row-id-duplicate:F-1"),
        ("/tables/1/rows/0/source_ids", json!(["S-7", "S-1"]), "handoff-source-id-duplicate:S-1"),
    ]);
    for attribute in ["reviewers", "summary", "source_rating_version", "verification_readiness"] {
        let mut case = Case::new();
        case.remove(&format!("/tables/0/{attribute}"));
        assert_eq!(found(&mut case), ["code-review-final-handoff-candidate-attribution-missing"], "{attribute}");
    }
    let mut layout = Case::new();
    layout.handoff["tables"][0]["layout"] = json!("concise");
    assert_eq!(found(&mut layout), [table]);
    let mut half = Case::new();
    half.remove("/tables/1/rows/0/summary");
    assert_eq!(found(&mut half), [table]);
}

#[test]
fn one_snapshot_comes_before_the_actions() {
    let mut case = Case::new();
    let tables = case.handoff["tables"].as_array_mut().expect("tables");
    tables.swap(0, 1);
    assert_eq!(found(&mut case), ["handoff-table-invalid"]);
    let mut case = Case::new();
    let mut again = case.handoff["tables"][0].clone();
    again["rows"] = json!([]);
    case.handoff["tables"].as_array_mut().expect("tables").push(again);
    assert_eq!(found(&mut case), ["handoff-table-invalid"]);
}

#[test]
fn each_source_is_shown_by_one_row() {
    let coverage = "handoff-source-coverage-mismatch";
    after(&[
        ("/source_coverage/source_records_total", json!(7), coverage),
        ("/source_coverage/represented_source_records_total", json!(7), coverage),
        ("/source_coverage/omitted_source_records_total", json!(1), coverage),
    ]);
    let mut case = Case::new();
    case.set("/tables/0/rows/0/source_ids", json!([]));
    case.set("/source_coverage/represented_source_records_total", json!(7));
    assert_eq!(found(&mut case), ["handoff-table-invalid:row-1", "handoff-source-coverage-mismatch:S-1"]);
    let mut case = Case::new();
    case.set("/tables/0/rows/0/source_ids", json!(["S-1", "S-9"]));
    assert_eq!(found(&mut case), ["handoff-source-coverage-mismatch:S-9"]);
    let mut case = Case::new();
    case.set("/source_records/0/id", json!("S-2"));
    let expected = [
        "handoff-source-id-duplicate:S-2",
        "handoff-source-coverage-mismatch:S-1",
        "handoff-source-coverage-mismatch",
        "handoff-source-coverage-mismatch",
    ];
    assert_eq!(found(&mut case), expected);
}

/// C-116
#[test]
fn the_next_steps_are_what_remains() {
    after(&[
        ("/next_steps", json!([]), "handoff-next-steps-mismatch"),
        ("/next_steps", json!(["C-1", "F-1"]), "handoff-next-steps-mismatch"),
    ]);
    let entry = |id: &str| json!({"row_id": id, "item": "It.", "owner": "they", "next_action": "Do."});
    for (ids, expected) in [
        (vec!["F-1", "B-1", "C-1", "in-progress-operation"], vec![]),
        (vec!["F-2"], vec!["handoff-remaining-invalid:F-2"]),
        (vec!["collection"], vec!["handoff-remaining-invalid:collection"]),
        (vec!["C-1", "C-1"], vec!["handoff-remaining-invalid:C-1"]),
    ] {
        let mut case = Case::new();
        case.set("/remaining", ids.iter().map(|id| entry(id)).collect());
        case.set("/next_steps", json!(ids));
        assert_eq!(found(&mut case), expected, "{ids:?}");
    }
}

#[test]
fn artifacts_are_files_of_the_run() {
    after(&[
        ("/artifacts/1/path", json!("notes.txt"), "handoff-artifacts-invalid:Run"),
        ("/artifacts/1/path", json!("../run.json"), "handoff-artifacts-invalid:Run"),
        ("/report_path", json!("review-notes.md"), "handoff-artifacts-invalid:report_path"),
        ("/report_path", json!("/run/final.md"), "handoff-artifacts-invalid:report_path"),
    ]);
    let mut case = Case::new();
    case.set("/artifacts/1/label", json!("Result"));
    assert_eq!(found(&mut case), ["handoff-artifacts-invalid:Result", "handoff-artifacts-invalid:Result"]);
}

#[test]
fn a_caller_who_asked_is_answered() {
    let invalid = "handoff-caller-contract-invalid";
    let mut case = Case::new();
    case.fixture.t0.run.caller_contract = Some(CallerContract { format: "json".to_owned(), evidence: "As JSON, please.".to_owned() });
    assert_eq!(found(&mut case), ["handoff-branch-invalid"]);
    case.set("/branch", json!("caller-contract"));
    assert_eq!(found(&mut case), [invalid]);
    case.set("/caller_contract", json!({"format": "json", "evidence": "As JSON, please.", "output": "{\"verdict\":\t1}\r\n"}));
    assert_eq!(found(&mut case), Vec::<String>::new());
    for (pointer, value) in [
        ("/caller_contract/format", json!("xml")),
        ("/caller_contract/evidence", json!("As XML.")),
        ("/caller_contract/output", json!("\n")),
        ("/caller_contract/output", json!(1)),
    ] {
        let before = case.handoff.clone();
        case.set(pointer, value);
        assert_eq!(found(&mut case), [invalid], "{pointer}");
        case.handoff = before;
    }
    let mut unasked = Case::new();
    unasked.set("/caller_contract", json!({"format": "json", "evidence": "As JSON.", "output": "{}"}));
    assert_eq!(found(&mut unasked), [invalid]);
}
