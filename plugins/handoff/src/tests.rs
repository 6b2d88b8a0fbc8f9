use serde_json::{Value, json};

use super::*;

const NEEDS_MORE_WORK: &str = include_str!("../tests/needs-more-work.json");
const ACCEPT_AS_IS: &str = include_str!("../tests/accept-as-is.json");
const UNAVAILABLE: &str = include_str!("../tests/unavailable.json");
const CLOSED: &str = include_str!("../tests/closed.json");

fn render(report: &str) -> Result<String, Failure> {
    let artifacts = Markdown::render(report, &NoOptions {})?;
    assert_eq!((artifacts.len(), artifacts[0].name.as_str()), (1, "final.md"));
    Ok(String::from_utf8(artifacts[0].content.clone()).expect("made of text"))
}

/// The report of a hand-off after these changes, by pointer.
fn changed(handoff: &str, changes: &[(&str, Value)]) -> Result<String, Failure> {
    let mut document: Value = serde_json::from_str(handoff).expect("JSON");
    for (pointer, value) in changes {
        *document.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value.clone();
    }
    render(&document.to_string())
}

fn lines(handoff: &str, changes: &[(&str, Value)]) -> Vec<String> {
    changed(handoff, changes).expect("a report").lines().map(str::to_owned).collect()
}

/// The lines of a block.
fn block(handoff: &str, changes: &[(&str, Value)], title: &str) -> Vec<String> {
    let lines = lines(handoff, changes);
    let heading = format!("**{title}**");
    let start = lines.iter().position(|line| *line == heading).unwrap_or_else(|| panic!("no {title}"));
    lines[start + 2..].iter().take_while(|line| !line.is_empty()).cloned().collect()
}

#[test]
fn material_defects() {
    assert_eq!(render(NEEDS_MORE_WORK), Ok(include_str!("../tests/needs-more-work.md").to_owned()));
}

#[test]
fn nothing_to_change() {
    assert_eq!(render(ACCEPT_AS_IS), Ok(include_str!("../tests/accept-as-is.md").to_owned()));
}

#[test]
fn what_could_not_be_collected() {
    assert_eq!(render(UNAVAILABLE), Ok(include_str!("../tests/unavailable.md").to_owned()));
}

#[test]
fn what_is_closed_without_review() {
    assert_eq!(render(CLOSED), Ok(include_str!("../tests/closed.md").to_owned()));
}

#[test]
fn every_verdict_has_its_sentence() {
    for (verdict, opening) in [
        ("accept-as-is", "No source changes are needed before this change can be accepted."),
        ("minor-changes", "Small, well-bounded corrections are needed before this change can be accepted."),
        ("needs-more-work", "The change is worth continuing, but material defects must be repaired first."),
        ("insufficient-but-promising", "The change is a promising start that fits the project, but substantial parts are still missing."),
        ("reject", "The change conflicts with a documented project requirement and cannot be accepted in this scope."),
        ("no source judgment", "The completed inspection could not reach a source judgment on this change."),
    ] {
        let changes = [
            ("/outcome/summary", json!(format!("Recommendation: {verdict}."))),
            ("/tables/0/verification_readiness", json!("complete")),
            ("/result_status", json!("pass")),
        ];
        let lines = lines(NEEDS_MORE_WORK, &changes);
        assert_eq!((lines[0].as_str(), lines[6].as_str()), (opening, format!("Recommendation: {verdict}.").as_str()));
    }
    let unknown = changed(NEEDS_MORE_WORK, &[("/outcome/summary", json!("Recommendation: maybe."))]);
    assert_eq!(unknown.map_err(|failure| failure.code), Err("bad-handoff".to_owned()));
}

#[test]
fn the_opening_says_how_far_the_verdict_reaches() {
    let accepted = "No source changes are needed before this change can be accepted.";
    let open = json!([{"gap": "Load", "status": "deferred", "rationale": "(-0.05) Later."}]);
    let (readiness, gaps, status) = ("/tables/0/verification_readiness", "/confidence/gaps", "/result_status");
    for (changes, reach) in [
        (vec![(readiness, json!("blocked"))], " No source changes identified; verification blocked."),
        (vec![(readiness, json!("incomplete"))], " No source changes identified; verification incomplete."),
        (vec![(gaps, open.clone())], " No source changes identified; verification limited."),
        (vec![(status, json!("timeout"))], " This is not merge approval."),
        (
            vec![(readiness, json!("blocked")), (gaps, open.clone()), (status, json!("fail"))],
            " No source changes identified; verification blocked. This is not merge approval.",
        ),
    ] {
        assert_eq!(lines(ACCEPT_AS_IS, &changes)[0], format!("{accepted}{reach}"));
    }
    let work = "The change is worth continuing, but material defects must be repaired first.";
    assert_eq!(lines(NEEDS_MORE_WORK, &[(readiness, json!("complete"))])[0], work);
    let incomplete = lines(NEEDS_MORE_WORK, &[(readiness, json!("incomplete"))]);
    assert_eq!(incomplete[0], format!("{work} Verification is incomplete; only the inspected source is judged."));
}

#[test]
fn every_state_of_a_gate_has_its_form() {
    let gate = |status: &str, reason: Option<&str>, detail: Option<&str>, exit: Option<i32>, evidence: &str| json!({"check": "lint", "status": status, "reason": reason, "detail": detail, "command_exit": exit, "evidence": evidence});
    let log = "checks/lint.stdout.txt";
    for (record, bullet) in [
        (gate("pass", None, None, Some(0), log), "- lint: pass — checks/lint.stdout.txt"),
        (gate("fail", Some("source-drift"), None, Some(0), log), "- lint: fail (source-drift, exit 0) — checks/lint.stdout.txt"),
        (gate("fail", Some("source-dirty"), None, None, "gates.json"), "- lint: fail (source-dirty) — gates.json"),
        (
            gate("missing-command", Some("no-command-configured"), None, None, "gates.json"),
            "- lint: missing-command (no-command-configured) — gates.json",
        ),
        (gate("timeout", Some("timeout"), None, None, log), "- lint: timeout — checks/lint.stdout.txt"),
        (gate("not-applicable", Some("declared"), Some("no code"), None, "gates.json"), "- lint: not-applicable (no code) — gates.json"),
    ] {
        assert_eq!(block(ACCEPT_AS_IS, &[("/verification/0", record)], "Verification")[0], bullet);
    }
}

#[test]
fn a_review_without_gates_and_reviewers_says_so() {
    let none = json!(["lint", "format", "types", "tests", "review"].map(|check| {
        json!({"check": check, "status": "not-applicable", "reason": "declared", "detail": "a document", "command_exit": null, "evidence": "gates.json"})
    }));
    let changes = [("/verification", none), ("/reviewer_evidence", json!([]))];
    let expected = [
        "- Checks were not run; no executable verification applies to this branch.",
        "- verification readiness: complete",
        "- reviewer evidence: none (parent-only)",
    ];
    assert_eq!(block(ACCEPT_AS_IS, &changes, "Verification"), expected);
}

#[test]
fn foreign_text_stays_in_its_place() {
    let changes = [
        ("/tables/0/rows/2/cells/1", json!("failing — a|b, c\\d")),
        ("/tables/0/summary", json!("# One\n\n- two")),
        ("/tables/1/rows/0/title", json!("Left\nover | title")),
        ("/remaining/0/item", json!("One\n# Two")),
        ("/confidence/limits", json!(["(-0.00) a\u{1b}[31m"])),
        ("/report_path", json!("/r/a b/review-notes.md")),
    ];
    let lines = lines(NEEDS_MORE_WORK, &changes);
    for expected in [
        r"| CI | failing — a\|b, c\\d |",
        r"\# One - two",
        r"| F-1 | Software engineer, QA specialist | Left<br>over \| title | Retry only requests with an idempotency key | Required |",
        "- V-1 — One # Two — owner: storage team — next: Replay one upload; one object is listed.",
        r"- Limit: (-0.00) a\u{1b}[31m",
        "| Report | [Markdown report](</r/a b/review-notes.md>) |",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected} in {lines:#?}");
    }
}

#[test]
fn a_report_without_limits_and_ratings_is_short() {
    let changes =
        [("/confidence", json!({"score": 1, "band": "fair", "limits": [], "gaps": []})), ("/tables/0/reviewers/0/rating", json!(null))];
    let report = changed(ACCEPT_AS_IS, &changes).expect("a report");
    assert!(report.contains("\n**Confidence**\n\n1.00 (fair).\n\n**Artifact**\n"), "{report}");
    assert!(report.contains("| Reviewers | Software engineer [no source judgment]. |"), "{report}");
}

#[test]
fn a_caller_gets_what_it_asked_for() {
    let changes = [("/branch", json!("caller-contract")), ("/caller_contract", json!({"output": "{\"verdict\": 1}"}))];
    assert_eq!(changed(ACCEPT_AS_IS, &changes), Ok("{\"verdict\": 1}".to_owned()));
}

#[test]
fn what_is_no_handoff_is_refused() {
    let code = |report: Result<String, Failure>| report.expect_err("refused").code;
    assert_eq!(code(render("{")), "bad-handoff");
    assert_eq!(code(render("[]")), "unknown-report");
    assert_eq!(code(render(r#"{"protocol":"code-polishy-report/v1"}"#)), "unknown-report");
    assert_eq!(code(changed(ACCEPT_AS_IS, &[("/presentation_version", json!(14))])), "unknown-presentation");
    assert_eq!(code(changed(ACCEPT_AS_IS, &[("/branch", json!("closed"))])), "unknown-presentation");
    assert_eq!(code(changed(ACCEPT_AS_IS, &[("/tables", json!([]))])), "bad-handoff");
    assert_eq!(code(changed(ACCEPT_AS_IS, &[("/confidence/score", json!("high"))])), "bad-handoff");
}
