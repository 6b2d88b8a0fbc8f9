//! The store of evidence: S-98, S-99, S-101, S-103 (BR-78 to BR-83).

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use code_polishy_tests::{EVIDENCE, Flow, INTENT, Output, Project, Running, Snapshot};
use rustix::process::Signal;
use serde_json::json;

use crate::WORLD;

/// Every command that reads or writes the evidence.
const COMMANDS: [&[&str]; 6] = [
    &["behavior-review", "capture-intent", "--intent-file", "request.ignored"],
    &["behavior-review", "require", "--base", "main", "--feature", "search"],
    &["behavior-review", "status", "--base", "main"],
    &["behavior-review", "prepare", "--base", "main"],
    &["behavior-review", "finalize", "--base", "main"],
    &["behavior-review", "cleanup"],
];

/// Moves a part of an accepted review out of the repository and leaves a link to it.
fn behind_a_link(path: &str) -> (Flow, Snapshot) {
    let flow = Flow::accepted(WORLD, Project::shop());
    flow.repo.write("request.ignored", INTENT);
    let outside = flow.repo.area("outside");
    fs::rename(flow.repo.path(path), &outside).unwrap();
    symlink(&outside, flow.repo.path(path)).unwrap();
    let target = Snapshot::of(&outside);
    assert!(!target.is_empty());
    (flow, target)
}

fn assert_target_untouched(flow: &Flow, path: &str, target: &Snapshot, output: &Output) {
    assert_eq!(Snapshot::of(&flow.repo.area("outside")), *target, "{output}");
    assert!(fs::symlink_metadata(flow.repo.path(path)).unwrap().is_symlink(), "{output}");
}

#[test]
fn s_98_a_linked_folder_is_refused_and_its_target_untouched() {
    for path in [".code-polishy-reports", EVIDENCE] {
        let (flow, target) = behind_a_link(path);
        for arguments in COMMANDS {
            let output = flow.repo.run(arguments);
            assert!(matches!(output.status, Some(1..=3)), "must be refused: {output}");
            assert_target_untouched(&flow, path, &target, &output);
        }
        let gate = flow.merge_gate(&[]);
        assert!(matches!(gate.status, Some(1..=3)), "must be refused: {gate}");
        assert_target_untouched(&flow, path, &target, &gate);
    }
}

#[test]
fn s_98_a_linked_file_is_refused_and_its_target_untouched() {
    for name in ["receipt.json", "intent-journal.json", "packet.json", ".intent-journal.lock"] {
        let path = format!("{EVIDENCE}/{name}");
        let (flow, target) = behind_a_link(&path);
        let outputs = match name {
            "receipt.json" => vec![flow.finalize(), flow.merge_gate(&[])],
            "packet.json" => vec![flow.finalize(), flow.prepare()],
            "intent-journal.json" => vec![flow.capture("More.\n"), flow.status(&[])],
            _ => vec![flow.capture("More.\n")],
        };
        for output in outputs {
            assert!(matches!(output.status, Some(1..=3)), "{name} must be refused: {output}");
            assert_target_untouched(&flow, &path, &target, &output);
        }
    }
}

/// Every command that writes, with what has to be there before it.
fn writers() -> Vec<(Flow, Vec<&'static str>)> {
    let with = |flow: Flow, arguments: &[&'static str]| {
        flow.repo.write("request.ignored", INTENT);
        (flow, arguments.to_vec())
    };
    let reviewed = Flow::prepared(WORLD, Project::shop());
    reviewed.prove("three").exits(0);
    reviewed.review(reviewed.reviewer().behavior("requested", &["three"], &["checkout"]));
    let prepared = Flow::prepared(WORLD, Project::shop());
    let proof = prepared.proof_arguments("three");
    let base = |action| ["behavior-review", action, "--base", "main"];
    vec![
        with(Flow::changed(WORLD, Project::shop()), COMMANDS[0]),
        with(Flow::changed(WORLD, Project::shop()), COMMANDS[1]),
        with(Flow::changed(WORLD, Project::shop()), &base("prepare")),
        with(prepared, &proof),
        with(reviewed, &base("finalize")),
        with(Flow::accepted(WORLD, Project::shop()), &["checkpoint-gate", "--base", "main"]),
        with(Flow::accepted(WORLD, Project::shop()), &["merge-gate", "--base", "main"]),
    ]
}

#[test]
fn s_99_a_folder_swapped_for_a_link_while_open_keeps_the_writes() {
    for (flow, arguments) in writers() {
        let running = Running::stopped_at(&flow.repo, &arguments, "write.created");
        let before = flow.repo.reports();
        let (moved, decoy) = (flow.repo.area("moved"), flow.repo.area("decoy"));
        fs::rename(flow.repo.path(".code-polishy-reports"), &moved).unwrap();
        assert!(flow.repo.program("cp", &["-a", moved.to_str().unwrap(), decoy.to_str().unwrap()]).status().unwrap().success());
        symlink(&decoy, flow.repo.path(".code-polishy-reports")).unwrap();
        let untouched = Snapshot::of(&decoy);
        running.signal(Signal::CONT);
        let output = running.ends();
        assert_eq!(Snapshot::of(&decoy), untouched, "{output}");
        let written = before.differences(&Snapshot::of(&moved));
        assert!(written.iter().any(|path| !path.contains("tmp")), "{written:?} after {output}");
        assert!(matches!(output.status, Some(0 | 1 | 3)), "{output}");
    }
}

#[test]
fn a_link_at_any_level_of_what_a_gate_or_a_proof_writes_is_refused_and_its_target_untouched() {
    for (path, gate) in [
        (".code-polishy-reports/merge-gate", "merge-gate"),
        (".code-polishy-reports/merge-gate/latest.json", "merge-gate"),
        (".code-polishy-reports/checkpoint-gate", "checkpoint-gate"),
        (".code-polishy-reports/behavior-review/proofs", "merge-gate"),
        (".code-polishy-reports/behavior-review/proofs/three.json", "merge-gate"),
    ] {
        let flow = Flow::accepted(WORLD, Project::shop());
        flow.repo.run(&[gate, "--base", "main"]).exits(0);
        let outside = flow.repo.area("outside");
        fs::rename(flow.repo.path(path), &outside).unwrap();
        symlink(&outside, flow.repo.path(path)).unwrap();
        let target = Snapshot::of(&outside);
        let replaced = [&flow.proof_arguments("three")[..], &["--replace"]].concat();
        let writers = if path.contains("proofs") { vec![&replaced[..]] } else { Vec::new() };
        for arguments in [writers, vec![&[gate, "--base", "main", "--no-reuse"][..]]].concat() {
            let output = flow.repo.run(arguments);
            assert!(matches!(output.status, Some(1..=3)), "must be refused: {output}");
            assert_target_untouched(&flow, path, &target, &output);
        }
    }
}

#[test]
fn evidence_is_private_to_its_owner() {
    let flow = Flow::accepted(WORLD, Project::shop());
    let mut seen = 0;
    for path in Snapshot::of(&flow.repo.path(EVIDENCE)).paths() {
        // The caller wrote the result, under the caller's own mask.
        if path == "result.json" {
            continue;
        }
        let metadata = fs::metadata(flow.repo.path(EVIDENCE).join(path)).unwrap();
        let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(metadata.permissions().mode() & 0o777, expected, "{path}");
        seen += 1;
    }
    assert!(seen > 8);
}

#[test]
fn s_101_cleanup_twice() {
    let flow = Flow::accepted(WORLD, Project::shop());
    flow.merge_gate(&[]).exits(0);
    let others = Snapshot::of(&flow.repo.path(".code-polishy-reports/merge-gate"));
    flow.repo.run(&["behavior-review", "cleanup"]).exits(0).says(&format!("Behavior review artifacts removed: {EVIDENCE}/"));
    assert!(!flow.repo.path(EVIDENCE).exists());
    assert_eq!(Snapshot::of(&flow.repo.path(".code-polishy-reports/merge-gate")), others, "nothing else is removed");
    flow.repo.run(&["behavior-review", "cleanup"]).exits(0).says(&format!("Behavior review artifacts already absent: {EVIDENCE}/"));

    let document = flow.repo.run(&["behavior-review", "cleanup", "--format", "json"]).exits(0).json();
    assert_eq!((&document["action"], &document["state"]), (&json!("cleanup"), &json!("absent")));
    flow.capture("The next task.\n").exits(0);
    let document = flow.repo.run(&["behavior-review", "cleanup", "--format", "json"]).exits(0).json();
    assert_eq!((&document["state"], document["cleanup"]["path"].as_str().unwrap().trim_end_matches('/')), (&json!("removed"), EVIDENCE));
}

#[test]
fn s_103_a_linked_worktree_with_a_detached_head() {
    let flow = Flow::changed(WORLD, Project::shop());
    let linked = flow.repo.area("linked");
    flow.repo.git(&["worktree", "add", "--quiet", "--detach", linked.to_str().unwrap(), "topic"]);
    let repo = ["--repo", linked.to_str().unwrap()];
    let run = |arguments: &[&str]| flow.repo.run(&[&repo[..], arguments].concat());
    run(&["behavior-review", "status", "--base", "main"]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)");
    run(&["behavior-review", "prepare", "--base", "main"]).exits(1).next();
    fs::create_dir_all(linked.join(".code-polishy-reports")).unwrap();
    fs::rename(flow.repo.path(EVIDENCE), linked.join(EVIDENCE)).unwrap();
    run(&["behavior-review", "prepare", "--base", "main"]).exits(0);
    run(&flow.proof_arguments("three")).exits(0);
    let registered = flow.repo.git(&["worktree", "list", "--porcelain"]);
    assert_eq!(registered.lines().filter(|line| line.starts_with("worktree ")).count(), 2, "{registered}");
}
