//! The records of real runs fit the schemas that the program prints (CR-202).

use std::fs;
use std::path::{Path, PathBuf};

use code_polishy_core::schema;
use code_polishy_tests::{Forge, Repo, ReviewRun};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::WORLD;

const ROLE: &str = "sw-engineer";

fn validator(repo: &Repo, name: &str) -> Validator {
    jsonschema::draft202012::new(&repo.run(&["schema", name]).exits(0).json()).expect("a valid schema")
}

#[track_caller]
fn fits(schema: &Validator, document: &Value, what: &str) {
    let faults: Vec<String> = schema.iter_errors(document).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{what}: {faults:#?}");
}

fn json_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            json_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

/// What a forge says, of which only ids are read; and a result that a test wrote.
const FOREIGN: [&str; 5] =
    ["comments.json", "reviews.json", "review-threads.json", "unresolved-review-threads.json", "result.candidate.json"];

/// Every JSON file of the run that is not foreign has a schema and fits it; the names of the schemas, sorted.
#[track_caller]
fn checked(run: &ReviewRun) -> Vec<&'static str> {
    let mut files = Vec::new();
    json_files(&run.path, &mut files);
    let mut names = Vec::new();
    for file in files.iter().filter(|file| !FOREIGN.iter().any(|foreign| file.ends_with(foreign))) {
        let path = file.strip_prefix(&run.path).expect("in the run").to_str().expect("UTF-8");
        let name = schema::of_review_file(path).unwrap_or_else(|| panic!("{path} has no schema"));
        fits(&validator(&run.repo, name), &run.json(path), path);
        names.push(name);
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn all(records: &[&str]) -> Vec<String> {
    records.iter().map(|record| format!("code-review/{record}")).collect()
}

#[test]
fn what_a_review_of_working_files_writes_fits() {
    let run = ReviewRun::sources(WORLD);
    run.route(&["--select", "qa-specialist=The user asked for it."]).exits(0);
    run.pass(ROLE, &run.response(ROLE, "1", &json!([]))).exits(0);
    run.begin("qa-specialist", &[]);
    run.event("refused", "qa-specialist", &["--reason", "The host is gone."]).exits(0);
    run.command("gates", &["--lint", "true", "--tests", "false"]).exits(1);
    run.edit(|_| ());
    run.command("discard", &["--reason", "It was a trial.", "--category", "other"]).exits(0);
    let expected = [
        "config",
        "discard",
        "gates",
        "git-state",
        "path-roles",
        "plan",
        "review-briefs",
        "review-routing",
        "review-worktree",
        "run",
        "source-snapshot",
        "specialist-manifest",
    ];
    assert_eq!(checked(&run), all(&expected));
    let event = validator(&run.repo, "code-review/reviewer-event");
    assert!(run.log().len() > 5);
    run.log().iter().for_each(|line| fits(&event, line, "a line of the log"));
}

#[test]
fn what_a_review_of_a_commit_in_batches_writes_fits() {
    let repo = ReviewRun::repository(WORLD);
    for number in 0..60 {
        repo.write(&format!("src/shelf_{number:03}.rs"), "pub struct Shelf;\n");
    }
    let head = repo.commit("Grow");
    let rollup = repo.area("rollup.json");
    let checks = json!([{"__typename": "StatusContext", "context": "build", "state": "SUCCESS"}]);
    fs::write(&rollup, json!({"commit": head, "statusCheckRollup": checks}).to_string()).unwrap();
    let rollup = rollup.display().to_string();
    let run = ReviewRun::start(repo, &["--scope", "commit", "--target", "HEAD", "--ci-rollup", &rollup]);
    run.route(&["--batch-bytes", "9000"]).exits(0);
    let expected = [
        "batch-inventory",
        "ci-rollup",
        "config",
        "git-state",
        "path-roles",
        "plan",
        "review-briefs",
        "review-routing",
        "run",
        "specialist-manifest",
    ];
    assert_eq!(checked(&run), all(&expected));
}

/// Concludes the review with this change of its result, promotes it and hands it over; every record fits.
#[track_caller]
fn finished(change: impl FnOnce(&ReviewRun, &mut Value)) -> ReviewRun {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| change(&run, result));
    run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
    let path = run.path.display().to_string();
    run.repo.run(&["code-review", "complete", "--run", &path]).exits(0);
    let names = checked(&run);
    let late = ["completion", "evidence-index", "final-handoff", "final-handoff.validation", "promotion", "result", "run-manifest"];
    for name in all(&late) {
        assert!(names.contains(&name.as_str()), "{name} in {names:?}");
    }
    let attempt = validator(&run.repo, "code-review/finalize-attempt");
    run.text("finalize.attempts.jsonl").lines().for_each(|line| fits(&attempt, &serde_json::from_str(line).unwrap(), "a line of the log"));
    run
}

#[test]
fn what_a_review_that_accepts_writes_fits() {
    let run = finished(|run, result| run.record(result, "C-1", "medium", Some("refuted")));
    assert_eq!(run.json("final-handoff.json")["tables"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_a_review_that_asks_for_changes_writes_fits() {
    let run = finished(|run, result| {
        run.record(result, "F-1", "high", Some("confirmed"));
        let metadata = &mut result["metadata"];
        let decision = json!({"recommendation": "needs-more-work", "summary": "The sum is no sum.", "rationale": "F-1 is material."});
        metadata["review_decision"] = decision;
        metadata["review_validation"]["source_verdict"] = json!("needs-more-work");
    });
    assert_eq!(run.json("final-handoff.json")["tables"][1]["rows"][0]["id"], "F-1");
}

#[test]
fn what_a_collected_pull_request_writes_fits() {
    let run = Forge::new(WORLD).collected();
    let expected = [
        "checkout-state",
        "config",
        "git-state",
        "local-checkout",
        "online-review-summary",
        "path-roles",
        "pr",
        "pr-head-fetch",
        "pr-routing",
        "remote-selection",
        "run",
        "source-worktree-context",
        "target-branch",
        "worktree-preflight",
    ];
    assert_eq!(checked(&run), all(&expected));
}

#[test]
fn what_an_unavailable_pull_request_leaves_fits() {
    let forge = Forge::new(WORLD);
    let error = json!({"schema_version": 1, "code": "export-auth", "command_id": "view", "exit": 4, "stage": "metadata"});
    fs::write(forge.exports().join("collector-error.json"), error.to_string()).unwrap();
    let output = forge.import(&[]).exits(1);
    let run = forge.run(&output);
    assert!(checked(&run).contains(&"code-review/collector-error"));
    fits(&validator(&run.repo, "code-review/collector-error"), &error, "what an exporter leaves");
}

#[test]
fn what_a_validation_prints_fits() {
    let run = ReviewRun::document(WORLD);
    run.route(&[]).exits(0);
    let report = validator(&run.repo, "code-review/validation");
    let preflight = run.preflight().exits(0).json();
    assert!(preflight["mirror"].is_object(), "{preflight}");
    fits(&report, &preflight, "a preflight");
    let refused = run.edit(|result| result["status"] = json!("done")).validate().exits(1).json();
    assert!(refused["violations"].as_array().is_some_and(|violations| !violations.is_empty()));
    fits(&report, &refused, "a validation with violations");
}
