//! How reviews end: against the change, without a judgment, after several attempts: C-133, C-149 (CR-97 to CR-106, CR-204).

use code_polishy_tests::{PRODUCER, ReviewRun};
use serde_json::{Value, json};

use crate::WORLD;

/// Promotes the concluded run, whose table suggests this, and hands it over.
#[track_caller]
fn promoted(run: &ReviewRun, suggestion: &str) -> String {
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    let mut draft = run.handoff_draft();
    draft["tables"][0]["rows"][5]["cells"][1] = json!(suggestion);
    run.finalize(&draft, &["--promote"]).exits(0);
    let path = run.path.display().to_string();
    run.repo.run(&["code-review", "complete", "--run", &path, "--producer-id", PRODUCER]).exits(0);
    run.text("final.md")
}

fn decide(result: &mut Value, verdict: &Value, rationale: &str) {
    let metadata = &mut result["metadata"];
    metadata["review_decision"] = json!({"recommendation": verdict, "summary": "The sum is no sum.", "rationale": rationale});
    metadata["review_validation"]["source_verdict"] = verdict.clone();
}

#[test]
fn c_133_a_conflict_with_a_requirement_is_a_rejection() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| {
        run.record(result, "F-1", "high", Some("confirmed"));
        decide(result, &json!("reject"), "F-1 breaks req:README.md:3.");
    });
    let report = promoted(&run, "block");
    assert!(report.contains("Recommendation: reject."), "{report}");
    let uncited = run.json("result.json");
    assert_eq!(uncited["metadata"]["review_decision"]["recommendation"], "reject");
}

#[test]
fn c_133_a_good_beginning_is_insufficient() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| {
        run.record(result, "F-1", "high", Some("confirmed"));
        decide(result, &json!("insufficient-but-promising"), "F-1 leaves out what a sum is.");
    });
    let report = promoted(&run, "insufficient, but a good initiative");
    assert!(report.contains("Recommendation: insufficient-but-promising."), "{report}");
}

#[test]
fn c_133_what_stays_undecidable_gets_no_judgment() {
    let run = ReviewRun::sources(WORLD).review(&[("sw-engineer", "null", &json!([]))]);
    run.conclude(|result| {
        decide(result, &json!(null), "Nobody could tell what a sum is of.");
        result["metadata"]["review_validation"]["verification_readiness"] = json!("blocked");
        result["status"] = json!("fail");
    });
    let report = promoted(&run, "no source judgment");
    assert!(report.contains("Recommendation: no source judgment."), "{report}");
    assert_eq!(run.json("result.json")["status"], "fail");
}

#[test]
fn c_149_attempts_are_counted_and_make_nothing_stale() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|_| ());
    let draft = run.handoff_draft();
    let mut wrong = draft.clone();
    wrong["next_steps"] = json!(["nowhere"]);
    let attempts = || run.text("finalize.attempts.jsonl").lines().count();
    for attempt in 1..=2 {
        run.finalize(&wrong, &["--promote"]).exits(1);
        assert_eq!(attempts(), attempt);
    }
    run.finalize(&draft, &[]).exits(0);
    assert_eq!(run.command("validate", &["--producer-id", PRODUCER]).exits(0).json()["status"], "pass");
    run.finalize(&draft, &["--promote"]).exits(0);
    assert_eq!(attempts(), 4);
    let files = run.json("run-manifest.json")["files"].take();
    assert!(files.as_array().unwrap().iter().all(|file| file["path"] != "finalize.attempts.jsonl"), "{files}");
    let log = run.file("finalize.attempts.jsonl");
    std::fs::write(&log, run.text("finalize.attempts.jsonl") + "{}\n").unwrap();
    let path = run.path.display().to_string();
    run.repo.run(&["code-review", "complete", "--run", &path, "--producer-id", PRODUCER]).exits(0);
}
