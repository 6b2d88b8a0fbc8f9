use serde_json::{Value, json};

use super::super::handoff::case::Case;
use crate::code_review::{notes::ACTION_STATUSES, snapshot::CI_ROLLUP_FILE, step::Step, vocabulary::Verdict};

fn found(case: &mut Case) -> Vec<String> {
    case.found(&[Step::Handoff, Step::HandoffData])
}

/// What is found after each change of a right hand-off; its codes without what they have in common.
fn after(case: fn() -> Case, changes: &[(&str, Value, &str)]) {
    for (pointer, value, expected) in changes {
        let mut case = case();
        case.set(pointer, value.clone());
        let found: Vec<String> = found(&mut case).iter().map(|token| token.replace("code-review-final-handoff-", "")).collect();
        assert_eq!(found, [*expected], "{pointer} = {value}");
    }
}

#[test]
fn a_right_handoff_says_what_the_records_say() {
    assert_eq!(found(&mut Case::new()), Vec::<String>::new());
    assert_eq!(found(&mut Case::pull_request()), Vec::<String>::new());
}

/// C-101, C-102
#[test]
fn the_snapshot_of_a_change_is_its_receipts() {
    after(
        Case::new,
        &[
            ("/tables/0/rows/0/cells/0", json!("PR"), "review-snapshot-fields-mismatch:Review Snapshot"),
            ("/tables/0/rows/0/cells/1", json!("paths: src"), "review-snapshot-value-mismatch:Scope"),
            ("/tables/0/rows/1/cells/1", json!("diff sha256:0"), "review-snapshot-value-mismatch:Revision"),
            ("/tables/0/rows/2/cells/1", json!("passing"), "review-snapshot-value-mismatch:CI"),
            ("/tables/0/rows/3/cells/1", json!("bugfix"), "review-snapshot-value-mismatch:Type"),
            ("/tables/0/rows/3/cells/1", json!("feat"), "review-snapshot-value-mismatch:Type"),
            ("/tables/0/rows/4/cells/1", json!("c".repeat(40)), "review-snapshot-value-mismatch:Commit"),
            ("/tables/0/rows/4/cells/1", json!("ccccccc (working-tree base)"), "review-snapshot-value-mismatch:Commit"),
            ("/tables/0/rows/5/cells/1", json!("approve"), "review-snapshot-suggestion-mismatch:Suggestion"),
        ],
    );
}

/// C-101
#[test]
fn the_snapshot_of_a_pull_request_is_its_receipts() {
    after(
        Case::pull_request,
        &[
            ("/tables/0/rows/0/cells/0", json!("Scope"), "pr-snapshot-fields-mismatch:PR Snapshot"),
            (
                "/tables/0/rows/0/cells/1",
                json!("[#8 — Retry less](https://forge.example/acme/tool/pull/8)"),
                "pr-snapshot-value-mismatch:PR",
            ),
            ("/tables/0/rows/1/cells/1", json!("@other"), "pr-snapshot-value-mismatch:Author"),
            ("/tables/0/rows/4/cells/1", json!("d".repeat(40)), "pr-snapshot-value-mismatch:Commit"),
            ("/tables/0/rows/4/cells/1", json!("ccccccc"), "pr-snapshot-value-mismatch:Commit"),
            ("/tables/0/rows/5/cells/1", json!("block"), "pr-snapshot-suggestion-mismatch:Suggestion"),
        ],
    );
}

#[test]
fn another_order_of_the_rows_is_another_snapshot() {
    let mut case = Case::new();
    case.handoff["tables"][0]["rows"].as_array_mut().expect("rows").swap(2, 3);
    assert_eq!(found(&mut case), ["code-review-final-handoff-review-snapshot-fields-mismatch:Review Snapshot"]);
}

#[test]
fn a_receipt_that_cannot_be_shown_stops() {
    let mut case = Case::new();
    case.fixture.write(CI_ROLLUP_FILE, b"{}");
    assert_eq!(found(&mut case), ["code-review-final-handoff-snapshot-source-invalid:Review Snapshot"]);
}

#[test]
fn without_a_snapshot_nobody_is_named() {
    let mut case = Case::new();
    case.remove("/tables/0");
    for index in 0..6 {
        case.remove("/source_records/0");
        let left = json!(7 - index);
        case.set("/source_coverage/source_records_total", left.clone());
        case.set("/source_coverage/represented_source_records_total", left);
    }
    assert_eq!(found(&mut case), ["code-review-final-handoff-candidate-attribution-missing:Review Snapshot"]);
}

#[test]
fn what_is_attached_to_the_snapshot_is_the_result_s() {
    after(
        Case::new,
        &[
            ("/tables/0/source_rating_version", json!(2), "candidate-attribution-missing:source_rating_version"),
            ("/tables/0/reviewers/0/rating", json!(1), "reviewers-mismatch:reviewers"),
            ("/tables/0/reviewers/1/role", json!("QA specialist"), "reviewers-mismatch:reviewers"),
            ("/tables/0/summary", json!("It retries."), "review-summary-mismatch:summary"),
            ("/tables/0/verification_readiness", json!("complete"), "verification-mismatch:verification_readiness"),
            ("/reviewer_evidence/1/evidence_level", json!("attested"), "reviewers-mismatch:reviewer_evidence"),
        ],
    );
}

#[test]
fn each_action_is_told_in_its_own_words() {
    after(
        Case::new,
        &[
            ("/tables/1/rows/0/cells/0", json!("F-2"), "finding-identity-mismatch:F-1"),
            ("/tables/1/rows/0/cells/1", json!("Stop soon."), "finding-content-mismatch:F-1"),
            ("/tables/1/rows/0/cells/2", json!("src/a.rs:3, a log"), "finding-content-mismatch:F-1"),
            ("/tables/1/rows/0/title", json!("Retry"), "finding-content-mismatch:F-1"),
            ("/tables/1/rows/0/summary", json!("It gives up."), "finding-content-mismatch:F-1"),
            ("/tables/1/rows/0/closure_evidence", json!("A test."), "finding-content-mismatch:F-1"),
            ("/tables/1/rows/1/title", json!("Nobody decides"), "finding-content-mismatch:B-1"),
            ("/tables/1/rows/0/authors", json!(["QA specialist"]), "finding-authors-mismatch:F-1"),
        ],
    );
    let mut other = Case::new();
    other.set("/tables/1/rows/0/id", json!("F-2"));
    other.set("/tables/1/rows/0/cells/0", json!("F-2"));
    let expected =
        ["F-2", "Review Findings and Merge Blocks"].map(|subject| format!("code-review-final-handoff-finding-identity-mismatch:{subject}"));
    assert_eq!(found(&mut other), expected);
    let mut wordy = Case::new();
    wordy.handoff["tables"][1]["rows"][1]["summary"] = json!("It is open.");
    wordy.handoff["tables"][1]["rows"][1]["closure_evidence"] = json!("A decision.");
    assert_eq!(found(&mut wordy), ["code-review-final-handoff-finding-content-mismatch:B-1"]);
}

#[test]
fn the_table_of_the_actions_is_there_exactly_when_it_is_due() {
    let without = |case: &mut Case| {
        case.remove("/tables/1");
        case.remove("/source_records/7");
        case.remove("/source_records/6");
        for key in ["source_records_total", "represented_source_records_total"] {
            case.set(&format!("/source_coverage/{key}"), json!(6));
        }
    };
    let mut missing = Case::new();
    without(&mut missing);
    let due = "code-review-final-handoff-findings-table-missing:Review Findings and Merge Blocks";
    assert_eq!(found(&mut missing), [due]);
    let accepted = |case: &mut Case| {
        case.metadata["review_decision"]["recommendation"] = json!(Verdict::AcceptAsIs);
        case.set("/outcome/summary", json!("Recommendation: accept-as-is."));
        case.set("/tables/0/rows/5/cells/1", json!("approve"));
        case.findings.clear();
        case.blockers.clear();
    };
    let mut clean = Case::new();
    accepted(&mut clean);
    without(&mut clean);
    assert_eq!(found(&mut clean), Vec::<String>::new());
    let mut invented = Case::new();
    accepted(&mut invented);
    assert_eq!(found(&mut invented), ["handoff-table-invalid:Review Findings and Merge Blocks"]);
}

/// C-118
#[test]
fn notes_and_handoff_agree_on_the_status() {
    let conflict = "handoff-notes-status-conflict:F-1";
    let status = |status: &str, expected: &str| ("/tables/1/rows/0/cells/3", json!(status), expected.to_owned());
    let others = ACTION_STATUSES.iter().filter(|other| **other != "Required");
    let mut changes: Vec<_> = others.map(|other| status(other, conflict)).collect();
    changes.push(status("Done", "handoff-table-invalid:F-1"));
    let changes: Vec<_> = changes.iter().map(|(pointer, value, expected)| (*pointer, value.clone(), expected.as_str())).collect();
    after(Case::new, &changes);
}

/// C-115
#[test]
fn an_open_claim_is_left_to_its_owner() {
    let mismatch = "review-open-candidate-remaining-mismatch:C-1";
    after(
        Case::new,
        &[
            ("/remaining/0/owner", json!("somebody"), mismatch),
            ("/remaining/0/item", json!("The server stores twice."), mismatch),
            ("/remaining/0/item", json!("Missing: staging credentials"), mismatch),
            ("/remaining/0/next_action", json!("Replay one upload."), mismatch),
            ("/remaining/0/next_action", json!("Replay one upload; one object is listed."), mismatch),
        ],
    );
    let mut case = Case::new();
    case.set("/remaining", json!([]));
    case.set("/next_steps", json!([]));
    assert_eq!(found(&mut case), ["review-open-candidate-remaining-missing:C-1"]);
}

#[test]
fn verification_is_what_the_gates_gave() {
    after(
        Case::new,
        &[
            ("/result_status", json!("pass"), "verification-mismatch:result_status"),
            ("/verification/3/status", json!("pass"), "verification-mismatch:tests"),
            ("/verification/3/reason", json!("source-drift"), "verification-mismatch:tests"),
            ("/verification/3/command_exit", json!(1), "verification-mismatch:tests"),
            ("/verification/3/evidence", json!("gates.json"), "verification-mismatch:tests"),
            ("/verification/2/detail", json!("none"), "verification-mismatch:types"),
        ],
    );
    let mut short = Case::new();
    short.remove("/verification/4");
    assert_eq!(found(&mut short), ["code-review-final-handoff-verification-mismatch:verification"]);
}

#[test]
fn confidence_and_result_are_the_metadata_s() {
    after(
        Case::new,
        &[
            ("/confidence/score", json!(0.91), "confidence-mismatch:score"),
            ("/confidence/band", json!("cautious-low"), "confidence-mismatch:band"),
            ("/confidence/limits", json!([]), "confidence-mismatch:limits"),
            ("/confidence/gaps/0/rationale", json!("(-0.10) None."), "confidence-mismatch:gaps"),
            ("/artifacts/0/path", json!("/other/result.json"), "result-artifact-missing:Result"),
            ("/artifacts/0/label", json!("The result"), "result-artifact-missing:Result"),
        ],
    );
}

/// A promoted run may be copied elsewhere; its hand-off keeps the place that it was made in.
#[test]
fn the_report_is_this_run_s_until_it_is_promoted() {
    let mut case = Case::new();
    case.set("/report_path", json!("/source/reviews/two/review-notes.md"));
    assert_eq!(found(&mut case), ["handoff-artifacts-invalid:report_path"]);
    case.promoted = true;
    assert_eq!(found(&mut case), Vec::<String>::new());
}

#[test]
fn every_fault_is_told_at_once() {
    let mut case = Case::new();
    case.set("/result_status", json!("pass"));
    case.set("/tables/0/summary", json!("Other."));
    case.set("/confidence/score", json!(0.5));
    case.set("/remaining/0/owner", json!("nobody"));
    assert_eq!(found(&mut case).len(), 4);
}
