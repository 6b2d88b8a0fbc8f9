//! What earlier runs of a pull request settled: C-25 to C-28, C-141 (CR-47, CR-71, CR-122, CR-218).

use std::fs;

use code_polishy_tests::{Forge, ReviewRun};
use serde_json::{Value, json};

use crate::WORLD;

fn line(finding: &str, verdict: &str, why: &str) -> String {
    let line = json!({
        "schema_version": 1, "finding_id": finding, "item_id": null, "verdict": verdict, "sha": null, "why": why, "remediation_run": null
    });
    format!("{line}\n")
}

fn finding(id: &str) -> Value {
    json!([{"id": id, "severity": "low", "title": "The sentence promises too much", "evidence": ["README.md:3 says everything"]}])
}

/// A concluded review of the pull request after `run-001` rejected F-1, with one finding of this id, title and evidence.
fn reported(id: &str, title: &str, evidence: &str) -> ReviewRun {
    let forge = Forge::new(WORLD);
    forge.earlier("run-001", &line("F-1", "rejected", "as documented"), &finding("F-1"));
    fs::create_dir(forge.repo.path(".code-polishy-reports/code-review/pr-7/run-002")).unwrap();
    let run = forge.collected().review(&[]);
    run.conclude(|result| {
        run.record(result, id, "low", Some("confirmed"));
        let finding = &mut result["metadata"]["review_findings"][0];
        finding["title"] = json!(title);
        finding["evidence"] = json!([evidence]);
        finding["authors"] = json!(["Main reviewer"]);
    });
    run
}

#[test]
fn c_25_the_last_valid_verdict_of_the_newest_run_counts() {
    let forge = Forge::new(WORLD);
    let first = line("F1", "fixed", "first") + &line("F2", "deferred", "first");
    let second = line("F1", "deferred", "second") + "{\"finding_id\": \"F1\", broken\n" + &line("F1", "rejected", "as documented");
    forge.earlier("run-002", &first, &json!([])).earlier("run-010", &second, &finding("F1"));
    let run = forge.collected();
    assert!(run.path.ends_with("pr-7/run-011"));
    assert_eq!(run.started["prior_resolutions"], json!({"source_run": "run-010", "resolutions": 2, "invalid_lines": 1}));
    let kept = run.json("prior-resolutions.json");
    let verdicts: Vec<(&Value, &Value, &Value)> = kept["resolutions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resolution| (&resolution["finding_id"], &resolution["verdict"], &resolution["title"]))
        .collect();
    let title = json!("The sentence promises too much");
    assert_eq!(verdicts, [(&json!("F1"), &json!("rejected"), &title), (&json!("F2"), &json!("deferred"), &Value::Null)]);
    run.preflight().passed(&["prior-resolutions"]);
}

#[test]
fn a_ledger_that_grows_after_the_import_is_a_warning() {
    let forge = Forge::new(WORLD);
    forge.earlier("run-001", &line("F1", "fixed", "done"), &json!([]));
    let run = forge.collected();
    assert_eq!(run.preflight().json()["warnings"], json!([]));
    let ledger = run.path.with_file_name("run-001").join("resolution.jsonl");
    fs::write(&ledger, line("F1", "fixed", "done") + &line("F2", "rejected", "no")).unwrap();
    let output = run.preflight();
    assert_eq!(output.step("prior-resolutions"), "passed");
    assert_eq!(output.json()["warnings"][0]["code"], "prior-resolutions-newer", "{output}");

    fs::remove_file(run.file("prior-resolutions.json")).unwrap();
    let violations = run.preflight().exits(1).violations();
    assert!(violations.contains(&"prior-resolutions prior-resolutions-missing:run-001".to_owned()), "{violations:?}");
}

#[test]
fn a_later_run_is_no_earlier_one() {
    let forge = Forge::new(WORLD);
    let run = forge.collected();
    let later = run.path.with_file_name("run-002");
    fs::create_dir(&later).unwrap();
    fs::write(later.join("resolution.jsonl"), line("F1", "fixed", "done")).unwrap();
    run.preflight().passed(&["prior-resolutions"]);
}

#[test]
fn c_26_a_reviewer_is_given_what_was_settled() {
    let forge = Forge::new(WORLD);
    forge.earlier("run-001", &line("F-1", "rejected", "as documented"), &finding("F-1"));
    let run = forge.collected();
    run.route(&["--select", "doc-scribe=the user asked for it"]).exits(0);
    let context = run.text("specialists/doc-scribe-context.md");
    assert!(context.contains(&format!("prior-resolutions sha256:{}", run.digest("prior-resolutions.json"))), "{context}");
    assert!(context.contains("as documented"), "{context}");

    let path = "specialists/doc-scribe-context-short.md";
    let own = run.write(path, "Review it.").file(path);
    let options = ["--mode", "spawned", "--reviewer-id", "r-1", "--context", own.to_str().unwrap()];
    let errors = run.event("dispatched", "doc-scribe", &options).exits(1).json()["errors"].clone();
    assert!(errors.as_array().unwrap().iter().any(|error| error["code"] == "prior-resolutions-not-delivered"), "{errors}");
    assert!(run.log().is_empty());
    run.event("dispatched", "doc-scribe", &options[..4]).exits(0);
}

/// The violations of the step `prior-evidence`, after this change of the candidate.
fn repeated(run: &ReviewRun, change: impl FnOnce(&mut Value)) -> Vec<String> {
    let output = run.edit_record("result.candidate.json", change).validate();
    assert_ne!(output.step("prior-evidence"), "not-run", "{output}");
    output.violations().iter().filter_map(|violation| violation.strip_prefix("prior-evidence ")).map(str::to_owned).collect()
}

#[test]
fn c_27_a_rejected_finding_does_not_come_back_as_it_was() {
    let again = ["prior-resolution-rereported-without-evidence:F-9"];
    let run = reported("F-9", "The sentence  promises too much", "README.md:3 still says everything");
    assert_eq!(repeated(&run, |_| ()), again);
    assert_eq!(repeated(&run, |result| result["metadata"]["review_findings"][0]["evidence"] = json!(["It promises too much."])), again);
}

#[test]
fn c_28_new_evidence_brings_it_back() {
    let run = reported("F-9", "The sentence promises too much", "src/shop.rs:2 sells nothing");
    run.validate().passed(&["pr-scope", "findings", "evidence", "notes", "prior-evidence"]);
}

#[test]
fn c_141_a_rejected_finding_of_the_first_run_is_known_in_the_third() {
    let run = reported("F-1", "Another title", "README.md:3 says everything");
    assert!(run.path.ends_with("pr-7/run-003"));
    assert_eq!(repeated(&run, |_| ()), ["prior-resolution-rereported-without-evidence:F-1"]);
    run.edit_notes("Prior finding F-1: refuted", "Prior finding F-1: perhaps");
    let silent = "prior-resolution-disposition-missing:F-1".to_owned();
    assert!(repeated(&run, |_| ()).contains(&silent));
}
