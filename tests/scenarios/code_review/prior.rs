//! What earlier runs of a pull request settled: C-25, C-27, C-28, C-141 (CR-47, CR-122, CR-218).

use std::fs;

use code_polishy_tests::Forge;
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
