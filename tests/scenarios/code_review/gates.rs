//! Running the gates: C-103 to C-107, C-112, C-114 (CR-130 to CR-145, CR-214, CR-228).

mod again;
mod source_proof;

use std::fs;
use std::path::Path;
use std::process::Command;

use code_polishy_tests::{Forge, Output, ReviewRun, Snapshot};
use serde_json::{Value, json};

use crate::{WORLD, names};

const GREEN: [&str; 8] = ["--lint", "true", "--format-cmd", "true", "--types", "true", "--tests", "true"];

/// A run on a commit, with its worktree.
fn commit() -> ReviewRun {
    let repo = ReviewRun::repository(WORLD);
    repo.write("README.md", "# Shop\n\nSells everything.\n").commit("Sell everything");
    ReviewRun::start(repo, &["--scope", "commit", "--target", "HEAD"])
}

fn gates(run: &ReviewRun, options: &[&str]) -> Output {
    run.command("gates", options)
}

/// Green gates, with these options for some of them.
fn with(options: &[&str]) -> Vec<String> {
    let given = |option: &str| options.contains(&option) || options.iter().any(|other| other.ends_with(&option[1..].replace("-cmd", "")));
    let kept = GREEN.chunks(2).filter(|pair| !given(pair[0])).flatten();
    kept.chain(options).map(|option| (*option).to_owned()).collect()
}

fn run_with(run: &ReviewRun, options: &[&str]) -> Output {
    let options = with(options);
    gates(run, &options.iter().map(String::as_str).collect::<Vec<_>>())
}

fn check<'d>(document: &'d Value, id: &str) -> &'d Value {
    let checks = document["checks"].as_array().unwrap_or_else(|| panic!("no checks in {document}"));
    checks.iter().find(|check| check["id"] == id).unwrap()
}

/// Status, reason and exit of each gate.
fn told(document: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let tell = |check: &Value| format!("{} {} {}", text(&check["gate_status"]), text(&check["reason"]), check["command_exit"]);
    document["checks"].as_array().unwrap().iter().map(tell).collect()
}

/// The records of the gates hold: what validation derives from them is what they say.
#[track_caller]
fn assert_sound(run: &ReviewRun) {
    run.edit(|_| ()).validate().passed(&["image", "t0", "gates"]);
}

/// Promotes an acceptance that names the gates which did not pass; the result has this status.
#[track_caller]
fn promoted_as(run: &ReviewRun, status: &str) {
    run.conclude(|result| {
        result["checks_failed"] = run.json("gates.json")["checks_failed"].clone();
        result["status"] = json!(status);
        let metadata = &mut result["metadata"];
        metadata["review_validation"]["verification_readiness"] = json!("blocked");
        metadata["review_decision"]["rationale"] = json!("The lint gate and the format gate say nothing about this sentence.");
    });
    run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
    assert_eq!(run.json("result.json")["status"], status);
}

fn inside(worktree: &Path, program: &str, arguments: &[&str]) {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(worktree).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    assert!(command.status().unwrap().success());
}

fn refused(output: &Output) -> Vec<String> {
    let document = output.json();
    let errors = document["errors"].as_array().unwrap_or_else(|| panic!("no errors in {output}"));
    errors.iter().map(|error| error["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn c_103_a_gate_without_a_command_is_missing_and_never_inapplicable() {
    let run = ReviewRun::document(WORLD);
    let before = Snapshot::of(&run.path);
    assert_eq!(refused(&gates(&run, &["--skip-types", ""]).exits(2)), ["invalid-skip-reason"]);
    assert_eq!(before, Snapshot::of(&run.path));

    let document = gates(&run, &[]).exits(1).json();
    let missing = "missing-command no-command-configured null";
    assert_eq!(told(&document), [missing, missing, missing, missing, "pass null 0"]);
    assert_eq!((&document["status"], &document["gates"], &document["archived"]), (&json!("fail"), &json!("gates.json"), &Value::Null));
    let record = run.json("gates.json");
    assert_eq!(names(&record["checks_failed"]), ["lint", "format", "types", "tests"]);
    assert_eq!((&record["failed_count"], &record["checks_not_applicable"]), (&json!(4), &json!([])));
    assert_eq!(run.text("checks/review.command.txt"), "git diff --check HEAD\n");
    assert_eq!(run.text("failed.txt"), "lint\nformat\ntypes\ntests\n");
    assert_eq!(run.text("gates.txt").lines().last(), Some("review:pass"));
    assert_sound(&run);
}

#[test]
fn c_104_an_exit_is_recorded_as_it_is_and_an_absent_program_is_named() {
    let repo = ReviewRun::repository(WORLD);
    let policy = json!({"version": 4, "codeReview": {"gates": {"tests": {"command": ["no-such-program", "--all"]}}}});
    repo.policy(&policy).commit("Configure the tests");
    repo.write("README.md", "# Shop\n\nSells everything.\n");
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    let options = ["--lint", "exit 124", "--format-cmd", "no-such-program", "--types", "kill -9 $$", "--review", "echo out; echo err >&2"];
    let document = gates(&run, &options).exits(1).json();
    assert_eq!(
        told(&document),
        [
            "fail command-failed 124",
            "fail command-failed 127",
            "fail command-failed null",
            "missing-command program-not-found null",
            "pass null 0"
        ]
    );
    assert_eq!(check(&document, "types")["signal"], 9);
    assert_eq!(run.text("checks/tests.command.txt"), "no-such-program --all\n");
    assert_eq!((run.text("checks/review.stdout.txt"), run.text("checks/review.stderr.txt")), ("out\n".into(), "err\n".into()));
    assert_sound(&run);
}

#[test]
fn c_105_a_green_command_that_edits_the_tree_has_failed() {
    for run in [ReviewRun::document(WORLD), commit()] {
        let document = run_with(&run, &["--format-cmd", "echo more >> README.md"]).exits(1).json();
        let dirty = "fail source-dirty null";
        assert_eq!(told(&document), ["pass null 0", "fail source-drift 0", dirty, dirty, dirty]);
        let format = check(&document, "format");
        assert_eq!((&format["before"]["dirty"], &format["after"]["dirty"]), (&json!([]), &json!(["README.md"])));
        assert_eq!(format["detail"], "changed: README.md");

        // Undone after its gate, the drift stays told, and neither stops the other gates nor the review.
        let document = run_with(&run, &["--format-cmd", "echo more >> README.md", "--reset-worktree"]).exits(1).json();
        assert_eq!(told(&document), ["pass null 0", "fail source-drift 0", "pass null 0", "pass null 0", "pass null 0"]);
        let resets: Vec<&Value> = document["resets"].as_array().unwrap().iter().map(|reset| &reset["after"]).collect();
        assert_eq!(resets, [&Value::Null, &json!("format")]);
        assert_sound(&run);
    }
}

#[test]
fn c_105_a_review_whose_gate_drifted_is_promoted_as_failed() {
    let run = ReviewRun::document(WORLD);
    run.route(&[]).exits(0);
    run_with(&run, &["--format-cmd", "echo more >> README.md", "--reset-worktree"]).exits(1);
    promoted_as(&run, "fail");
    let again = gates(&run, &GREEN).exits(1);
    assert_eq!((refused(&again), &again.json()["run"]), (vec!["review-already-promoted".to_owned()], &json!(run.path)));
}

#[test]
fn c_106_a_command_does_not_run_on_another_tree() {
    let marked = |run: &ReviewRun| run.repo.area("home").join("ran").exists();
    let mark = ["--lint", "touch $HOME/ran", "--format-cmd", "touch $HOME/ran", "--types", "touch $HOME/ran", "--tests", "touch $HOME/ran"];
    for run in [ReviewRun::document(WORLD), commit()] {
        fs::write(run.worktree().join("stray.txt"), "stray").unwrap();
        let document = gates(&run, &mark).exits(1).json();
        assert_eq!(told(&document), ["fail source-dirty null"; 5]);
        assert_eq!(check(&document, "lint")["detail"], "changed: stray.txt");
        assert!(!marked(&run));
    }
    let run = commit();
    inside(&run.worktree(), "git", &["checkout", "--quiet", "--detach", "HEAD~1"]);
    let document = gates(&run, &mark).exits(1).json();
    assert_eq!(told(&document), ["fail source-head-mismatch null"; 5]);
    assert!(!marked(&run));
    fs::remove_dir_all(run.worktree()).unwrap();
    assert_eq!(told(&gates(&run, &mark).exits(1).json()), ["fail source-inspection-failed null"; 5]);
}

#[test]
fn c_107_a_timeout_ends_the_whole_group() {
    let run = ReviewRun::document(WORLD);
    let line = "sleep 300 & echo $! > $HOME/child; wait";
    let document = run_with(&run, &["--lint", line, "--timeout-seconds", "1"]).exits(124).json();
    assert_eq!(told(&document)[0], "timeout timeout null");
    assert_eq!((&document["status"], &run.json("gates.json")["status"]), (&json!("timeout"), &json!("timeout")));
    let child = fs::read_to_string(run.repo.area("home").join("child")).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.trim()));
    assert!(stat.map_or(true, |stat| stat.rsplit(") ").next().unwrap().starts_with('Z')));
    assert_sound(&run);
    run.route(&[]).exits(0);
    promoted_as(&run, "timeout");
}

#[test]
fn c_112_a_free_form_command_proves_nothing_and_says_so() {
    let run = ReviewRun::document(WORLD);
    let document = run_with(&run, &[]).exits(0).json();
    let proof = json!({"status": "none", "kind": null, "origins": [], "processes": [], "errors": []});
    assert_eq!((&check(&document, "tests")["source_proof"], &check(&document, "lint")["source_proof"]), (&proof, &Value::Null));
    assert_sound(&run);

    let pull_request = Forge::with(WORLD, &[("src/shop.py", "def total():\n    return 1\n")]).collected();
    let document = run_with(&pull_request, &[]).exits(1).json();
    assert_eq!(told(&document)[3..], ["fail source-proof-missing 0", "pass null 0"]);
    assert_eq!(check(&document, "tests")["source_proof"], proof);
    assert_eq!(pull_request.validate_gates(), Vec::<String>::new());
    let document = run_with(&Forge::new(WORLD).collected(), &[]).exits(0).json();
    assert_eq!(told(&document), ["pass null 0"; 5]);
}

#[test]
fn c_114_the_review_gate_of_a_pull_request_has_both_full_ids() {
    let forge = Forge::new(WORLD);
    let fixed = format!("git diff --check {}...{}", forge.base, forge.head);
    let run = forge.collected();
    for option in
        [["--review", "git diff --check"], ["--skip-review", "later"], ["--unavailable-review", "no git"], ["--review-runner", "tap"]]
    {
        assert_eq!(refused(&run_with(&run, &option).exits(2)), ["pr-review-gate-command-invalid"]);
    }
    run_with(&run, &["--review", &fixed]).exits(0);
    assert_eq!(run.text("checks/review.command.txt"), format!("{fixed}\n"));
    assert_eq!(run.validate_gates(), Vec::<String>::new());

    let short = "git diff --check\n";
    let (before, after) = (run.digest("checks/review.command.txt"), code_polishy_tests::sha256(short));
    for record in ["gates.json", "gates.checks.jsonl"] {
        run.write(record, run.text(record).replace(&before, &after));
    }
    run.write("checks/review.command.txt", short);
    assert_eq!(run.validate_gates(), ["gates pr-review-gate-command-invalid:review"]);
}

#[test]
fn without_a_review_worktree_a_checkout_of_the_commit_is_named() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("src/shop.rs", "pub fn total() -> u32 {\n    1\n}\n").commit("Count one");
    let run = ReviewRun::start(repo, &["--scope", "commit", "--target", "HEAD", "--review-worktree", "none"]);
    assert_eq!(refused(&gates(&run, &[]).exits(2)), ["missing-required"]);
    let root = run.repo.root().display().to_string();
    assert_eq!(refused(&gates(&run, &["--worktree", &root, "--expected-head", &"0".repeat(40)]).exits(2)), ["usage-error"]);
    let head = run.repo.head();
    let document = run_with(&run, &["--worktree", &root, "--expected-head", &head]).exits(0).json();
    let seen = json!({"head": head, "dirty": [], "top_level": root, "snapshot_sha256": null});
    assert_eq!((&check(&document, "lint")["before"], &check(&document, "review")["after"]), (&seen, &seen));
    assert_eq!(run.json("gates.json")["source"]["expected_head"], head);
    assert_eq!(refused(&gates(&run, &["--worktree", &root, "--reset-worktree"]).exits(2)), ["usage-error"]);
}

#[test]
fn a_runner_counts_and_contradicts() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("suite.sh", "cat $1.tap; exit $(cat $1.exit)\n");
    for (name, text, exit) in [
        ("green", "1..2\nok 1 - adds\nok 2 - pays # SKIP no bank\n", "0"),
        ("red", "1..1\nnot ok 1 - adds\n", "1"),
        ("sly", "1..1\nnot ok 1 - adds\n", "0"),
        ("none", "1..0\n", "0"),
    ] {
        repo.write(&format!("{name}.tap"), text).write(&format!("{name}.exit"), exit);
    }
    repo.commit("Add suites");
    repo.write("README.md", "# Shop\n\nSells everything.\n");
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    let options = [
        "--lint-runner",
        "tap",
        "--lint",
        "sh suite.sh green",
        "--format-runner",
        "tap",
        "--format-cmd",
        "sh suite.sh red",
        "--types-runner",
        "tap",
        "--types",
        "sh suite.sh sly",
        "--tests-runner",
        "tap",
        "--tests",
        "sh suite.sh none",
    ];
    let document = gates(&run, &options).exits(1).json();
    assert_eq!(told(&document)[..4], ["pass null 0", "fail command-failed 1", "fail runner-contradiction 0", "fail no-tests-executed 0"]);
    let counts = json!({"total": 2, "passed": 1, "failed": 0, "errors": 0, "skipped": 1});
    assert_eq!((&check(&document, "lint")["tests"], &check(&document, "lint")["runner"]), (&counts, &json!("tap")));
    assert_sound(&run);
    let unknown = gates(&ReviewRun::document(WORLD), &["--lint-runner", "absent", "--lint", "true"]).exits(2);
    assert_eq!(refused(&unknown), ["plugin.unknown"]);
}

#[test]
fn a_gate_gets_what_it_is_given_and_nothing_that_leads_git_away() {
    let run = ReviewRun::document(WORLD);
    let line = "echo $SEED $PYTHONPATH ${GIT_DIR-unset} ${TOKEN-unset}; pwd";
    let mut command = run.repo.command(&["--format", "json", "code-review", "gates", "--run", &run.path.display().to_string()]);
    command.args(["--lint", line, "--gate-env", "lint:SEED=7", "--gate-env", "lint:PYTHONPATH=/tree/src"]);
    command.env("PYTHONPATH", "/overlay").env("TOKEN", "x").env("GIT_INDEX_FILE", "/nowhere").env("TESTS_CMD", "true");
    let document = run.repo.run_command(command).exits(1).json();
    assert_eq!(run.text("checks/lint.stdout.txt"), format!("7 /tree/src:/overlay unset unset\n{}\n", run.worktree().display()));
    let given = json!({"PYTHONPATH": "/tree/src:/overlay", "SEED": "7"});
    assert_eq!((&check(&document, "lint")["environment"], &check(&document, "tests")["environment"]), (&given, &json!({})));
    assert_eq!(told(&document)[3], "pass null 0");
    let secret = gates(&run, &["--gate-env", "lint:API_TOKEN=abc"]).exits(2);
    assert_eq!(refused(&secret), ["usage-error"]);
    assert!(!secret.stdout.contains("abc"), "{secret}");
}

#[test]
fn people_read_what_the_record_says() {
    let run = ReviewRun::document(WORLD);
    let path = run.path.display().to_string();
    let options = ["--lint", "exit 3", "--skip-types", "the compiler checks them", "--tests", "true"];
    let output = run.repo.run(&[&["code-review", "gates", "--run", &path], options.as_slice()].concat()).exits(1);
    let output = output.says("lint: fail (command-failed, exit 3)").says("format: missing-command (no-command-configured)");
    let output = output.says("types: not-applicable (declared): the compiler checks them").says("tests: pass").says("gates: FAIL");
    assert!(output.next().contains("checks/"));
}

trait ValidatedGates {
    /// What the step `gates` finds, which has to be judged.
    fn validate_gates(&self) -> Vec<String>;
}

impl ValidatedGates for ReviewRun {
    fn validate_gates(&self) -> Vec<String> {
        let output = self.edit(|_| ()).validate();
        assert_ne!(output.step("gates"), "not-run", "{output}");
        output.violations().into_iter().filter(|violation| violation.starts_with("gates ")).collect()
    }
}
