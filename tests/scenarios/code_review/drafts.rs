//! A draft of the hand-off, made of records and notes: what it holds is enough to finalize.

use std::fs;

use code_polishy_tests::{PRODUCER, ReviewRun, Snapshot};
use serde_json::{Value, json};

use crate::WORLD;

/// Drafts the hand-off of a concluded run.
fn draft(run: &ReviewRun) -> Value {
    let place = run.repo.area("draft.json");
    let file = place.display().to_string();
    let before = Snapshot::of(&run.path);
    let document = run.command("finalize", &["--draft-handoff", &file]).exits(0).json();
    assert_eq!((&document["status"], &document["draft"]), (&json!("drafted"), &json!(file)));
    assert_eq!(Snapshot::of(&run.path), before, "a draft changes no run");
    serde_json::from_slice(&fs::read(place).expect("a draft")).expect("JSON")
}

#[test]
fn a_draft_is_enough_to_finalize() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| run.record(result, "K-1", "low", Some("confirmed")));
    let draft = draft(&run);
    let action = &draft["tables"][1]["rows"][0];
    assert_eq!((&action["id"], &action["cells"][3]), (&json!("K-1"), &json!("Required")), "the status is that of the notes: {draft}");
    assert_eq!(draft["source_coverage"]["source_records_total"], 7);
    run.finalize(&draft, &["--promote"]).exits(0);
    run.command("complete", &["--nested"]).exits(0);
}

#[test]
fn an_open_claim_remains_in_the_words_that_are_due() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| {
        run.record(result, "C-1", "medium", Some("unverified"));
        let metadata = &mut result["metadata"];
        metadata["review_validation"]["verification_readiness"] = json!("blocked");
        let rationale = format!("{} C-1 is open.", metadata["review_decision"]["rationale"].as_str().unwrap());
        metadata["review_decision"]["rationale"] = json!(rationale);
        result["status"] = json!("fail");
    });
    let draft = draft(&run);
    assert_eq!(draft["next_steps"], json!(["C-1"]));
    run.finalize(&draft, &["--promote"]).exits(0);
}

#[test]
fn a_draft_stays_outside_the_run_and_needs_its_records() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    let place = run.repo.area("draft.json").display().to_string();
    let missing = run.command("finalize", &["--draft-handoff", &place]).exits(2);
    assert_eq!(missing.errors(), ["missing-required"]);
    run.conclude(|_| ());
    let inside = run.file("draft.json").display().to_string();
    assert_eq!(run.command("finalize", &["--draft-handoff", &inside]).exits(2).errors(), ["usage-error"]);
    let hint = run.command("finalize", &["--producer-id", PRODUCER]).exits(2).json()["errors"][0]["hint"].take();
    assert!(hint.as_str().unwrap().contains("--draft-handoff"), "{hint}");
    fs::remove_file(run.file("gates.json")).unwrap();
    assert_eq!(run.command("finalize", &["--draft-handoff", &place]).exits(1).errors(), ["handoff-fields-mismatch"]);
    assert!(!run.repo.area("draft.json").exists());
}
