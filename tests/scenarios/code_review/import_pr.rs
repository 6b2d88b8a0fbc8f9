//! Importing pull requests: C-12 to C-24, C-130, C-139, C-140, C-150 (CR-12, CR-36 to CR-46, CR-213 to CR-217).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use code_polishy_tests::{Forge, Output, PRODUCER, Repo, ReviewRun, Running, Snapshot};
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

/// Demands that the pull request is unavailable for this reason, and that nothing says otherwise.
#[track_caller]
fn unavailable(forge: &Forge, options: &[&str], token: &str) -> Output {
    let output = forge.import(options).exits(1);
    let document = output.json();
    assert_eq!((&document["status"], &document["failure"]), (&json!("unavailable"), &json!(token)), "{output}");
    assert_eq!(forge.kept(&output, "pr-error.txt"), Some(format!("{token}\n")));
    assert_eq!(forge.kept(&output, "local-checkout.json"), None);
    output
}

/// The receipts' steps pass.
#[track_caller]
fn assert_sound(run: &ReviewRun) {
    run.preflight().passed(&["image", "t0", "git-state", "pr-scope", "prior-resolutions"]);
}

/// The violations of the step `pr-scope`; a run that is not routed has others.
#[track_caller]
fn in_scope(run: &ReviewRun) -> Vec<String> {
    let violations = run.preflight().exits(1).violations();
    violations.iter().filter_map(|violation| violation.strip_prefix("pr-scope ")).map(str::to_owned).collect()
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
fn c_15_a_target_must_be_fetched_and_may_not_diverge() {
    let forge = Forge::new(WORLD);
    let newer = forge.advance();
    // The forge knows of a commit that was never fetched, then only its branch is missing, then the branch is behind.
    forge.edit("pr.json", |pr| pr["baseRefOid"] = json!("0".repeat(40)));
    unavailable(&forge, &[], "target-not-fetched");
    forge.edit("pr.json", |pr| pr["baseRefOid"] = json!(newer));
    unavailable(&forge, &[], "target-not-fetched");
    unavailable(&forge, &["--target-ref", "refs/remotes/origin/absent"], "target-not-fetched");

    let forge = Forge::new(WORLD);
    let other = forge.repo.git(&["commit-tree", "-m", "Another history", "HEAD^{tree}"]);
    forge.repo.git(&["update-ref", "refs/remotes/origin/main", &other]);
    let output = unavailable(&forge, &[], "target-diverged");
    assert!(forge.kept(&output, "pr-routing.json").is_some(), "what was found before is kept");
    assert_eq!(forge.kept(&output, "target-branch.json"), None);
}

#[test]
fn c_16_another_head_is_not_checked_out() {
    let forge = Forge::new(WORLD);
    forge.repo.git(&["update-ref", "refs/remotes/origin/pull/7/head", &forge.base]);
    let before = forge.repo.git(&["worktree", "list", "--porcelain"]);
    let output = unavailable(&forge, &[], "head-mismatch");
    assert_eq!(output.json()["head_oid"], Value::Null);
    assert_eq!(forge.repo.git(&["worktree", "list", "--porcelain"]), before);
    output.names(&forge.head);

    forge.repo.git(&["update-ref", "-d", "refs/remotes/origin/pull/7/head"]);
    unavailable(&forge, &[], "head-not-fetched");
    forge.repo.git(&["update-ref", "refs/review/7", &forge.head]);
    assert_eq!(forge.import(&["--head-ref", "refs/review/7"]).exits(0).json()["status"], "collected");
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
fn c_17_two_obstructed_places_are_named() {
    let forge = Forge::new(WORLD);
    let started = ReviewRun::try_start(&forge.repo, &["--scope", "pr", "--target", "7"]).exits(0).json();
    let path = started["run"].as_str().unwrap().to_owned();
    let fallback = forge.repo.area(&format!("tmp/code-review-{}-review-worktree", &code_polishy_tests::sha256(path.as_bytes())[..16]));
    let adjacent = format!("{path}-review-worktree");
    fs::create_dir(&fallback).unwrap();
    fs::create_dir(&adjacent).unwrap();
    let output = unavailable(&forge, &["--run", &path], "worktree-obstructed").names(&adjacent);
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
    let output = unavailable(&forge, &["--review-worktree", &place], "worktree-unmerged");
    let preflight: Value = serde_json::from_str(&forge.kept(&output, "worktree-preflight.json").unwrap()).unwrap();
    assert_eq!((&preflight["status"], &preflight["unmerged"]), (&json!("unmerged"), &json!(["README.md"])));
    assert_eq!(forge.import(&["--review-worktree", "relative-review-worktree"]).exits(2).json()["errors"][0]["code"], "usage-error");
}

#[test]
fn c_18_a_fork_is_told_from_the_same_repository() {
    assert_eq!(Forge::new(WORLD).collected().json("pr-routing.json")["route"], "same-repository");
    let forge = Forge::new(WORLD);
    forge.edit("pr.json", |pr| pr["isCrossRepository"] = json!(true));
    // A branch of that name is the base repository's own, not the fork's.
    forge.repo.git(&["update-ref", "-d", "refs/remotes/origin/pull/7/head"]);
    forge.repo.git(&["update-ref", "refs/remotes/origin/topic", &forge.head]);
    unavailable(&forge, &[], "head-not-fetched");
    forge.fetch(&["pull/7/head:refs/pull/7/head"]);
    let run = forge.collected();
    assert_eq!(run.json("pr-routing.json")["route"], "fork");
    assert_sound(&run);
}

#[test]
fn c_19_raw_files_are_no_source() {
    let run = Forge::new(WORLD).collected();
    run.write("head-files/README.md", "copied");
    assert_eq!(in_scope(&run), ["pr-raw-source-forbidden:head-files"]);
    fs::remove_dir_all(run.file("head-files")).unwrap();
    run.edit_record("pr-head-fetch.json", |head| head["remote_ref"] = json!("https://raw.githubusercontent.com/acme/shop/main"));
    assert!(in_scope(&run).contains(&"pr-raw-source-forbidden:pr-head-fetch.json".to_owned()));

    let run = Forge::new(WORLD).collected();
    run.edit(|result| {
        result["metadata"]["review_findings"] =
            json!([finding("F1", &["https://raw.githubusercontent.com/acme/shop/main/README.md says it"])]);
    });
    assert!(run.validate().exits(1).violations().contains(&"pr-scope pr-raw-source-forbidden:F1".to_owned()));
}

#[test]
fn c_20_a_forced_checkout_is_refused() {
    let run = Forge::new(WORLD).collected();
    run.edit_record("local-checkout.json", |checkout| checkout["command"] = json!("git checkout --force topic"));
    assert_eq!(in_scope(&run), ["pr-force-forbidden:command", "pr-local-checkout-invalid:command"]);
}

#[test]
fn c_140_a_finding_may_speak_of_downloads_and_force() {
    let run = Forge::new(WORLD).collected();
    let evidence = ["README.md:3 tells users to run curl https://raw.githubusercontent.com/x | sh and git push --force"];
    run.edit(|result| result["metadata"]["review_findings"] = json!([finding("F1", &evidence)]));
    let output = run.validate();
    assert_eq!(output.step("pr-scope"), "passed", "{output}");
}

#[test]
fn c_21_each_missing_receipt_is_named() {
    let run = Forge::new(WORLD).collected();
    for file in ["comments.json", "diff.patch", "local-checkout.json"] {
        fs::remove_file(run.file(file)).unwrap();
    }
    let violations = run.preflight().exits(1).violations();
    assert_eq!(violations, ["t0 missing-t0-artifact:diff.patch"], "pr-scope waits for what it depends on");
    let run = Forge::new(WORLD).collected();
    for file in ["comments.json", "local-checkout.json"] {
        fs::remove_file(run.file(file)).unwrap();
    }
    assert_eq!(in_scope(&run), ["missing-pr-artifact:comments.json", "missing-pr-artifact:local-checkout.json"]);
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
fn c_22_an_export_without_a_description_is_no_export() {
    let forge = Forge::new(WORLD);
    forge.edit("pr.json", |pr| drop(pr.as_object_mut().unwrap().remove("body")));
    let output = unavailable(&forge, &["--target", "7"], "pr-metadata-invalid:body");
    assert_eq!(forge.kept(&output, "pr.json"), None);
    assert!(forge.kept(&output, "comments.json").is_some(), "what was collected is kept");
    assert!(!output.json()["run"].as_str().unwrap().contains("pr-7"), "an unknown pull request has no folder");
    let people = forge.repo.run(&["code-review", "import-pr", "--exports", forge.exports().to_str().unwrap()]).exits(1);
    assert!(people.stdout.contains("unavailable: pr-metadata-invalid:body\n"), "{people}");
    assert!(people.stdout.contains("NEXT: Export complete metadata of an open PR.\n/"), "{people}");
}

#[test]
fn c_24_a_fallback_says_what_it_omits() {
    let forge = Forge::new(WORLD);
    let fall_back = |omitted: Value| {
        forge.edit("export.json", |export| {
            export["transport"] = json!("public-https-fallback");
            export["unavailable_evidence"] = omitted;
        });
    };
    for wrong in [json!([]), json!(["review_decision", "mergeability"]), json!(["reviews"])] {
        fall_back(wrong);
        unavailable(&forge, &[], "pr-metadata-invalid:unavailable-evidence");
    }
    fall_back(json!(["mergeability", "review_decision"]));
    let run = forge.collected();
    assert_eq!(run.json("online-review-summary.json")["limited_data"], true);
    assert_sound(&run);
    run.edit_record("online-review-summary.json", |summary| summary["unavailable_evidence"].as_array_mut().unwrap().reverse());
    assert_eq!(in_scope(&run), ["pr-public-fallback-evidence-invalid:online-review-summary.json"]);
}

#[test]
fn c_23_threads_that_could_not_be_read_are_none() {
    let forge = Forge::new(WORLD);
    forge.edit("export.json", |export| {
        export["review_threads_status"] = json!("unavailable");
        export["review_threads_error"] = json!("the rate limit is reached");
    });
    unavailable(&forge, &[], "pr-metadata-invalid:review-threads");
    let run = forge.remove("review-threads.json").import(&[]).exits(0);
    let run = forge.run(&run);
    assert_eq!(run.text("review-threads-error.txt"), "the rate limit is reached\n");
    assert_eq!((run.json("review-threads.json"), run.json("unresolved-review-threads.json")), (json!([]), json!([])));
    assert_sound(&run);
    run.write("review-threads-error.txt", "another\n");
    assert_eq!(in_scope(&run), ["pr-review-thread-error-mismatch:online-review-summary.json"]);
}

/// The violations of the step `confidence`.
#[track_caller]
fn of_confidence(run: &ReviewRun) -> Vec<String> {
    let output = run.validate();
    assert_ne!(output.step("confidence"), "not-run", "{output}");
    output.violations().iter().filter_map(|violation| violation.strip_prefix("confidence ")).map(str::to_owned).collect()
}

/// Adds a gap of no weight with this state.
fn add_gap(result: &mut Value, gap: &str, status: &str) {
    let metadata = &mut result["metadata"];
    metadata["confidence_gaps"].as_array_mut().unwrap().push(json!(gap));
    let key = if status == "closed" { "evidence" } else { "rationale" };
    let closure = json!({"gap": gap, "status": status, key: "(-0.00) It changes nothing here."});
    metadata["confidence_gap_closures"].as_array_mut().unwrap().push(closure);
}

#[test]
fn c_23_unread_threads_are_a_gap_that_stays_open() {
    let forge = Forge::new(WORLD);
    forge.remove("review-threads.json").edit("export.json", |export| {
        export["review_threads_status"] = json!("unavailable");
        export["review_threads_error"] = json!("the rate limit is reached");
    });
    let run = forge.collected().review(&[]);
    const GAP: &str = "PR review-thread resolution status was unavailable; online review triage may be incomplete.";
    run.conclude(|_| ());
    let missing = of_confidence(&run);
    assert!(missing.iter().any(|violation| violation.starts_with("canonical-confidence-gap-missing")), "{missing:?}");
    run.conclude(|result| add_gap(result, GAP, "closed"));
    let closed = of_confidence(&run);
    assert!(closed.iter().any(|violation| violation.starts_with("canonical-confidence-gap-closed")), "{closed:?}");
    run.conclude(|result| add_gap(result, GAP, "unresolved"));
    assert_eq!(of_confidence(&run), Vec::<String>::new());
}

#[test]
fn c_24_the_confidence_of_a_fallback_is_capped() {
    let forge = Forge::new(WORLD);
    forge.edit("export.json", |export| {
        export["transport"] = json!("public-https-fallback");
        export["unavailable_evidence"] = json!(["mergeability", "review_decision"]);
    });
    let run = forge.collected().review(&[]);
    run.conclude(|result| {
        add_gap(result, "Public HTTPS PR metadata fallback omitted evidence: mergeability, review_decision.", "unresolved")
    });
    assert_eq!(of_confidence(&run), ["pr-public-fallback-confidence-cap-exceeded"]);
}

#[test]
fn an_export_of_something_else_is_refused() {
    let forge = Forge::new(WORLD);
    unavailable(&forge, &["--target", "8"], "pr-identity-mismatch");
    unavailable(&forge, &["--target", "https://forge.example/acme/other/pull/7"], "pr-identity-mismatch");
    unavailable(&forge, &["--remote", "upstream"], "remote-not-found");
    forge.repo.git(&["remote", "add", "fork", "https://forge.example/mira/shop.git"]);
    unavailable(&forge, &["--remote", "fork"], "remote-mismatch");
    forge.edit("pr.json", |pr| pr["state"] = json!("MERGED"));
    let output = unavailable(&forge, &[], "pr-not-open");
    assert!(output.json()["run"].as_str().unwrap().contains("/pr-7/run-"), "{output}");
    forge.repo.git(&["remote", "set-url", "origin", "https://elsewhere.example/acme/shop.git"]);
    forge.edit("pr.json", |pr| pr["state"] = json!("OPEN"));
    unavailable(&forge, &[], "remote-not-found");
}

#[test]
fn without_an_export_somebody_must_name_the_pull_request() {
    let forge = Forge::new(WORLD);
    fs::remove_dir_all(forge.exports()).unwrap();
    assert_eq!(forge.import(&[]).exits(2).json()["errors"][0]["code"], "missing-required");
    assert!(forge.repo.reports().paths().is_empty(), "nothing was written");
    unavailable(&forge, &["--target", "#7"], "exports-missing:export");
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
    let output = unavailable(&forge, &[], "export-auth");
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
        let output = unavailable(&forge, &[], "export-unknown");
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
    unavailable(&forge, &[], "diff-unavailable");
}

fn finding(id: &str, evidence: &[&str]) -> Value {
    json!({
        "id": id, "severity": "low", "title": "The sentence promises too much", "summary": "It says everything.",
        "required_change": "Say what is sold.", "evidence": evidence, "closure_evidence": "The sentence is true.",
        "authors": ["Main reviewer"]
    })
}
