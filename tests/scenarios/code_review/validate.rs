//! Judging a run: C-10, C-63, C-64, C-138, C-150 (CR-9, CR-16, CR-21 to CR-26, CR-34).

use std::fs;
use std::os::unix::fs::symlink;

use code_polishy_tests::{Output, PRODUCER, Repo, ReviewRun, Running};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::WORLD;

type Break = fn(&ReviewRun);
type Edit = fn(&mut Value);

/// The violations of these steps.
#[track_caller]
fn of_steps(output: &Output, steps: &[&str]) -> Vec<String> {
    let is_asked = |violation: &String| steps.iter().any(|step| violation.starts_with(&format!("{step} ")));
    output.violations().into_iter().filter(is_asked).collect()
}

#[test]
fn a_shape_that_is_right_has_no_violation() {
    let run = ReviewRun::document(WORLD);
    run.edit(|_| ()).validate().passed(&["image", "shape", "t0", "git-state"]);
}

#[test]
fn c_10_stat_information_does_not_count() {
    let run = ReviewRun::document(WORLD);
    run.repo.write("src/shop.rs", "pub fn total() -> u32 {\n    0\n}\n").git(&["status"]);
    run.preflight().passed(&["git-state"]);
}

#[test]
fn a_merge_that_ends_meanwhile_is_reported_and_one_that_stays_is_not() {
    let repo = ReviewRun::repository(WORLD);
    repo.git(&["switch", "--quiet", "--create", "topic"]);
    let topic = repo.write("README.md", "# Ours\n").commit("Topic");
    repo.git(&["switch", "--quiet", "main"]);
    repo.write("README.md", "# Theirs\n").commit("Main");
    let merged = repo.program("git", &["merge", "--quiet", "topic"]).output().unwrap();
    assert!(!merged.status.success());
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    let state = run.json("git-state.start.json");
    assert_eq!((&state["merge_head"], &state["unmerged_paths"]), (&json!(topic), &json!(["README.md"])));
    assert_eq!(run.text("status.txt"), "UU README.md\n");
    run.preflight().passed(&["image", "t0", "git-state"]);

    run.repo.git(&["merge", "--abort"]);
    let violations = run.preflight().exits(1).violations();
    let of_git: Vec<&String> = violations.iter().filter(|violation| violation.starts_with("git-state ")).collect();
    assert_eq!(of_git, ["git-state review-operation-state-changed:merge_head", "git-state review-operation-state-changed:unmerged_paths"]);
}

#[test]
fn c_63_every_violation_of_every_step_is_listed() {
    let run = ReviewRun::document(WORLD);
    run.edit(|result| {
        result["status"] = json!("passed");
        result["artifact_path"] = json!("result.json");
        result["extra"] = json!(true);
    });
    run.edit_record("path-roles.json", |roles| roles["paths"] = json!([]));
    run.write("files.txt", "README.md\nabsent\n");
    let output = run.validate().exits(1);
    assert_eq!(
        of_steps(&output, &["shape", "t0"]),
        [
            "shape result-artifact-path-mismatch",
            "shape result-fields-invalid",
            "shape invalid-status",
            "t0 review-mirror-receipt-invalid:files",
            "t0 review-diff-digest-mismatch:numstat.txt",
            "t0 review-scope-classification-missing:README.md",
            "t0 review-scope-classification-missing:absent",
        ]
    );
    for violation in output.json()["violations"].as_array().unwrap().iter().filter(|violation| violation["code"] != "step-unchecked") {
        assert!(violation["pointer"].is_string() || violation["line"].is_u64() || violation["file"].is_string(), "{violation}");
        assert!(!violation["hint"].as_str().unwrap().is_empty() && violation["next_action"].is_string(), "{violation}");
        assert_eq!(violation["recurring"], false);
    }
    assert_eq!(output.json()["next_action"], "stop");
}

#[test]
fn c_64_what_depends_on_a_damaged_record_is_not_run() {
    let run = ReviewRun::document(WORLD);
    run.edit(|_| ()).write("review-routing.json", "{\"schema_version\": 1");
    let output = run.validate().exits(1);
    assert_eq!(output.violations(), ["image run-json-invalid:review-routing.json"]);
    let not_run: Vec<Value> = output.json()["not_run"].as_array().unwrap().clone();
    for step in ["manifest", "passes", "assessments", "source-findings", "independence", "confidence", "decision"] {
        assert_eq!(output.step(step), "not-run");
        let entry = not_run.iter().find(|entry| entry["step"] == step).unwrap();
        assert!(!entry["blocked_by"].as_array().unwrap().is_empty());
    }
}

#[test]
fn changed_receipts_are_violations_and_never_a_crash() {
    let cases: [(&str, Break); 13] = [
        ("t0 run-json-invalid:config.json", |run| {
            run.edit_record("config.json", |config| config["codeReview"]["testPaths"] = json!(["[", "a/../b"]));
        }),
        ("t0 run-file-changed:config.json", |run| {
            run.edit_record("config.json", |config| config["policy"] = json!({}));
        }),
        ("t0 run-json-invalid:run.json", |run| {
            run.edit_record("run.json", |record| record["head_oid"] = json!("abc"));
        }),
        ("t0 run-json-invalid:run.json", |run| {
            run.edit_record("run.json", |record| record["extra"] = json!(1));
        }),
        ("t0 missing-t0-artifact:status.txt", |run| fs::remove_file(run.file("status.txt")).unwrap()),
        ("t0 missing-t0-artifact:local-source/source-snapshot.json", |run| {
            fs::remove_file(run.file("local-source/source-snapshot.json")).unwrap();
        }),
        ("t0 review-diff-digest-mismatch:diff.patch", |run| {
            run.write("diff.patch", "");
        }),
        ("t0 review-mirror-receipt-invalid:status_sha256", |run| {
            run.write("local-source/status.txt", "");
        }),
        ("t0 review-mirror-mismatch:README.md", |run| fs::write(run.worktree().join("README.md"), "else").unwrap()),
        ("git-state git-state-receipt-missing:git-state.start.json", |run| fs::remove_file(run.file("git-state.start.json")).unwrap()),
        ("image run-file-not-regular:link.txt", |run| symlink("files.txt", run.file("link.txt")).unwrap()),
        ("image run-json-duplicate-key:extra.json", |run| {
            run.write("extra.json", r#"{"a":1,"a":2}"#);
        }),
        ("image run-text-not-utf8:notes.md", |run| {
            run.write("notes.md", [0xff]);
        }),
    ];
    for (expected, damage) in cases {
        let run = ReviewRun::document(WORLD);
        damage(&run);
        let output = run.preflight().exits(1);
        assert!(output.violations().iter().any(|violation| violation == expected), "no {expected} in {output}");
    }
}

#[test]
fn only_its_producer_judges_a_review() {
    let run = ReviewRun::document(WORLD);
    assert_eq!(run.command("validate", &["--manifest-only"]).exits(2).json()["errors"][0]["code"], "missing-producer-id");
    let other = run.command("validate", &["--manifest-only", "--producer-id", "somebody"]).exits(1);
    assert_eq!(other.violations(), ["t0 review-producer-mismatch"]);
    let other = run.edit(|_| ()).command("validate", &["--producer-id", "somebody"]).exits(1);
    assert!(other.violations().contains(&"shape review-producer-mismatch".to_owned()), "{other}");
}

#[test]
fn a_result_is_judged_by_its_family_and_its_run() {
    let run = ReviewRun::document(WORLD);
    let cases: [(&str, Edit); 8] = [
        ("shape unsupported-record-family", |result| result["schema_version"] = json!(2)),
        ("shape unsupported-record-family", |result| result["schema_version"] = json!(3.0)),
        ("shape invalid-review-scope", |result| result["metadata"]["scope"] = json!("commit")),
        ("shape invalid-risk-tier", |result| result["metadata"]["risk_tier"] = json!("SMALL")),
        ("shape metadata-fields-invalid", |result| result["metadata"]["review_run_id"] = json!("another")),
        ("shape metadata-fields-invalid", |result| drop(result["metadata"].as_object_mut().unwrap().remove("run_manifest"))),
        ("shape text-invalid", |result| result["recommendations"] = json!([" "])),
        ("shape follow-up-id-unknown:F9", |result| result["follow_up"] = json!([{"id": "F9", "text": "look again"}])),
    ];
    for (expected, change) in cases {
        assert_eq!(of_steps(&run.edit(change).validate().exits(1), &["shape"]), [expected]);
    }
}

#[test]
fn a_run_that_is_not_there_is_not_found() {
    let repo = ReviewRun::repository(WORLD);
    let output = repo.run(&["--format", "json", "code-review", "validate", "--run", "absent", "--producer-id", PRODUCER]).exits(3);
    assert_eq!(output.json()["errors"][0]["code"], "run-not-found");
}

fn arguments(run: &ReviewRun) -> Vec<String> {
    let path = run.path.display().to_string();
    ["--format", "json", "code-review", "validate", "--manifest-only", "--producer-id", PRODUCER, "--run", &path]
        .map(str::to_owned)
        .to_vec()
}

fn stopped(repo: &Repo, arguments: &[String], failpoint: &str) -> Running {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Running::stopped_at(repo, &arguments, failpoint)
}

#[test]
fn c_138_one_command_at_a_time_works_on_a_run() {
    let run = ReviewRun::document(WORLD);
    let first = stopped(&run.repo, &arguments(&run), "lock.held");
    let second = run.preflight().exits(3);
    assert_eq!(second.json()["errors"][0]["code"], "run-locked");
    first.signal(Signal::CONT);
    assert_eq!(first.ends().json()["command"], "validate");
    assert_eq!(run.preflight().json()["command"], "validate");
}

#[test]
fn c_150_an_interrupt_ends_a_command_that_can_be_repeated() {
    let run = ReviewRun::document(WORLD);
    let start = ["code-review", "start", "--scope", "working-tree"].map(str::to_owned);
    for arguments in [arguments(&run), start.to_vec()] {
        let command = stopped(&run.repo, &arguments, "lock.held");
        command.signal(Signal::INT);
        command.signal(Signal::CONT);
        command.ends().exits(130);
        let again: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert!(matches!(run.repo.run(&again).status, Some(0 | 1)));
    }
}
