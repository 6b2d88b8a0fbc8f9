//! A disk that fills up under any write: S-100 (BR-77, BR-79).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use code_polishy_tests::{Flow, INTENT, Output, Project, Snapshot, Tmpfs};

use crate::WORLD;

const REPORTS: &str = ".code-polishy-reports";

/// No command needs more pages or files.
const MOST: u64 = 300;

/// A repository whose reports are on a file system of their own.
struct Cramped {
    flow: Flow,
    disk: Tmpfs,
}

impl Cramped {
    /// Moves the reports there; `None` where mounting is not allowed.
    fn new(flow: Flow) -> Option<Self> {
        let reports = flow.repo.path(REPORTS);
        fs::create_dir_all(&reports).unwrap();
        fs::rename(&reports, flow.repo.area("saved")).unwrap();
        let disk = Tmpfs::mount(&reports)?;
        let cramped = Self { flow, disk };
        cramped.restore();
        Some(cramped)
    }

    /// Runs the command with ever more room, from none at all until it has enough. Before that it must fail, and leave each file as it
    /// was before, or as it is after, and no temporary; with room again it must end well.
    fn squeeze(&self, arguments: &[&str]) {
        let run = || self.flow.repo.run(arguments);
        let before = self.flow.repo.reports();
        let undisturbed = || {
            let output = run();
            let after = self.flow.repo.reports();
            self.restore();
            (output, after)
        };
        let ((output, after), (_, again)) = (undisturbed(), undisturbed());
        output.exits(0);
        let observations = after.differences(&again);
        for limits in [|room| (room, MOST), |room| (MOST, room)] {
            let enough = (0..MOST).find(|room| self.is_enough(arguments, limits(*room), [&before, &after], &observations));
            assert!(enough.unwrap_or_else(|| panic!("{arguments:?} never has enough")) > 0, "{arguments:?} was never short of room");
            self.restore();
        }
    }

    /// Whether the command ends well with room for so many more pages and files.
    fn is_enough(&self, arguments: &[&str], (pages, files): (u64, u64), ends: [&Snapshot; 2], observations: &BTreeSet<String>) -> bool {
        self.disk.leave(pages, files);
        let output = self.flow.repo.run(arguments);
        let now = self.flow.repo.reports();
        self.disk.widen();
        if output.status == Some(0) {
            return true;
        }
        self.assert_whole(&output, ends, &now, observations);
        if !ends[0].differences(&now).is_empty() {
            self.flow.repo.run(arguments).exits(0);
            self.restore();
        }
        false
    }

    fn assert_whole(&self, output: &Output, [before, after]: [&Snapshot; 2], now: &Snapshot, observations: &BTreeSet<String>) {
        output.clone().exits(3).names("space");
        let (not_old, not_new) = (before.differences(now), after.differences(now));
        for path in not_old.intersection(&not_new) {
            let readable = || {
                let bytes = fs::read(self.flow.repo.path(REPORTS).join(path)).unwrap_or_default();
                !path.ends_with(".json") || serde_json::from_slice::<serde_json::Value>(&bytes).is_ok()
            };
            assert!(observations.contains(path) && readable(), "{path} is neither old nor new after {output}");
        }
        let temporary = now.paths().into_iter().find(|path| path.contains(".code-polishy-tmp-"));
        assert_eq!(temporary, None, "{output}");
    }

    /// Puts the reports back as they were.
    fn restore(&self) {
        self.disk.widen();
        let reports = self.flow.repo.path(REPORTS);
        for entry in fs::read_dir(&reports).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
        }
        copy(&self.flow, &self.flow.repo.area("saved"), &reports);
    }
}

fn copy(flow: &Flow, from: &Path, to: &Path) {
    let from = format!("{}/.", from.display());
    assert!(flow.repo.program("cp", &["-a", &from, to.to_str().unwrap()]).status().unwrap().success());
}

#[test]
fn s_100_no_room_for_a_capture_or_a_requirement() {
    let flow = Flow::changed(WORLD, Project::shop());
    flow.repo.write("request.ignored", INTENT);
    let Some(cramped) = Cramped::new(flow) else { return };
    cramped.squeeze(&["behavior-review", "capture-intent", "--intent-file", "request.ignored"]);
    cramped.squeeze(&["behavior-review", "require", "--base", "main", "--feature", "search"]);
}

#[test]
fn s_100_no_room_for_a_first_capture() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.repo.write("request.ignored", INTENT);
    let Some(cramped) = Cramped::new(flow) else { return };
    cramped.squeeze(&["behavior-review", "capture-intent", "--intent-file", "request.ignored"]);
}

#[test]
fn s_100_no_room_for_a_packet() {
    let Some(cramped) = Cramped::new(Flow::changed(WORLD, Project::shop())) else { return };
    cramped.squeeze(&["behavior-review", "prepare", "--base", "main"]);
}

#[test]
fn s_100_no_room_for_a_proof() {
    let flow = Flow::prepared(WORLD, Project::shop());
    let arguments = flow.proof_arguments("three");
    let Some(cramped) = Cramped::new(flow) else { return };
    cramped.squeeze(&arguments);
    cramped.flow.repo.assert_no_worktree();
}

#[test]
fn s_100_no_room_for_a_receipt() {
    let flow = Flow::prepared(WORLD, Project::shop());
    flow.prove("three").exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    let Some(cramped) = Cramped::new(flow) else { return };
    cramped.squeeze(&["behavior-review", "finalize", "--base", "main"]);
}

#[test]
fn s_100_no_room_for_a_checkpoint_gate() {
    let Some(cramped) = Cramped::new(Flow::accepted(WORLD, Project::shop())) else { return };
    cramped.squeeze(&["checkpoint-gate", "--base", "main"]);
}

#[test]
fn s_100_no_room_for_a_merge_gate() {
    let Some(cramped) = Cramped::new(Flow::accepted(WORLD, Project::shop())) else { return };
    cramped.squeeze(&["merge-gate", "--base", "main"]);
}

#[test]
fn no_room_for_a_disposable_worktree_is_operational() {
    let flow = Flow::prepared(WORLD, Project::shop());
    let Some(disk) = Tmpfs::mount(&flow.repo.area("worktrees")) else { return };
    flow.prove("three").exits(0);
    for (pages, files) in [(0, 100), (3, 100), (100, 0), (100, 2), (100, 5)] {
        disk.leave(pages, files);
        let output = flow.repo.read_only(|| flow.prove("four"));
        output.exits(3);
        disk.widen();
        flow.repo.assert_no_worktree();
    }
    flow.prove("four").exits(0);
}

#[test]
fn a_reports_folder_on_a_read_only_file_system_is_operational() {
    let flow = Flow::accepted(WORLD, Project::shop());
    flow.repo.write("request.ignored", INTENT);
    let reports = flow.repo.path(REPORTS);
    let bind = |options: &str| flow.repo.program("mount", &["-o", options]).args([&reports, &reports]).output().unwrap().status.success();
    if !bind("bind") {
        return;
    }
    let _mounted = Unmount(&reports);
    assert!(flow.repo.program("mount", &["-o", "remount,bind,ro"]).arg(&reports).status().unwrap().success());
    let proof = flow.proof_arguments("four");
    let commands: [&[&str]; 7] = [
        &["behavior-review", "capture-intent", "--intent-file", "request.ignored"],
        &["behavior-review", "require", "--base", "main", "--feature", "search"],
        &["behavior-review", "prepare", "--base", "main", "--follow-up", "Look again."],
        &proof,
        &["behavior-review", "cleanup"],
        &["merge-gate", "--base", "main"],
        &["checkpoint-gate", "--base", "main"],
    ];
    for arguments in commands {
        let output = flow.repo.run_read_only(arguments);
        assert!(matches!(output.status, Some(1 | 3)), "must fail: {output}");
        flow.repo.assert_no_worktree();
    }
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");
}

struct Unmount<'a>(&'a Path);

impl Drop for Unmount<'_> {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(self.0).status();
    }
}
