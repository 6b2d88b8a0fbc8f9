//! Running the gates again: C-108, C-138, C-142, C-148, C-150 (CR-140, CR-227, CR-229).

use std::fs;
use std::path::PathBuf;

use code_polishy_tests::{Repo, ReviewRun, Running, Snapshot, processes, until};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::{GREEN, ValidatedGates, assert_sound, check, commit, gates, refused, run_with, told, with};
use crate::WORLD;

#[test]
fn c_108_a_failure_is_neither_skipped_nor_lost() {
    let run = ReviewRun::document(WORLD);
    run_with(&run, &["--lint", "test -e $HOME/mended"]).exits(1);
    let before = Snapshot::of(&run.path);
    for refusal in [["--skip-lint", "not needed"], ["--unavailable-lint", "no licence"], ["--lint", "true"]] {
        let output = run_with(&run, &refusal).exits(2);
        assert_eq!(refused(&output), ["gate-recovery-blocked"]);
        assert_eq!(output.json()["errors"][0]["subject"], "lint");
    }
    assert_eq!(before, Snapshot::of(&run.path), "nothing was written");

    fs::write(run.repo.area("home").join("mended"), "").unwrap();
    let document = run_with(&run, &["--lint", "test -e $HOME/mended"]).exits(0).json();
    assert_eq!(document["archived"], "gate-attempts/001");
    assert_eq!(check(&run.json("gate-attempts/001/gates.json"), "lint")["gate_status"], "fail");
    assert_eq!(run.text("gate-attempts/001/checks/lint.command.txt"), run.text("checks/lint.command.txt"));
    assert_eq!(run_with(&run, &["--skip-lint", "it passed before"]).exits(0).json()["archived"], "gate-attempts/002");
    assert_sound(&run);
}

#[test]
fn c_142_another_command_needs_its_reason_and_stays_told() {
    let run = ReviewRun::document(WORLD);
    run_with(&run, &["--tests", "false"]).exits(1);
    assert_eq!(refused(&run_with(&run, &["--tests", "true"]).exits(2)), ["gate-recovery-blocked"]);
    assert_eq!(refused(&run_with(&run, &["--tests", "true", "--changed-command", " "]).exits(2)), ["usage-error"]);
    let changed = ["--tests", "true", "--changed-command", "the suite was renamed"];
    let document = run_with(&run, &changed).exits(0).json();
    let detail = json!("changed command: the suite was renamed");
    assert_eq!((&check(&document, "tests")["detail"], &check(&document, "lint")["detail"]), (&detail, &Value::Null));
    assert_eq!(check(&run_with(&run, &[]).exits(0).json(), "tests")["detail"], detail);
    assert_sound(&run);

    // Without its reason the record is what nobody may write.
    run.edit_record("gates.json", |record| record["checks"][3]["detail"] = Value::Null);
    let log = run.text("gates.checks.jsonl").replace(r#""changed command: the suite was renamed""#, "null");
    run.write("gates.checks.jsonl", log);
    assert_eq!(run.validate_gates(), ["gates gate-check-status-invalid:tests"]);
}

#[test]
fn a_damaged_record_is_no_ground_to_go_on() {
    type Damage = fn(&ReviewRun);
    let damages: [(&str, Damage); 4] = [
        ("gates.json", |run| _ = run.write("gates.json", "{}")),
        ("gates.checks.jsonl", |run| _ = run.write("gates.checks.jsonl", "{}\n")),
        ("gates.checks.jsonl", |run| fs::remove_file(run.file("gates.checks.jsonl")).unwrap()),
        ("checks/lint.stdout.txt", |run| _ = run.write("checks/lint.stdout.txt", "all is well\n")),
    ];
    for (subject, damage) in damages {
        let run = ReviewRun::document(WORLD);
        run_with(&run, &["--lint", "false"]).exits(1);
        damage(&run);
        let before = Snapshot::of(&run.path);
        let output = run_with(&run, &["--lint", "false"]).exits(2);
        assert_eq!(refused(&output), ["gate-recovery-blocked"]);
        assert_eq!(output.json()["errors"][0]["subject"], subject);
        assert_eq!(before, Snapshot::of(&run.path));
    }
}

#[test]
fn c_148_what_a_gate_leaves_is_drift_until_the_worktree_is_reset() {
    for run in [ReviewRun::sources(WORLD), commit()] {
        let line = "test -e $HOME/tidy || { echo x > left.txt; echo y > src/shop.rs; rm README.md; }";
        let document = run_with(&run, &["--tests", line]).exits(1).json();
        assert_eq!(told(&document)[3..], ["fail source-drift 0", "fail source-dirty null"]);
        let dirty = json!(["README.md", "left.txt", "src/shop.rs"]);
        assert_eq!(check(&document, "tests")["after"]["dirty"], dirty);
        fs::write(run.repo.area("home").join("tidy"), "").unwrap();
        assert_eq!(told(&run_with(&run, &["--tests", line]).exits(1).json()), ["fail source-dirty null"; 5]);

        let document = run_with(&run, &["--tests", line, "--reset-worktree"]).exits(0).json();
        let reset = json!({"after": null, "restored": ["README.md", "src/shop.rs"], "removed": ["left.txt"]});
        assert_eq!(document["resets"], json!([reset]));
        assert_eq!(run.json("checks/worktree-reset.json"), json!({"schema_version": 1, "resets": [reset]}));
        assert!(!run.worktree().join("left.txt").exists());
        assert_sound(&run);
    }
}

#[test]
fn a_mirror_whose_bytes_are_gone_is_not_reset() {
    let run = ReviewRun::sources(WORLD);
    run_with(&run, &["--tests", "echo y > src/cart.rs"]).exits(1);
    run.repo.write("src/cart.rs", "pub struct Other;\n");
    let output = run_with(&run, &["--tests", "echo y > src/cart.rs", "--reset-worktree"]).exits(1);
    assert_eq!(refused(&output), ["local-gate-source-changed"]);
}

#[test]
fn c_138_gates_and_another_command_do_not_share_a_run() {
    let run = ReviewRun::document(WORLD);
    let arguments = arguments(&run, &GREEN);
    let first = stopped(&run.repo, &arguments, "gates.archived");
    assert_eq!(refused(&gates(&run, &[]).exits(3)), ["run-locked"]);
    assert_eq!(refused(&run.preflight().exits(3)), ["run-locked"]);
    first.signal(Signal::CONT);
    assert_eq!(first.ends().exits(0).json()["status"], "pass");
}

fn arguments(run: &ReviewRun, options: &[&str]) -> Vec<String> {
    let path = run.path.display().to_string();
    ["--format", "json", "code-review", "gates", "--run", &path].iter().chain(options).map(|word| (*word).to_owned()).collect()
}

fn stopped(repo: &Repo, arguments: &[String], failpoint: &str) -> Running {
    Running::stopped_at(repo, &arguments.iter().map(String::as_str).collect::<Vec<_>>(), failpoint)
}

#[test]
fn c_150_an_interrupt_ends_the_gate_that_runs_and_the_command_can_be_repeated() {
    let run = ReviewRun::document(WORLD);
    let home = run.repo.area("home");
    let line = "test -e $HOME/soon || { touch $HOME/started; sleep 300; }";
    let options = with(&["--lint", "false", "--types", line]);
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let arguments = arguments(&run, &options);
    let running = Running::start(run.repo.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>()));
    until(|| home.join("started").exists());
    running.signal(Signal::INT);
    running.ends().exits(130);
    assert_eq!(processes(&run.worktree().display().to_string()), Vec::<u32>::new());
    assert!(!run.file("gates.json").exists());

    fs::write(home.join("soon"), "").unwrap();
    let skipped = with(&["--skip-lint", "it is slow", "--types", line]);
    let skipped: Vec<&str> = skipped.iter().map(String::as_str).collect();
    assert_eq!(refused(&gates(&run, &skipped).exits(2)), ["gate-recovery-blocked"], "what ended before the interrupt stays");
    let document = gates(&run, &options).exits(1).json();
    assert_eq!(told(&document), ["fail command-failed 1", "pass null 0", "pass null 0", "pass null 0", "pass null 0"]);
    assert_eq!(document["archived"], "gate-attempts/001");
    assert_sound(&run);
}

#[test]
fn a_command_that_is_killed_anywhere_can_be_repeated() {
    for failpoint in ["gates.archived", "gates.check-recorded:2", "file.moved:1", "file.moved:3", "folder.moved", "file.moved:4"] {
        let run = ReviewRun::document(WORLD);
        let options = with(&["--lint", "false"]);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        gates(&run, &options).exits(1);
        let words = arguments(&run, &options);
        let mut command = run.repo.command(&words.iter().map(String::as_str).collect::<Vec<_>>());
        command.env("CODE_POLISHY_KILL_AT", failpoint);
        assert_eq!(run.repo.run_command(command).status, None, "{failpoint} is reached");
        let skipped = run_with(&run, &["--skip-lint", "it is slow"]);
        assert_eq!(refused(&skipped.exits(2)), ["gate-recovery-blocked"], "{failpoint}");
        gates(&run, &options).exits(1);
        let attempts: Vec<PathBuf> = fs::read_dir(run.file("gate-attempts")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(attempts.iter().any(|attempt| attempt.join("gates.json").exists()), "{failpoint}");
        assert_sound(&run);
    }
}
