//! The reviewer's result: S-53 to S-61 (BR-47 to BR-54).

use std::collections::BTreeSet;

use code_polishy_tests::{Flow, Output, Project, Reviewer};
use serde_json::{Value, json};

use crate::{WORLD, keys};

const REPORT: &str = "report the findings to the caller; another review needs its authorization";
const CHANGED: &str = "checkout/total.sh";

/// A candidate with a prepared packet and the proof `three`.
fn proved() -> Flow {
    let flow = Flow::prepared(WORLD, Project::shop());
    flow.prove("three").exits(0);
    flow
}

/// A result that would be accepted.
fn good(flow: &Flow) -> Reviewer {
    flow.reviewer().behavior("requested", &["three"], &["checkout"])
}

/// Finalizes and demands a refusal that accepts nothing.
fn refused(flow: &Flow, text: impl AsRef<[u8]>) -> Output {
    flow.review_text(text);
    let output = flow.review_action("finalize", &["--format", "json"]).exits(1);
    assert!(!flow.repo.has_evidence("receipt.json") && !flow.repo.has_evidence("review.json"), "{output}");
    let document = output.json();
    assert_eq!((&document["action"], &document["state"]), (&json!("finalize"), &json!("refused")));
    output
}

/// How a final-state finding is spoilt.
type Defect = fn(&mut Value);

/// The code of the first violation.
fn code(output: &Output) -> String {
    output.diagnostics()[0]["code"].as_str().unwrap().to_owned()
}

#[test]
fn a_good_result_is_accepted() {
    let flow = proved();
    flow.review(good(&flow));
    let document = flow.review_action("finalize", &["--format", "json"]).exits(0).json();
    let (packet, receipt) = (flow.packet(), flow.repo.evidence("receipt.json"));
    assert_eq!((&document["state"], &document["receipt"]["review_id"]), (&json!("finalized"), &packet["review_id"]));
    assert_eq!(
        keys(&receipt),
        [
            "version",
            "review_id",
            "base",
            "candidate",
            "intent_sha256",
            "selection",
            "selection_sha256",
            "requirement_sha256",
            "decision_sha256",
            "packet_sha256",
            "prepare_sha256",
            "review_sha256",
            "proofs"
        ]
    );
    for key in ["review_id", "base", "candidate", "intent_sha256", "selection", "selection_sha256", "requirement_sha256", "decision_sha256"]
    {
        assert_eq!(receipt[key], packet[key], "{key}");
    }
    let file = |name: &str| code_polishy_tests::sha256(flow.repo.read(&format!("{}/{name}", code_polishy_tests::EVIDENCE)));
    assert_eq!((&receipt["packet_sha256"], &receipt["prepare_sha256"]), (&json!(file("packet.json")), &json!(file("prepare.json"))));
    assert_eq!(receipt["review_sha256"], file("review.json"));
    let proof = json!({"id": "three", "sha256": file("proofs/three.json"), "red_kind": "failed", "flipped_cases": []});
    assert_eq!(receipt["proofs"], json!([proof]));
    assert_eq!(document["receipt"]["receipt_sha256"], file("receipt.json"));
    assert_eq!(flow.repo.evidence("review.json")["behaviors"], flow.repo.evidence("result.json")["behaviors"]);
    flow.status(&[])
        .exits(0)
        .says("BEHAVIOR REVIEW: PASSED (checkout)")
        .says("COMPLETED FEATURES: checkout")
        .says("MISSING FEATURES: none");
}

#[test]
fn s_53_a_result_that_is_not_strict_is_refused() {
    let flow = proved();
    let text = good(&flow).text();
    refused(&flow, good(&flow).edit(|result| result["verdict"] = json!("fine")).text()).names("verdict");
    refused(&flow, text.replacen("\"version\": 4,", "\"version\": 4, \"version\": 4,", 1)).names("version");
    refused(&flow, format!("{text}\nLooks good to me.\n"));
    refused(&flow, format!("```json\n{text}\n```\n"));
    refused(&flow, format!("\u{feff}{text}"));
    refused(&flow, flow.reviewer().text()).points_at(&["/behaviors"]);
    for array in ["behaviors", "findings", "final_state_findings"] {
        refused(&flow, good(&flow).edit(|result| drop(result.as_object_mut().unwrap().shift_remove(array))).text()).names(array);
    }
    refused(&flow, good(&flow).edit(|result| result["version"] = json!(3)).text()).names("version");
    refused(&flow, vec![b' '; 256 * 1024 + 1]);
}

#[test]
fn s_53_all_violations_are_listed_in_one_run() {
    let flow = proved();
    let several = good(&flow).behavior("splendid", &[], &["checkout"]).finding(" ").edit(|result| {
        result["behaviors"][0]["before"] = json!("");
        result["behaviors"][0]["mood"] = json!("calm");
        result.as_object_mut().unwrap().shift_remove("final_state_findings");
    });
    let output = refused(&flow, several.text());
    let pointers = output.pointers();
    for part in ["/behaviors/0/mood", "/behaviors/0/before", "/behaviors/1/classification", "/findings/0"] {
        assert!(pointers.iter().any(|pointer| pointer == part), "nothing at {part}: {output}");
    }
    output.names("final_state_findings");
}

#[test]
fn s_54_a_result_of_another_candidate_is_stale() {
    let flow = proved();
    for key in ["review_id", "base", "candidate", "intent_sha256", "selection_sha256", "decision_sha256"] {
        let other = good(&flow).edit(|result| {
            let own = result[key].as_str().unwrap().to_owned();
            let last = if own.ends_with('0') { '1' } else { '0' };
            result[key] = json!(format!("{}{last}", &own[..own.len() - 1]));
        });
        refused(&flow, other.text()).names("stale").points_at(&[&format!("/{key}")]);
    }
    flow.review_text(good(&flow).edit(|result| result["candidate"] = json!(flow.base)).text());
    flow.finalize().exits(1).next();
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)");
}

#[test]
fn s_54_a_candidate_committed_after_prepare_is_stale() {
    let flow = proved();
    let result = good(&flow);
    flow.repo.write("search/items.txt", "plum\n").commit("Stock plums");
    refused(&flow, result.text());
    let next = flow.finalize().exits(1).next();
    assert_eq!(next, "code-polishy behavior-review prepare --base main");
}

#[test]
fn s_55_a_requested_behavior_needs_a_fitting_proof() {
    let flow = proved();
    refused(&flow, flow.reviewer().behavior("requested", &[], &["checkout"]).text()).points_at(&["/behaviors/0/proof_ids"]);
    refused(&flow, flow.reviewer().behavior("requested", &["four"], &["checkout"]).text()).names("four");

    let both = Project::shop().with_policy(|policy| policy["verification"]["behaviorReview"]["features"][1]["requiredAt"] = json!("merge"));
    let flow = Flow::new(WORLD, both);
    flow.capture("Add every amount and stock plums.\n").exits(0);
    flow.repo.write("search/items.txt", "apple\nplum\n");
    flow.change();
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    refused(&flow, flow.reviewer().behavior("requested", &["three"], &["checkout", "search"]).text()).names("search");
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]).behavior("preserved", &[], &["search"]));
    flow.finalize().exits(0);
}

#[test]
fn s_56_scopes_cover_the_selection_and_nothing_else() {
    let flow = proved();
    refused(&flow, good(&flow).behavior("preserved", &[], &["search"]).text()).points_at(&["/behaviors/1/scope/features/0"]);
    refused(&flow, good(&flow).whole("preserved", &[]).text()).names("full_candidate");
    refused(&flow, flow.reviewer().behavior("preserved", &[], &[]).text());
    let mixed = good(&flow).edit(|result| result["behaviors"][0]["scope"]["full_candidate"] = json!(true));
    refused(&flow, mixed.text());

    let full = Project::shop().with_policy(|policy| {
        let review = &mut policy["verification"]["behaviorReview"];
        review["defaultRequiredAt"] = json!("merge");
        review["features"].as_array_mut().unwrap().truncate(1);
    });
    let flow = Flow::prepared(WORLD, full);
    flow.prove("three").exits(0);
    refused(&flow, good(&flow).text()).names("full candidate");
    refused(&flow, flow.reviewer().whole("requested", &["three"]).text()).names("checkout");
    flow.review(good(&flow).whole("preserved", &[]));
    flow.finalize().exits(0);
}

#[test]
fn s_57_residue_is_refused_by_path_and_kind() {
    let flow = proved();
    flow.review(good(&flow).residue(CHANGED));
    let output = flow.finalize().exits(1).names(CHANGED).names("correction-residue");
    assert_eq!(output.next(), REPORT);
    let status = flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: FAILED (checkout)").says("FINAL STATE: FAILED (checkout)");
    let line = format!("{CHANGED}:1 correction-residue: The rejected third amount remains.");
    assert!(status.stdout.lines().any(|printed| printed.ends_with(&line)), "{status}");
    flow.repo.run(&["behavior-review", "status", "--base", "main", "--exit-code"]).exits(1);
}

#[test]
fn s_58_each_defect_of_a_citation_has_its_own_code() {
    let flow = proved();
    let defects: [(&str, Defect); 7] = [
        ("invented path", |finding| finding["path"] = json!("checkout/invented.sh")),
        ("line outside", |finding| finding["line"] = json!(4000)),
        ("foreign hunk", |finding| finding["patch_hunk_sha256"] = json!("0".repeat(64))),
        ("unknown intent", |finding| finding["intent_ids"] = json!([format!("intent-{}", "0".repeat(32))])),
        ("unknown kind", |finding| finding["kind"] = json!("bad-taste")),
        ("control character", |finding| finding["summary"] = json!("a \u{1b}[31m b")),
        ("bidirectional control", |finding| finding["summary"] = json!("a \u{202e} b")),
    ];
    let mut codes = BTreeSet::new();
    for (name, defect) in defects {
        let output = refused(&flow, good(&flow).residue(CHANGED).edit(|result| defect(&mut result["final_state_findings"][0])).text());
        assert!(output.pointers()[0].starts_with("/final_state_findings/0"), "{name}: {output}");
        codes.insert(code(&output));
    }
    let duplicate = refused(&flow, good(&flow).residue(CHANGED).residue(CHANGED).text());
    codes.insert(code(&duplicate.points_at(&["/final_state_findings/1"])));
    assert!(codes.len() >= 7, "only the two control characters may share a code: {codes:?}");

    let foreign = good(&flow).residue(CHANGED);
    let other = foreign.hunks("tests/checkout/three.sh")[0]["sha256"].clone();
    refused(&flow, foreign.edit(|result| result["final_state_findings"][0]["patch_hunk_sha256"] = other).text());
    assert!(!flow.repo.has_evidence("refused"), "a result that is not well-formed is not kept");
}

#[test]
fn s_59_a_blocked_result_ends_the_review() {
    for blocked in [
        |reviewer: Reviewer| reviewer.finding("A total of one amount fails."),
        |reviewer: Reviewer| reviewer.behavior("unintended", &[], &["checkout"]),
        |reviewer: Reviewer| reviewer.behavior("unknown", &[], &["checkout"]),
    ] {
        let flow = proved();
        let id = flow.packet()["review_id"].as_str().unwrap().to_owned();
        flow.review(blocked(good(&flow)));
        assert_eq!(flow.finalize().exits(1).next(), REPORT);
        assert_eq!(flow.repo.evidence(&format!("refused/{id}.json"))["review_id"], id.as_str());
        flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: FAILED (checkout)").says("FINAL STATE: PASSED (checkout)");

        refused(&flow, good(&flow).text());
        assert_eq!(flow.finalize().exits(1).next(), REPORT, "a cleaned result of the same review");
        let gate = flow.merge_gate(&[]).exits(1).says("BEHAVIOR REVIEW: FAILED (checkout)");
        assert_eq!(gate.next(), REPORT);
    }
}

#[test]
fn s_59_another_review_needs_the_callers_word() {
    let flow = proved();
    let first = flow.packet()["review_id"].clone();
    flow.review(good(&flow).finding("A total of one amount fails."));
    flow.finalize().exits(1);
    let _ = flow.prepare();
    assert_eq!(flow.packet()["review_id"], first, "preparing again gives no new review");

    flow.review_action("prepare", &["--follow-up", "The caller asked for another look."]).exits(0);
    let packet = flow.packet();
    assert_ne!(packet["review_id"], first);
    assert_eq!(packet["follow_up"], "The caller asked for another look.");
    assert!(
        !flow.repo.has_evidence("proofs/three.json") && !flow.repo.has_evidence("result.json"),
        "evidence of the former review is gone"
    );
    flow.prove("three").exits(0);
    flow.review(good(&flow));
    flow.finalize().exits(0);
    flow.merge_gate(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");
}

#[test]
fn s_60_a_pure_deletion_can_be_cited() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.capture("Drop the receipt.\n").exits(0);
    flow.repo.remove("checkout/receipt.sh");
    flow.change();
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    let cited = good(&flow).residue("checkout/receipt.sh").edit(|result| result["final_state_findings"][0]["line"] = json!(1));
    flow.review(cited);
    assert_eq!(flow.finalize().exits(1).names("checkout/receipt.sh").next(), REPORT);
    let id = flow.packet()["review_id"].as_str().unwrap().to_owned();
    assert!(flow.repo.has_evidence(&format!("refused/{id}.json")), "well-formed, so kept");
}

#[test]
fn s_61_arrays_that_are_sets_come_in_any_order() {
    let both = Project::shop().with_policy(|policy| policy["verification"]["behaviorReview"]["features"][1]["requiredAt"] = json!("merge"));
    let flow = Flow::new(WORLD, both);
    flow.capture("Add every amount and stock plums.\n").exits(0);
    flow.repo.write("search/items.txt", "apple\nplum\n");
    flow.change();
    flow.prepare().exits(0);
    flow.prove("a-three").exits(0);
    flow.prove("b-three").exits(0);
    let text = |features: &[&str], proofs: &[&str]| {
        flow.reviewer().behavior("requested", proofs, &["checkout"]).behavior("preserved", &[], features).text()
    };
    refused(&flow, text(&["search", "search"], &["a-three"]));
    flow.review_text(text(&["search", "checkout"], &["b-three", "a-three"]));
    flow.finalize().exits(0);
    let ids: Vec<_> = flow.repo.evidence("receipt.json")["proofs"].as_array().unwrap().iter().map(|proof| proof["id"].clone()).collect();
    assert_eq!(ids, ["a-three", "b-three"]);
}
