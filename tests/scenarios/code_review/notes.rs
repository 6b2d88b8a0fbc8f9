//! The notes of a review: C-91 to C-101, C-134 (CR-116 to CR-129).

use std::fs;

use code_polishy_tests::{Forge, Output, ReviewRun};
use serde_json::{Value, json};

use crate::WORLD;

const NOTES: &str = "review-notes.md";
const TABLE: &str = "Review Findings and Merge Blocks";

/// A routed run that the parent reviews alone, with green gates.
fn routed() -> ReviewRun {
    let run = ReviewRun::document(WORLD);
    run.route(&[]).exits(0);
    let green = ["--lint", "true", "--format-cmd", "true", "--types", "true", "--tests", "true", "--gate-env", "tests:SEED=7"];
    run.command("gates", &green).exits(0);
    run
}

/// A concluded run with a finding of the parent.
fn judged() -> ReviewRun {
    found("Say what is sold.")
}

/// The same with another change that is asked for.
fn found(required_change: &str) -> ReviewRun {
    let run = routed();
    let claim = claim(&run);
    run.conclude(|result| {
        result["findings"]["high"] = json!(1);
        let metadata = &mut result["metadata"];
        metadata["review_validation"]["candidates"] = json!([claim]);
        metadata["review_validation"]["source_verdict"] = json!("needs-more-work");
        metadata["review_decision"] =
            json!({"recommendation": "needs-more-work", "summary": "It promises too much.", "rationale": "F-1 stands."});
        metadata["reviewer_assessments"][0]["rating"] = json!(3);
        metadata["review_findings"] = json!([{
            "id": "F-1", "severity": "high", "title": "Sells what it has not", "summary": "Not everything is sold.",
            "required_change": required_change, "evidence": ["README.md:3"], "closure_evidence": "The sentence is true.",
            "authors": ["Main reviewer"]
        }]);
    });
    run
}

/// The claim that the finding confirms.
fn claim(run: &ReviewRun) -> Value {
    let mut claim = run.claim("F-1", "high", Some("confirmed"));
    claim["confirmation_evidence"] = json!("README.md:3 promises it.");
    claim
}

/// What the step `notes-data` finds after one change of right notes.
#[track_caller]
fn each_change_is_found(run: &ReviewRun, cases: &[(&str, &str, &str)]) {
    let right = run.text(NOTES);
    let output = run.validate().exits(1);
    assert_eq!(output.step("notes-data"), "passed", "{output}");
    for (text, other, expected) in cases {
        run.write(NOTES, &right).edit_notes(text, other);
        let output = run.validate().exits(1);
        assert_eq!(of_steps(&output, &["notes-data"]), [format!("notes-data {expected}")], "{text} -> {other}: {output}");
        let document = output.json();
        let violation = document["violations"].as_array().unwrap().iter().find(|violation| violation["step"] == "notes-data").unwrap();
        assert!(violation["file"] == NOTES && violation["line"].is_u64(), "{violation}");
    }
    run.write(NOTES, &right);
}

/// The violations of these steps.
#[track_caller]
fn of_steps(output: &Output, steps: &[&str]) -> Vec<String> {
    let violations = output.violations().into_iter();
    violations.filter(|violation| steps.iter().any(|step| violation.starts_with(&format!("{step} ")))).collect()
}

/// `<code> <line>` of the violations of a step.
#[track_caller]
fn lines_of(output: &Output, step: &str) -> Vec<String> {
    let document = output.json();
    let violations = document["violations"].as_array().expect("violations").iter();
    let of_step = violations.filter(|violation| violation["step"] == step);
    of_step.map(|violation| format!("{} {}", violation["code"].as_str().expect("a code"), violation["line"])).collect()
}

/// The line where this text begins, from 1.
#[track_caller]
fn line_of(run: &ReviewRun, text: &str) -> usize {
    let notes = run.text(NOTES);
    notes[..notes.find(text).expect("there")].matches('\n').count() + 1
}

#[test]
fn c_134_a_fresh_draft_leaves_open_what_only_the_author_knows() {
    let run = routed();
    let output = run.draft_notes(&[]).exits(0);
    let document = output.json();
    assert_eq!((&document["status"], &document["notes"], &document["changed"]), (&json!("drafted"), &json!(NOTES), &json!(true)));
    assert_eq!(document["sha256"], json!(run.digest(NOTES)));
    let notes = run.text(NOTES);
    for line in ["- `README.md`", "Tier: TRIVIAL", "Target: working tree", "Source rating version: 1", "none"] {
        assert!(notes.lines().any(|found| found == line), "no {line} in {notes}");
    }
    assert!(notes.contains(&format!("`specialist-manifest.json` sha256 {}\n", run.digest("specialist-manifest.json"))), "{notes}");
    let gaps = output.gaps();
    for gap in [
        "Decision Summary: Recommendation",
        "Review Snapshot: one of fix",
        "Main Reviewer Assessment: Rating",
        "Findings: each finding under its id",
    ] {
        assert!(gaps.iter().any(|found| found == gap), "no {gap} in {gaps:?}");
    }
    let lines: Vec<&str> = notes.lines().collect();
    for gap in document["left"].as_array().expect("gaps") {
        let line = usize::try_from(gap["line"].as_u64().expect("a line")).expect("small");
        assert!(lines[line - 1].contains(gap["what"].as_str().expect("words")), "{gap}");
    }
    let violations = of_steps(&run.edit(|_| ()).validate().exits(1), &["notes"]);
    assert!(violations.contains(&"notes review-notes-section-empty:Decision Summary".to_owned()), "{violations:?}");
    assert!(!violations.iter().any(|violation| violation.contains("missing")), "{violations:?}");
}

#[test]
fn c_134_a_draft_over_edited_notes_fills_gaps_and_keeps_what_is_written() {
    let run = routed();
    run.draft_notes(&[]).exits(0);
    run.edit_notes("<!-- to write: Rationale: why the verdict follows -->", "Rationale: in my own words");
    run.edit_notes("## Scope\n", "## My own section\n\n```\n## Scope\n```\n\n## Scope\n\n<!-- mine -->\n");
    let edited = run.text(NOTES);
    assert_eq!(run.draft_notes(&[]).exits(0).json()["changed"], false);
    assert_eq!(run.text(NOTES), edited);

    let metadata = run.repo.area("metadata.json");
    fs::write(&metadata, run.accepted()["metadata"].to_string()).unwrap();
    let output = run.draft_notes(&["--metadata", metadata.to_str().unwrap()]).exits(0);
    assert_eq!(output.json()["changed"], true);
    let notes = run.text(NOTES);
    let own: Vec<&str> = edited.lines().filter(|line| !line.contains("<!-- to write: ")).collect();
    let mut rest = notes.lines();
    for line in own {
        assert!(rest.any(|found| found == line), "{line:?} is gone in {notes}");
    }
    assert!(notes.contains("\nRationale: in my own words\n") && !notes.contains("The document matches the code."), "{notes}");
    for line in ["Recommendation: accept-as-is", "Rating: 1", "No confirmed findings remain.", "0.95", "| Suggestion | approve |"] {
        assert!(notes.lines().any(|found| found == line), "no {line} in {notes}");
    }
    run.write("result.candidate.json", run.accepted().to_string()).draft_notes(&[]).exits(0);
    assert_eq!(run.text(NOTES), notes, "the candidate says what the metadata said");
}

#[test]
fn c_134_written_notes_pass() {
    let accepted = routed();
    accepted.conclude(|_| ());
    for run in [judged(), accepted] {
        let output = run.validate().exits(1);
        assert_eq!(
            of_steps(&output, &["notes", "assessments", "findings", "notes-data", "action-table"]),
            Vec::<String>::new(),
            "{output}"
        );
        output.passed(&["notes", "assessments", "findings", "action-table"]);
        assert_eq!(run.draft_notes(&[]).exits(0).gaps(), Vec::<String>::new());
    }
}

#[test]
fn people_read_what_is_left() {
    let run = routed();
    let path = run.path.display().to_string();
    let output = run.repo.run(&["code-review", "notes", "--run", &path, "--draft"]).exits(0);
    let line = line_of(&run, "<!-- to write: Docstring style");
    let output = output.says(&format!("{NOTES}:{line}: Files Inspected: Docstring style: what was observed, or `not applicable` and why"));
    assert_eq!(output.after("notes: "), format!("{path}/{NOTES}"));
    assert!(output.next().contains("draft again"), "{output}");
    run.conclude(|_| ());
    let output = run.repo.run(&["code-review", "notes", "--run", &path, "--draft"]).exits(0).says("left to write: 0 gaps");
    assert!(output.next().contains("validate"), "{output}");
}

#[test]
fn notes_that_cannot_be_drafted_stay_as_they_are() {
    let run = routed();
    let bad = run.repo.area("bad.json");
    fs::write(&bad, "{\"a\": 1, \"a\": 2}").unwrap();
    fs::write(run.repo.area("list.json"), "[]").unwrap();
    for (file, expected) in [("bad.json", "usage-error"), ("list.json", "usage-error"), ("absent.json", "usage-error")] {
        let file = run.repo.area(file).display().to_string();
        assert_eq!(run.draft_notes(&["--metadata", &file]).exits(2).json()["errors"][0]["code"], expected, "{file}");
    }
    run.command("notes", &[]).exits(2);
    assert!(!run.file(NOTES).exists());

    for (notes, expected) in
        [(&b"## Scope\n\n\xff\n"[..], "run-text-not-utf8"), (b"## Scope\n\n```\nnot closed\n", "review-notes-section-missing")]
    {
        run.write(NOTES, notes);
        let document = run.draft_notes(&[]).exits(1).json();
        assert_eq!((&document["errors"][0]["code"], &document["run"]), (&json!(expected), &json!(run.path)));
        assert_eq!(fs::read(run.file(NOTES)).unwrap(), notes);
    }
    fs::remove_file(run.file("status.txt")).unwrap();
    assert_eq!(run.write(NOTES, "").draft_notes(&[]).exits(1).json()["errors"][0]["code"], "missing-t0-artifact");
}

#[test]
fn the_notes_of_a_report_are_not_drafted() {
    let run = routed();
    run.write("result.json", "{}");
    assert_eq!(run.draft_notes(&[]).exits(1).json()["errors"][0]["code"], "review-already-promoted");
    assert!(!run.file(NOTES).exists());
}

#[test]
fn c_91_a_section_is_a_heading_of_level_two_with_a_body_once() {
    let run = routed();
    run.conclude(|_| ());
    let right = run.text(NOTES);
    let cases = [
        ("## Findings\n", "### Findings\n", "notes review-notes-section-missing:Findings", None),
        ("## Findings\n", "```\n## Findings\n```\n", "notes review-notes-section-missing:Findings", None),
        ("## Scope\n", "## Scope\n\n## Another\n", "notes review-notes-section-empty:Scope", Some("## Scope")),
        (
            "## Risk Tier\n",
            "## Scope\n\nAgain.\n\n## Risk Tier\n",
            "notes review-notes-section-duplicate:Scope",
            Some("## Scope\n\nAgain."),
        ),
    ];
    for (text, other, expected, at) in cases {
        run.write(NOTES, &right).edit_notes(text, other);
        let output = run.validate().exits(1);
        assert_eq!(of_steps(&output, &["notes"]), [expected], "{output}");
        let line = at.map_or_else(|| "null".to_owned(), |text| line_of(&run, text).to_string());
        assert!(lines_of(&output, "notes")[0].ends_with(&format!(" {line}")), "{output}");
    }
}

#[test]
fn c_92_an_action_has_one_row_in_a_table_of_the_exact_form() {
    let run = judged();
    let right = run.text(NOTES);
    let row = right.lines().find(|line| line.starts_with("| F-1 |")).expect("a row").to_owned();
    let head = "| Finding / area | Author | Required change | Evidence | Status |\n| --- | --- | --- | --- | --- |\n";
    let twice = format!("{row}\n{row}\n");
    let cases = [
        (format!("{row}\n"), String::new(), "review-findings-action-table-identity-coverage-mismatch"),
        ("| F-1 |".to_owned(), "| F-9 |".to_owned(), "review-findings-action-table-identity-unbound:F-9"),
        (
            "| --- | --- | --- | --- | --- |".to_owned(),
            "| -- | --- | --- | --- | --- |".to_owned(),
            "review-findings-action-table-divider-invalid",
        ),
        ("| Finding / area |".to_owned(), "| Finding |".to_owned(), "review-findings-action-table-header-mismatch"),
        (format!("{row}\n"), twice, "review-findings-action-table-identity-duplicate:F-1"),
        ("| Main reviewer |".to_owned(), "| Somebody |".to_owned(), "review-findings-action-table-authors-mismatch:F-1"),
        ("| README.md:3 |".to_owned(), "| README.md:4 |".to_owned(), "review-findings-action-table-content-mismatch:F-1"),
        ("| Say what is sold. |".to_owned(), "| |".to_owned(), "review-findings-action-table-cell-empty:F-1"),
    ];
    assert!(right.contains(&format!("## {TABLE}\n\n{head}{row}\n")), "{right}");
    for (text, other, expected) in cases {
        run.write(NOTES, &right).edit_notes(&text, &other);
        let violations = of_steps(&run.validate().exits(1), &["action-table"]);
        assert!(violations.contains(&format!("action-table {expected}")), "{expected} in {violations:?}");
    }
}

#[test]
fn c_93_an_action_is_open() {
    let run = judged();
    let right = run.text(NOTES);
    for (status, expected) in [
        ("Implemented", Some("action-table review-action-status-closed:F-1")),
        ("Fixme", Some("action-table review-action-status-invalid:F-1")),
        ("Implemented; verify", None),
        ("Not aligned", None),
    ] {
        run.write(NOTES, &right).edit_notes("| Required |\n", &format!("| {status} |\n"));
        assert_eq!(of_steps(&run.validate().exits(1), &["action-table"]), Vec::from_iter(expected), "{status}");
    }
}

#[test]
fn c_94_cells_hold_pipes_and_line_feeds() {
    let run = found("Say a | b\nor c \\ d |");
    assert!(run.text(NOTES).contains("| Say a \\| b<br>or c \\\\ d \\| |"), "{}", run.text(NOTES));
    run.validate().exits(1).passed(&["notes", "action-table"]);
}

#[test]
fn c_95_a_table_without_actions_is_forbidden_and_actions_without_one_lack_it() {
    let run = routed();
    run.conclude(|result| {
        result["metadata"]["review_decision"]["recommendation"] = json!(null);
        result["metadata"]["review_validation"]["source_verdict"] = json!(null);
    });
    run.edit_notes("## Review Snapshot\n", &format!("## {TABLE}\n\n| A |\n| --- |\n\n## Review Snapshot\n"));
    let violations = of_steps(&run.validate().exits(1), &["notes"]);
    assert_eq!(violations, [format!("notes review-notes-table-forbidden:{TABLE}")]);

    let run = judged();
    let notes = run.text(NOTES);
    let (start, end) = (notes.find(&format!("## {TABLE}")).unwrap(), notes.find("## Review Snapshot").unwrap());
    let table = &notes[start..end];
    run.write(NOTES, notes.replacen(table, "", 1));
    let output = run.validate().exits(1);
    assert_eq!(of_steps(&output, &["notes", "action-table"]), ["action-table review-missing-findings-action-table"]);
    run.write(NOTES, notes.replacen(table, "", 1) + "\n" + table);
    assert_eq!(of_steps(&run.validate().exits(1), &["notes"]), [format!("notes review-notes-table-misplaced:{TABLE}")]);
}

#[test]
fn c_96_deep_branches_are_claims_like_all_others() {
    let run = judged();
    run.edit_record("result.candidate.json", |result| {
        let finding = &mut result["metadata"]["review_findings"][0];
        finding["title"] = json!("Branches nest five deep");
        finding["summary"] = json!("The docstring explains the steps that functions should name.");
    });
    run.validate().exits(1).passed(&["findings", "candidates", "evidence", "decision", "notes-data", "action-table"]);
    run.edit_record("result.candidate.json", |result| result["metadata"]["review_findings"][0]["evidence"] = json!(["the branches nest"]));
    let violations = of_steps(&run.validate().exits(1), &["evidence"]);
    assert_eq!(violations, ["evidence review-blocking-evidence-missing:F-1"]);
}

#[test]
fn c_97_a_gap_leaves_a_risk() {
    let risk = "review-notes-residual-risk-missing:No-Finding Residual Risks";
    let text = "## No-Finding Residual Risks\n\nIt was read as a whole.";
    each_change_is_found(
        &judged(),
        &[(text, "## No-Finding Residual Risks\n\nnone", risk), (text, "## No-Finding Residual Risks\n\nNone.", risk)],
    );
}

#[test]
fn c_98_every_file_and_four_observations_are_told() {
    each_change_is_found(
        &judged(),
        &[
            ("Docstring style: It was read as a whole.\n", "", "review-notes-inspection-line-missing:Docstring style"),
            (
                "Reproducibility: It was read as a whole.",
                "Reproducibility: not applicable",
                "review-notes-inspection-line-missing:Reproducibility",
            ),
            ("- `README.md`\n", "- `README.md.bak`\n", "review-notes-path-missing:README.md"),
        ],
    );
}

#[test]
fn c_101_the_snapshot_shows_the_commit_below_a_local_change() {
    let run = judged();
    let commit = run.repo.head();
    let local = format!("| Commit | {commit} (working-tree base) |");
    let short = format!("| Commit | {} (working-tree base) |", &commit[..12]);
    each_change_is_found(
        &run,
        &[
            (&local, &short, "review-notes-snapshot-mismatch:Commit"),
            (&local, &format!("| Commit | {commit} |"), "review-notes-snapshot-mismatch:Commit"),
            ("| Suggestion | major revision |", "| Suggestion | approve |", "review-notes-snapshot-mismatch:Suggestion"),
            ("| Type | docs |", "| Type | bugfix |", "review-notes-snapshot-mismatch:Type"),
            ("| CI | unavailable |\n", "", "review-notes-snapshot-mismatch:Review Snapshot"),
            ("Legend: 1", "Legend: 0", "review-notes-snapshot-mismatch:Legend"),
        ],
    );
}

#[test]
fn what_the_notes_repeat_they_repeat_exactly() {
    each_change_is_found(
        &judged(),
        &[
            ("Recommendation: needs-more-work", "Recommendation: reject", "review-notes-decision-mismatch:Recommendation"),
            ("Target: working tree", "Target: all", "review-notes-scope-mismatch:target_label"),
            ("Tier: TRIVIAL", "Tier: LOCAL", "review-notes-tier-mismatch:TRIVIAL"),
            ("## Specialist Passes\n\nnone", "## Specialist Passes\n\n- Squeezer", "review-notes-pass-mismatch:Specialist Passes"),
            ("### F-1:", "### F-2:", "review-notes-findings-mismatch:Findings"),
            ("### Recovery Actions", "### Recovery", "review-notes-confidence-mismatch:Recovery Actions"),
            ("Tests gate command: true", "Tests gate command: false", "review-notes-tests-command-missing:tests"),
            ("Gate environment: tests:SEED=7\n", "", "review-notes-gate-environment-missing:tests:SEED=7"),
        ],
    );
}

#[test]
fn an_operation_in_progress_is_drafted_into_the_scope() {
    let repo = ReviewRun::repository(WORLD);
    repo.git(&["switch", "--quiet", "--create", "topic"]);
    let topic = repo.write("README.md", "# Ours\n").commit("Topic");
    repo.git(&["switch", "--quiet", "main"]);
    repo.write("README.md", "# Theirs\n").commit("Main");
    assert!(!repo.program("git", &["merge", "--quiet", "topic"]).output().unwrap().status.success());
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    run.draft_notes(&[]).exits(0);
    let line = format!("In-progress operation: merge {topic}; left untouched");
    assert!(run.text(NOTES).lines().any(|found| found == line), "{}", run.text(NOTES));
}

#[test]
fn c_99_every_item_of_the_online_reviews_is_answered() {
    let run = Forge::new(WORLD).collected().review(&[]);
    run.conclude(|_| ());
    let notes = run.text(NOTES);
    let row = notes.lines().find(|line| line.starts_with("| PRRT_1")).unwrap_or_else(|| panic!("no row in {notes}"));
    let item = row[2..].split(' ').next().unwrap();
    each_change_is_found(
        &run,
        &[
            (&format!("{row}\n"), "", &format!("online-triage-item-missing:{item}")),
            (row, &row.replace("refuted", "solved"), &format!("online-triage-disposition-invalid:{item}")),
            (row, &row.replace("refuted", "confirmed:F-1"), &format!("online-triage-disposition-invalid:{item}")),
        ],
    );
}

#[test]
fn c_100_text_of_the_forge_makes_no_markup() {
    let check = |name: &str, status: &str, conclusion: &str| json!({"__typename": "CheckRun", "name": name, "status": status, "conclusion": conclusion});
    for (checks, expected) in [
        (json!([]), "unavailable"),
        (json!([check("slow", "QUEUED", ""), check("test <1>", "COMPLETED", "FAILURE")]), "failing — test &lt;1&gt;"),
        (json!([check("slow", "QUEUED", ""), check("build", "COMPLETED", "SUCCESS")]), "pending — slow"),
    ] {
        let forge = Forge::new(WORLD);
        forge.edit("pr.json", |pull| {
            pull["title"] = json!("[x] <b> | `c`");
            pull["statusCheckRollup"] = checks;
        });
        let head = forge.head.clone();
        let run = forge.collected();
        run.draft_notes(&[]).exits(0);
        let notes = run.text(NOTES);
        for line in [
            "| PR | [#7 — &#91;x&#93; &lt;b&gt; \\| &#96;c&#96;](https://forge.example/acme/shop/pull/7) |",
            "| Author | @mira |",
            &format!("| CI | {expected} |"),
            &format!("| Commit | {head} |"),
        ] {
            assert!(notes.lines().any(|found| found == line), "no {line} in {notes}");
        }
    }
}

#[test]
fn the_command_that_replaced_a_failed_one_is_told() {
    let run = ReviewRun::document(WORLD);
    run.route(&[]).exits(0);
    let gates =
        |options: &[&str]| run.command("gates", &[&["--lint", "true", "--format-cmd", "true", "--types", "true"], options].concat());
    gates(&["--tests", "false"]).exits(1);
    gates(&["--tests", "true", "--changed-command", "the suite was renamed"]).exits(0);
    run.conclude(|result| {
        let gap = "The command of the tests gate was changed after a failure.";
        let metadata = &mut result["metadata"];
        metadata["confidence_gaps"].as_array_mut().unwrap().push(json!(gap));
        let closure = json!({"gap": gap, "status": "unresolved", "rationale": "(-0.00) It was renamed."});
        metadata["confidence_gap_closures"].as_array_mut().unwrap().push(closure);
    });
    let line = "Changed command: tests: the suite was renamed\n";
    each_change_is_found(
        &run,
        &[
            (line, "", "review-notes-confidence-mismatch:tests: the suite was renamed"),
            (
                line,
                "Changed command: tests: it was red\n\nChanged command: tests: the suite was renamed\n",
                "review-notes-confidence-mismatch:Changed command",
            ),
        ],
    );
}
