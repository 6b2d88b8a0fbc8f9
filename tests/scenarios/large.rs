//! A repository of 50,000 files with a change of 2,000, all the way: S-105.

use code_polishy_tests::{Bulk, Flow, INTENT, Output, Project, Repo, Running};
use serde_json::json;

use crate::WORLD;

const BULK: Bulk = Bulk { files: 50_000, changed: 2_000 };

/// Runs a command of the flow and asks how much memory it took.
fn run(flow: &Flow, arguments: &[&str]) -> Output {
    let (output, peak) = Running::start(flow.repo.command(arguments)).ends_with_peak();
    // Facts about every file and the text of every change, in two checkouts at a time, but not the text of the repository beside them.
    let times = peak as f64 / BULK.bytes() as f64;
    assert!(times < 2.0, "{times:.2} times the text of the repository for {output}");
    output
}

#[test]
fn s_105_the_whole_flow_on_a_large_repository() {
    let project = Project::shop().with_policy(|policy| policy["modules"][1]["paths"] = json!(["checkout/**", "bulk/**"]));
    let flow = Flow::on(Repo::new_in_memory(WORLD), project);
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
