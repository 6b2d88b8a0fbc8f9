use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    Authored, Edit, Said,
    attempts::{self, Attempt, Found},
    candidate::provisional,
    handoff, notes,
};
use crate::code_review::{
    check::handoff_case::Case,
    context::{Context, Facts},
    handoff::{Branch, Derived, Handoff},
    next_action::NextAction,
    outline::Outline,
    step::Step,
    validation::{ImageSummary, Validation, ValidationStatus},
    violation::Violation,
    vocabulary::{Severity, Status},
};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("no object: {other}"),
    }
}

/// The records of the case, and its hand-off as an author drafts it: without anything that is derived.
fn drafted() -> (Derived, Map<String, Value>, Value) {
    let case = Case::new();
    let mut draft = case.handoff.clone();
    for key in ["result_status", "verification", "reviewer_evidence", "confidence", "report_path", "terminal", "caller_contract", "skill"] {
        draft.as_object_mut().expect("an object").remove(key);
    }
    draft["artifacts"].as_array_mut().expect("a list").remove(0);
    let snapshot = draft["tables"][0].as_object_mut().expect("a table");
    for key in ["columns", "reviewers", "summary", "source_rating_version", "verification_readiness"] {
        snapshot.remove(key);
    }
    draft["tables"][0]["rows"][4]["cells"][1] = json!("");
    let actions = draft["tables"][1].as_object_mut().expect("a table");
    for key in ["columns", "layout", "overview_only"] {
        actions.remove(key);
    }
    for row in actions["rows"].as_array_mut().expect("rows") {
        let row = row.as_object_mut().expect("a row");
        for key in ["title", "authors", "summary", "closure_evidence"] {
            row.remove(key);
        }
        row["cells"] = json!([row["id"], "", "", row["cells"][3]]);
    }
    (case.derived(), object(draft), case.handoff)
}

#[test]
fn a_draft_becomes_the_whole_hand_off() {
    let (derived, draft, whole) = drafted();
    let mut edits = Vec::new();
    let completed = handoff::complete(&draft, Branch::Assessed, Some(&derived), &mut edits);
    assert_eq!(completed, whole);
    let order = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let read: Handoff = serde_json::from_value(completed.clone()).expect("a hand-off");
    assert_eq!(order(&completed), order(&serde_json::to_value(read).expect("JSON")), "in documented order");
    assert_eq!(edits, [], "blank cells are filled");
}

#[test]
fn what_is_right_is_no_edit_and_what_is_the_author_s_stays() {
    let (derived, _, whole) = drafted();
    let mut edits = Vec::new();
    assert_eq!(handoff::complete(&object(whole.clone()), Branch::Assessed, Some(&derived), &mut edits), whole);
    assert_eq!(edits, []);
    let mut other = whole.clone();
    other["outcome"]["summary"] = json!("Good.");
    other["branch"] = json!("closed");
    other["tables"][1]["rows"][0]["cells"][3] = json!("Verify");
    other["tables"][1]["rows"][1]["id"] = json!("B-2");
    other["remaining"][0]["owner"] = json!("nobody");
    assert_eq!(handoff::complete(&object(other.clone()), Branch::Assessed, Some(&derived), &mut edits), other);
    assert_eq!(edits, []);
}

#[test]
fn every_copied_value_is_copied_again() {
    let (derived, _, whole) = drafted();
    for (pointer, value, edited) in [
        ("/result_status", json!("pass"), "/result_status"),
        ("/verification/0/status", json!("fail"), "/verification"),
        ("/reviewer_evidence", json!([]), "/reviewer_evidence"),
        ("/confidence/score", json!(1), "/confidence"),
        ("/artifacts/0/path", json!("result.json"), "/artifacts/0"),
        ("/report_path", json!("/elsewhere/review-notes.md"), "/report_path"),
        ("/tables/0/summary", json!("Other."), "/tables/0/summary"),
        ("/tables/0/rows/4/cells/1", json!("c"), "/tables/0/rows/4/cells/1"),
        ("/tables/1/layout", json!("wide"), "/tables/1/layout"),
        ("/tables/1/rows/0/authors", json!([]), "/tables/1/rows/0/authors"),
        ("/tables/1/rows/0/cells/1", json!("Go on."), "/tables/1/rows/0/cells"),
    ] {
        let mut drifted = whole.clone();
        *drifted.pointer_mut(pointer).expect("there") = value;
        let mut edits = Vec::new();
        assert_eq!(handoff::complete(&object(drifted), Branch::Assessed, Some(&derived), &mut edits), whole, "{pointer}");
        assert_eq!(edits.iter().map(|edit| edit.pointer.as_deref()).collect::<Vec<_>>(), [Some(edited)]);
    }
}

#[test]
fn without_records_nothing_is_made_up() {
    let mut edits = Vec::new();
    let completed = handoff::complete(&Map::new(), Branch::CallerContract, None, &mut edits);
    let fixed = json!({"schema_version": 1, "presentation_version": 13, "skill": "code-review", "branch": "caller-contract", "terminal": null,
        "caller_contract": null});
    assert_eq!((completed, edits), (fixed, Vec::new()));
}

fn rewritten(text: &str) -> (Option<String>, Vec<Edit>) {
    let case = Case::new();
    let (resolved, cards) = (BTreeMap::new(), BTreeMap::new());
    let facts = Facts {
        image: &case.fixture.image,
        run_path: "/run",
        producer_id: None,
        git_state: None,
        mirror: None,
        role_cards: &cards,
        prior: None,
        reviewed_tree: false,
        resolved: &resolved,
        rendered: None,
        promoted: false,
    };
    let mut context = Context::new(&facts, None);
    context.t0 = Some(case.fixture.t0.clone());
    context.notes = Some(Outline::read(text));
    let mut edits = Vec::new();
    (notes::rewrite(text, &context, &case.derived(), &mut edits), edits)
}

const NOTES: &str = "## Review Snapshot\n\n| Field | Value |\n| --- | --- |\n| Type | fix |\n| Commit | ccc |\n\n## Scope\n\nAll.\n\n\
                     Reviewed commit: ddd\n\n## Review Findings and Merge Blocks\n\n\
                     | Finding / area | Author | Required change | Evidence | Status |\n| --- | --- | --- | --- | --- |\n\
                     | F-1 | QA | Go on. | none | Verify |\n| F-9 | QA | Go on. | none | Verify |\n";

#[test]
fn copied_cells_of_the_notes_are_copied_again() {
    let (text, edits) = rewritten(NOTES);
    let text = text.expect("changed");
    let commit = format!("{} (working-tree base)", "c".repeat(40));
    let expected = NOTES
        .replace("| Commit | ccc |", &format!("| Commit | {commit} |"))
        .replace("commit: ddd", &format!("commit: {commit}"))
        .replace("| F-1 | QA | Go on. | none | Verify |", "| F-1 | Software engineer | Stop. | src/a.rs:3; a log | Verify |");
    assert_eq!(text, expected);
    assert_eq!(edits.iter().map(|edit| edit.line).collect::<Vec<_>>(), [Some(6), Some(12), Some(18)]);
    assert_eq!(rewritten(&text), (None, Vec::new()), "once is enough");
    let bare = text.replace(&format!("commit: {commit}"), &format!("commit: {}", "c".repeat(40)));
    assert_eq!(rewritten(&bare).0, None, "the commit may stand without what it stands below");
}

#[test]
fn what_is_said_counts_and_the_rest_is_counted() {
    let case = Case::new();
    let metadata = object(json!({
        "zeal": 1,
        "review_findings": [{"severity": "high"}, {"severity": "high"}, {"severity": "low"}],
        "scope": "path",
        "confidence_recovery": {"final_confidence": 0.9}
    }));
    let said = Said { counts: BTreeMap::from([(Severity::Low, 4)]), ..Said::default() };
    let authored = Authored { metadata, handoff: Map::new(), said };
    let result = provisional(&case.fixture.t0.run, "/source/reviews/one", &authored);
    assert_eq!(result["findings"], json!({"critical": 0, "high": 2, "medium": 0, "low": 4}));
    assert_eq!((&result["confidence"], &result["artifact_path"]), (&json!(0.9), &json!("reviews/one/result.json")));
    let keys: Vec<&String> = result["metadata"].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["scope", "review_findings", "confidence_recovery", "zeal"], "documented keys first, in their order");
    let said = Said { confidence: Some("0.85".to_owned()), status: Some(Status::Timeout), ..Said::default() };
    let result = provisional(&case.fixture.t0.run, "/elsewhere", &Authored { said, ..authored });
    assert_eq!((&result["confidence"], &result["status"]), (&json!(0.85), &json!("timeout")));
    assert_eq!(result["artifact_path"], "/elsewhere/result.json");
}

fn validation(violations: Vec<Violation>) -> Validation {
    Validation {
        status: if violations.is_empty() { ValidationStatus::Pass } else { ValidationStatus::Fail },
        steps: Vec::new(),
        violations,
        warnings: Vec::new(),
        not_run: Vec::new(),
        next_action: Some(NextAction::RepairCopy),
        image: ImageSummary { files: 0, bytes: 0, sha256: String::new() },
    }
}

#[test]
fn what_stays_wrong_is_recurring() {
    let found = |subject: &str| {
        let code = &crate::code_review::codes::HANDOFF_TABLE_INVALID;
        Violation::new(code, "it is wrong", "mend it").subject(subject).at("final-handoff.json", "/tables/0")
    };
    let mut first = validation(vec![found("a"), found("b")]);
    let attempt = attempts::next(None, &mut first);
    assert!(attempt.attempt == 1 && first.violations.iter().all(|violation| !violation.recurring));
    let log = attempts::append(b"", &attempt);
    let mut second = validation(vec![found("b").at("final-handoff.json", "/tables/1"), found("c")]);
    let attempt = attempts::next(attempts::last(&log).as_ref(), &mut second);
    assert_eq!(second.violations.iter().map(|violation| violation.recurring).collect::<Vec<_>>(), [true, false]);
    let log = attempts::append(&log, &attempt);
    assert_eq!(log.iter().filter(|byte| **byte == b'\n').count(), 2);
    let subject = Some("c".to_owned());
    let Attempt { attempt, violations, .. } = attempts::last(&log).expect("a line");
    let expected =
        Found { step: Step::Image, code: "handoff-table-invalid".to_owned(), subject, file: Some("final-handoff.json".to_owned()) };
    assert_eq!((attempt, violations.last()), (2, Some(&expected)));
    assert_eq!(attempts::last(b"{\n"), None);
}
