//! Commands killed with SIGKILL at every step: S-25, S-52 (BR-79, BR-82).

use code_polishy_tests::{EVIDENCE, Flow, INTENT, Killed, Project, sha256};
use serde_json::{Value, json};

use crate::WORLD;
use crate::journal::{JOURNAL, assert_valid_chains};

const CAPTURE: [&str; 4] = ["behavior-review", "capture-intent", "--intent-file", "request.ignored"];
const PREPARE: [&str; 4] = ["behavior-review", "prepare", "--base", "main"];
const FINALIZE: [&str; 4] = ["behavior-review", "finalize", "--base", "main"];

/// An accepted review whose candidate then moved on.
fn outdated() -> Flow {
    let flow = Flow::accepted(WORLD, Project::shop());
    flow.repo.write("checkout/receipt.sh", "receipt() { echo \"sum $1\"; }\n").commit("Say sum");
    flow
}

fn entries(flow: &Flow) -> Vec<Value> {
    if !flow.repo.has_evidence("intent-journal.json") {
        return Vec::new();
    }
    flow.repo.json(JOURNAL)["entries"].as_array().unwrap().clone()
}

/// Captures over what a killed capture left, and demands that every record is still there.
fn capture_on(flow: &Flow, killed: &Killed<'_>) {
    let kept = entries(flow);
    flow.status(&[]).exits(0);
    flow.capture("What comes next.\n").exits(0);
    let journal = flow.repo.json(JOURNAL);
    assert_valid_chains(&journal);
    let entries = entries(flow);
    assert_eq!((entries.len(), &entries[..kept.len()]), (kept.len() + 1, &kept[..]));
    killed.assert_no_temporary();
}

#[test]
fn s_25_a_killed_first_capture_leaves_no_journal_or_a_whole_one() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.repo.write("request.ignored", INTENT);
    let failpoints = Killed::new(&flow.repo, &CAPTURE).everywhere(|killed| capture_on(&flow, killed));
    assert!(failpoints >= 8, "two folders, the lock and the write: {failpoints}");
}

#[test]
fn s_25_a_killed_later_capture_loses_no_record() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.repo.write("request.ignored", "And search.\n");
    flow.capture(INTENT).exits(0);
    flow.change();
    let arguments = [&CAPTURE[..], &["--feature", "search"]].concat();
    let failpoints = Killed::new(&flow.repo, &arguments).everywhere(|killed| capture_on(&flow, killed));
    assert!(failpoints >= 6, "the lock and the write: {failpoints}");
}

#[test]
fn s_52_prepare_repairs_what_was_killed_between_packet_and_marker() {
    for flow in [Flow::changed(WORLD, Project::shop()), outdated()] {
        let killed = Killed::new(&flow.repo, &PREPARE);
        assert_eq!(killed.run_until("prepare.packet-written").status, None);
        let marker = || flow.repo.evidence("prepare.json")["packet_sha256"] == sha256(flow.repo.read(&format!("{EVIDENCE}/packet.json")));
        assert!(!flow.repo.has_evidence("prepare.json") || !marker(), "the marker is not yet the packet's");
        flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)").next();
        flow.finalize().exits(1).next();
        flow.merge_gate(&[]).exits(1).says("BEHAVIOR REVIEW: REQUIRED (checkout)");
        flow.repo.program("rm", &["-r", ".code-polishy-reports/merge-gate"]).status().unwrap();
        killed.run_again();
    }
}

#[test]
fn s_52_a_killed_prepare_is_repaired_by_the_next_one() {
    for flow in [Flow::changed(WORLD, Project::shop()), outdated()] {
        let journal = flow.repo.read(JOURNAL);
        let failpoints = Killed::new(&flow.repo, &PREPARE).everywhere(|killed| {
            flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)");
            killed.run_again();
            assert_eq!(flow.repo.read(JOURNAL), journal);
        });
        assert!(failpoints >= 13, "two writes and the removals before them: {failpoints}");
    }
}

#[test]
fn a_killed_require_is_repaired_by_the_next_one() {
    let flow = Flow::changed(WORLD, Project::shop());
    let arguments = ["behavior-review", "require", "--base", "main", "--feature", "search"];
    Killed::new(&flow.repo, &arguments).everywhere(|killed| {
        flow.status(&[]).exits(0);
        killed.run_again();
        assert_valid_chains(&flow.repo.json(JOURNAL));
    });
}

#[test]
fn a_killed_finalize_is_repaired_by_the_next_one() {
    let accepted = |flow: &Flow| flow.reviewer().behavior("requested", &["three"], &["checkout"]);
    let refused = |flow: &Flow| accepted(flow).finding("It also rounds.");
    for review in [&accepted as &dyn Fn(&Flow) -> _, &refused] {
        let flow = Flow::prepared(WORLD, Project::shop());
        flow.prove("three").exits(0);
        flow.review(review(&flow));
        let failpoints = Killed::new(&flow.repo, &FINALIZE).everywhere(|killed| {
            flow.status(&[]).exits(0);
            killed.run_again();
        });
        assert!(failpoints >= 6, "{failpoints}");
    }
}

#[test]
fn a_killed_proof_is_repaired_by_the_next_one() {
    let flow = Flow::prepared(WORLD, Project::shop());
    let arguments = [&flow.proof_arguments("three")[..], &["--replace"]].concat();
    let killed = Killed::new(&flow.repo, &arguments);
    let recover = |killed: &Killed<'_>| {
        killed.run_again();
        flow.repo.assert_no_worktree();
    };
    killed.everywhere(recover);
    for (failpoint, reached) in [("worktree.registered", 3), ("worktree.checked-out", 3), ("worktree.unregistered", 3), ("write.filled", 5)]
    {
        let times = killed.at(failpoint, recover);
        assert_eq!(times, reached, "{failpoint}: of three worktrees, or of the logs and the record");
    }
}

#[test]
fn a_killed_cleanup_is_finished_by_the_next_one() {
    let flow = Flow::accepted(WORLD, Project::shop());
    Killed::new(&flow.repo, &["behavior-review", "cleanup"]).everywhere(|_| {
        flow.repo.run(&["behavior-review", "cleanup"]).exits(0);
        assert!(!flow.repo.path(EVIDENCE).exists());
    });
}

#[test]
fn a_killed_gate_keeps_the_review_and_is_run_again() {
    let flow = Flow::accepted(WORLD, Project::shop());
    for gate in ["merge-gate", "checkpoint-gate"] {
        let evidence = || flow.repo.reports().below("behavior-review");
        let before = evidence();
        Killed::new(&flow.repo, &[gate, "--base", "main"]).everywhere(|_| {
            assert_eq!(evidence(), before);
            let document = flow.repo.run(&[gate, "--base", "main", "--format", "json"]).exits(0).json();
            assert_eq!(document["status"], json!("passed"));
            flow.repo.assert_no_worktree();
        });
    }
}
