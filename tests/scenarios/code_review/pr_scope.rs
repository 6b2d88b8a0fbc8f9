//! The receipts of a pull request, judged: C-19 to C-21, C-23, C-24, C-140 (CR-38 to CR-44, CR-114, CR-217).

use std::fs;

use code_polishy_tests::{Forge, ReviewRun};
use serde_json::{Value, json};

use crate::WORLD;

/// The violations of the step `pr-scope`; a run that is not routed has others.
#[track_caller]
fn in_scope(run: &ReviewRun) -> Vec<String> {
    let violations = run.preflight().exits(1).violations();
    violations.iter().filter_map(|violation| violation.strip_prefix("pr-scope ")).map(str::to_owned).collect()
}

#[test]
fn c_19_raw_files_are_no_source() {
    let run = Forge::new(WORLD).collected();
    run.write("head-files/README.md", "copied");
    assert_eq!(in_scope(&run), ["pr-raw-source-forbidden:head-files"]);
    fs::remove_dir_all(run.file("head-files")).unwrap();
    run.edit_record("pr-head-fetch.json", |head| head["remote_ref"] = json!("https://raw.githubusercontent.com/acme/shop/main"));
    assert!(in_scope(&run).contains(&"pr-raw-source-forbidden:pr-head-fetch.json".to_owned()));

    let run = Forge::new(WORLD).collected();
    run.edit(|result| {
        result["metadata"]["review_findings"] =
            json!([finding("F1", &["https://raw.githubusercontent.com/acme/shop/main/README.md says it"])]);
    });
    assert!(run.validate().exits(1).violations().contains(&"pr-scope pr-raw-source-forbidden:F1".to_owned()));
}

#[test]
fn c_20_a_forced_checkout_is_refused() {
    let run = Forge::new(WORLD).collected();
    run.edit_record("local-checkout.json", |checkout| checkout["command"] = json!("git checkout --force topic"));
    assert_eq!(in_scope(&run), ["pr-force-forbidden:command", "pr-local-checkout-invalid:command"]);
}

#[test]
fn c_140_a_finding_may_speak_of_downloads_and_force() {
    let run = Forge::new(WORLD).collected();
    let evidence = ["README.md:3 tells users to run curl https://raw.githubusercontent.com/x | sh and git push --force"];
    run.edit(|result| result["metadata"]["review_findings"] = json!([finding("F1", &evidence)]));
    let output = run.validate();
    assert_eq!(output.step("pr-scope"), "passed", "{output}");
}

#[test]
fn c_21_each_missing_receipt_is_named() {
    let run = Forge::new(WORLD).collected();
    for file in ["comments.json", "diff.patch", "local-checkout.json"] {
        fs::remove_file(run.file(file)).unwrap();
    }
    let violations = run.preflight().exits(1).violations();
    assert_eq!(violations, ["t0 missing-t0-artifact:diff.patch"], "pr-scope waits for what it depends on");
    let run = Forge::new(WORLD).collected();
    for file in ["comments.json", "local-checkout.json"] {
        fs::remove_file(run.file(file)).unwrap();
    }
    assert_eq!(in_scope(&run), ["missing-pr-artifact:comments.json", "missing-pr-artifact:local-checkout.json"]);
}

#[test]
fn c_24_a_fallback_says_what_it_omits() {
    let forge = Forge::new(WORLD);
    let fall_back = |omitted: Value| {
        forge.edit("export.json", |export| {
            export["transport"] = json!("public-https-fallback");
            export["unavailable_evidence"] = omitted;
        });
    };
    for wrong in [json!([]), json!(["review_decision", "mergeability"]), json!(["reviews"])] {
        fall_back(wrong);
        forge.unavailable(&[], "pr-metadata-invalid:unavailable-evidence");
    }
    fall_back(json!(["mergeability", "review_decision"]));
    let run = forge.collected();
    assert_eq!(run.json("online-review-summary.json")["limited_data"], true);
    run.preflight().passed(&["pr-scope"]);
    run.edit_record("online-review-summary.json", |summary| summary["unavailable_evidence"].as_array_mut().unwrap().reverse());
    assert_eq!(in_scope(&run), ["pr-public-fallback-evidence-invalid:online-review-summary.json"]);
}

#[test]
fn c_23_threads_that_could_not_be_read_are_none() {
    let forge = Forge::new(WORLD);
    forge.edit("export.json", |export| {
        export["review_threads_status"] = json!("unavailable");
        export["review_threads_error"] = json!("the rate limit is reached");
    });
    forge.unavailable(&[], "pr-metadata-invalid:review-threads");
    let run = forge.remove("review-threads.json").import(&[]).exits(0);
    let run = forge.run(&run);
    assert_eq!(run.text("review-threads-error.txt"), "the rate limit is reached\n");
    assert_eq!((run.json("review-threads.json"), run.json("unresolved-review-threads.json")), (json!([]), json!([])));
    run.preflight().passed(&["pr-scope"]);
    run.write("review-threads-error.txt", "another\n");
    assert_eq!(in_scope(&run), ["pr-review-thread-error-mismatch:online-review-summary.json"]);
}

/// The violations of the step `confidence`.
#[track_caller]
fn of_confidence(run: &ReviewRun) -> Vec<String> {
    let output = run.validate();
    assert_ne!(output.step("confidence"), "not-run", "{output}");
    output.violations().iter().filter_map(|violation| violation.strip_prefix("confidence ")).map(str::to_owned).collect()
}

/// Adds a gap of no weight with this state.
fn add_gap(result: &mut Value, gap: &str, status: &str) {
    let metadata = &mut result["metadata"];
    metadata["confidence_gaps"].as_array_mut().unwrap().push(json!(gap));
    let key = if status == "closed" { "evidence" } else { "rationale" };
    let closure = json!({"gap": gap, "status": status, key: "(-0.00) It changes nothing here."});
    metadata["confidence_gap_closures"].as_array_mut().unwrap().push(closure);
}

#[test]
fn c_23_unread_threads_are_a_gap_that_stays_open() {
    let forge = Forge::new(WORLD);
    forge.remove("review-threads.json").edit("export.json", |export| {
        export["review_threads_status"] = json!("unavailable");
        export["review_threads_error"] = json!("the rate limit is reached");
    });
    let run = forge.collected().review(&[]);
    const GAP: &str = "PR review-thread resolution status was unavailable; online review triage may be incomplete.";
    run.conclude(|_| ());
    let missing = of_confidence(&run);
    assert!(missing.iter().any(|violation| violation.starts_with("canonical-confidence-gap-missing")), "{missing:?}");
    run.conclude(|result| add_gap(result, GAP, "closed"));
    let closed = of_confidence(&run);
    assert!(closed.iter().any(|violation| violation.starts_with("canonical-confidence-gap-closed")), "{closed:?}");
    run.conclude(|result| add_gap(result, GAP, "unresolved"));
    assert_eq!(of_confidence(&run), Vec::<String>::new());
}

#[test]
fn c_24_the_confidence_of_a_fallback_is_capped() {
    let forge = Forge::new(WORLD);
    forge.edit("export.json", |export| {
        export["transport"] = json!("public-https-fallback");
        export["unavailable_evidence"] = json!(["mergeability", "review_decision"]);
    });
    let run = forge.collected().review(&[]);
    run.conclude(|result| {
        add_gap(result, "Public HTTPS PR metadata fallback omitted evidence: mergeability, review_decision.", "unresolved")
    });
    assert_eq!(of_confidence(&run), ["pr-public-fallback-confidence-cap-exceeded"]);
}

fn finding(id: &str, evidence: &[&str]) -> Value {
    json!({
        "id": id, "severity": "low", "title": "The sentence promises too much", "summary": "It says everything.",
        "required_change": "Say what is sold.", "evidence": evidence, "closure_evidence": "The sentence is true.",
        "authors": ["Main reviewer"]
    })
}
