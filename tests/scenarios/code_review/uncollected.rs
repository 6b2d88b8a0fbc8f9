//! Pull requests that cannot be collected: C-15 to C-17, C-22, C-130 (CR-36, CR-37, CR-46, CR-190).

use std::fs;
use std::path::Path;

use code_polishy_tests::{Forge, ReviewRun};
use serde_json::{Value, json};

use crate::WORLD;

#[test]
fn c_15_a_target_must_be_fetched_and_may_not_diverge() {
    let forge = Forge::new(WORLD);
    let newer = forge.advance();
    // The forge knows of a commit that was never fetched, then only its branch is missing, then the branch is behind.
    forge.edit("pr.json", |pr| pr["baseRefOid"] = json!("0".repeat(40)));
    forge.unavailable(&[], "target-not-fetched");
    forge.edit("pr.json", |pr| pr["baseRefOid"] = json!(newer));
    forge.unavailable(&[], "target-not-fetched");
    forge.unavailable(&["--target-ref", "refs/remotes/origin/absent"], "target-not-fetched");

    let forge = Forge::new(WORLD);
    let other = forge.repo.git(&["commit-tree", "-m", "Another history", "HEAD^{tree}"]);
    forge.repo.git(&["update-ref", "refs/remotes/origin/main", &other]);
    let output = forge.unavailable(&[], "target-diverged");
    assert!(forge.kept(&output, "pr-routing.json").is_some(), "what was found before is kept");
    assert_eq!(forge.kept(&output, "target-branch.json"), None);
}

#[test]
fn c_16_another_head_is_not_checked_out() {
    let forge = Forge::new(WORLD);
    forge.repo.git(&["update-ref", "refs/remotes/origin/pull/7/head", &forge.base]);
    let before = forge.repo.git(&["worktree", "list", "--porcelain"]);
    let output = forge.unavailable(&[], "head-mismatch");
    assert_eq!(output.json()["head_oid"], Value::Null);
    assert_eq!(forge.repo.git(&["worktree", "list", "--porcelain"]), before);
    output.names(&forge.head);

    forge.repo.git(&["update-ref", "-d", "refs/remotes/origin/pull/7/head"]);
    forge.unavailable(&[], "head-not-fetched");
    forge.repo.git(&["update-ref", "refs/review/7", &forge.head]);
    assert_eq!(forge.import(&["--head-ref", "refs/review/7"]).exits(0).json()["status"], "collected");
}

#[test]
fn c_17_two_obstructed_places_are_named() {
    let forge = Forge::new(WORLD);
    let started = ReviewRun::try_start(&forge.repo, &["--scope", "pr", "--target", "7"]).exits(0).json();
    let path = started["run"].as_str().unwrap().to_owned();
    let fallback = forge.repo.area(&format!("tmp/code-review-{}-review-worktree", &code_polishy_tests::sha256(path.as_bytes())[..16]));
    let adjacent = format!("{path}-review-worktree");
    fs::create_dir(&fallback).unwrap();
    fs::create_dir(&adjacent).unwrap();
    let output = forge.unavailable(&["--run", &path], "worktree-obstructed").names(&adjacent);
    let preflight: Value = serde_json::from_str(&forge.kept(&output, "worktree-preflight.json").unwrap()).unwrap();
    assert_eq!((&preflight["status"], &preflight["overlap"]), (&json!("obstructed"), &json!([adjacent, fallback])));
    assert!(forge.kept(&output, "diff.patch").is_some(), "what was collected is kept");
}

#[test]
fn c_17_a_worktree_with_an_unfinished_merge_is_told_apart() {
    let forge = Forge::new(WORLD);
    let place = forge.repo.area("elsewhere-review-worktree").display().to_string();
    forge.repo.git(&["worktree", "add", "--quiet", "--detach", &place, &forge.base]);
    fs::write(Path::new(&place).join("README.md"), "# Another\n").unwrap();
    forge.repo.git(&["-C", &place, "commit", "--quiet", "--all", "--message", "Another"]);
    let merge = forge.repo.program("git", &["-C", &place, "merge", "--quiet", &forge.head]).output().unwrap();
    assert!(!merge.status.success());
    let output = forge.unavailable(&["--review-worktree", &place], "worktree-unmerged");
    let preflight: Value = serde_json::from_str(&forge.kept(&output, "worktree-preflight.json").unwrap()).unwrap();
    assert_eq!((&preflight["status"], &preflight["unmerged"]), (&json!("unmerged"), &json!(["README.md"])));
    assert_eq!(forge.import(&["--review-worktree", "relative-review-worktree"]).exits(2).json()["errors"][0]["code"], "usage-error");
}

#[test]
fn c_22_an_export_without_a_description_is_no_export() {
    let forge = Forge::new(WORLD);
    forge.edit("pr.json", |pr| drop(pr.as_object_mut().unwrap().remove("body")));
    let output = forge.unavailable(&["--target", "7"], "pr-metadata-invalid:body");
    assert_eq!(forge.kept(&output, "pr.json"), None);
    assert!(forge.kept(&output, "comments.json").is_some(), "what was collected is kept");
    assert!(!output.json()["run"].as_str().unwrap().contains("pr-7"), "an unknown pull request has no folder");
    let people = forge.repo.run(&["code-review", "import-pr", "--exports", forge.exports().to_str().unwrap()]).exits(1);
    assert!(people.stdout.contains("unavailable: pr-metadata-invalid:body\n"), "{people}");
    assert!(people.stdout.contains("NEXT: Export complete metadata of an open PR.\n/"), "{people}");
}

#[test]
fn an_export_of_something_else_is_refused() {
    let forge = Forge::new(WORLD);
    forge.unavailable(&["--target", "8"], "pr-identity-mismatch");
    forge.unavailable(&["--target", "https://forge.example/acme/other/pull/7"], "pr-identity-mismatch");
    forge.unavailable(&["--remote", "upstream"], "remote-not-found");
    forge.repo.git(&["remote", "add", "fork", "https://forge.example/mira/shop.git"]);
    forge.unavailable(&["--remote", "fork"], "remote-mismatch");
    forge.edit("pr.json", |pr| pr["state"] = json!("MERGED"));
    let output = forge.unavailable(&[], "pr-not-open");
    assert!(output.json()["run"].as_str().unwrap().contains("/pr-7/run-"), "{output}");
    forge.repo.git(&["remote", "set-url", "origin", "https://elsewhere.example/acme/shop.git"]);
    forge.edit("pr.json", |pr| pr["state"] = json!("OPEN"));
    forge.unavailable(&[], "remote-not-found");
}

#[test]
fn without_an_export_somebody_must_name_the_pull_request() {
    let forge = Forge::new(WORLD);
    fs::remove_dir_all(forge.exports()).unwrap();
    assert_eq!(forge.import(&[]).exits(2).json()["errors"][0]["code"], "missing-required");
    assert!(forge.repo.reports().paths().is_empty(), "nothing was written");
    forge.unavailable(&["--target", "#7"], "exports-missing:export");
    let before = forge.repo.reports();
    for output in [forge.import(&["--target", "main"]), ReviewRun::try_start(&forge.repo, &["--scope", "pr", "--target", "main"])] {
        assert_eq!(output.exits(2).json()["errors"][0]["code"], "usage-error");
    }
    assert_eq!(forge.repo.reports(), before);
}

#[test]
fn c_130_a_failed_exporter_leaks_nothing() {
    const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let forge = Forge::new(WORLD);
    forge.repo.git(&["remote", "set-url", "origin", &format!("https://mira:{SECRET}@forge.example/acme/shop.git")]);
    let failure = json!({"schema_version": 1, "code": "export-auth", "command_id": "pr-view", "exit": 4, "stage": "metadata"});
    forge.edit("collector-error.json", |error| error.clone_from(&failure));
    let output = forge.unavailable(&[], "export-auth");
    assert_eq!(serde_json::from_str::<Value>(&forge.kept(&output, "command-failure.json").unwrap()).unwrap(), failure);
    for (key, value) in [
        ("command_id", json!(format!("gh-auth-{SECRET}"))),
        ("stage", json!(format!("Authorization: token {SECRET}"))),
        ("code", json!(SECRET)),
        ("output", json!(SECRET)),
    ] {
        forge.edit("collector-error.json", |error| {
            error.clone_from(&failure);
            error[key] = value;
        });
        let output = forge.unavailable(&[], "export-unknown");
        assert!(!output.stdout.contains(SECRET) && !output.stderr.contains(SECRET), "{output}");
    }
    forge.remove("collector-error.json");
    let run = forge.collected();
    let folder = run.repo.path(".code-polishy-reports");
    let leaks = run.repo.program("grep", &["-r", "--files-with-matches", SECRET, folder.to_str().unwrap()]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&leaks.stdout), "");
    assert_eq!(run.json("remote-selection.json")["url"], "https://forge.example/acme/shop.git");
}

#[test]
fn a_pull_request_without_a_change_has_nothing_to_review() {
    let forge = Forge::new(WORLD);
    let empty = forge.repo.git(&["commit-tree", "-p", &forge.base, "-m", "Nothing", "HEAD^{tree}"]);
    forge.repo.git(&["update-ref", "refs/remotes/origin/pull/7/head", &empty]);
    forge.edit("pr.json", |pr| pr["headRefOid"] = json!(empty));
    let output = forge.import(&[]).exits(1);
    assert_eq!(output.json()["errors"][0]["code"], "review-scope-empty");
    assert_eq!(forge.kept(&output, "scope-error.txt").as_deref(), Some("review-scope-empty\n"));
}

#[test]
fn commits_without_a_common_history_have_no_diff() {
    let forge = Forge::new(WORLD);
    let other = forge.repo.git(&["commit-tree", "-m", "Another history", "HEAD^{tree}"]);
    forge.repo.git(&["update-ref", "refs/remotes/origin/pull/7/head", &other]);
    forge.edit("pr.json", |pr| pr["headRefOid"] = json!(other));
    forge.unavailable(&[], "diff-unavailable");
}
