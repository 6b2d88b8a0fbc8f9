//! Handing over a report: C-6, C-34, C-9, C-10, C-72, C-121, C-122, C-131, C-145, C-146 (CR-172 to CR-175, CR-211, CR-212).

use std::fs;

use code_polishy_tests::{ReviewRun, Snapshot, sha256};
use serde_json::{Value, json};

use crate::WORLD;

#[test]
fn c_122_a_run_that_is_not_promoted_is_not_handed_over() {
    let run = ReviewRun::document(WORLD);
    run.write("result.candidate.json", "{}");
    let before = Snapshot::of(&run.path);
    let path = run.path.display().to_string();
    let output = run.repo.run(&["code-review", "complete", "--run", &path]).exits(1);
    assert_eq!(output.stdout, "");
    assert_eq!(
        output.stderr,
        format!("Review handoff blocked: review-result-not-promoted\nRetained evidence: {path}. Review not complete.\n")
    );
    assert_eq!(Snapshot::of(&run.path), before);
}

#[test]
fn programs_get_one_document_and_its_violations() {
    let run = ReviewRun::document(WORLD);
    let document = run.command("complete", &["--nested"]).exits(1).json();
    assert_eq!((&document["status"], &document["next_action"]), (&Value::from("fail"), &Value::from("repair-copy")));
    assert_eq!(document["violations"][0]["code"], "review-result-not-promoted");
    assert_eq!(document["blocked"], Value::Null, "finalizing mends it");
    let usage = run.command("complete", &[]).exits(2).json();
    assert_eq!(usage["errors"][0]["code"], "usage-error");
}

#[test]
fn what_was_found_is_written_where_it_changes_no_run() {
    let run = ReviewRun::document(WORLD);
    let inside = run.file("why.json").display().to_string();
    assert_eq!(run.command("complete", &["--nested", "--report", &inside]).exits(2).json()["errors"][0]["code"], "usage-error");
    assert!(!run.file("why.json").exists());
    let outside = run.repo.area("why.json");
    let report = outside.display().to_string();
    run.command("complete", &["--nested", "--report", &report]).exits(1);
    let written: Value = serde_json::from_slice(&fs::read(outside).unwrap()).unwrap();
    assert_eq!((&written["run"], &written["violations"][0]["code"]), (&run.started["run"], &Value::from("review-result-not-promoted")));
    let blank = run.command("complete", &["--nested", "--accept-index-change", " "]).exits(2).json();
    assert_eq!(blank["errors"][0]["code"], "usage-error");
}

/// A promoted review that accepts the change.
fn promoted() -> ReviewRun {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|_| ());
    run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
    run
}

/// What a completion for programs finds.
fn found(run: &ReviewRun, options: &[&str]) -> Vec<String> {
    run.command("complete", &[&["--nested"], options].concat()).exits(1).violations()
}

#[test]
fn c_131_the_report_is_handed_over_verbatim_and_again() {
    let run = promoted();
    let path = run.path.display().to_string();
    let verbatim = run.repo.run(&["code-review", "complete", "--run", &path]).exits(0);
    assert_eq!((verbatim.stdout.as_str(), verbatim.stderr.as_str()), (run.text("final.md").as_str(), ""));
    let record = run.text("completion.json");
    let nested = run.command("complete", &["--nested"]).exits(0).json();
    assert_eq!((&nested["status"], &nested["change_readiness"]), (&json!("complete"), &json!("ready")));
    assert_eq!(nested["final_sha256"], run.digest("final.md"));
    assert_eq!(nested["result"], format!("{path}/result.json"));
    assert_eq!(run.text("completion.json"), record, "the record of the first completion stays");
}

#[test]
fn c_121_every_changed_file_of_a_promoted_run_is_named() {
    let run = promoted();
    for file in ["review-notes.md", "final.md", "checks/lint.stdout.txt", "direct-plan.json", "specialists/sw-engineer.attempt-1.md"] {
        let before = run.text(file);
        run.write(file, format!("{before} "));
        let violations = found(&run, &[]);
        assert!(violations.contains(&format!("run-manifest run-manifest-file-changed:{file}")), "{file}: {violations:?}");
        run.write(file, before);
    }
    let before = run.text("result.json");
    run.write("result.json", before.replace("\"recommendations\": []", "\"recommendations\": [\"More.\"]"));
    assert_eq!(found(&run, &[]), ["promotion promotion-record-mismatch:result.json"]);
    run.write("result.json", before).write("more.txt", "");
    assert_eq!(found(&run, &[]), ["run-manifest run-manifest-unexpected-file:more.txt"]);
    fs::remove_file(run.file("more.txt")).unwrap();
    run.write("resolution.jsonl", "{}\n");
    run.command("complete", &["--nested"]).exits(0);
}

#[test]
fn c_6_unrelated_edits_of_the_checkout_are_preserved() {
    let run = promoted();
    run.repo.write("src/later.rs", "// later\n").write("README.md", "# Another\n");
    run.command("complete", &["--nested"]).exits(0);
    assert_eq!(run.repo.read("src/later.rs"), b"// later\n");
    assert_eq!(run.repo.read("README.md"), b"# Another\n");
}

#[test]
fn c_9_a_changed_index_needs_the_users_word() {
    let run = promoted();
    run.repo.write("src/later.rs", "// later\n");
    run.repo.git(&["add", "src/later.rs"]);
    assert_eq!(found(&run, &[]), ["git-state review-index-changed"]);
    run.command("complete", &["--nested", "--accept-index-change", "staged for the next commit"]).exits(0);
    assert_eq!(run.json("completion.json")["index_change_accepted"], "staged for the next commit");
    run.command("complete", &["--nested"]).exits(0);
    run.repo.write("src/more.rs", "// more\n");
    run.repo.git(&["add", "src/more.rs"]);
    assert_eq!(found(&run, &[]), ["git-state review-index-changed"], "another state was accepted");
}

#[test]
fn c_10_stat_information_of_the_index_does_not_count() {
    let run = promoted();
    run.repo.write("src/cart.rs", run.repo.read("src/cart.rs"));
    run.repo.git(&["update-index", "-q", "--really-refresh"]);
    run.command("complete", &["--nested"]).exits(0);
}

#[test]
fn c_72_evidence_holds_without_the_review_worktree() {
    let run = promoted();
    run.repo.git(&["worktree", "remove", "--force", &run.worktree().display().to_string()]);
    run.command("complete", &["--nested"]).exits(0);
}

#[test]
fn c_146_a_completion_that_nobody_made_has_no_effect() {
    let run = promoted();
    run.write("completion.json", "{\"schema_version\": 1, \"index_change_accepted\": \"mine\"}");
    run.repo.write("src/later.rs", "// later\n");
    run.repo.git(&["add", "src/later.rs"]);
    assert_eq!(found(&run, &[]), ["git-state review-index-changed"]);
    let unpromoted = ReviewRun::document(WORLD);
    unpromoted.write("completion.json", run.text("completion.json"));
    assert_eq!(unpromoted.command("complete", &["--nested"]).exits(1).json()["violations"][0]["code"], "review-result-not-promoted");
}

/// A promoted review of a checkout in which a merge is in progress.
fn promoted_during_a_merge() -> ReviewRun {
    let repo = ReviewRun::repository(WORLD);
    repo.git(&["branch", "other"]);
    repo.write("src/other.rs", "pub struct Other;\n").commit("Write the other one");
    let head = repo.head();
    repo.git(&["checkout", "-q", "other"]);
    repo.write("src/cart.rs", "pub struct Cart;\n").commit("Add a cart");
    repo.git(&["merge", "-q", "--no-commit", "--no-ff", &head]);
    repo.write("src/shop.rs", "pub fn total() -> u32 {\n    1\n}\n");
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]).review(&[("sw-engineer", "1", &json!([]))]);
    run.conclude(|_| ());
    let mut draft = run.handoff_draft();
    let item = format!("In-progress operation: merge {head}; left untouched");
    let entry =
        json!({"row_id": "in-progress-operation", "item": item, "owner": "remediation", "next_action": "Finish or abort the merge."});
    draft["remaining"] = json!([entry]);
    draft["next_steps"] = json!(["in-progress-operation"]);
    run.finalize(&draft, &["--promote"]).exits(0);
    run
}

#[test]
fn c_7_a_merge_that_is_left_alone_is_no_obstacle() {
    let run = promoted_during_a_merge();
    let before = run.repo.git(&["status", "--porcelain=v2"]);
    run.command("complete", &["--nested"]).exits(0);
    assert_eq!(run.repo.git(&["status", "--porcelain=v2"]), before);
    assert!(run.text("final.md").contains("in-progress-operation"), "{}", run.text("final.md"));
}

#[test]
fn c_8_c_147_a_merge_that_ended_meanwhile_needs_the_users_word() {
    let run = promoted_during_a_merge();
    run.repo.git(&["commit", "-q", "--no-edit"]);
    let violations = found(&run, &[]);
    assert!(violations.contains(&"git-state review-operation-state-changed:merge_head".to_owned()), "{violations:?}");
    let with_index = found(&run, &["--accept-index-change", "mine"]);
    assert!(with_index.contains(&"git-state review-operation-state-changed:merge_head".to_owned()), "{with_index:?}");
    run.command("complete", &["--nested", "--accept-operation-change", "I finished my merge"]).exits(0);
    assert_eq!(run.json("completion.json")["operation_change_accepted"], "I finished my merge");
    run.command("complete", &["--nested"]).exits(0);
}

#[test]
fn c_34_a_document_that_the_parent_reviewed_alone_is_promoted() {
    let run = ReviewRun::document(WORLD).review(&[]);
    run.conclude(|_| ());
    run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
    run.command("complete", &["--nested"]).exits(0);
    assert!(run.text("final.md").contains("- reviewer evidence: none (parent-only)"), "{}", run.text("final.md"));
}

#[test]
fn c_145_a_plugin_that_is_gone_since_the_promotion_is_not_missed() {
    let repo = ReviewRun::repository(WORLD);
    let component = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugins/dist/tap.wasm")).unwrap();
    let pin = json!({"name": "our-tap", "kind": "suite-runner", "source": "tools/our-tap.wasm", "sha256": sha256(&component)});
    repo.write(".code-polishy.json", json!({"version": 4, "plugins": [pin]}).to_string());
    repo.write("tools/our-tap.wasm", component).write("suite.sh", "echo 1..1; echo ok 1 - sells\n").commit("Pin a runner");
    repo.write("README.md", "# Shop\n\nSells everything.\n");
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    run.route(&[]).exits(0);
    let suite = ["--tests-runner", "our-tap", "--tests", "sh suite.sh"];
    run.command("gates", &[&["--lint", "true", "--format-cmd", "true", "--types", "true"][..], &suite].concat()).exits(0);
    assert_eq!(run.json("gates.json")["checks"][3]["runner"], "our-tap");
    run.conclude(|_| ());
    run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
    run.repo.remove("tools/our-tap.wasm").remove(".code-polishy.json");
    run.command("complete", &["--nested"]).exits(0);
    let result = run.file("result.json").display().to_string();
    run.repo.run(&["code-review", "find", "--result", &result]).exits(0);
}
