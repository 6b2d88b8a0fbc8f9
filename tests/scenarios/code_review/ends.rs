//! Reviews that end in a verdict against the change, or in none: C-133 (CR-97 to CR-106).

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
