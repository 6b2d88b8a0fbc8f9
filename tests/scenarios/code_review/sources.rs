//! What reviewers found, and what became of it: C-78 to C-80, C-143, C-144 (CR-92 to CR-96, CR-221, CR-222).

use code_polishy_tests::{ReviewRun, sha256};
use serde_json::{Value, json};

use crate::WORLD;

/// The ledger's id of a record of the software engineer.
fn ledger_id(id: &str) -> String {
    format!("source-001.sw-engineer.{id}")
}

fn map(result: &mut Value, original: &str, candidate: &str) {
    result["metadata"]["source_finding_mapping"][ledger_id(original)] = json!(candidate);
}

/// A concluded run with these originals, each confirmed under its own id.
fn confirmed(originals: &[(&str, &str)]) -> ReviewRun {
    let records: Value = originals.iter().map(|(id, severity)| ReviewRun::original(id, severity)).collect();
    let run = ReviewRun::reviewed(WORLD, &records);
    run.conclude(|result| {
        for (id, severity) in originals {
            run.record(result, id, severity, Some("confirmed"));
            map(result, id, id);
        }
    });
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    run
}

/// A claim that takes both originals, with its finding.
fn merge(run: &ReviewRun, result: &mut Value, severity: &str) {
    run.record(result, "F-1", severity, Some("confirmed"));
    map(result, "R-1", "F-1");
    map(result, "R-2", "F-1");
}

fn reconcile(result: &mut Value) {
    result["metadata"]["source_finding_reconciliation"]["F-1"] = json!({
        "invariant": "A sum is of something.", "rationale": "Both are the same constant.", "evidence": ["src/shop.rs:2"],
        "origins": {ledger_id("R-1"): "It is the total.", ledger_id("R-2"): "It is its caller."}
    });
}

#[test]
fn c_78_every_original_reaches_a_claim_and_stays_what_it_was() {
    let run = confirmed(&[("R-1", "medium"), ("R-2", "low")]);
    let unmapped =
        run.after(|result| drop(result["metadata"]["source_finding_mapping"].as_object_mut().unwrap().shift_remove(&ledger_id("R-2"))));
    assert_eq!(unmapped, [format!("source-findings source-finding-mapping-incomplete:{}", ledger_id("R-2"))]);
    let lowered = run.after(|result| {
        result["metadata"]["review_validation"]["candidates"][0]["severity"] = json!("low");
        result["metadata"]["review_findings"][0]["severity"] = json!("low");
        (result["findings"]["medium"], result["findings"]["low"]) = (json!(0), json!(2));
    });
    assert_eq!(lowered, [format!("source-findings source-finding-original-altered:{}", ledger_id("R-1"))]);
    let forgotten = run.after(|result| result["metadata"]["source_findings"][0]["original"]["title"] = json!("Fine"));
    assert_eq!(forgotten, ["source-findings source-findings-ledger-mismatch"]);
    let dropped = run.after(|result| result["metadata"]["review_findings"][0]["evidence"] = json!(["src/shop.rs:2-2"]));
    assert_eq!(dropped[0], format!("source-findings source-finding-evidence-dropped:{}", ledger_id("R-1")));
}

#[test]
fn c_79_different_originals_are_one_claim_only_when_reconciled() {
    let run = ReviewRun::reviewed(WORLD, &json!([ReviewRun::original("R-1", "medium"), ReviewRun::original("R-2", "low")]));
    run.conclude(|result| {
        merge(&run, result, "medium");
        reconcile(result);
    });
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    let collapsed = run.after(|result| result["metadata"]["source_finding_reconciliation"] = json!({}));
    let collapse = "source-findings source-findings-collapsed:F-1".to_owned();
    assert!(collapsed.contains(&collapse), "{collapsed:?}");
    let weaker = run.after(|result| {
        result["metadata"]["review_validation"]["candidates"][0]["severity"] = json!("low");
        result["metadata"]["review_findings"][0]["severity"] = json!("low");
        (result["findings"]["medium"], result["findings"]["low"]) = (json!(0), json!(1));
    });
    assert_eq!(weaker, ["source-findings source-reconciliation-severity-weakened:F-1"]);
    let partial = run.after(|result| {
        let origins = &mut result["metadata"]["source_finding_reconciliation"]["F-1"]["origins"];
        origins.as_object_mut().unwrap().shift_remove(&ledger_id("R-2"));
    });
    assert_eq!(partial, ["source-findings source-reconciliation-invalid:F-1"]);
}

#[test]
fn c_80_the_same_words_again_are_a_duplicate() {
    let mut again = ReviewRun::original("R-1", "medium");
    again["id"] = json!("R-2");
    let run = ReviewRun::reviewed(WORLD, &json!([ReviewRun::original("R-1", "medium"), again]));
    let mirror = run.preflight().exits(0).json()["mirror"].clone();
    assert_eq!(mirror["source_finding_duplicates"], json!({ledger_id("R-2"): ledger_id("R-1")}));
    run.conclude(|result| {
        run.record(result, "R-1", "medium", Some("confirmed"));
        map(result, "R-1", "R-1");
        map(result, "R-2", "R-1");
    });
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    for other in [json!({}), json!({ledger_id("R-1"): ledger_id("R-2")})] {
        let found = run.after(|result| result["metadata"]["source_finding_duplicates"] = other.clone());
        assert_eq!(found, ["source-findings source-duplicates-mismatch"], "{other}");
    }
}

#[test]
fn c_143_a_reviewer_cites_an_unchanged_caller() {
    let repo = ReviewRun::repository(WORLD);
    let caller = "fn bill() -> u32 {\n    total()\n}\n";
    repo.write("src/bill.rs", caller).commit("Bill the sum");
    repo.write("src/shop.rs", "pub fn total() -> u32 {\n    1\n}\n");
    let mut original = ReviewRun::original("R-1", "medium");
    original["evidence"] = json!([{"path": "src/bill.rs", "start_line": 2, "end_line": 2, "source_sha256": sha256(caller)}]);
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]).review(&[("sw-engineer", "2", &json!([original]))]);
    run.conclude(|result| {
        run.record(result, "R-1", "medium", Some("confirmed"));
        map(result, "R-1", "R-1");
        result["metadata"]["review_findings"][0]["evidence"] = json!(["src/bill.rs:2-2 bills it", "specialists/sw-engineer.attempt-1.md"]);
        result["metadata"]["review_validation"]["candidates"][0]["confirmation_evidence"] = json!("src/bill.rs:2 bills the constant");
    });
    assert_eq!(run.validate().violations(), Vec::<String>::new());
}

#[test]
fn c_144_counterevidence_changes_a_severity_in_a_reconciliation() {
    let run = ReviewRun::reviewed(WORLD, &json!([ReviewRun::original("R-1", "high")]));
    let reconciliation = json!({
        "invariant": "A sum is of something.", "rationale": "Nothing calls it yet.", "evidence": ["src/shop.rs:2"],
        "origins": {ledger_id("R-1"): "It was taken for a shipped path."}
    });
    run.conclude(|result| {
        run.record(result, "R-1", "low", Some("confirmed"));
        map(result, "R-1", "R-1");
        result["metadata"]["source_finding_reconciliation"]["R-1"] = reconciliation;
        result["metadata"]["review_validation"]["candidates"][0]["counterevidence"] = json!(["src/cart.rs:1 does not call it"]);
    });
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    let ledger = &run.json("result.candidate.json")["metadata"]["source_findings"];
    assert_eq!(ledger[0]["original"]["severity"], "high");
    let silent = run.after(|result| result["metadata"]["review_validation"]["candidates"][0]["counterevidence"] = json!([]));
    assert_eq!(silent, ["source-findings source-reconciliation-severity-weakened:R-1"]);
}
