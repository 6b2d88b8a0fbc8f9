//! Evidence that was changed after its acceptance: S-51 (BR-23, BR-46, BR-65, BR-85, 8.2).
//!
//! A walk changes every field of every artifact: once as it is, and once with every digest and derived id computed again as its author
//! would have. Nothing of it may pass. Left out is only what nobody but the author of a word could tell from another word of his.

mod seal;

use code_polishy_tests::{EVIDENCE, Edit, Flow, Project, edits, policy};
use serde_json::{Value, json};

use crate::WORLD;
use seal::{Evidence, reseal_journal, reseal_packet, reseal_proof, reseal_receipt, reseal_review, reseal_with};

const JOURNAL: &str = "intent-journal.json";
const PACKET: &str = "packet.json";
const MARKER: &str = "prepare.json";
const REVIEW: &str = "review.json";
const RECEIPT: &str = "receipt.json";
const PROOF: &str = "proofs/three.json";
const ALL: [&str; 6] = [JOURNAL, PACKET, MARKER, REVIEW, RECEIPT, PROOF];

/// An accepted review with something in every list: two requests and two requirements, two features, a document, a proof.
fn accepted() -> (Flow, Evidence) {
    let project = Project::shop().with_file("docs/checkout.md", "# Checkout\n\nA total adds amounts.\n").with_policy(|policy| {
        policy["documentation"] = json!({"design": [{"path": "docs/checkout.md", "module": "checkout"}]});
        policy["verification"]["behaviorReview"]["features"] =
            json!([policy::feature("checkout", "checkpoint"), policy::feature("search", "on-request")]);
    });
    let flow = Flow::new(WORLD, project);
    let capture = ["behavior-review", "capture-intent", "--intent-file", "-", "--feature", "checkout"];
    flow.repo.run_with_input(&capture, "Totals of three amounts must add all three.\n").exits(0);
    flow.repo.write("search/items.txt", "apple\nplum\n");
    flow.capture("Stock plums as well.\n").exits(0);
    flow.change();
    flow.review_action("require", &["--feature", "search"]).exits(0);
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    let result = flow.reviewer().behavior("requested", &["three"], &["checkout"]).behavior("preserved", &[], &["search"]);
    flow.review_text(format!("{}\n", result.text()));
    flow.finalize().exits(0);
    flow.merge_gate(&[]).exits(0);
    let evidence = Evidence::of(ALL.map(|name| (name, flow.repo.evidence(name))));
    (flow, evidence)
}

/// What an edit does to the whole evidence.
type Seal = fn(&mut Evidence);

fn as_it_is(_: &mut Evidence) {}

/// Every edit of an artifact, sealed, that differs from what was accepted.
fn tampered(evidence: &Evidence, name: &'static str, seal: Seal, lawful: &[&str]) -> Vec<(String, Evidence)> {
    let sealed = |Edit { shape, document }: Edit| {
        let mut changed = evidence.clone();
        changed.replace(name, document);
        seal(&mut changed);
        (format!("{name}{shape}"), changed)
    };
    let all: Vec<_> =
        edits(evidence.document(name)).into_iter().filter(|edit| !lawful.contains(&edit.shape.as_str())).map(sealed).collect();
    assert!(all.len() > 10, "the walk of {name} finds fields");
    all.into_iter().filter(|(_, changed)| changed != evidence).collect()
}

/// The exit status and the state that `status` gives this evidence.
fn status(flow: &Flow, evidence: &Evidence, changed: &Evidence) -> (Option<i32>, String) {
    changed.write(&flow.repo);
    let output = flow.repo.run(&["behavior-review", "status", "--base", "main", "--exit-code", "--format", "json"]);
    evidence.write(&flow.repo);
    let document: Value = output.json();
    (output.status, document["state"].as_str().unwrap_or_default().to_owned())
}

/// Demands that `status` accepts none of it, and refuses it as evidence (1) or as a corrupt journal (2).
#[track_caller]
fn demand_refusal(flow: &Flow, evidence: &Evidence, tampered: &[(String, Evidence)], statuses: &[i32]) {
    assert_eq!(status(flow, evidence, evidence), (Some(0), "passed".to_owned()));
    let wrong: Vec<String> = tampered
        .iter()
        .filter_map(|(shape, changed)| {
            let (exit, state) = status(flow, evidence, changed);
            let refused = exit.is_some_and(|exit| statuses.contains(&exit)) && ["failed", "required", "refused"].contains(&state.as_str());
            (!refused).then(|| format!("{shape}: exit {exit:?}, {state}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} edits:\n{}", wrong.len(), tampered.len(), wrong.join("\n"));
    assert_eq!(status(flow, evidence, evidence), (Some(0), "passed".to_owned()), "everything was put back");
}

#[test]
fn s_51_an_edited_packet_is_stale() {
    let (flow, evidence) = accepted();
    demand_refusal(&flow, &evidence, &tampered(&evidence, PACKET, as_it_is, &[]), &[1]);
}

#[test]
fn s_51_an_edited_packet_is_stale_with_every_digest_recomputed() {
    let (flow, evidence) = accepted();
    // The reason of a follow-up is the caller's word, and another word of his is another review.
    let mut all = tampered(&evidence, PACKET, reseal_packet, &["/follow_up text"]);
    // The schema is one constant: here a few of its edits stand for those that the walk above makes.
    let mut of_schema = 0;
    all.retain(|(shape, _)| {
        let is_schema = shape.starts_with("packet.json/result_schema/");
        of_schema += usize::from(is_schema);
        !is_schema || of_schema % 8 == 0
    });
    demand_refusal(&flow, &evidence, &all, &[1]);
}

#[test]
fn s_51_an_edited_marker_review_receipt_or_proof_is_refused() {
    let (flow, evidence) = accepted();
    for name in [MARKER, REVIEW, RECEIPT, PROOF] {
        demand_refusal(&flow, &evidence, &tampered(&evidence, name, as_it_is, &[]), &[1]);
    }
}

#[test]
fn s_51_a_marker_or_receipt_with_every_digest_recomputed_is_refused() {
    let (flow, evidence) = accepted();
    demand_refusal(&flow, &evidence, &tampered(&evidence, MARKER, |evidence| reseal_with(evidence, MARKER, "prepare_sha256"), &[]), &[1]);
    demand_refusal(&flow, &evidence, &tampered(&evidence, RECEIPT, reseal_receipt, &[]), &[1]);
}

#[test]
fn s_51_a_review_with_its_receipt_recomputed_is_judged_again() {
    let (flow, evidence) = accepted();
    // Prose, and saying it twice or in another order, is the reviewer's: no digest tells one answer of a reviewer from another.
    let own_words = ["/behaviors doubled", "/behaviors reversed", "/behaviors/*/before text", "/behaviors/*/after text"];
    demand_refusal(&flow, &evidence, &tampered(&evidence, REVIEW, reseal_review, &own_words), &[1]);
}

#[test]
fn s_51_a_proof_with_its_receipt_recomputed_is_refused_or_replayed() {
    let (flow, evidence) = accepted();
    let forged = tampered(&evidence, PROOF, reseal_proof, &[]);
    for (shape, changed) in &forged {
        let (exit, state) = status(&flow, &evidence, changed);
        // What a run did is known by running it again, which `status` does not; a gate does (S-82).
        let only_a_run_knows = ["/baseline/", "/candidate_execution/", "/control/", "_log/", "/expected_red_exit_status", "/red_kind"];
        if state == "passed" && exit == Some(0) {
            assert!(only_a_run_knows.iter().any(|part| shape.contains(part)), "{shape} is accepted");
        } else {
            assert_eq!(exit, Some(1), "{shape}: {state}");
        }
    }
}

#[test]
fn s_51_an_edited_journal_is_corrupt_and_a_forged_one_makes_the_packet_stale() {
    let (flow, evidence) = accepted();
    // Without its newest record a journal is a journal: that it once was longer, only the packet knows.
    let cut = "/requirements without last";
    demand_refusal(&flow, &evidence, &tampered(&evidence, JOURNAL, as_it_is, &[cut]), &[2]);
    demand_refusal(&flow, &evidence, &tampered(&evidence, JOURNAL, reseal_journal, &[]), &[1, 2]);
}

#[test]
fn s_51_no_gate_and_no_finalize_accepts_what_was_changed() {
    let (flow, evidence) = accepted();
    let runs = flow.ordinary_runs();
    let seals: [(&'static str, Seal, &str, i32); 8] = [
        (PACKET, as_it_is, "/patch text", 1),
        (PACKET, reseal_packet, "/patch text", 1),
        (PACKET, reseal_packet, "/instructions text", 1),
        (PACKET, reseal_packet, "/design_documents/*/content text", 1),
        (MARKER, as_it_is, "/packet_sha256 text", 1),
        (RECEIPT, as_it_is, "/review_sha256 text", 1),
        (REVIEW, as_it_is, "/behaviors/*/after text", 1),
        (JOURNAL, as_it_is, "/entries/*/intent text", 2),
    ];
    for (name, seal, shape, exit) in seals {
        let all = tampered(&evidence, name, seal, &[]);
        let (shape, changed) = all.iter().find(|(found, _)| *found == format!("{name}{shape}")).unwrap();
        changed.write(&flow.repo);
        let gate = flow.merge_gate(&[]).exits(exit).never_says("BEHAVIOR REVIEW: PASSED");
        assert!(!gate.next().is_empty(), "{shape}");
        if ![RECEIPT, REVIEW].contains(&name) {
            flow.repo.read_only(|| flow.finalize()).exits(exit).next();
        }
        evidence.write(&flow.repo);
    }
    assert_eq!(flow.ordinary_runs(), runs, "no ordinary command starts");
    flow.merge_gate(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout, search)");
}

#[test]
fn a_receipt_counts_for_its_base_and_its_review() {
    let flow = Flow::changed(WORLD, Project::shop());
    flow.repo.git(&["branch", "between"]);
    flow.repo.write("checkout/receipt.sh", "receipt() { echo \"total: $1\"; }\n").commit("Print a colon");
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    flow.finalize().exits(0);
    let other_base = flow.repo.run_read_only(&["behavior-review", "status", "--base", "between"]).exits(0);
    other_base.says("BEHAVIOR REVIEW: REQUIRED (checkout)").says("FINAL STATE: NOT RUN (required)");
    let receipt = format!("{}/receipt.json", EVIDENCE);
    let accepted = flow.repo.read(&receipt);

    flow.repo.write(&receipt, [accepted.as_slice(), b" x"].concat());
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: FAILED (checkout)").says("FINAL STATE: PASSED (checkout)").next();
    flow.repo.write(&receipt, &accepted);

    flow.repo.write("search/items.txt", "plum\n").commit("Stock plums");
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: FAILED (checkout)").says("FINAL STATE: FAILED (checkout)").next();
    flow.prepare().exits(0);
    assert!(!flow.repo.has_evidence("receipt.json"), "prepare removes the receipt of another review");
    flow.repo.write(&receipt, &accepted);
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)").says("FINAL STATE: NOT RUN (required)").next();
}
