//! Importing pull requests: C-12 to C-14, C-17, C-18, C-139, C-150 (CR-12, CR-36 to CR-41, CR-213 to CR-216).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use code_polishy_tests::{Forge, PRODUCER, Repo, ReviewRun, Running, Snapshot};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::WORLD;

/// The receipts of a collection.
const RECEIPTS: [&str; 16] = [
    "pr-target.txt",
    "pr.json",
    "pr-routing.json",
    "remote-selection.json",
    "target-branch.json",
    "pr-head-fetch.json",
    "worktree-preflight.json",
    "local-checkout.json",
    "checkout-state.json",
    "source-worktree-context.json",
    "comments.json",
    "reviews.json",
    "review-threads.json",
    "unresolved-review-threads.json",
    "online-review-summary.json",
    "diff.patch",
];

/// The receipts' steps pass.
#[track_caller]
fn assert_sound(run: &ReviewRun) {
    run.preflight().passed(&["image", "t0", "git-state", "pr-scope", "prior-resolutions"]);
}

fn run_names(repo: &Repo) -> Vec<String> {
    let folder = repo.path(".code-polishy-reports/code-review/pr-7");
    let mut names: Vec<String> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn c_12_a_run_gets_the_next_number_of_its_pull_request() {
    let forge = Forge::new(WORLD);
    let folder = forge.repo.path(".code-polishy-reports/code-review/pr-7");
    for name in ["run-099", "run-100"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    let run = forge.collected();
    assert_eq!(run.path, folder.join("run-101"));
    assert_eq!(run.json("run.json")["target_label"], "PR #7");
    assert_sound(&run);
}

#[test]
fn c_12_a_run_starts_with_the_first_number() {
    let run = Forge::new(WORLD).collected();
    assert!(run.path.ends_with("pr-7/run-001"), "{:?}", run.path);
    assert_eq!(run_names(&run.repo), ["run-001"]);
}

#[test]
fn c_12_what_only_looks_like_a_run_refuses_the_move() {
    let breaks: [fn(&Path); 3] = [
        |folder| fs::create_dir_all(folder.join("run-01")).unwrap(),
        |folder| symlink("elsewhere", folder.join("run-001")).unwrap(),
        |folder| fs::write(folder.join("run-007"), "").unwrap(),
    ];
    for damage in breaks {
        let forge = Forge::new(WORLD);
        let folder = forge.repo.path(".code-polishy-reports/code-review/pr-7");
        fs::create_dir_all(&folder).unwrap();
        damage(&folder);
        let before = Snapshot::of(&folder);
        let output = forge.import(&[]).exits(3);
        assert_eq!(output.json()["errors"][0]["code"], "io-error", "{output}");
        assert_eq!(Snapshot::of(&folder), before);
    }
}

#[test]
fn c_13_a_pull_request_is_collected_without_a_network() {
    let forge = Forge::new(WORLD);
    // The address leads nowhere, and the bare repository is gone: what was fetched before must do.
    fs::remove_dir_all(forge.repo.area("forge.git")).unwrap();
    let (base, head) = (forge.base.clone(), forge.head.clone());
    let diff = forge.repo.plain_diff(&["--binary", &format!("{base}...{head}")]);
    let run = forge.collected();
    let document = &run.started;
    assert_eq!(
        (&document["status"], &document["pr"], &document["relation"], &document["transport"], &document["failure"]),
        (&json!("collected"), &json!(7), &json!("matches-pr-metadata"), &json!("api"), &Value::Null)
    );
    assert_eq!((&document["base_oid"], &document["head_oid"], &document["producer_id"]), (&json!(base), &json!(head), &json!(PRODUCER)));
    assert_eq!(document["threads"], json!({"status": "complete", "count": 2, "unresolved": 1}));
    for file in RECEIPTS {
        assert!(run.file(file).is_file(), "{file} is missing");
    }
    assert_eq!(run.text("diff.patch"), diff);
    assert_eq!((run.text("files.txt"), run.text("pr-target.txt")), ("README.md\n".to_owned(), "7\n".to_owned()));
    assert_sound(&run);
}

#[test]
fn c_13_every_receipt_names_the_same_commits_and_place() {
    let forge = Forge::new(WORLD);
    let (base, head) = (forge.base.clone(), forge.head.clone());
    let run = forge.collected();
    let (record, checkout) = (run.json("run.json"), run.json("local-checkout.json"));
    let worktree = run.worktree();
    assert_eq!((&record["base_oid"], &record["head_oid"]), (&json!(base), &json!(head)));
    assert_eq!((&checkout["worktree"], &record["review_worktree"]), (&json!(worktree), &json!(worktree)));
    assert_eq!(checkout["location"], "report-adjacent");
    assert_eq!(worktree.parent(), run.path.parent().unwrap().parent());
    assert_eq!(checkout["diff_command"], format!("git diff --binary --full-index {base}...{head}"));
    assert_eq!(run.repo.git(&["-C", worktree.to_str().unwrap(), "rev-parse", "HEAD"]), head);
    assert_eq!(run.repo.git(&["-C", worktree.to_str().unwrap(), "status", "--porcelain"]), "");
    assert_eq!(fs::read_to_string(worktree.join("README.md")).unwrap(), "# Shop\n\nSells everything.\n");
    assert_eq!(run.json("pr-head-fetch.json")["remote_ref"], "refs/remotes/origin/pull/7/head");
    assert_eq!(run.json("remote-selection.json")["expected_repository"], "acme/shop");
}

#[test]
fn c_13_what_others_wrote_is_kept_as_items() {
    let run = Forge::new(WORLD).collected();
    let summary = run.json("online-review-summary.json");
    let parents = json!([
        {"id": "IC_1", "kind": "comment", "fragments": 0},
        {"id": "PRR_1", "kind": "review", "fragments": 2},
        {"id": "PRRT_1", "kind": "review-thread", "fragments": 0}
    ]);
    assert_eq!(summary["parents"], parents);
    assert_eq!(run.json("unresolved-review-threads.json").as_array().unwrap().len(), 1);
    assert_eq!(run.json("pr.json")["author"], json!({"login": "mira"}), "an account's name is nobody's business");
}

#[test]
fn c_13_a_started_run_is_filled() {
    let forge = Forge::new(WORLD);
    let options = ["--scope", "pr", "--target", "https://forge.example/acme/shop/pull/7", "--independence-required", "two must look"];
    let started = ReviewRun::try_start(&forge.repo, &options).exits(0).json();
    let path = started["run"].as_str().unwrap();
    let other = forge.import(&["--run", path, "--target", "8"]).exits(2);
    assert_eq!(other.json()["errors"][0]["code"], "usage-error");
    let terms = forge.import(&["--run", path, "--independence-required", "x"]).exits(2);
    assert_eq!(terms.json()["errors"][0]["code"], "usage-error");
    let output = forge.import(&["--run", path]).exits(0);
    assert_eq!(output.json()["run_id"], started["run_id"]);
    assert!(!Path::new(path).exists(), "the run moved");
    let again = output.json()["run"].as_str().unwrap().to_owned();
    assert_eq!(forge.import(&["--run", &again]).exits(2).json()["errors"][0]["code"], "usage-error");
    let run = forge.run(&output);
    let record = run.json("run.json");
    assert_eq!((&record["independence_required"], &record["target_label"]), (&json!(true), &json!("PR #7")));
    assert_sound(&run);
}

#[test]
fn c_13_the_configuration_is_that_of_the_base() {
    let repo = ReviewRun::repository(WORLD);
    let policy = |paths: &str| format!(r#"{{"version": 4, "codeReview": {{"testPaths": ["{paths}/**"]}}}}"#);
    repo.write(".code-polishy.json", policy("of-the-base"));
    repo.commit("Configure the review");
    let forge = Forge::of(repo, &[(".code-polishy.json", &policy("of-the-head"))]);
    forge.repo.write(".code-polishy.json", policy("of-the-checkout"));
    let base = forge.base.clone();
    let run = forge.collected();
    assert_eq!(run.json("config.json")["codeReview"]["testPaths"], json!(["of-the-base/**"]));
    assert_eq!(run.json("run.json")["config_origin"], format!("commit:{base}"));
    assert_sound(&run);
}

#[test]
fn c_13_a_base_that_cannot_configure_a_review_is_refused_before_anything_is_written() {
    let repo = ReviewRun::repository(WORLD);
    repo.write(".code-polishy.json", r#"{"version": 4, "codeReview": {"gate": {}}}"#).commit("Configure it wrongly");
    let forge = Forge::of(repo, &[(".code-polishy.json", r#"{"version": 4}"#)]);
    forge.repo.write(".code-polishy.json", r#"{"version": 4}"#);
    assert_eq!(forge.import(&[]).exits(2).json()["errors"][0]["code"], "review-config-invalid");
    assert!(forge.repo.reports().paths().is_empty());
}

#[test]
fn c_14_a_target_that_advanced_is_no_obstacle() {
    let forge = Forge::new(WORLD);
    let tip = forge.advance();
    forge.fetch(&["main:refs/remotes/origin/main"]);
    let run = forge.collected();
    assert_eq!(run.started["relation"], "advanced");
    assert_eq!(run.json("target-branch.json")["local_head"], tip);
    assert_eq!(run.text("files.txt"), "README.md\n", "what others merged is no part of the change");
    assert_sound(&run);
}

#[test]
fn c_17_an_obstructed_place_has_a_substitute() {
    let forge = Forge::new(WORLD);
    let started = ReviewRun::try_start(&forge.repo, &["--scope", "pr", "--target", "7"]).exits(0).json();
    let path = started["run"].as_str().unwrap().to_owned();
    let occupant = format!("{path}-review-worktree");
    fs::write(&occupant, "somebody's").unwrap();
    let output = forge.import(&["--run", &path]).exits(0);
    assert_eq!(fs::read_to_string(&occupant).unwrap(), "somebody's");
    let run = forge.run(&output);
    assert_eq!(run.json("local-checkout.json")["location"], "temporary-fallback");
    assert!(run.worktree().starts_with(run.repo.area("tmp")), "{:?}", run.worktree());
    assert_sound(&run);
}

#[test]
fn c_18_a_fork_is_told_from_the_same_repository() {
    assert_eq!(Forge::new(WORLD).collected().json("pr-routing.json")["route"], "same-repository");
    let forge = Forge::new(WORLD);
    forge.edit("pr.json", |pr| pr["isCrossRepository"] = json!(true));
    // A branch of that name is the base repository's own, not the fork's.
    forge.repo.git(&["update-ref", "-d", "refs/remotes/origin/pull/7/head"]);
    forge.repo.git(&["update-ref", "refs/remotes/origin/topic", &forge.head]);
    forge.unavailable(&[], "head-not-fetched");
    forge.fetch(&["pull/7/head:refs/pull/7/head"]);
    let run = forge.collected();
    assert_eq!(run.json("pr-routing.json")["route"], "fork");
    assert_sound(&run);
}

#[test]
fn c_150_an_import_that_was_interrupted_can_be_repeated() {
    let forge = Forge::new(WORLD);
    let exports = forge.exports().display().to_string();
    let arguments = ["--format", "json", "code-review", "import-pr", "--exports", &exports];
    for (failpoint, left) in [("lock.held", 0), ("folder.moved", 1)] {
        let command = Running::stopped_at(&forge.repo, &arguments, failpoint);
        command.signal(Signal::INT);
        command.signal(Signal::CONT);
        command.ends().exits(130);
        assert_eq!(run_names(&forge.repo).len(), left, "after {failpoint}");
    }
    assert!(!forge.repo.path(".code-polishy-reports/code-review/pr-7/run-001/local-checkout.json").exists());
    assert!(forge.collected().path.ends_with("pr-7/run-002"));
}

#[test]
fn c_139_unusual_facts_of_a_forge_are_facts() {
    let forge = Forge::new(WORLD);
    forge.edit("pr.json", |pr| {
        pr["author"] = Value::Null;
        pr["statusCheckRollup"] = json!([]);
        pr["body"] = json!("");
    });
    forge.edit("comments.json", |comments| comments[0]["body"] = Value::Null);
    let run = forge.collected();
    assert_eq!(run.json("pr.json")["author"], Value::Null);
    assert_sound(&run);
}

#[test]
fn the_invoking_checkout_stays_as_it_is() {
    let forge = Forge::new(WORLD);
    forge.repo.write("src/shop.rs", "pub fn total() -> u32 {\n    2\n}\n").write("draft.txt", "mine\n").git(&["add", "src/shop.rs"]);
    let state = |repo: &Repo| (repo.git(&["status", "--porcelain"]), repo.git(&["for-each-ref"]), repo.git(&["stash", "list"]));
    let before = state(&forge.repo);
    let run = forge.collected();
    assert_eq!(state(&run.repo), before);
    assert_eq!(run.json("worktree-preflight.json")["status"], "safe-unrelated-dirty-paths");
    let context = run.json("source-worktree-context.json");
    assert_eq!(context["before"], context["after"]);
    assert_eq!(context["before"]["dirty_paths"], json!(["draft.txt", "src/shop.rs"]));
    assert_eq!(context["before"]["branch"], "main");
    assert_sound(&run);
}
