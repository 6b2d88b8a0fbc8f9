//! A pull request from its export to its report: C-123, C-131, C-139 (CR-123, CR-126, CR-129, CR-160).

use code_polishy_tests::{Forge, ReviewRun};
use serde_json::{Value, json};

use crate::WORLD;

/// The title as a link that makes no markup of its own.
const LINK: &str = "[#7 — Say what the shop sells | &#91;all&#93; of &lt;it&gt;](https://forge.example/acme/shop/pull/7)";

/// The draft of a hand-off whose snapshot is that of the pull request.
fn draft(run: &ReviewRun) -> Value {
    let mut draft = run.handoff_draft();
    let table = &mut draft["tables"][0];
    table["title"] = json!("PR Snapshot");
    let cells = [("PR", LINK), ("Author", "@mira"), ("CI", "passing"), ("Type", "docs"), ("Commit", ""), ("Suggestion", "approve")];
    for (row, (field, value)) in table["rows"].as_array_mut().unwrap().iter_mut().zip(cells) {
        row["id"] = json!(field);
        row["cells"] = json!([field, value]);
    }
    draft
}

#[test]
fn c_131_a_pull_request_goes_from_its_export_to_its_report() {
    let run = Forge::new(WORLD).collected().review(&[]);
    run.conclude(|_| ());
    assert_eq!(run.validate().step("pr-scope"), "passed");
    run.finalize(&draft(&run), &["--promote"]).exits(0);
    let path = run.path.display().to_string();
    let report = run.repo.run(&["code-review", "complete", "--run", &path]).exits(0);
    assert_eq!((report.stdout.as_str(), report.stderr.as_str()), (run.text("final.md").as_str(), ""));
    let head = run.started["head_oid"].as_str().unwrap().to_owned();
    for row in [
        &format!("| PR | {} |", LINK.replace('|', "\\|")),
        "| Author | @mira |",
        "| CI | passing |",
        &format!("| Commit | {head} |"),
        "| Suggestion | approve |",
    ] {
        assert!(report.stdout.contains(&format!("{row}\n")), "no {row} in {}", report.stdout);
    }
    let nested = run.command("complete", &["--nested"]).exits(0).json();
    assert_eq!((&nested["status"], &nested["final_sha256"]), (&json!("complete"), &json!(run.digest("final.md"))));
    let again = run.repo.run(&["code-review", "complete", "--run", &path]).exits(0);
    assert_eq!(again.stdout, report.stdout);
    let found = run.repo.run(&["--format", "json", "code-review", "find", "--target", "7"]).exits(0).json();
    assert_eq!((&found["status"], &found["run"]), (&json!("found"), &json!(path)));
}

#[test]
fn c_139_settings_and_replaced_commits_change_no_pull_request() {
    let runs = [false, true].map(|hostile| {
        let forge = Forge::new(WORLD);
        if hostile {
            forge.repo.git(&["replace", &forge.head, &forge.base]);
            forge.repo.write(".git/info/attributes", "* diff=evil filter=evil\n");
            for (key, value) in [
                ("url.https://elsewhere.example/.insteadOf", "https://forge.example/"),
                ("remote.origin.pushurl", "https://elsewhere.example/acme/shop.git"),
                ("filter.evil.smudge", "false"),
                ("diff.evil.textconv", "false"),
                ("core.hooksPath", "/nonexistent"),
                ("diff.noprefix", "true"),
            ] {
                forge.repo.git(&["config", key, value]);
            }
        }
        let run = forge.collected();
        run.preflight().passed(&["t0", "git-state", "pr-scope"]);
        let read = std::fs::read_to_string(run.worktree().join("README.md")).unwrap();
        (["diff.patch", "numstat.txt", "remote-selection.json", "pr-routing.json"].map(|file| run.text(file)), read)
    });
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn c_123_an_older_report_completes_and_is_not_the_current_one() {
    let run = Forge::new(WORLD).collected().review(&[]);
    run.conclude(|_| ());
    run.finalize(&draft(&run), &["--promote"]).exits(0);
    let result = run.file("result.json").display().to_string();
    let find = || run.repo.run(&["--format", "json", "code-review", "find", "--result", &result]);
    assert_eq!(find().exits(0).json()["status"], "found");
    let exports = run.repo.area("exports").display().to_string();
    let import = ["--format", "json", "code-review", "import-pr", "--producer-id", code_polishy_tests::PRODUCER, "--exports", &exports];
    let newer = run.repo.run(&import).exits(0).json();
    assert!(newer["run"].as_str().unwrap().ends_with("/pr-7/run-002"), "{newer}");
    run.command("complete", &["--nested"]).exits(0);
    assert_eq!(find().exits(1).errors(), ["matching-review-not-current"]);
}
