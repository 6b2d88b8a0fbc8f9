//! Starting a run: C-1 to C-5, C-139 (CR-11, CR-28 to CR-34).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use code_polishy_tests::{Repo, ReviewRun, Snapshot};
use serde_json::{Value, json};

use crate::{WORLD, names};

const REPORTS: &str = ".code-polishy-reports";

fn codes(document: &Value) -> Vec<&str> {
    document["errors"].as_array().expect("errors").iter().map(|error| error["code"].as_str().expect("a code")).collect()
}

/// The paths of the snapshot of a mirror.
fn members(run: &ReviewRun) -> Vec<String> {
    let snapshot = run.json("local-source/source-snapshot.json");
    snapshot["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

/// Every receipt of a run holds together.
#[track_caller]
fn assert_sound(run: &ReviewRun) {
    run.preflight().passed(&["image", "t0", "git-state"]);
}

#[test]
fn c_1_a_clean_repository_has_nothing_to_review() {
    let repo = ReviewRun::repository(WORLD);
    let output = ReviewRun::try_start(&repo, &["--scope", "working-tree"]).exits(1);
    let document = output.json();
    assert_eq!(codes(&document), ["review-scope-empty"]);
    let error = fs::read_to_string(Path::new(document["run"].as_str().unwrap()).join("scope-error.txt")).unwrap();
    assert_eq!(error, "review-scope-empty\n");

    let human = repo.run(&["code-review", "start", "--scope", "working-tree"]).exits(1);
    let lines: Vec<&str> = human.stdout.lines().collect();
    assert!(lines.len() == 2 && lines[0].starts_with("NEXT: ") && human.stderr.contains("review-scope-empty"), "{human}");
    assert!(Path::new(lines[1]).join("scope-error.txt").is_file(), "{human}");
}

#[test]
fn c_2_members_of_an_explicit_path_are_inspected() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("src/deep/cart.rs", "pub struct Cart;\n").commit("Add a cart");
    repo.write("README.md", "# Another\n");
    let run = ReviewRun::start(repo, &["--scope", "path", "--target", "src"]);
    assert_eq!(members(&run), ["src/deep/cart.rs", "src/shop.rs"]);
    assert_eq!((run.text("files.txt"), run.text("untracked.txt"), run.text("diff.patch")), Default::default());
    assert_eq!(run.json("run.json")["target_label"], "paths: src");
    assert_eq!(fs::read_to_string(run.worktree().join("README.md")).unwrap(), "# Shop\n\nSells.\n");
    assert_sound(&run);
}

#[test]
fn c_3_an_unknown_scope_or_a_missing_target_writes_nothing() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("README.md", "# Another\n");
    for (options, code) in [
        (&["--scope", "everything"][..], "invalid-scope"),
        (&["--scope", "path"], "missing-required"),
        (&["--scope", "commit"], "missing-required"),
        (&["--scope", "path", "--target", "absent"], "review-target-not-found"),
        (&["--scope", "path", "--target", ".."], "review-target-outside-repository"),
        (&["--scope", "commit", "--target", "absent"], "review-target-not-found"),
        (&["--scope", "commit", "--target", "HEAD..HEAD", "--base", "HEAD"], "usage-error"),
        (&["--scope", "working-tree", "--review-worktree", "none"], "usage-error"),
        (&["--scope", "working-tree", "--reports-dir", "reports"], "reports-dir-not-ignored"),
        (&["--scope", "working-tree", "--caller-contract", "table"], "caller-contract-evidence-missing"),
        (&["--scope", "working-tree", "--waiver", "the user said so"], "waiver-run-invalid"),
    ] {
        let output = ReviewRun::try_start(&repo, options).exits(2);
        let document = output.json();
        assert_eq!(codes(&document), [code], "{output}");
        assert_eq!((&document["status"], &document["run"]), (&json!("error"), &Value::Null));
        assert!(!repo.path(REPORTS).exists() && !repo.path("reports").exists(), "{output}");
    }
}

#[test]
fn c_4_the_mirror_has_the_bytes_of_the_source_and_the_source_stays() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("src/gone.rs", "pub struct Gone;\n").write("tool.sh", "#!/bin/sh\n").link("link", "README.md").commit("Add more");
    repo.write("src/shop.rs", "staged\n").git(&["add", "src/shop.rs"]);
    repo.write("src/shop.rs", "staged\r\nand not\r\n").remove("src/gone.rs").remove("link").link("link", "tool.sh");
    repo.write("src/new.bin", [0, 1, 2, 255]).write("run.sh", "#!/bin/sh\nexit 1\n").write("a b/é.txt", "x");
    let before = (repo.git(&["status", "--porcelain"]), repo.git(&["ls-files", "--stage"]), Snapshot::of(&repo.root()).without(&[".git"]));

    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    let repo = &run.repo;
    let now = Snapshot::of(&repo.root()).without(&[".git", REPORTS]);
    assert_eq!(before, (repo.git(&["status", "--porcelain"]), repo.git(&["ls-files", "--stage"]), now));
    let changed = ["a b/é.txt", "link", "run.sh", "src/gone.rs", "src/new.bin", "src/shop.rs"];
    assert_eq!(members(&run), changed);
    assert_eq!(Snapshot::of(&run.worktree()).without(&[".git"]), Snapshot::of(&repo.root()).without(&[".git", REPORTS]));
    assert_eq!(run.text("status.txt"), repo.git(&["-c", "core.quotePath=true", "status", "--porcelain", "-uall"]) + "\n");
    assert_eq!(run.text("files.txt"), "link\nsrc/gone.rs\nsrc/shop.rs\n");
    assert_eq!(run.text("untracked.txt"), "\"a b/\\303\\251.txt\"\nrun.sh\nsrc/new.bin\n");
    assert_eq!(run.text("diff.patch"), repo.plain_diff(&["HEAD"]));
    let receipt = run.json("local-source/review-worktree.json");
    assert_eq!(receipt["diff_sha256"], run.digest("diff.patch"));
    assert_eq!(receipt["revision"], repo.head());
    assert_sound(&run);
}

#[test]
fn c_5_an_occupied_place_is_left_alone() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("README.md", "# Another\n");
    let place = repo.area("occupied");
    fs::create_dir(&place).unwrap();
    fs::write(place.join("mine"), "kept").unwrap();
    let before = Snapshot::of(&place);
    let output = ReviewRun::try_start(&repo, &["--scope", "working-tree", "--review-worktree", place.to_str().unwrap()]).exits(1);
    assert_eq!(codes(&output.json()), ["review-worktree-occupied"]);
    assert_eq!(Snapshot::of(&place), before);
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn reports_outside_the_repository_need_no_ignore_rule() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("README.md", "# Another\n");
    let place = repo.area("reports");
    let run = ReviewRun::start(repo, &["--scope", "working-tree", "--reports-dir", place.to_str().unwrap()]);
    assert_eq!(run.path.parent().unwrap(), place);
    assert!(!run.repo.path(REPORTS).exists());
    assert_sound(&run);
}

fn commit_run(repo: Repo, options: &[&str]) -> ReviewRun {
    ReviewRun::start(repo, &[&["--scope", "commit"], options].concat())
}

#[test]
fn c_139_roots_merges_and_ranges_are_commits() {
    let repo = ReviewRun::repository(WORLD);
    let root = repo.head();
    repo.git(&["switch", "--quiet", "--create", "topic"]);
    let topic = repo.write("topic.txt", "x\n").commit("Topic");
    repo.git(&["switch", "--quiet", "main"]);
    let main = repo.write("main.txt", "x\n").commit("Main");
    repo.git(&["merge", "--quiet", "--no-edit", "topic"]);
    let merge = repo.head();

    let run = commit_run(repo, &["--target", "HEAD"]);
    assert_eq!(run.started["base_oid"], main);
    assert_eq!(run.text("files.txt"), "topic.txt\n");
    assert_eq!(run.text("reviewed-commit.txt"), format!("{merge}\n"));
    assert_eq!(run.json("run.json")["target_label"], format!("commit range {main}..{merge}"));
    assert_sound(&run);

    let run = commit_run(run.repo, &["--target", &root]);
    assert_eq!((&run.started["base_oid"], run.text("files.txt")), (&Value::Null, ".gitignore\nREADME.md\nsrc/shop.rs\n".to_owned()));
    assert_sound(&run);

    let run = commit_run(run.repo, &["--target", &format!("{main}...{topic}")]);
    assert_eq!((run.started["base_oid"].clone(), run.text("files.txt")), (json!(root), "topic.txt\n".to_owned()));
    let run = commit_run(run.repo, &["--target", "topic", "--base", "main", "--review-worktree", "none"]);
    assert_eq!(run.text("files.txt"), "main.txt\n");
    assert_eq!(run.started["review_worktree"], Value::Null);
    assert!(!run.file("reviewed-commit.txt").exists());
    assert_sound(&run);
}

#[test]
fn c_139_a_repository_without_a_commit_can_be_reviewed() {
    let repo = Repo::new(WORLD);
    repo.write(".gitignore", "/.code-polishy-reports/\n").write("a.rs", "x\n").git(&["add", "a.rs"]);
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    assert_eq!(
        (&run.started["head_oid"], run.text("files.txt"), run.text("untracked.txt")),
        (&Value::Null, "a.rs\n".into(), ".gitignore\n".into())
    );
    assert_sound(&run);
}

#[test]
fn c_139_links_submodules_and_deletions_are_changes() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("data.bin", [0, 1, 2]).write("old.txt", "x\n").commit("Add data");
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},vendor/lib", repo.head())]);
    fs::create_dir_all(repo.path("vendor/lib")).unwrap();
    repo.write("data.bin", [0, 2]).remove("old.txt");
    symlink("nowhere", repo.path("dangling")).unwrap();
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    assert_eq!(members(&run), ["dangling", "data.bin", "old.txt", "vendor/lib"]);
    let snapshot = run.json("local-source/source-snapshot.json");
    let kinds: Vec<&str> = snapshot["files"].as_array().unwrap().iter().map(|file| file["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["symlink", "file", "missing", "gitlink"]);
    assert!(run.text("numstat.txt").contains("-\t-\tdata.bin\n"));
    assert_sound(&run);
}

#[test]
fn c_139_hostile_settings_change_nothing() {
    let diffs = [false, true].map(|hostile| {
        let repo = ReviewRun::repository(WORLD);
        repo.write("README.md", "# Shop\n\nSells everything.\n");
        if hostile {
            repo.write(".git/info/attributes", "* diff=evil filter=evil\n");
            for (key, value) in [
                ("diff.external", "false"),
                ("diff.evil.textconv", "false"),
                ("filter.evil.smudge", "false"),
                ("filter.evil.clean", "false"),
                ("core.fsmonitor", "false"),
                ("core.hooksPath", "/nonexistent"),
                ("diff.noprefix", "true"),
                ("color.ui", "always"),
            ] {
                repo.git(&["config", key, value]);
            }
        }
        let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
        assert_sound(&run);
        ["diff.patch", "status.txt", "numstat.txt", "files.txt"].map(|file| run.text(file))
    });
    assert_eq!(diffs[0], diffs[1]);
}

#[test]
fn c_139_a_sha_256_repository_has_long_ids() {
    let repo = Repo::new(WORLD);
    fs::remove_dir_all(repo.path(".git")).unwrap();
    repo.git(&["init", "--quiet", "--object-format=sha256", "--initial-branch=main"]);
    repo.write(".gitignore", "/.code-polishy-reports/\n").write("a.rs", "x\n").commit("Begin");
    repo.write("a.rs", "y\n");
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    assert_eq!(run.started["head_oid"].as_str().unwrap().len(), 64);
    assert_sound(&run);
}

#[test]
fn a_run_records_what_it_is_about() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("README.md", "# Another\n");
    let options = ["--scope", "working-tree", "--independence-required", "two people must look"];
    let run = ReviewRun::start(repo, &options);
    let record = run.json("run.json");
    assert_eq!(record["config_sha256"], run.digest("config.json"));
    assert_eq!((&record["independence_required"], &record["config_origin"]), (&json!(true), &json!("defaults")));
    let name = run.path.file_name().unwrap().to_str().unwrap();
    assert_eq!((name.len(), &name[10..11], &name[26..]), (27, "T", "Z"));
    let roles = run.json("path-roles.json");
    assert_eq!(names(&json!([roles["paths"][0]["path"]])), ["README.md"]);

    let original = run.path.display().to_string();
    let waived = ["--scope", "working-tree", "--revised-scope-of", &original, "--waiver", "the user waived it"];
    let waived = ReviewRun::start(run.repo, &waived).json("run.json");
    assert_eq!(waived["revised_scope"]["original_run"], record["run_id"]);
}
