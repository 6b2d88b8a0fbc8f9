//! Requests across merges and rewritten history: S-29 to S-31 (BR-31 to BR-33).

use code_polishy_tests::{Flow, INTENT, Project};

use crate::{WORLD, names};

fn shop() -> Flow {
    Flow::new(WORLD, Project::shop())
}

fn capture_for_search(flow: &Flow) {
    let arguments = ["behavior-review", "capture-intent", "--intent-file", "-", "--feature", "search"];
    flow.repo.run_with_input(&arguments, INTENT).exits(0);
}

/// A commit on `main` beside the work; the branch that was checked out stays so.
fn move_main(flow: &Flow) {
    let repo = &flow.repo;
    repo.git(&["switch", "--quiet", "main"]);
    repo.write("LICENSE", "As is.\n").commit("State the licence");
    repo.git(&["switch", "--quiet", "topic"]);
}

fn positions(flow: &Flow) -> Vec<String> {
    flow.prepare().exits(0);
    let packet = flow.packet();
    packet["intents"].as_array().unwrap().iter().map(|intent| intent["position"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn s_29_a_merge_of_the_target_keeps_the_request() {
    let flow = shop();
    capture_for_search(&flow);
    flow.change();
    move_main(&flow);
    flow.repo.git(&["merge", "--quiet", "--no-edit", "main"]);

    let status = flow.status_json(&[]);
    assert_eq!(status["base"], flow.repo.git(&["rev-parse", "main"]));
    assert_eq!((names(&status["task_requested"]), names(&status["required"])), (vec!["search"], vec!["checkout", "search"]));
    assert_eq!(positions(&flow), ["original"]);
}

#[test]
fn s_30_a_rebase_keeps_the_request_and_marks_the_correction() {
    let flow = shop();
    capture_for_search(&flow);
    flow.change();
    flow.capture("A correction.\n").exits(0);
    move_main(&flow);
    flow.repo.git(&["rebase", "--quiet", "main"]);
    assert_eq!(names(&flow.status_json(&[])["task_requested"]), ["search"]);
    assert_eq!(positions(&flow), ["original", "rewritten"]);
}

#[test]
fn s_30_a_squash_finds_the_request_by_its_content() {
    let flow = shop();
    flow.repo.commit("Begin with nothing");
    flow.capture(INTENT).exits(0);
    flow.change();
    flow.capture("A correction.\n").exits(0);
    flow.repo.git(&["reset", "--quiet", "--soft", "main"]);
    flow.repo.commit("All at once");
    assert_eq!(positions(&flow), ["original", "rewritten"]);
}

#[test]
fn s_30_a_requested_feature_outlives_its_task_base() {
    let flow = shop();
    flow.repo.commit("Begin with nothing");
    capture_for_search(&flow);
    flow.repo.git(&["reset", "--quiet", "--soft", "main"]);
    flow.change();
    let status = flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout, search)");
    status.next();
}

#[test]
fn s_31_a_request_written_after_the_code_stays_so_after_a_rebase() {
    let flow = shop();
    flow.change();
    flow.capture("Written after the code.\n").exits(0);
    move_main(&flow);
    flow.repo.git(&["rebase", "--quiet", "main"]);
    let output = flow.repo.read_only(|| flow.prepare()).exits(1).names("after the fact");
    output.next();
}
