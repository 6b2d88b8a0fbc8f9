//! The result of a generated review.

use serde_json::{Value, json};

use super::{
    shape::{Claim, Origins, Shape},
    words::{OTHER, RESULT_FILE, claim_id},
};
use crate::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{
        confidence::{Band, canonical_gaps},
        fixture::{Fixture, SOURCE},
        gates::{GATES, GATES_FILE, Gates},
        t0::SNAPSHOT_FILE,
        vocabulary::{Disposition, MAIN_REVIEWER, Role, Severity},
    },
};

/// The response that has the originals.
const RESPONSE: &str = "specialists/sw-engineer.attempt-1.md";

/// Writes the result, and the records that its claims name.
pub(super) fn write(fixture: &mut Fixture, shape: &Shape) {
    fixture.copy_metadata();
    let (confidence, gaps) = confidence(fixture, shape);
    let number = json!(f64::from(shape.confidence) / 100.0);
    let metadata = metadata(fixture, shape, confidence, gaps);
    let band = Band::of(shape.confidence).failed_check();
    let failed: Vec<&str> = shape.red.gate().into_iter().chain(band).collect();
    let counts: Value = Severity::WORDS.iter().rev().map(|(word, severity)| ((*word).to_owned(), json!(shape.count(*severity)))).collect();
    let follow_up: Vec<Value> = shape.blocker.then(|| json!({"id": "B-1", "text": "Ask again in spring."})).into_iter().collect();
    let result = json!({
        "schema_version": 3, "status": shape.status(), "checks_run": GATES, "checks_failed": failed, "findings": counts,
        "confidence": number, "artifact_path": "/run/result.json", "metadata": metadata,
        "recommendations": ["Keep the loop short."], "follow_up": follow_up
    });
    fixture.write(RESULT_FILE, &artifact_bytes(&result));
    evidence(fixture, shape);
}

fn metadata(fixture: &Fixture, shape: &Shape, confidence: Value, gaps: Value) -> Value {
    let mut metadata = fixture.metadata.clone();
    let findings: Vec<Value> = claims(shape, Some(Disposition::Confirmed)).map(|(number, claim)| finding(number, claim, shape)).collect();
    let candidates: Vec<Value> = shape.claims.iter().enumerate().map(|(number, claim)| candidate(number, claim, shape, fixture)).collect();
    let blocker = json!({
        "id": "B-1", "title": "No licence", "required_change": "Add a licence.", "evidence": ["The forge shows none."],
        "authors": ["Software engineer"]
    });
    let blockers: Vec<Value> = shape.blocker.then_some(blocker).into_iter().collect();
    let mut assessments = metadata["reviewer_assessments"].as_array().cloned().expect("a list");
    assessments.sort_by_key(|assessment| assessment["role"] != Role::SwEngineer.label());
    if shape.main {
        assessments.push(json!({"role": MAIN_REVIEWER, "rating": 2, "evidence": "review-notes.md"}));
    }
    let verdict = shape.verdict();
    let (mapping, reconciliation) = mapped(shape);
    let own = json!({
        "finding_records_version": 2,
        "review_validation": {
            "schema_version": 1, "source_rating_version": 1, "source_verdict": verdict, "verification_readiness": shape.readiness(),
            "candidates": candidates
        },
        "review_findings": findings, "operational_blockers": blockers, "reviewer_assessments": assessments,
        "review_decision": {"recommendation": verdict, "summary": "It retries. That is all.", "rationale": rationale(shape)},
        "source_finding_mapping": mapping, "source_finding_reconciliation": reconciliation, "confidence_gaps": gaps["gaps"],
        "confidence_gap_closures": gaps["closures"], "confidence_recovery": confidence, "reviewed_commit_sha": "a".repeat(40),
        "final_handoff": null, "run_manifest": null
    });
    metadata.as_object_mut().expect("an object").extend(own.as_object().expect("an object").clone());
    metadata
}

/// The claims of one disposition, with their numbers.
pub(super) fn claims(shape: &Shape, disposition: Option<Disposition>) -> impl Iterator<Item = (usize, &Claim)> {
    shape.claims.iter().enumerate().filter(move |(_, claim)| claim.disposition == disposition)
}

/// Names every claim that stands or is open, and the gate that did not pass.
fn rationale(shape: &Shape) -> String {
    let standing = [Some(Disposition::Confirmed), Some(Disposition::Unverified), None];
    let ids = standing.into_iter().flat_map(|disposition| claims(shape, disposition)).map(|(number, _)| claim_id(number));
    let gate = shape.red.gate().map(|gate| format!("gate:{gate}"));
    let named: Vec<String> = ids.chain(gate).collect();
    if named.is_empty() { format!("Nothing stands against req:{SOURCE}:7.") } else { format!("It rests on {}.", named.join(", ")) }
}

fn finding(number: usize, claim: &Claim, shape: &Shape) -> Value {
    let first = claims(shape, Some(Disposition::Confirmed)).next().is_some_and(|(first, _)| first == number);
    let mut evidence = match claim.origins {
        Origins::None => vec![format!("{OTHER}:4-5 shows it")],
        Origins::One | Origins::Same => vec![format!("{SOURCE}:3-5 loops"), RESPONSE.to_owned()],
        Origins::Reconciled => vec![format!("{SOURCE}:3-5 loops"), format!("{SOURCE}:9-11 loops, too"), RESPONSE.to_owned()],
    };
    if first && shape.red.is_claimed() {
        evidence.extend(shape.red.gate().map(|gate| format!("gate:{gate} is red for it")));
    }
    if first {
        evidence.push(format!("run:{RESPONSE}:2 says so"));
    }
    json!({
        "id": claim_id(number), "severity": claim.severity, "title": format!("Retry {number}"),
        "summary": format!("Call {number} retries without end."), "required_change": format!("Stop call {number} at three."),
        "evidence": evidence, "closure_evidence": format!("A test counts the attempts of call {number}."),
        "authors": ["Software engineer"]
    })
}

fn candidate(number: usize, claim: &Claim, shape: &Shape, fixture: &Fixture) -> Value {
    let unavailable = claim.disposition == Some(Disposition::Unverified);
    let missing = match claim.disposition {
        None => "An hour of time.",
        Some(Disposition::Unverified) => "package:net",
        Some(_) => "",
    };
    let (old, new) = ("d".repeat(40), "e".repeat(40));
    let (check, result) = match claim.disposition {
        Some(Disposition::AlreadyFixed) => (format!("Compared {old} with the head."), format!("Fixed in {new}.")),
        Some(Disposition::Confirmed) => {
            (format!("Ran reproductions/{}, see gate:{}.", claim_id(number), shape.red.gate().unwrap_or("tests")), "It loops.".to_owned())
        }
        _ => ("Read the loop.".to_owned(), "It looks endless.".to_owned()),
    };
    let counterevidence = if claim.disposition == Some(Disposition::Refuted) { vec![format!("{OTHER} stops it")] } else { Vec::new() };
    let limits = if unavailable { vec!["dependency:net, which was denied".to_owned()] } else { vec!["One host.".to_owned()] };
    let revision = if shape.commit { "direct-plan.json" } else { SNAPSHOT_FILE };
    json!({
        "id": claim_id(number), "severity": claim.severity, "claim": format!("Call {number} retries without end."),
        "source_revision": format!("sha256:{}", fixture.image.sha256(revision).expect("written")),
        "contract": "A call ends.", "trigger": "The host is gone.", "confirmation_evidence": format!("{SOURCE}:3 has no limit"),
        "falsification_evidence": "No limit was found elsewhere.", "counterevidence": counterevidence, "check": check, "result": result,
        "environment": "Linux", "limits": limits, "disposition": claim.disposition, "reason": "The loop has no exit.",
        "feasible_checks_complete": claim.disposition.is_some(),
        "missing_prerequisite": missing, "owner": "parent", "next_check": "Run it without a network.",
        "closure_condition": format!("A test counts the attempts of call {number}.")
    })
}

/// Each original with its candidate, and why different ones share one.
fn mapped(shape: &Shape) -> (Value, Value) {
    let (mut mapping, mut reconciliation) = (json!({}), json!({}));
    for (number, claim) in shape.claims.iter().enumerate() {
        let original = |letter: char| format!("source-001.sw-engineer.R{}-{letter}", number + 1);
        let letters: &[char] = match claim.origins {
            Origins::None => &[],
            Origins::One => &['a'],
            Origins::Same | Origins::Reconciled => &['a', 'b'],
        };
        for letter in letters {
            mapping[original(*letter)] = json!(claim_id(number));
        }
        if claim.origins == Origins::Reconciled {
            reconciliation[claim_id(number)] = json!({
                "invariant": "A call ends.", "rationale": "Both are one loop.", "evidence": [format!("{SOURCE}:3")],
                "origins": {original('a'): "It is the entry.", original('b'): "It is the exit."}
            });
        }
    }
    (mapping, reconciliation)
}

/// `confidence_recovery`, and the gaps with their closures.
fn confidence(fixture: &Fixture, shape: &Shape) -> (Value, Value) {
    let gates: Gates = serde_json::from_slice(fixture.image.bytes(GATES_FILE).expect("written")).expect("gates");
    let manifest = fixture.derived().manifest;
    let limits: Vec<String> = (shape.confidence < 90).then(|| "(-0.01) One host.".to_owned()).into_iter().collect();
    let mut left = 100 - usize::from(shape.confidence) - limits.len();
    let mut gaps = canonical_gaps(None, Some(&manifest), Some(&gates));
    gaps.push("No staging.".to_owned());
    let mut closures: Vec<Value> = Vec::new();
    for gap in &gaps {
        let share = std::mem::take(&mut left);
        let status = if closures.is_empty() { "unresolved" } else { "deferred" };
        closures.push(json!({"gap": gap, "status": status, "rationale": format!("(-0.{share:02}) It stays.")}));
    }
    gaps.push("The log was cut.".to_owned());
    closures.push(json!({"gap": "The log was cut.", "status": "closed", "evidence": "(-0.00) It was read again."}));
    let score = f64::from(shape.confidence) / 100.0;
    let recovery = json!({
        "initial_confidence": 0.7, "final_confidence": score, "status": Band::of(shape.confidence), "evidence": ["The suite ran."],
        "recovery_actions": ["Read the log again.", "Replayed the call."], "remaining_limits": limits
    });
    (recovery, json!({"gaps": gaps, "closures": closures}))
}

/// What the claims name: the package that was denied, and what was reproduced.
fn evidence(fixture: &mut Fixture, shape: &Shape) {
    let preparations = json!({"schema_version": 1, "preparations": [{
        "id": "net", "package": "net", "declared_in": "Cargo.toml", "status": "denied", "overlay": null, "import_origin": null,
        "receipt": null, "reason": "The host has no network."
    }]});
    fixture.write("dependency-evidence.json", &artifact_bytes(&preparations));
    for (number, _) in claims(shape, Some(Disposition::Confirmed)).collect::<Vec<_>>() {
        let folder = format!("reproductions/{}", claim_id(number));
        let receipt = json!({
            "schema_version": 1, "candidate_id": claim_id(number), "selection": ["call"], "command": "run call", "command_exit": 1,
            "stdout": format!("{folder}/stdout.txt"), "stderr": format!("{folder}/stderr.txt"), "tree": digest_bytes(b"tree")
        });
        fixture.write(&format!("{folder}/receipt.json"), &artifact_bytes(&receipt));
        fixture.write(&format!("{folder}/stdout.txt"), b"loops\n");
        fixture.write(&format!("{folder}/stderr.txt"), b"");
    }
}
