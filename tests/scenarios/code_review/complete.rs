//! Handing over a report: C-122 (CR-172 to CR-175, CR-212).

use std::fs;

use code_polishy_tests::{ReviewRun, Snapshot};
use serde_json::Value;

use crate::WORLD;

#[test]
fn c_122_a_run_that_is_not_promoted_is_not_handed_over() {
    let run = ReviewRun::document(WORLD);
    run.write("result.candidate.json", "{}");
    let before = Snapshot::of(&run.path);
    let path = run.path.display().to_string();
    let output = run.repo.run(&["code-review", "complete", "--run", &path]).exits(1);
    assert_eq!(output.stdout, "");
    assert_eq!(
        output.stderr,
        format!("Review handoff blocked: review-result-not-promoted\nRetained evidence: {path}. Review not complete.\n")
    );
    assert_eq!(Snapshot::of(&run.path), before);
}

#[test]
fn programs_get_one_document_and_its_violations() {
    let run = ReviewRun::document(WORLD);
    let document = run.command("complete", &["--nested"]).exits(1).json();
    assert_eq!((&document["status"], &document["next_action"]), (&Value::from("fail"), &Value::from("repair-copy")));
    assert_eq!(document["violations"][0]["code"], "review-result-not-promoted");
    assert_eq!(document["blocked"], Value::Null, "finalizing mends it");
    let usage = run.command("complete", &[]).exits(2).json();
    assert_eq!(usage["errors"][0]["code"], "usage-error");
}

#[test]
fn what_was_found_is_written_where_it_changes_no_run() {
    let run = ReviewRun::document(WORLD);
    let inside = run.file("why.json").display().to_string();
    assert_eq!(run.command("complete", &["--nested", "--report", &inside]).exits(2).json()["errors"][0]["code"], "usage-error");
    assert!(!run.file("why.json").exists());
    let outside = run.repo.area("why.json");
    let report = outside.display().to_string();
    run.command("complete", &["--nested", "--report", &report]).exits(1);
    let written: Value = serde_json::from_slice(&fs::read(outside).unwrap()).unwrap();
    assert_eq!((&written["run"], &written["violations"][0]["code"]), (&run.started["run"], &Value::from("review-result-not-promoted")));
    let blank = run.command("complete", &["--nested", "--accept-index-change", " "]).exits(2).json();
    assert_eq!(blank["errors"][0]["code"], "usage-error");
}
