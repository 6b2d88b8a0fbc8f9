//! Finding a report: C-65, C-124 to C-126, C-128's intake (CR-179 to CR-185, CR-198).

use std::fs;
use std::path::PathBuf;

use code_polishy_tests::{Output, Repo, ReviewRun, Snapshot, sha256};
use serde_json::{Value, json};

use crate::WORLD;

const REPORTS: &str = ".code-polishy-reports/code-review";

/// A file of a run of the pull request 7, or of a flat run.
fn write(repo: &Repo, run: &str, file: &str, content: &str) {
    repo.write(&format!("{REPORTS}/{run}/{file}"), content);
}

fn pull_request(repo: &Repo, run: &str) {
    write(repo, run, "pr.json", r#"{"number": 7, "url": "https://forge.example/acme/shop/pull/7"}"#);
}

fn result(repo: &Repo, run: &str, review_status: Option<&str>) {
    pull_request(repo, run);
    let metadata = review_status.map_or_else(|| json!({}), |status| json!({"review_status": status}));
    write(repo, run, "result.json", &json!({"schema_version": 3, "metadata": metadata}).to_string());
}

fn find(repo: &Repo, options: &[&str]) -> Output {
    let before = Snapshot::of(&repo.path(REPORTS));
    let output = repo.run(&[&["--format", "json", "code-review", "find"], options].concat());
    assert_eq!(Snapshot::of(&repo.path(REPORTS)), before, "nothing is written");
    output
}

/// The code that stands before a report.
fn refusal(repo: &Repo, options: &[&str]) -> String {
    find(repo, options).exits(1).errors().remove(0)
}

#[test]
fn c_124_what_is_newer_stands_before_a_report() {
    for (newer, expected) in [
        ("notes", "matching-review-incomplete"),
        ("candidate", "matching-review-candidate-unpromoted"),
        ("closed", "matching-review-closed-not-remediable"),
        ("invalid", "invalid-review-report-rerun-code-review"),
    ] {
        let repo = ReviewRun::repository(WORLD);
        result(&repo, "pr-7/run-001", None);
        match newer {
            "notes" => write(&repo, "pr-7/run-002", "review-notes.md", "# Notes\n"),
            "candidate" => write(&repo, "pr-7/run-002", "result.candidate.json", "{}"),
            "closed" => result(&repo, "pr-7/run-002", Some("closed")),
            _ => write(&repo, "pr-7/run-002", "result.json", "{"),
        }
        for target in ["7", "#7", "https://forge.example/acme/shop/pull/7"] {
            assert_eq!(refusal(&repo, &["--target", target]), expected, "{newer}");
        }
    }
}

#[test]
fn c_124_an_unavailable_result_hides_no_older_one() {
    let repo = ReviewRun::repository(WORLD);
    assert_eq!(refusal(&repo, &["--target", "7"]), "missing-matching-review-report");
    result(&repo, "pr-7/run-002", Some("unavailable"));
    assert_eq!(refusal(&repo, &["--target", "7"]), "matching-review-unavailable-rerun-code-review");
    result(&repo, "pr-7/run-001", None);
    let output = find(&repo, &["--target", "7"]).exits(1);
    assert_eq!(output.errors()[0], "invalid-review-report-rerun-code-review");
    assert!(output.stdout.contains("run-001"), "the older one is judged: {output}");
}

#[test]
fn runs_are_ordered_by_their_numbers_and_flat_ones_are_older() {
    let repo = ReviewRun::repository(WORLD);
    result(&repo, "2026-01-01T00-00-00-000000Z", Some("closed"));
    assert_eq!(refusal(&repo, &["--target", "7"]), "matching-review-closed-not-remediable");
    assert_eq!(refusal(&repo, &["--target", "https://forge.example/acme/other/pull/7"]), "missing-matching-review-report");
    result(&repo, "pr-7/run-999", None);
    write(&repo, "pr-7/run-1000", "review-notes.md", "# Notes\n");
    assert_eq!(refusal(&repo, &["--target", "7"]), "matching-review-incomplete");
    for ignored in ["pr-7/run-01", "pr-7/run-0001", "pr-7/run-000", "pr-8/run-001", "elsewhere"] {
        write(&repo, ignored, "result.candidate.json", "{}");
    }
    assert_eq!(refusal(&repo, &["--target", "7"]), "matching-review-incomplete");
    write(&repo, "pr-7/run-1000", "pr.json", "{");
    assert_eq!(refusal(&repo, &["--target", "7"]), "invalid-review-report-rerun-code-review", "it may be about anything");
}

#[test]
fn c_125_a_run_that_discarded_its_candidate_is_passed_over() {
    let repo = ReviewRun::repository(WORLD);
    result(&repo, "pr-7/run-001", Some("closed"));
    pull_request(&repo, "pr-7/run-002");
    write(&repo, "pr-7/run-002", "result.candidate.json", "{}");
    assert_eq!(refusal(&repo, &["--target", "7"]), "matching-review-candidate-unpromoted");
    repo.remove(&format!("{REPORTS}/pr-7/run-002/result.candidate.json"));
    write(&repo, "pr-7/run-002", "discarded/001/discard.json", "{}");
    assert_eq!(refusal(&repo, &["--target", "7"]), "matching-review-closed-not-remediable");
}

#[test]
fn c_126_an_earlier_family_is_shown_and_never_certified() {
    let repo = ReviewRun::repository(WORLD);
    let run = ReviewRun::start(repo, &["--scope", "path", "--target", "src"]);
    run.write("result.json", r#"{"schema_version": 2, "metadata": {"scope": "pr"}}"#);
    let file = run.file("result.json").display().to_string();
    assert_eq!(refusal(&run.repo, &["--result", &file]), "historical-review-unverified-archive");
    let document = find(&run.repo, &["--archive-result", &file]).exits(0).json();
    assert_eq!(
        (&document["status"], &document["schema_version"], &document["scope"]),
        (&json!("unverified-archive"), &json!(2), &json!("pr"))
    );
    run.write("result.json", r#"{"schema_version": 1}"#);
    assert_eq!(refusal(&run.repo, &["--archive-result", &file]), "historical-review-archive-schema-invalid");
    let other = run.file("run.json").display().to_string();
    assert_eq!(refusal(&run.repo, &["--archive-result", &other]), "historical-review-archive-path-invalid");
    assert_eq!(refusal(&run.repo, &["--result", &other]), "invalid-review-result-path");
}

/// A promoted review with one finding.
fn promoted() -> ReviewRun {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| run.record(result, "K-1", "low", Some("confirmed")));
    run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
    run
}

#[test]
fn a_promoted_report_is_found_as_long_as_it_holds() {
    let run = promoted();
    let file = run.file("result.json").display().to_string();
    let document = find(&run.repo, &["--result", &file]).exits(0).json();
    assert_eq!((&document["status"], &document["result"], &document["scope"]), (&json!("found"), &json!(file), &json!("working-tree")));
    let path = run.repo.run(&["code-review", "find", "--result", &file, "--path-only"]).exits(0);
    assert_eq!(PathBuf::from(path.stdout.trim_end()), run.file("result.json"));
    run.repo.write("src/later.rs", "// later\n");
    run.repo.git(&["add", "src/later.rs"]);
    find(&run.repo, &["--result", &file]).exits(0);
    run.write("review-notes.md", run.text("review-notes.md") + " ");
    assert_eq!(refusal(&run.repo, &["--result", &file]), "invalid-review-report-rerun-code-review");
}

#[test]
fn all_that_a_report_holds_about_a_finding_is_found() {
    let run = promoted();
    let path = run.path.display().to_string();
    let evidence = |id: &str| find(&run.repo, &["--finding-evidence", id, "--run", &path]);
    let document = evidence("K-1").exits(0).json();
    assert_eq!((&document["obligation"], &document["finding"]["id"]), (&json!("fix"), &json!("K-1")));
    let file = run.text("result.json");
    let result: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(document["finding"], result["metadata"]["review_findings"][0]);
    assert_eq!(evidence("K-9").exits(1).errors(), ["finding-id-unknown"]);
    assert_eq!(run.digest("result.json"), sha256(&file));
    let prior = find(&run.repo, &["--prior-resolutions", "--run", &path]);
    assert_eq!(prior.exits(1).errors(), ["prior-resolutions-run-invalid"]);
}

#[test]
fn exactly_one_thing_is_looked_for() {
    let repo = ReviewRun::repository(WORLD);
    for options in [&[][..], &["--target", "7", "--result", "x"], &["--finding-evidence", "K-1"], &["--prior-resolutions"]] {
        repo.run(&[&["code-review", "find"], options].concat()).exits(2);
    }
    assert_eq!(repo.run(&["--format", "json", "code-review", "find", "--target", "seven"]).exits(2).errors(), ["usage-error"]);
    fs::create_dir_all(repo.path(REPORTS)).unwrap();
    assert_eq!(refusal(&repo, &["--target", "7"]), "missing-matching-review-report");
}

#[test]
fn c_65_a_broken_finding_is_refused_alike() {
    let listed = |finding: &mut Value| finding["closure_evidence"] = json!(["a", "b"]);
    let unknown = |finding: &mut Value| finding["priority"] = json!(1);
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| run.record(result, "K-1", "low", Some("confirmed")));
    let draft = run.handoff_draft();
    let candidate = run.json("result.candidate.json");
    for change in [&listed as &dyn Fn(&mut Value), &unknown] {
        let mut broken = candidate.clone();
        change(&mut broken["metadata"]["review_findings"][0]);
        run.write("result.candidate.json", broken.to_string());
        let metadata = run.repo.area("metadata-draft.json");
        fs::write(&metadata, broken["metadata"].to_string()).unwrap();
        for output in [run.validate(), run.finalize(&draft, &[])] {
            let violations = output.exits(1).violations();
            assert!(violations.contains(&"findings review-finding-record-invalid".to_owned()), "{violations:?}");
        }
        fs::remove_file(metadata).unwrap();
    }
    let run = promoted();
    run.edit_record("result.json", |result| listed(&mut result["metadata"]["review_findings"][0]));
    let file = run.file("result.json").display().to_string();
    let codes = find(&run.repo, &["--result", &file]).exits(1).errors();
    assert!(codes.iter().any(|code| code.starts_with("review-finding-record-invalid")), "{codes:?}");
}
