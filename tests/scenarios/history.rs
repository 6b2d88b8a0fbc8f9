//! Requests across merges, rewritten history and inner bases: S-29 to S-31, S-45, S-106, S-116 (BR-31 to BR-33).

use code_polishy_tests::{Flow, INTENT, Project};
use serde_json::Value;

use crate::journal::{JOURNAL, capture, require};
use crate::{WORLD, names};

/// A way to give the work on `topic` another history.
type Rewrite = fn(&Flow);

const REWRITES: [(&str, Rewrite); 3] = [("rebase", rebase), ("amend", amend), ("squash", squash)];

fn shop() -> Flow {
    Flow::new(WORLD, Project::shop())
}

/// A commit on `main` beside the work; the branch that was checked out stays so.
fn move_main(flow: &Flow) {
    let repo = &flow.repo;
    repo.git(&["switch", "--quiet", "main"]);
    repo.write("LICENSE", "As is.\n").commit("State the licence");
    repo.git(&["switch", "--quiet", "topic"]);
}

fn rebase(flow: &Flow) {
    move_main(flow);
    flow.repo.git(&["rebase", "--quiet", "main"]);
}

fn amend(flow: &Flow) {
    flow.repo.git(&["commit", "--quiet", "--amend", "--message", "In better words"]);
}

fn squash(flow: &Flow) {
    flow.repo.git(&["reset", "--quiet", "--soft", "main"]);
    flow.repo.commit("All at once");
}

/// Where the requests stand in a packet against this base.
fn positions_since(flow: &Flow, base: &str) -> Vec<String> {
    flow.repo.run(&["behavior-review", "prepare", "--base", base]).exits(0);
    let packet = flow.packet();
    packet["intents"].as_array().unwrap().iter().map(|intent| intent["position"].as_str().unwrap().to_owned()).collect()
}

fn positions(flow: &Flow) -> Vec<String> {
    positions_since(flow, "main")
}

fn refused_as_after_the_fact(flow: &Flow) {
    flow.repo.read_only(|| flow.prepare()).exits(1).names("after the fact").next();
}

#[test]
fn s_29_a_merge_of_the_target_keeps_the_request() {
    let flow = shop();
    capture(&flow.repo, &["--feature", "search"], INTENT).exits(0);
    flow.change();
    flow.capture("A correction.\n").exits(0);
    move_main(&flow);
    flow.repo.git(&["merge", "--quiet", "--no-edit", "main"]);

    let status = flow.status_json(&[]);
    assert_eq!(status["base"], flow.repo.git(&["rev-parse", "main"]));
    assert_eq!((names(&status["task_requested"]), names(&status["required"])), (vec!["search"], vec!["checkout", "search"]));
    assert_eq!(positions(&flow), ["original", "correction"]);
}

#[test]
fn s_30_a_rewritten_branch_keeps_the_request_and_marks_the_correction() {
    for (name, rewrite) in REWRITES {
        let flow = shop();
        capture(&flow.repo, &["--feature", "search"], INTENT).exits(0);
        flow.change();
        flow.capture("A correction.\n").exits(0);
        rewrite(&flow);
        let status = flow.status_json(&[]);
        assert_eq!((names(&status["task_requested"]), names(&status["required"])), (vec!["search"], vec!["checkout", "search"]), "{name}");
        assert_eq!(positions(&flow), ["original", "rewritten"], "{name}");
    }
}

#[test]
fn s_30_a_request_is_found_by_its_content() {
    for (name, rewrite) in [("rebase", rebase as Rewrite), ("squash", squash)] {
        let flow = shop();
        flow.repo.write("search/items.txt", "plum\n").commit("Begin elsewhere");
        let begun = flow.repo.head();
        capture(&flow.repo, &["--feature", "search"], INTENT).exits(0);
        flow.repo.write("search/items.txt", "apple\npear\n");
        flow.change();
        flow.capture("A correction.\n").exits(0);
        rewrite(&flow);
        let journal = flow.repo.json(JOURNAL);
        assert_eq!(journal["entries"][0]["captured_at_commit"], begun.as_str());
        assert_eq!(flow.repo.git(&["merge-base", "HEAD", "main"]), flow.repo.git(&["rev-parse", "main"]));
        // After the rebase the beginning is part of the change again, undone: neither tree differs at its path.
        assert_eq!(positions(&flow), ["original", "rewritten"], "{name}");
    }
}

#[test]
fn s_30_a_requested_feature_outlives_its_task_base() {
    let flow = shop();
    flow.repo.commit("Begin with nothing");
    capture(&flow.repo, &["--feature", "search"], INTENT).exits(0);
    flow.repo.git(&["reset", "--quiet", "--soft", "main"]);
    flow.change();
    let task_base = flow.repo.json(JOURNAL)["requirements"][0]["task_base"].as_str().unwrap().to_owned();
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout, search)").names(&task_base).next();
    assert_eq!(positions(&flow), ["original"]);

    // The commit itself goes; the features stay, and without its content the request is no longer known to be the original one.
    flow.repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    flow.repo.git(&["gc", "--quiet", "--prune=now"]);
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout, search)").names(&task_base).next();
    refused_as_after_the_fact(&flow);
}

#[test]
fn s_31_a_request_written_after_the_code_stays_so() {
    for (name, rewrite) in REWRITES {
        let flow = shop();
        flow.change();
        flow.capture("Written after the code.\n").exits(0);
        rewrite(&flow);
        assert_eq!(flow.status_json(&[])["state"], "required", "{name}");
        refused_as_after_the_fact(&flow);
    }
}

#[test]
fn s_31_a_request_written_over_uncommitted_code_is_no_original_one() {
    let flow = shop();
    flow.repo.write("checkout/total.sh", "total() { echo 0; }\n").commit("Try something else");
    flow.capture("Something else.\n").exits(0);
    flow.repo.git(&["reset", "--quiet", "--hard", "main"]);
    for (path, content) in &flow.project.change {
        flow.repo.write(path, content);
    }
    capture(&flow.repo, &["--rewritten"], "Written after the code.\n").exits(0);
    flow.repo.commit("Add every amount");
    refused_as_after_the_fact(&flow);
}

/// The packet of an inner base carries what that of the outer one carries, since every entry of the journal is in every packet (BR-32).
/// What the base decides is each entry's position: requests up to an inner base are original for what comes after it, those that are older
/// than it with a note, and only later ones are corrections.
#[test]
fn s_45_the_base_decides_what_is_original() {
    let flow = shop();
    let repo = &flow.repo;
    flow.capture(INTENT).exits(0);
    flow.change();
    flow.capture("First correction.\n").exits(0);
    repo.git(&["branch", "inner"]);
    repo.write("checkout/receipt.sh", "receipt() { echo \"sum $1\"; }\n").commit("Say sum");
    flow.capture("Second correction.\n").exits(0);
    repo.write("checkout/receipt.sh", "receipt() { echo \"Sum $1\"; }\n").commit("Say Sum");
    flow.capture("What was meant.\n").exits(0);

    assert_eq!(positions_since(&flow, "main"), ["original", "correction", "correction", "after-candidate"]);
    assert_eq!(positions_since(&flow, "inner"), ["original", "original", "correction", "after-candidate"]);
    let intents = flow.packet()["intents"].clone();
    let journal = repo.json(JOURNAL);
    let texts = |records: &Value| -> Vec<String> {
        records.as_array().unwrap().iter().map(|record| record["intent"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(texts(&intents), texts(&journal["entries"]), "every entry, in its order");
    let noted = repo.run(&["behavior-review", "prepare", "--base", "inner"]).exits(0).names(intents[0]["id"].as_str().unwrap());
    assert!(!noted.stderr.contains(intents[1]["id"].as_str().unwrap()), "only what is older than the base: {noted}");
    let outer = flow.prepare().exits(0);
    assert!(!outer.stderr.contains("NOTE"), "{outer}");
}

#[test]
fn s_106_the_first_request_serves_a_second_checkpoint() {
    let flow = Flow::accepted(WORLD, Project::shop());
    flow.checkpoint_gate(&[]).exits(0);
    flow.repo.git(&["branch", "first"]);
    flow.repo.write("checkout/receipt.sh", "receipt() { echo \"sum $1\"; }\n").commit("Say sum");
    let id = flow.repo.json(JOURNAL)["entries"][0]["id"].as_str().unwrap().to_owned();
    let prepare = ["behavior-review", "prepare", "--base", "first"];
    let prepared = flow.repo.run(&prepare).exits(0).names(&id).names("older than the base").names("cleanup");
    assert!(prepared.stderr.contains("NOTE"), "{prepared}");
    assert_eq!(flow.packet()["intents"][0]["position"], "original");
    flow.repo.run(&[&prepare[..], &["--format", "json"]].concat()).exits(0).json();
}

#[test]
fn s_116_a_repeated_require_keeps_the_receipt() {
    let flow = Flow::changed(WORLD, Project::shop());
    require(&flow.repo, "main", &["checkout"]).exits(0);
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    flow.finalize().exits(0);

    let journal = flow.repo.read(JOURNAL);
    flow.repo.read_only(|| require(&flow.repo, "main", &["Checkout"])).exits(0).names("features checkout");
    assert_eq!(flow.repo.read(JOURNAL), journal);
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");
    flow.merge_gate(&[]).exits(0);

    require(&flow.repo, "main", &["search"]).exits(0);
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: FAILED (checkout, search)").next();
}
