//! The store of evidence: S-98, S-101, S-103 (BR-78 to BR-83).

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use code_polishy_tests::{EVIDENCE, Flow, INTENT, Output, Project, Snapshot};
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
