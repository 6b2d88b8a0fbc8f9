//! The hand-off, its report, and finalizing a run: C-7, C-101, C-102, C-115 to C-120, C-132, C-137 (CR-149 to CR-171, CR-203, CR-204).

use std::fs;

use code_polishy_tests::{Killed, Output, PRODUCER, Repo, ReviewRun, Snapshot};
use serde_json::{Value, json};

use crate::WORLD;

/// A concluded review that accepts the change.
fn accepted() -> ReviewRun {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|_| ());
    run
}

/// A concluded review with a claim of this disposition.
fn claimed(disposition: Option<&str>) -> ReviewRun {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| {
        run.record(result, "C-1", "medium", disposition);
        let metadata = &mut result["metadata"];
        if disposition == Some("unverified") {
            metadata["review_validation"]["verification_readiness"] = json!("blocked");
            let rationale = format!("{} C-1 is open.", metadata["review_decision"]["rationale"].as_str().unwrap());
            metadata["review_decision"]["rationale"] = json!(rationale);
            result["status"] = json!("fail");
        }
    });
    run
}

/// The violations of the steps of the hand-off.
fn of_handoff(output: &Output) -> Vec<String> {
    let is_asked = |violation: &String| ["handoff ", "handoff-data ", "render "].iter().any(|step| violation.starts_with(step));
    output.violations().into_iter().filter(is_asked).collect()
}

fn stages(output: &Output) -> Vec<String> {
    let steps = output.json()["steps"].take();
    let shown = |stage: &Value| format!("{} {}", stage["step"].as_str().unwrap(), stage["status"].as_str().unwrap());
    steps.as_array().unwrap().iter().map(shown).collect()
}

/// C-117: the printed examples of the layout.
#[test]
fn c_117_equal_hand_offs_render_to_equal_bytes() {
    let repo = Repo::new(WORLD);
    for name in ["needs-more-work", "accept-as-is", "unavailable", "closed"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugins/handoff/tests");
        let handoff: Value = serde_json::from_slice(&fs::read(format!("{folder}/{name}.json")).unwrap()).unwrap();
        let golden = fs::read_to_string(format!("{folder}/{name}.md")).unwrap();
        let input = json!({"report": handoff}).to_string();
        for _ in 0..2 {
            let drawn = repo.run_with_input(&["plugin", "run", "report-renderer", "handoff", "--input", "-", "--format", "json"], &input);
            assert_eq!(drawn.exits(0).json()["run"]["answer"]["artifacts"][0]["content"], golden, "{name}");
        }
    }
}

#[test]
fn a_review_is_finalized_promoted_and_handed_over() {
    let run = accepted();
    let output = run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
    let document = output.json();
    let stages = stages(&output);
    assert!(stages.iter().all(|stage| stage.ends_with(" passed")) && stages.len() == 7, "{stages:?}");
    assert_eq!((&document["promoted"], &document["change_readiness"]), (&json!(true), &json!("ready")));
    assert_eq!(document["edits"], json!([]), "a blank cell is filled, not written over: {document}");
    let report = run.text("final.md");
    assert!(
        report.starts_with("No source changes are needed before this change can be accepted. No source changes identified"),
        "{report}"
    );
    let path = run.path.display().to_string();
    let completed = run.repo.run(&["code-review", "complete", "--run", &path]).exits(0);
    assert_eq!(completed.stdout, report);
    let again = run.finalize(&json!({}), &[]).exits(1);
    assert_eq!(again.errors(), ["review-already-promoted"]);
}

#[test]
fn without_promotion_the_candidate_holds() {
    let run = accepted();
    let output = run.finalize(&run.handoff_draft(), &[]).exits(0);
    assert_eq!(stages(&output).last().map(String::as_str), Some("promote not-applicable"));
    run.validate().passed(&["handoff", "handoff-data", "render", "reported", "run-manifest"]);
    run.command("finalize", &["--producer-id", PRODUCER]).exits(0);
    run.validate().passed(&["run-manifest"]);
    assert_eq!(run.text("finalize.attempts.jsonl").lines().count(), 2, "each attempt has its line, and nothing goes stale (C-149)");
}

/// C-101, C-102
#[test]
fn c_102_the_snapshot_is_this_review_s() {
    let run = accepted();
    let draft = run.handoff_draft();
    let mut pull_request = draft.clone();
    pull_request["tables"][0]["rows"][0]["cells"] = json!(["PR", "[#1 — a](https://forge.example/a/b/pull/1)"]);
    let fields = "handoff-data code-review-final-handoff-review-snapshot-fields-mismatch:Review Snapshot";
    assert_eq!(of_handoff(&run.finalize(&pull_request, &[]).exits(1)), [fields]);
    let mut approving = draft.clone();
    approving["tables"][0]["rows"][5]["cells"][1] = json!("block");
    let suggestion = "handoff-data code-review-final-handoff-review-snapshot-suggestion-mismatch:Suggestion";
    assert_eq!(of_handoff(&run.finalize(&approving, &[]).exits(1)), [suggestion]);
    assert_eq!(of_handoff(&run.finalize(&draft, &[]).exits(0)), Vec::<String>::new());
}

/// C-101: what was finalized is not edited afterwards.
#[test]
fn c_101_another_commit_in_a_hand_off_is_found() {
    let run = accepted();
    run.finalize(&run.handoff_draft(), &[]).exits(0);
    let commit = run.json("final-handoff.json")["tables"][0]["rows"][4]["cells"][1].as_str().unwrap().to_owned();
    assert!(commit.ends_with(" (working-tree base)") && commit.len() == 60, "{commit}");
    run.edit_record("final-handoff.json", |handoff| handoff["tables"][0]["rows"][4]["cells"][1] = json!(commit[..40]));
    let found = of_handoff(&run.validate().exits(1));
    let expected = [
        "handoff-data code-review-final-handoff-review-snapshot-value-mismatch:Commit",
        "render rendered-final-mismatch:final.md",
        "render handoff-validation-record-mismatch:handoff_sha256",
        "render final-handoff-binding-mismatch:handoff_sha256",
    ];
    assert_eq!(found.iter().filter(|violation| expected.contains(&violation.as_str())).count(), 4, "{found:?}");
}

/// C-115
#[test]
fn c_115_an_open_claim_remains_with_its_owner() {
    let run = claimed(Some("unverified"));
    let draft = run.handoff_draft();
    let mut other = draft.clone();
    other["remaining"][0]["owner"] = json!("nobody");
    assert_eq!(of_handoff(&run.finalize(&other, &[]).exits(1)), ["handoff-data review-open-candidate-remaining-mismatch:C-1"]);
    let mut missing = draft.clone();
    missing["remaining"] = json!([]);
    missing["next_steps"] = json!([]);
    assert_eq!(of_handoff(&run.finalize(&missing, &[]).exits(1)), ["handoff-data review-open-candidate-remaining-missing:C-1"]);
    run.finalize(&draft, &[]).exits(0);
    let report = run.text("final.md");
    assert!(report.contains("\n**Next steps**\n\n- C-1 — C-1: the sum is a constant. Missing: A day of time. — owner: author"), "{report}");
}

/// C-116
#[test]
fn c_116_sources_and_next_steps_are_counted() {
    let run = accepted();
    let mut twice = run.handoff_draft();
    twice["tables"][0]["rows"][1]["source_ids"] = json!(["S-2", "S-1"]);
    twice["next_steps"] = json!(["C-1"]);
    let output = run.finalize(&twice, &[]).exits(1);
    assert_eq!(of_handoff(&output), ["handoff handoff-next-steps-mismatch", "handoff handoff-source-id-duplicate:S-1"]);
    assert!(!run.file("final-handoff.json").exists(), "what does not hold is not written");
}

/// C-118
#[test]
fn c_118_a_status_that_notes_and_draft_give_differently_is_asked() {
    let run = claimed(Some("confirmed"));
    let before = Snapshot::of(&run.path);
    let mut draft = run.handoff_draft();
    draft["tables"][1]["rows"][0]["cells"][3] = json!("Verify");
    let output = run.finalize(&draft, &[]).exits(1);
    assert_eq!(of_handoff(&output), ["handoff-data handoff-notes-status-conflict:C-1"]);
    let document = output.json();
    assert_eq!((&document["next_action"], &document["candidate"]), (&json!("ask-user"), &Value::Null));
    assert_eq!(document["blocked"]["status_line"], "Review handoff blocked");
    fs::remove_file(run.file("finalize.attempts.jsonl")).unwrap();
    assert_eq!(Snapshot::of(&run.path), before, "only the attempt is recorded");
}

/// C-119
#[test]
fn c_119_a_copied_cell_is_copied_again_and_what_stays_wrong_is_recurring() {
    let run = claimed(Some("confirmed"));
    run.edit_notes("| Software engineer | Add up C-1. |", "| Software engineer | Add it. |");
    let mut draft = run.handoff_draft();
    draft["tables"][1]["rows"][0]["title"] = json!("Another title");
    draft["next_steps"] = json!(["C-1"]);
    let output = run.finalize(&draft, &[]).exits(1);
    let places: Vec<Value> = output.json()["edits"].as_array().unwrap().iter().map(|edit| json!([edit["file"], edit["pointer"]])).collect();
    let title = json!(["final-handoff.json", "/tables/1/rows/0/title"]);
    assert!(places.contains(&json!(["review-notes.md", null])) && places.contains(&title), "{places:?}");
    assert!(run.text("review-notes.md").contains("| Software engineer | Add up C-1. |"));
    let recurring = |output: &Output| output.json()["violations"][0]["recurring"].clone();
    assert_eq!((of_handoff(&output), recurring(&output)), (vec!["handoff handoff-next-steps-mismatch".to_owned()], json!(false)));
    assert_eq!(recurring(&run.finalize(&draft, &[]).exits(1)), json!(true));
    draft["next_steps"] = json!([]);
    run.finalize(&draft, &["--promote"]).exits(0);
}

#[test]
fn what_is_said_has_to_be_what_is_recorded() {
    let run = accepted();
    let draft = run.handoff_draft();
    let output = run.finalize(&draft, &["--status", "fail", "--high", "1"]).exits(1);
    let violations = output.violations();
    assert!(violations.contains(&"findings review-findings-severity-count-mismatch:high".to_owned()), "{violations:?}");
    let output = run.finalize(&draft, &["--status", "fail"]).exits(1);
    assert!(output.violations().contains(&"decision result-status-conflict".to_owned()), "{output}");
    for options in [["--status", "green"], ["--confidence", "1.5"], ["--follow-up", "later"]] {
        assert_eq!(run.finalize(&draft, &options).exits(2).errors(), ["usage-error"]);
    }
    let foreign = run.command("finalize", &["--producer-id", "somebody"]).exits(1);
    assert_eq!(foreign.errors(), ["review-producer-mismatch"]);
    let nothing = ReviewRun::document(WORLD);
    assert_eq!(nothing.command("finalize", &["--producer-id", PRODUCER]).exits(2).errors(), ["missing-required"]);
}

/// C-132: the caller's own format is the report, and all other rules stay.
#[test]
fn c_132_a_caller_gets_the_format_that_was_asked_for() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("src/shop.rs", "pub fn total() -> u32 {\n    1\n}\n").write("src/cart.rs", "pub struct Cart;\n");
    let words = ["--caller-contract", "json", "--caller-contract-evidence", "One line of JSON, please."];
    let run = ReviewRun::start(repo, &[&["--scope", "working-tree"], &words[..]].concat());
    run.route(&[]).exits(0);
    run.pass("sw-engineer", &run.response("sw-engineer", "1", &json!([])));
    run.green().conclude(|_| ());
    let mut draft = run.handoff_draft();
    assert_eq!(of_handoff(&run.finalize(&draft, &[]).exits(1)), ["handoff handoff-caller-contract-invalid"]);
    draft["caller_contract"] = json!({"format": "xml", "evidence": "One line of JSON, please.", "output": "{\"verdict\": \"accept\"}"});
    assert_eq!(of_handoff(&run.finalize(&draft, &[]).exits(1)), ["handoff handoff-caller-contract-invalid"]);
    draft["caller_contract"]["format"] = json!("json");
    run.finalize(&draft, &["--promote"]).exits(0);
    let path = run.path.display().to_string();
    let completed = run.repo.run(&["code-review", "complete", "--run", &path]).exits(0);
    assert_eq!(completed.stdout, "{\"verdict\": \"accept\"}");
}

/// C-7
#[test]
fn c_7_an_operation_in_progress_is_handed_on() {
    let repo = ReviewRun::repository(WORLD);
    let head = repo.git(&["rev-parse", "HEAD"]);
    let head = head.trim();
    repo.write("README.md", "# Shop\n\nSells everything.\n").write(".git/CHERRY_PICK_HEAD", format!("{head}\n"));
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    run.route(&[]).exits(0);
    run.command("gates", &["--lint", "true", "--format-cmd", "true", "--types", "true", "--tests", "true"]).exits(0);
    run.conclude(|_| ());
    assert!(run.text("review-notes.md").contains(&format!("In-progress operation: cherry-pick {head}; left untouched")));
    let mut draft = run.handoff_draft();
    let unreported = "reported review-inprogress-operation-unreported:cherry-pick";
    assert!(run.finalize(&draft, &[]).exits(1).violations().contains(&unreported.to_owned()));
    draft["remaining"] = json!([{"row_id": "in-progress-operation", "item": format!("The cherry-pick {head}."), "owner": "remediation",
        "next_action": "Finish or abort it."}]);
    draft["next_steps"] = json!(["in-progress-operation"]);
    run.finalize(&draft, &["--promote"]).exits(0);
    assert!(run.text("final.md").contains("- in-progress-operation — The cherry-pick"));
    run.command("complete", &["--nested"]).exits(0);
}

/// C-120
#[test]
fn c_120_a_renderer_that_fails_is_told_and_a_required_one_is_missed() {
    for (required, exit) in [(false, 0), (true, 1)] {
        let repo = ReviewRun::repository(WORLD);
        let renderers = json!([{"id": "handoff", "required": true}, {"id": "markdown", "required": required}]);
        repo.write(".code-polishy.json", json!({"version": 4, "codeReview": {"renderers": renderers}}).to_string());
        repo.commit("Draw reviews");
        repo.write("README.md", "# Shop\n\nSells everything.\n");
        let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
        run.route(&[]).exits(0);
        run.green().conclude(|_| ());
        let output = run.finalize(&run.handoff_draft(), &["--renderer", "absent"]).exits(exit);
        let document = output.json();
        let warned: Vec<&Value> = document["warnings"].as_array().unwrap().iter().map(|warning| &warning["subject"]).collect();
        assert!(warned.contains(&&json!("markdown")) && warned.contains(&&json!("absent")), "{document}");
        let failed = of_handoff(&output);
        match required {
            true => assert_eq!(failed, ["render renderer-failed:markdown"]),
            false => assert_eq!((failed.len(), run.text("renders/handoff/final.md")), (0, run.text("final.md"))),
        }
    }
}

/// C-137
#[test]
fn c_137_a_killed_command_is_repeated() {
    let run = accepted();
    run.finalize(&json!({}), &[]).exits(1);
    let [draft, metadata] = ["handoff-draft.json", "metadata-draft.json"].map(|file| run.repo.area(file).display().to_string());
    fs::write(&draft, run.handoff_draft().to_string()).unwrap();
    let path = run.path.display().to_string();
    let of_run = ["--run", &path, "--producer-id", PRODUCER];
    let finalize = [&["code-review", "finalize"], &of_run[..], &["--metadata", &metadata, "--handoff", &draft]].concat();
    let promote = [&finalize[..], &["--promote"]].concat();
    let is_handed_over = || {
        run.repo.run(&promote).exits(0);
        let completed = run.repo.run(&["code-review", "complete", "--run", &path]).exits(0);
        assert_eq!(completed.stdout, run.text("final.md"));
    };
    let killed = Killed::new(&run.repo, &finalize);
    let failpoints = killed.everywhere(|_| is_handed_over());
    assert!(failpoints > 10, "{failpoints}");
    let mut command = run.repo.command(&promote);
    command.env("CODE_POLISHY_KILL_AT", "finalize.promotion-written");
    assert_eq!(run.repo.run_command(command).status, None);
    assert!(run.file("promotion.json").exists() && !run.file("result.json").exists(), "a lone record promotes nothing");
    is_handed_over();
}
