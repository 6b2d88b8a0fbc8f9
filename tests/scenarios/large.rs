//! A repository of 50,000 files with a change of 2,000, all the way: S-105.

use code_polishy_tests::{Bulk, Flow, INTENT, Output, Project, Running};
use serde_json::json;

use crate::WORLD;

const BULK: Bulk = Bulk { files: 50_000, changed: 2_000 };

/// A command may hold facts about every file and the text of every change, but not the repository: it has about 100 MB of text.
const MOST: usize = 192 << 20;

/// Runs a command of the flow and asks how much memory it took.
fn run(flow: &Flow, arguments: &[&str]) -> Output {
    let mut command = flow.repo.command(arguments);
    // Checked out where files are made fast, if there is such a place.
    if std::path::Path::new("/dev/shm").is_dir() {
        command.env("CODE_POLISHY_WORKTREES", "/dev/shm");
    }
    let (output, peak) = Running::start(command).ends_with_peak();
    assert!(peak < MOST, "{} MiB for {output}", peak >> 20);
    output
}

#[test]
fn s_105_the_whole_flow_on_a_large_repository() {
    let project = Project::shop().with_policy(|policy| policy["modules"][1]["paths"] = json!(["checkout/**", "bulk/**"]));
    let flow = Flow::new(WORLD, project);
    flow.repo.git(&["config", "maintenance.auto", "false"]);
    flow.repo.git(&["switch", "--quiet", "main"]);
    BULK.fill(&flow.repo);
    flow.repo.git(&["switch", "--quiet", "--force-create", "topic"]);
    flow.repo.write("request.ignored", INTENT);
    run(&flow, &["behavior-review", "capture-intent", "--intent-file", "request.ignored"]).exits(0);
    flow.change();
    BULK.change(&flow.repo);

    let action = |name| run(&flow, &["behavior-review", name, "--base", "main"]);
    action("status").exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)");
    action("prepare").exits(0);
    run(&flow, &flow.proof_arguments("three")).exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    action("finalize").exits(0);
    action("status").exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");
    run(&flow, &["merge-gate", "--base", "main"]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");
    run(&flow, &["behavior-review", "cleanup"]).exits(0);
    flow.repo.assert_no_worktree();
}
