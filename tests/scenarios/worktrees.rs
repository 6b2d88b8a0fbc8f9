//! Disposable worktrees of proofs and replays: gone after use, whatever happens to them (BR-57, BR-58, BR-82).

use std::fs;

use code_polishy_tests::{Flow, Project, Repo, Running, Snapshot, processes, until};
use rustix::process::{Pid, Signal, kill_process};

use crate::WORLD;

const MERGE_GATE: [&str; 3] = ["merge-gate", "--base", "main"];

/// A suite that does what `$HOME/meddle.sh` says, if there is one, before its cases.
const MEDDLES: &str = "#!/bin/sh
if [ -f \"$HOME/meddle.sh\" ]; then . \"$HOME/meddle.sh\"; fi
for case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 1; done
";

fn meddling() -> Project {
    Project::shop().with_file("run-tests.sh", MEDDLES)
}

fn meddle(flow: &Flow, script: &str) {
    fs::write(flow.repo.area("home").join("meddle.sh"), script).unwrap();
}

/// What no worktree may change: everything of git's own but objects and logs.
fn git_folder(repo: &Repo) -> Snapshot {
    let all = Snapshot::of(&repo.path(".git"));
    all.without(&["objects", "logs"])
}

#[track_caller]
fn assert_nothing_left(flow: &Flow) {
    flow.repo.assert_no_worktree();
    assert!(!flow.repo.path(".git/worktrees").exists());
    let place = flow.repo.area("worktrees");
    assert_eq!(processes(place.to_str().unwrap()), [0; 0]);
}

/// Runs the command until its suite waits in the worktree of this purpose, and sends the signal; the exit status.
fn end_in(flow: &Flow, purpose: &str, arguments: &[&str], signal: Signal) -> Option<i32> {
    let waits = flow.repo.area("home").join("waits");
    meddle(flow, &format!("case $PWD in */{purpose}) touch \"$HOME/waits\"; exec sleep 600 ;; esac\n"));
    let running = Running::start(flow.repo.command(arguments));
    until(|| waits.exists());
    running.signal(signal);
    let output = running.ends();
    let status = output.status;
    assert!(status.is_none_or(|status| status == 130), "{output}");
    fs::remove_file(waits).unwrap();
    meddle(flow, "");
    status
}

#[test]
fn an_interrupt_leaves_no_worktree_and_no_process() {
    let flow = Flow::accepted(WORLD, meddling());
    let proof = [&flow.proof_arguments("three")[..], &["--replace"]].concat();
    let before = git_folder(&flow.repo);
    for purpose in ["control", "baseline", "candidate"] {
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            for arguments in [&proof[..], &MERGE_GATE] {
                let evidence = flow.repo.reports().below("behavior-review");
                assert_eq!(end_in(&flow, purpose, arguments, signal), Some(130), "{arguments:?} in {purpose}");
                assert_nothing_left(&flow);
                assert_eq!(flow.repo.reports().below("behavior-review"), evidence);
            }
        }
    }
    assert_eq!(git_folder(&flow.repo).differences(&before).len(), 0);
    flow.merge_gate(&[]).exits(0);
}

#[test]
fn what_a_killed_command_leaves_is_removed_by_the_next_one() {
    for (purpose, next) in [("control", "prove"), ("baseline", "gate"), ("candidate", "cleanup"), ("baseline", "cleanup")] {
        let flow = Flow::accepted(WORLD, meddling());
        let proof = [&flow.proof_arguments("three")[..], &["--replace"]].concat();
        let before = git_folder(&flow.repo);
        for arguments in [&proof[..], &MERGE_GATE] {
            assert_eq!(end_in(&flow, purpose, arguments, Signal::KILL), None);
        }
        let registered = flow.repo.git(&["worktree", "list", "--porcelain"]);
        assert_eq!(registered.matches("\ndetached").count(), 1, "the gate removed what the proof had left: {registered}");
        // Nobody can end the suite of a killed command but the system.
        for process in processes(flow.repo.area("worktrees").to_str().unwrap()) {
            kill_process(Pid::from_raw(process.cast_signed()).unwrap(), Signal::KILL).unwrap();
        }
        match next {
            "prove" => flow.repo.run(&proof).exits(0),
            "gate" => flow.merge_gate(&[]).exits(0),
            _ => flow.repo.run(&["behavior-review", "cleanup"]).exits(0),
        };
        assert_nothing_left(&flow);
        assert_eq!(git_folder(&flow.repo).differences(&before).len(), 0);
    }
}

/// What a suite may do to its worktree, and whether the proof still holds.
const MISCHIEF: [(&str, i32); 10] = [
    ("git symbolic-ref HEAD refs/heads/main", 0),
    ("git worktree lock --reason mine .", 0),
    ("git worktree add --quiet --detach ../own HEAD", 0),
    ("git worktree add --quiet --detach --lock ../own HEAD", 0),
    ("chmod -R a-w .", 0),
    ("mkdir -p deep/er; echo > deep/er/file; chmod -R 000 deep", 0),
    ("(while :; do echo > busy; rm busy; done) & mkdir -p busier; (while :; do echo > busier/$$; done) &", 0),
    ("rm -f .git", 0),
    ("git worktree move \"$PWD\" \"$PWD-moved\"; cd \"$PWD-moved\"", 1),
    ("rm -rf \"$PWD\"; exit 0", 1),
];

#[test]
fn s_72_a_suite_cannot_keep_its_worktree() {
    for (script, status) in MISCHIEF {
        let flow = Flow::prepared(WORLD, meddling());
        let before = git_folder(&flow.repo);
        // The gate runs the suite in the primary worktree too, which nobody may touch.
        meddle(&flow, &format!("case $PWD in */control|*/baseline|*/candidate)\n{script}\n;; esac\n"));
        let output = flow.prove("three");
        assert_eq!(output.status, Some(status), "{script}: {output}");
        assert_nothing_left(&flow);
        if status == 0 {
            flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
            flow.finalize().exits(0);
            flow.merge_gate(&[]).exits(0);
            assert_nothing_left(&flow);
        }
        assert_eq!(git_folder(&flow.repo).differences(&before).len(), 0, "{script}");
    }
}

#[test]
fn s_72_a_branch_that_a_suite_makes_holds_no_worktree() {
    let flow = Flow::prepared(WORLD, meddling());
    meddle(&flow, "git switch --quiet --create \"stolen-${PWD##*/}\" && git commit --quiet --allow-empty --message mine");
    let output = flow.prove("three");
    assert!(matches!(output.status, Some(0 | 1)), "{output}");
    assert_nothing_left(&flow);
    flow.repo.git(&["branch", "--delete", "--force", "stolen-control"]);
}

#[test]
fn no_filter_program_of_a_tree_ever_runs() {
    let project = meddling().with_file(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    let flow = Flow::changed(WORLD, project.with_file("search/index.bin", "version https://git-lfs.github.com/spec/v1\n"));
    let ran = flow.repo.area("ran");
    for key in ["smudge", "clean", "process"] {
        flow.repo.git(&["config", &format!("filter.lfs.{key}"), &format!("touch '{}'; cat", ran.display())]);
    }
    flow.repo.git(&["config", "filter.lfs.required", "true"]);
    flow.repo.git(&["config", "diff.lfs.textconv", &format!("touch '{}'; cat", ran.display())]);
    flow.repo.git(&["config", "alias.worktree", &format!("!touch '{}'", ran.display())]);
    meddle(&flow, "grep -q git-lfs search/index.bin || exit 9");
    whole_review(&flow);
    assert!(!ran.exists());
}

#[test]
fn a_submodule_is_not_entered() {
    let flow = Flow::new(WORLD, meddling());
    let library = flow.repo.path("library");
    fs::create_dir(&library).unwrap();
    for arguments in [&["init", "--quiet"][..], &["commit", "--quiet", "--allow-empty", "--message", "Begin"]] {
        assert!(flow.repo.program("git", arguments).current_dir(&library).status().unwrap().success());
    }
    flow.repo.write("library/tool.sh", "exit 9\n");
    flow.repo.write(".gitmodules", "[submodule \"library\"]\n\tpath = library\n\turl = https://example.invalid/library\n");
    flow.capture("Add every amount, with the library.\n").exits(1);
    flow.repo.git(&["-c", "advice.addEmbeddedRepo=false", "add", "--all"]);
    flow.repo.git(&["commit", "--quiet", "--message", "Take in the library"]);
    flow.repo.git(&["branch", "--force", "main"]);
    flow.capture("Add every amount, with the library.\n").exits(0);
    flow.change();
    meddle(&flow, "case $PWD in */control|*/baseline|*/candidate) [ -d library ] && [ -z \"$(ls -A library)\" ] || exit 9 ;; esac");
    let before = git_folder(&flow.repo);
    whole_review(&flow);
    assert_eq!(git_folder(&flow.repo).differences(&before).len(), 0);
}

/// From the packet to the clean-up.
fn whole_review(flow: &Flow) {
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    flow.finalize().exits(0);
    flow.merge_gate(&[]).exits(0);
    flow.checkpoint_gate(&[]).exits(0);
    assert_nothing_left(flow);
    flow.repo.run(&["behavior-review", "cleanup"]).exits(0);
}
