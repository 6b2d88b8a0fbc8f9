//! Reviewers whose harness signs what they do: C-42, C-132's satisfied independence (CR-62, CR-63, CR-65, CR-220).

use code_polishy_tests::{Harness, ReviewRun, Snapshot, sha256};
use serde_json::{Value, json};

use crate::WORLD;

const ROLE: &str = "sw-engineer";
const AT: &str = "2026-01-31T12:00:00Z";
const SPAWNED: [&str; 4] = ["--mode", "spawned", "--reviewer-id", "sw-engineer-1"];
const REQUIRED: [&str; 2] = ["--independence-required", "The user asked for independent reviewers."];

fn harness() -> Harness {
    Harness::new(7)
}

#[test]
fn c_42_a_rejected_receipt_is_no_event_and_an_inconclusive_one_shows_nothing() {
    let run = ReviewRun::attested(WORLD, &[harness().key()], &[]);
    let before = Snapshot::of(&run.path);
    let forged = Harness::new(8).event(&run, "dispatched", ROLE, AT, &SPAWNED).exits(1);
    assert_eq!(forged.errors(), ["reviewer-attestation-rejected:sw-engineer"]);
    assert_eq!(forged.json()["errors"][0]["message"], "the adapter rejects the receipt: no known key signed it");
    let mut other = harness().receipt(&run, "started", ROLE, AT);
    other.extend(SPAWNED.map(str::to_owned));
    let other: Vec<&str> = other.iter().map(String::as_str).collect();
    assert_eq!(run.event("dispatched", ROLE, &other).exits(1).errors(), ["reviewer-attestation-rejected:sw-engineer"]);
    assert_eq!(Snapshot::of(&run.path), before);

    let known = harness().event(&run, "dispatched", ROLE, AT, &SPAWNED).exits(0).json();
    assert_eq!((&known["evidence"], &known["adapter"]["answer"]), (&json!("attested"), &json!("attested")));
    assert_eq!(known["adapter_reason"], "signed in session 4711");
    let pinned = sha256(run.repo.read(".code-polishy/plugins/receipt-adapter.wasm"));
    assert_eq!(run.log()[0]["adapter"], json!({"name": "receipt-adapter", "sha256": pinned, "answer": "attested"}));

    let unknowing = ReviewRun::attested(WORLD, &[], &[]);
    let inconclusive = harness().event(&unknowing, "dispatched", ROLE, AT, &SPAWNED).exits(0).json();
    assert_eq!((&inconclusive["evidence"], &inconclusive["adapter"]["answer"]), (&json!("recorded"), &json!("inconclusive")));
}

#[test]
fn c_132_signed_receipts_of_a_whole_pass_satisfy_the_requirement_of_independence() {
    let run = ReviewRun::attested(WORLD, &[harness().key()], &REQUIRED);
    let joined = harness().pass(&run, ROLE, &run.response(ROLE, "1", &json!([]))).json();
    assert_eq!(
        (&joined["pass"]["evidence_level"], &joined["pass"]["attempts"][0]["evidence_level"]),
        (&json!("attested"), &json!("attested"))
    );
    let report = run.preflight().exits(0);
    assert_eq!(report.violations(), Vec::<String>::new());
    let mirror = &report.json()["mirror"];
    assert_eq!((&mirror["independence_required"], &mirror["independence_satisfied"]), (&json!(true), &json!(true)));
    assert_eq!((&mirror["execution_evidence_level"], &mirror["execution_mode"]), (&json!("attested"), &json!("serial")));

    run.write("specialists/receipts/sw-engineer.attempt-1.joined.txt", "edited");
    assert_eq!(run.preflight().exits(1).violations(), ["reviewer-events reviewer-event-digest-mismatch:sw-engineer"]);
}

#[test]
fn one_event_without_a_receipt_leaves_the_pass_recorded() {
    let run = ReviewRun::attested(WORLD, &[harness().key()], &REQUIRED);
    harness().event(&run, "dispatched", ROLE, AT, &SPAWNED).exits(0);
    harness().event(&run, "delivered", ROLE, AT, &[]).exits(0);
    run.event("started", ROLE, &["--at", AT]).exits(0);
    run.write("specialists/sw-engineer.attempt-1.md", run.response(ROLE, "1", &json!([])));
    let output = run.file("specialists/sw-engineer.attempt-1.md");
    harness().event(&run, "completed", ROLE, AT, &["--output", output.to_str().unwrap()]).exits(0);
    let joined = harness().event(&run, "joined", ROLE, AT, &[]).exits(0).json();
    assert_eq!((&joined["evidence"], &joined["pass"]["evidence_level"]), (&json!("attested"), &json!("recorded")));
    assert_eq!(run.preflight().exits(1).violations(), ["independence independent-review-required-for-completion:sw-engineer"]);
}

#[test]
fn a_refusal_that_the_harness_signed_permits_a_second_attempt() {
    let run = ReviewRun::attested(WORLD, &[harness().key()], &[]);
    harness().event(&run, "dispatched", ROLE, AT, &SPAWNED).exits(0);
    harness().event(&run, "refused", ROLE, AT, &["--reason", "The host is out of memory."]).exits(0);
    let again = ["--mode", "spawned", "--reviewer-id", "sw-engineer-2", "--retry-reason", "host-failure"];
    let second = run.event("dispatched", ROLE, &again).exits(0).json();
    assert_eq!((&second["attempt"], &second["evidence"]), (&json!(2), &json!("recorded")));
}

#[test]
fn an_adapter_is_the_configured_one_with_the_pinned_bytes() {
    let run = ReviewRun::attested(WORLD, &[harness().key()], &[]);
    let before = Snapshot::of(&run.path);
    let receipt = run.repo.area("receipt.txt");
    std::fs::write(&receipt, "a receipt").unwrap();
    let with = |adapter: &'static str| [&SPAWNED[..], &["--receipt", receipt.to_str().unwrap(), "--adapter", adapter]].concat();
    let other = run.event("dispatched", ROLE, &with("another")).exits(2);
    assert_eq!(
        (other.errors(), &other.json()["errors"][0]["hint"]),
        (vec!["usage-error".to_owned()], &json!("use one of receipt-adapter"))
    );
    let unreceipted = [&SPAWNED[..], &["--adapter", "receipt-adapter"]].concat();
    run.event("dispatched", ROLE, &unreceipted).exits(2);
    run.repo.write(".code-polishy/plugins/receipt-adapter.wasm", "another component");
    let mismatch = run.event("dispatched", ROLE, &with("receipt-adapter")).exits(2);
    assert_eq!(mismatch.json()["errors"][0]["code"], Value::from("plugin.pin-mismatch"));
    assert_eq!(Snapshot::of(&run.path), before);
}
