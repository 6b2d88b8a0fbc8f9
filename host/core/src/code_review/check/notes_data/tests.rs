use std::collections::BTreeMap;

use crate::code_review::{
    assessment::Assessment,
    check,
    confidence::{Band, Closure, ClosureStatus, Confidence},
    context::{Context, Facts},
    decision::Decision,
    finding::Finding,
    fixture::{Fixture, SOURCE, response},
    gates::{GATES_FILE, Gates},
    manifest::MANIFEST_FILE,
    outline::Outline,
    pull_request::PullRequest,
    snapshot::LEGEND,
    step::Step,
    violation::{Sink, Violation},
    vocabulary::{Role, Scope, Severity, Verdict},
};

const ROLE: Role = Role::SwEngineer;
const TRIAGE: &str = "## Online Review Triage\n\n| Item | Disposition | Evidence |\n| --- | --- | --- |\n\
                      | T1#finding-1 | confirmed:F-1 | src/a.rs:3 |\n| T1#finding-2 | refuted | src/a.rs:4 |\n";

/// A run with one finding and one gap, and notes that tell it right.
struct Case {
    fixture: Fixture,
    pull_request: Option<PullRequest>,
    findings: Vec<Finding>,
    notes: String,
}

impl Case {
    fn new() -> Self {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.review(ROLE, &response(ROLE, "3"));
        fixture.t0.reviewed_commit = Some("c".repeat(40));
        fixture.routing.mechanical_risk_evidence = vec!["files=1".to_owned()];
        fixture.write("checks/tests.command.txt", b"cargo test\n");
        let notes = notes(&fixture);
        Self { fixture, pull_request: None, findings: vec![finding()], notes }
    }

    fn pull_request() -> Self {
        let mut case = Self::new();
        case.fixture.t0.run.scope = Scope::Pr;
        case.pull_request = Some(PullRequest {
            number: 7,
            url: "https://forge.example/acme/tool/pull/7".to_owned(),
            title: "a | b".to_owned(),
            author: Some("mira".to_owned()),
            status_checks: None,
            head_oid: "c".repeat(40),
            base_oid: "b".repeat(40),
            item_ids: vec!["T1#finding-1".to_owned(), "T1#finding-2".to_owned()],
            unresolved_threads: vec!["T1".to_owned()],
            threads_unavailable: false,
            fallback: None,
        });
        let local = format!("| Scope | working tree |\n| Revision | diff sha256:{} |\n", case.fixture.t0.review_input_sha256);
        let rows = "| PR | [#7 — a \\| b](https://forge.example/acme/tool/pull/7) |\n| Author | @mira |\n";
        case.write("## Review Snapshot", "## PR Snapshot");
        case.write(&local, rows);
        case.write(" (working-tree base)", "");
        case.notes.push_str(TRIAGE);
        case
    }

    /// Puts one text for another, which must be there.
    fn write(&mut self, text: &str, other: &str) {
        assert!(self.notes.contains(text), "{text}");
        self.notes = self.notes.replace(text, other);
    }

    fn found(&self) -> Vec<String> {
        self.violations().iter().map(Violation::token).collect()
    }

    fn violations(&self) -> Vec<Violation> {
        let (resolved, cards) = (BTreeMap::new(), BTreeMap::new());
        let facts = Facts {
            image: &self.fixture.image,
            run_path: "/run",
            producer_id: None,
            git_state: None,
            prior: None,
            mirror: None,
            role_cards: &cards,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: None,
            promoted: false,
        };
        let mut context = Context::new(&facts, Some("result.candidate.json"));
        context.t0 = Some(self.fixture.t0.clone());
        context.pr = self.pull_request.clone();
        context.routing = Some(self.fixture.routing.clone());
        context.manifest = Some(self.fixture.derived().manifest);
        context.notes = Some(Outline::read(&self.notes));
        context.assessments = vec![Assessment { role: ROLE.label(), rating: Some(3), evidence: String::new() }];
        context.findings = self.findings.clone();
        context.gates = Some(gates());
        context.confidence = Some(confidence());
        context.decision = Some(Decision {
            recommendation: Some(Verdict::NeedsMoreWork),
            summary: "It retries\n without end.".to_owned(),
            rationale: "F-1 stands.".to_owned(),
        });
        let mut sink = Sink::new(Step::NotesData);
        check::run(Step::NotesData, &mut context, &mut sink);
        sink.finish().0
    }
}

fn finding() -> Finding {
    Finding {
        id: "F-1".to_owned(),
        severity: Severity::High,
        title: "Endless retry".to_owned(),
        summary: "It never gives up.".to_owned(),
        required_change: "Stop.".to_owned(),
        evidence: vec!["src/a.rs:3".to_owned()],
        closure_evidence: "A test.".to_owned(),
        authors: vec![ROLE.label()],
    }
}

fn confidence() -> Confidence {
    let closure = Closure { gap: "No staging.".to_owned(), status: ClosureStatus::Unresolved, text: "(-0.04) None exists.".to_owned() };
    Confidence {
        hundredths: 90,
        initial: 94,
        gaps: vec![closure.gap.clone()],
        closures: vec![closure],
        band: Band::Fair,
        evidence: vec!["The suite ran.".to_owned()],
        recovery_actions: vec!["Replayed it.".to_owned()],
        remaining_limits: Vec::new(),
    }
}

fn gates() -> Gates {
    let text = r#"{"schema_version": 1, "status": "pass", "checks_run": ["tests"], "checks_failed": [], "failed_count": 0,
        "checks_not_applicable": [], "checks": [{"id": "tests", "gate_status": "pass", "reason": null, "detail": "changed command: wrong flag",
        "command_exit": 0, "signal": null, "duration_ms": 1, "runner": null, "command_path": "checks/tests.command.txt",
        "stdout": null, "stderr": null, "truncated": false, "environment": {"SEED": "7"}, "tests": null, "source_proof": null,
        "before": null, "after": null, "artifacts": {}}], "source": {"mode": "local-review-mirror", "worktree": "/w",
        "expected_head": null, "receipt_path": null, "receipt_sha256": null, "snapshot_path": null, "snapshot_sha256": null}}"#;
    serde_json::from_str(text).expect(GATES_FILE)
}

fn notes(fixture: &Fixture) -> String {
    let (diff, commit) = (&fixture.t0.review_input_sha256, "c".repeat(40));
    let manifest = fixture.image.sha256(MANIFEST_FILE).expect("written");
    format!(
        "## Decision Summary\n\nRecommendation: needs-more-work\nSummary: It retries\nwithout end.\nRationale: F-1 stands.\n\
         Blocking findings: F-1\nMinor changes: none\nRequired next work: close F-1\nConfidence: 0.90, fair\n\n\
         ## Review Snapshot\n\n| Field | Value |\n| --- | --- |\n| Scope | working tree |\n| Revision | diff sha256:{diff} |\n\
         | CI | unavailable |\n| Type | fix |\n| Commit | {commit} (working-tree base) |\n| Suggestion | major revision |\n\
         | Reviewers | Software engineer [3]. |\n| Report | [Markdown report](/run/review-notes.md) |\n\n{LEGEND}\n\n\
         ## Scope\n\nThe working tree of this checkout.\n\nReviewed commit: {commit}\n\n\
         ## Risk Tier\n\nLOCAL, for files=1.\n\n\
         ## Files Inspected\n\n- `{SOURCE}`: whole\n\nDocstring style: as before.\nComment policy: none is needed.\n\
         Simplicity and readability: one loop.\nReproducibility: not applicable, nothing is random.\n\n\
         ## Specialist Passes\n\n- Software engineer: spawned, recorded\n\n## Specialist Manifest\n\n`{MANIFEST_FILE}` {manifest}\n\n\
         ## Findings\n\n### F-1 Endless retry\n\nIt never gives up.\n\n## No-Finding Residual Risks\n\nStaging may differ.\n\n\
         ## Confidence Gaps\n\n- No staging. [unresolved] (-0.04) None exists.\n\n\
         ## Confidence Calibration\n\n### Initial Confidence\n\n0.94\n\n### Objective Evidence\n\n- The suite ran.\n\n\
         ### Confidence Gaps\n\n- No staging.\n\n### Recovery Actions\n\n- Replayed it.\n\n### Recomputed Confidence\n\n0.90\n\n\
         ### Remaining Limits\n\nnone\n\nTests gate command: cargo test\nChanged command: tests: wrong flag\nGate environment: tests:SEED=7\n\n"
    )
}

/// What is found after each change of right notes.
fn after(changes: &[(&str, &str, &str)], case: fn() -> Case) {
    assert_eq!(case().found(), Vec::<String>::new());
    for (text, other, expected) in changes {
        let mut case = case();
        case.write(text, other);
        assert_eq!(case.found(), [*expected], "{text} -> {other}");
    }
}

#[test]
fn the_decision_is_told_as_it_was_made() {
    let changes = [
        ("Recommendation: needs-more-work", "Recommendation: reject", "review-notes-decision-mismatch:Recommendation"),
        ("without end.", "twice.", "review-notes-decision-mismatch:Summary"),
        ("Rationale: F-1 stands.\n", "", "review-notes-decision-mismatch:Rationale"),
        ("Blocking findings: F-1", "Blocking findings: none", "review-notes-decision-mismatch:Blocking findings"),
        ("Minor changes: none", "Minor changes: F-1", "review-notes-decision-mismatch:Minor changes"),
        ("close F-1", "close F-10", "review-notes-decision-mismatch:Required next work"),
        ("Confidence: 0.90", "Confidence: 0.91", "review-notes-decision-mismatch:Confidence"),
        ("Minor changes: none", "Minor changes: none\nMinor changes: none", "review-notes-decision-mismatch:Minor changes"),
    ];
    after(&changes, Case::new);
}

/// C-101, C-102
#[test]
fn the_snapshot_is_the_receipts() {
    let changes = [
        ("ccc (working-tree base)", "ccc", "review-notes-snapshot-mismatch:Commit"),
        ("| Suggestion | major revision |", "| Suggestion | approve |", "review-notes-snapshot-mismatch:Suggestion"),
        ("| Type | fix |", "| Type | bugfix |", "review-notes-snapshot-mismatch:Type"),
        ("| CI | unavailable |\n", "", "review-notes-snapshot-mismatch:Review Snapshot"),
        ("Legend: 1", "Legend: 0", "review-notes-snapshot-mismatch:Legend"),
        ("[3].", "[3]", "review-notes-snapshot-mismatch:Reviewers"),
        ("(/run/review", "(/other/review", "review-notes-snapshot-mismatch:Report"),
        ("Reviewed commit: c", "Reviewed commit: d", "review-notes-scope-mismatch:Reviewed commit"),
        ("The working tree of", "The files of", "review-notes-scope-mismatch:target_label"),
        ("files=1", "files=11", "review-notes-tier-mismatch:files=1"),
        ("LOCAL,", "BROAD,", "review-notes-tier-mismatch:LOCAL"),
    ];
    after(&changes, Case::new);
}

/// C-97, C-98
#[test]
fn the_work_is_told_whole() {
    let changes = [
        ("- `src/a.rs`: whole", "- `src/a.rs.bak`: whole", "review-notes-path-missing:src/a.rs"),
        ("Docstring style: as before.\n", "", "review-notes-inspection-line-missing:Docstring style"),
        ("not applicable, nothing is random.", "not applicable.", "review-notes-inspection-line-missing:Reproducibility"),
        (
            "- Software engineer: spawned, recorded",
            "- Software engineer: spawned, attested",
            "review-notes-pass-mismatch:Software engineer",
        ),
        ("spawned, recorded\n", "spawned, recorded\n- Squeezer: spawned, recorded\n", "review-notes-pass-mismatch:Specialist Passes"),
        ("`specialist-manifest.json`", "the manifest", "review-notes-pass-mismatch:specialist-manifest.json"),
        ("### F-1 Endless", "### F-2 Endless", "review-notes-findings-mismatch:Findings"),
        ("It never gives up.", "No confirmed findings remain.", "review-notes-findings-mismatch:Findings"),
        ("Staging may differ.", "None.", "review-notes-residual-risk-missing:No-Finding Residual Risks"),
    ];
    after(&changes, Case::new);
}

#[test]
fn a_path_may_stand_in_a_nested_list_or_a_table() {
    for list in ["- the source\n  - `src/a.rs`\n  - b", "| Path | Seen |\n| --- | --- |\n| `src/a.rs` | whole |", "1. src/a.rs, whole"] {
        let mut case = Case::new();
        case.write("- `src/a.rs`: whole", list);
        assert_eq!(case.found(), Vec::<String>::new(), "{list}");
    }
}

#[test]
fn the_confidence_is_the_record() {
    let changes = [
        ("[unresolved]", "[closed]", "review-notes-confidence-mismatch:Confidence Gaps"),
        ("0.94\n", "0.95\n", "review-notes-confidence-mismatch:Initial Confidence"),
        ("- The suite ran.", "- The suite ran.\n- Twice.", "review-notes-confidence-mismatch:Objective Evidence"),
        ("### Recovery Actions", "### Recovery", "review-notes-confidence-mismatch:Recovery Actions"),
        ("Limits\n\nnone", "Limits\n\n- Time.", "review-notes-confidence-mismatch:Remaining Limits"),
        ("command: cargo test", "command: cargo test a", "review-notes-tests-command-missing:tests"),
        ("Changed command: tests: wrong flag\n", "", "review-notes-confidence-mismatch:tests: wrong flag"),
        (
            "tests: wrong flag\n",
            "tests: no reason\nChanged command: tests: wrong flag\n",
            "review-notes-confidence-mismatch:Changed command",
        ),
        ("Gate environment: tests:SEED=7\n", "", "review-notes-gate-environment-missing:tests:SEED=7"),
        ("SEED=7\n", "SEED=7\nGate environment: lint:A=1\n", "review-notes-confidence-mismatch:Gate environment"),
    ];
    after(&changes, Case::new);
}

/// C-99
#[test]
fn every_item_of_the_online_reviews_is_answered() {
    let changes = [
        ("| T1#finding-2 | refuted | src/a.rs:4 |\n", "", "online-triage-item-missing:T1#finding-2"),
        ("confirmed:F-1", "confirmed:F-9", "online-triage-disposition-invalid:T1#finding-1"),
        ("| refuted |", "| open:F-1 |", "online-triage-disposition-invalid:T1#finding-2"),
        ("| src/a.rs:4 |", "| |", "online-triage-disposition-invalid:T1#finding-2"),
        ("src/a.rs:4 |\n", "src/a.rs:4 |\n| T2 | refuted | x |\n", "online-triage-disposition-invalid:T2"),
        ("src/a.rs:4 |\n", "src/a.rs:4 |\n\nNo online review items.\n", "online-triage-item-missing:Online Review Triage"),
        ("| Item |", "| Thread |", "online-triage-disposition-invalid:Online Review Triage"),
        ("#7 — a", "#8 — a", "review-notes-snapshot-mismatch:PR"),
    ];
    after(&changes, Case::pull_request);
}

#[test]
fn what_could_not_be_read_is_told_in_the_triage() {
    let mut case = Case::pull_request();
    let pull_request = case.pull_request.as_mut().expect("scope pr");
    pull_request.fallback = Some(vec!["mergeability".to_owned(), "reviews".to_owned()]);
    let missing = "online-triage-fallback-missing:Online Review Triage";
    assert_eq!(case.found(), [missing, missing]);
    case.notes.push_str("\nPublic HTTPS PR metadata fallback omitted evidence: mergeability, reviews.\n");
    assert_eq!(case.found(), [missing]);
    case.notes.push_str("\nUnavailable: mergeability, reviews.\n");
    assert_eq!(case.found(), Vec::<String>::new());
    case.pull_request.as_mut().expect("scope pr").threads_unavailable = true;
    assert_eq!(case.found(), [missing]);
}

#[test]
fn a_violation_has_its_line() {
    let mut case = Case::new();
    case.write("Minor changes: none", "Minor changes: F-1");
    let violations = case.violations();
    assert_eq!((violations[0].file.as_deref(), violations[0].line), (Some("review-notes.md"), Some(8)));
}
