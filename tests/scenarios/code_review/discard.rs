//! Giving up a candidate: C-125's first half, CR-20.

use std::fs;

use code_polishy_tests::{Killed, Output, ReviewRun, sha256};
use serde_json::{Value, json};

use crate::WORLD;

const CANDIDATE: &str = "result.candidate.json";

fn discard(run: &ReviewRun, reason: &str) -> Output {
    run.command("discard", &["--reason", reason, "--category", "superseded"])
}

fn code(output: &Output) -> String {
    output.json()["errors"][0]["code"].as_str().expect("a code").to_owned()
}

#[test]
fn c_125_a_discarded_candidate_is_kept_with_its_reason() {
    let run = ReviewRun::document(WORLD);
    run.write(CANDIDATE, "{\"first\": 1}\n");
    let document = discard(&run, " A newer review is due. ").exits(0).json();
    assert_eq!(document["status"], "discarded");
    assert_eq!(document["discarded"], format!("discarded/001/{CANDIDATE}"));
    assert_eq!(document["record"], "discarded/001/discard.json");
    assert!(!run.file(CANDIDATE).exists());
    assert_eq!(run.text("discarded/001/result.candidate.json"), "{\"first\": 1}\n");
    let record = run.json("discarded/001/discard.json");
    let expected = json!({
        "schema_version": 1, "category": "superseded", "reason": "A newer review is due.", "candidate_sha256": sha256("{\"first\": 1}\n"),
        "discarded_at": record["discarded_at"], "producer_id": code_polishy_tests::PRODUCER,
    });
    assert_eq!(record, expected);

    run.write(CANDIDATE, "{}");
    assert_eq!(discard(&run, "Again.").exits(0).json()["record"], "discarded/002/discard.json");
    assert_eq!(run.text("discarded/001/result.candidate.json"), "{\"first\": 1}\n");
}

#[test]
fn what_cannot_be_discarded_is_left_alone() {
    let run = ReviewRun::document(WORLD);
    assert_eq!(code(&discard(&run, "Why not").exits(2)), "discard-no-candidate");
    run.write(CANDIDATE, "{}");
    assert_eq!(code(&discard(&run, " \n").exits(2)), "usage-error");
    run.write("result.json", "{}");
    assert_eq!(code(&discard(&run, "Why not").exits(2)), "discard-promoted-run");
    assert_eq!(run.text(CANDIDATE), "{}");
    assert!(!run.file("discarded").exists());
}

#[test]
fn a_killed_discard_loses_nothing_and_is_done_by_the_next() {
    let run = ReviewRun::document(WORLD);
    let path = run.path.display().to_string();
    run.write(CANDIDATE, "{\"kept\": true}\n");
    let arguments = ["code-review", "discard", "--run", &path, "--reason", "Superseded.", "--category", "other"];
    let failpoints = Killed::new(&run.repo, &arguments).everywhere(|_| {
        let held = |path: &str| fs::read_to_string(run.file(path)).is_ok_and(|text| text == "{\"kept\": true}\n");
        let below = fs::read_dir(run.file("discarded")).into_iter().flatten().flatten();
        let moved = below.filter(|folder| held(&format!("discarded/{}/{CANDIDATE}", folder.file_name().display()))).count();
        assert_eq!(usize::from(held(CANDIDATE)) + moved, 1, "in one place, whole");
        if held(CANDIDATE) {
            discard(&run, "Once more.").exits(0);
        }
        let record: Value = run.json("discarded/001/discard.json");
        assert_eq!(record["candidate_sha256"], sha256("{\"kept\": true}\n"));
    });
    assert!(failpoints >= 6, "the lock, two folders, the record and the move: {failpoints}");
}
