//! A review with a finding, a blocker and an open claim, and the hand-off that tells it right.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    code_review::{
        assessment::Assessment,
        candidate::Candidate,
        check,
        confidence::{Band, Closure, ClosureStatus, Confidence},
        context::{Context, Facts},
        decision::Decision,
        finding::{Blocker, Finding},
        fixture::{Fixture, response},
        gates::{GATES, Gates},
        handoff::{Branch, Derived, FINAL_FILE, FinalHandoff, HANDOFF_FILE, HANDOFF_VALIDATION_FILE, HandoffValidation, Sources, derive},
        outline::Outline,
        pull_request::PullRequest,
        run::RUN_FILE,
        snapshot::Source,
        step::Step,
        violation::{Sink, Violation},
        vocabulary::{Disposition, Readiness, Role, Scope, Severity, Status, Verdict},
    },
    strict::{Kind, parse},
};

/// What the built-in renderer makes of every hand-off of the tests.
pub(in crate::code_review) const REPORT: &str = "The change is worth continuing.\n\n**Outcome**\n";
/// The notes' table of the actions.
const NOTES: &str = "## Review Snapshot\n\n| Field | Value |\n| --- | --- |\n| Type | fix |\n\n## Review Findings and Merge Blocks\n\n\
                     | Finding / area | Author | Required change | Evidence | Status |\n| --- | --- | --- | --- | --- |\n\
                     | F-1 | Software engineer | Stop. | src/a.rs:3; a log | Required |\n\
                     | B-1 | Software engineer | Ask. | the plan | Verify |\n";

/// The parts of the review; a test changes some of them.
pub(in crate::code_review) struct Case {
    pub fixture: Fixture,
    pub pull_request: Option<PullRequest>,
    pub handoff: Value,
    pub metadata: Value,
    pub notes: String,
    pub findings: Vec<Finding>,
    pub blockers: Vec<Blocker>,
    pub rendered: Option<Result<Vec<u8>, String>>,
    pub promoted: bool,
}

impl Case {
    pub fn new() -> Self {
        let mut fixture = Fixture::new(&[Role::SwEngineer, Role::QaSpecialist]);
        fixture.review(Role::SwEngineer, &response(Role::SwEngineer, "3"));
        fixture.substitute(Role::QaSpecialist, &response(Role::QaSpecialist, "2"));
        fixture.t0.reviewed_commit = Some("c".repeat(40));
        fixture.copy_metadata();
        let handoff = handoff(&fixture);
        let metadata = json!({
            "review_decision": {"recommendation": "needs-more-work"},
            "review_findings": [{"id": "F-1"}],
            "operational_blockers": [{"id": "B-1"}],
            "review_validation": {"candidates": [{"id": "C-1", "disposition": "unverified"}]},
        });
        let rendered = Some(Ok(REPORT.as_bytes().to_vec()));
        let (findings, blockers) = (vec![finding()], vec![blocker()]);
        Self { fixture, pull_request: None, handoff, metadata, notes: NOTES.to_owned(), findings, blockers, rendered, promoted: false }
    }

    /// The same about a pull request.
    pub fn pull_request() -> Self {
        let mut case = Self::new();
        case.fixture.t0.run.scope = Scope::Pr;
        case.pull_request = Some(PullRequest {
            number: 7,
            url: "https://forge.example/acme/tool/pull/7".to_owned(),
            title: "Retry less".to_owned(),
            author: Some("mira".to_owned()),
            status_checks: None,
            head_oid: "c".repeat(40),
            base_oid: "b".repeat(40),
            item_ids: Vec::new(),
            unresolved_threads: Vec::new(),
            threads_unavailable: false,
            fallback: None,
        });
        case.notes = case.notes.replace("Review Snapshot", "PR Snapshot");
        let cells = [
            ("PR", "[#7 — Retry less](https://forge.example/acme/tool/pull/7)".to_owned()),
            ("Author", "@mira".to_owned()),
            ("CI", "unavailable".to_owned()),
            ("Type", "fix".to_owned()),
            ("Commit", "c".repeat(40)),
            ("Suggestion", "major revision".to_owned()),
        ];
        case.set("/tables/0/title", json!("PR Snapshot"));
        for (index, (field, value)) in cells.iter().enumerate() {
            case.set(&format!("/tables/0/rows/{index}/cells"), json!([field, value]));
        }
        case
    }

    /// Puts a value where another one is.
    pub fn set(&mut self, pointer: &str, value: Value) {
        *self.handoff.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
    }

    /// Takes a member out of an object, or an element out of a list.
    pub fn remove(&mut self, pointer: &str) {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        match self.handoff.pointer_mut(parent) {
            Some(Value::Object(members)) => drop(members.remove(key).expect("a member")),
            Some(Value::Array(elements)) => drop(elements.remove(key.parse().expect("an index"))),
            _ => panic!("no {parent}"),
        }
    }

    /// Writes the files and ties them together, as the command does that renders.
    pub fn settle(&mut self) {
        let run = serde_json::to_vec(&self.fixture.t0.run).expect("JSON");
        self.fixture.write(RUN_FILE, &run);
        self.fixture.write(HANDOFF_FILE, self.handoff.to_string().as_bytes());
        self.fixture.write(FINAL_FILE, REPORT.as_bytes());
        let digest = |path| self.fixture.image.sha256(path).expect("written").to_owned();
        let (handoff, report) = (digest(HANDOFF_FILE), digest(FINAL_FILE));
        let branch = if self.handoff["branch"] == "caller-contract" { Branch::CallerContract } else { Branch::Assessed };
        let record = serde_json::to_vec(&HandoffValidation::of(branch, &handoff, &report)).expect("JSON");
        self.fixture.write(HANDOFF_VALIDATION_FILE, &record);
        self.metadata["final_handoff"] = json!(FinalHandoff::of(branch, &handoff, &report));
    }

    /// What these steps find in the review as it is now.
    pub fn found(&mut self, steps: &[Step]) -> Vec<String> {
        self.settle();
        self.violations(steps).0.iter().map(Violation::token).collect()
    }

    /// What follows from the records.
    pub fn derived(&self) -> Derived {
        let (confidence, gates) = (confidence(), gates());
        let assessments: Vec<Assessment> =
            serde_json::from_value(self.fixture.metadata["reviewer_assessments"].clone()).expect("assessments");
        let manifest = self.fixture.derived().manifest;
        derive(Sources {
            status: Status::Fail,
            result_path: "reviews/one/result.json",
            run_path: "/source/reviews/one",
            gates: &gates,
            manifest: &manifest,
            confidence: &confidence,
            assessments: &assessments,
            summary: "It retries without end.",
            readiness: Readiness::Blocked,
            findings: &self.findings,
            blockers: &self.blockers,
            snapshot: Source {
                t0: &self.fixture.t0,
                pull_request: self.pull_request.as_ref(),
                ci_rollup: None,
                commit: self.fixture.t0.reviewed_commit.as_deref(),
                change_type: "",
                verdict: Some(Verdict::NeedsMoreWork),
            },
        })
    }

    /// Violations and warnings, without writing anything before.
    pub fn violations(&self, steps: &[Step]) -> (Vec<Violation>, Vec<Violation>) {
        let (resolved, cards) = (BTreeMap::new(), BTreeMap::new());
        let facts = Facts {
            image: &self.fixture.image,
            run_path: "/source/reviews/one",
            producer_id: None,
            git_state: None,
            mirror: None,
            role_cards: &cards,
            prior: None,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: self.rendered.as_ref(),
            promoted: self.promoted,
        };
        let mut context = Context::new(&facts, Some("result.candidate.json"));
        self.fill(&mut context);
        let (mut violations, mut warnings) = (Vec::new(), Vec::new());
        for step in steps {
            let mut sink = Sink::new(*step);
            check::run(*step, &mut context, &mut sink);
            let found = sink.finish();
            violations.extend(found.0);
            warnings.extend(found.1);
        }
        (violations, warnings)
    }

    fn fill(&self, context: &mut Context<'_>) {
        const KIND: Kind = Kind { code: "result", noun: "the result", file: "" };
        let result = json!({"artifact_path": "reviews/one/result.json", "metadata": self.metadata}).to_string();
        context.result = parse(KIND, result.as_bytes()).ok().map(|(_, root)| root);
        context.t0 = Some(self.fixture.t0.clone());
        context.pr = self.pull_request.clone();
        context.routing = Some(self.fixture.routing.clone());
        context.manifest = Some(self.fixture.derived().manifest);
        context.notes = Some(Outline::read(&self.notes));
        context.assessments = serde_json::from_value(self.fixture.metadata["reviewer_assessments"].clone()).expect("assessments");
        context.findings = self.findings.clone();
        context.blockers = self.blockers.clone();
        context.candidates = vec![open_claim()];
        context.gates = Some(gates());
        context.confidence = Some(confidence());
        context.status = Some(Status::Fail);
        context.readiness = Some(Readiness::Blocked);
        let verdict = self.metadata["review_decision"]["recommendation"].as_str().and_then(Verdict::parse);
        let (summary, rationale) = ("It retries without end.".to_owned(), "F-1 stands.".to_owned());
        context.decision = Some(Decision { recommendation: verdict, summary, rationale });
    }
}

fn finding() -> Finding {
    Finding {
        id: "F-1".to_owned(),
        severity: Severity::High,
        title: "Endless retry".to_owned(),
        summary: "It never gives up.".to_owned(),
        required_change: "Stop.".to_owned(),
        evidence: vec!["src/a.rs:3".to_owned(), "a log".to_owned()],
        closure_evidence: "A test ends.".to_owned(),
        authors: vec!["Software engineer".to_owned()],
    }
}

fn blocker() -> Blocker {
    Blocker {
        id: "B-1".to_owned(),
        title: "The owner decides".to_owned(),
        required_change: "Ask.".to_owned(),
        evidence: vec!["the plan".to_owned()],
        authors: vec!["Software engineer".to_owned()],
    }
}

fn open_claim() -> Candidate {
    let text = |text: &str| text.to_owned();
    Candidate {
        id: text("C-1"),
        severity: Severity::Medium,
        claim: text("The server stores twice."),
        source_revision: text("sha256:0"),
        contract: text("One object."),
        trigger: text("A lost response."),
        confirmation_evidence: text("The retry."),
        falsification_evidence: text("None was found."),
        counterevidence: Vec::new(),
        check: text("Read it."),
        result: text("It retries."),
        environment: text("here"),
        limits: Vec::new(),
        disposition: Some(Disposition::Unverified),
        reason: text("No server."),
        feasible_checks_complete: true,
        missing_prerequisite: text("staging credentials"),
        owner: text("storage team"),
        next_check: text("Replay one upload."),
        closure_condition: text("One object is listed."),
    }
}

fn confidence() -> Confidence {
    let closure = |gap: &str, status, text: &str| Closure { gap: gap.to_owned(), status, text: text.to_owned() };
    let closures = vec![
        closure("No staging.", ClosureStatus::Unresolved, "(-0.10) None exists."),
        closure("Not replayed.", ClosureStatus::Closed, "(-0.00) Replayed."),
    ];
    Confidence {
        hundredths: 90,
        initial: 94,
        gaps: closures.iter().map(|closure| closure.gap.clone()).collect(),
        closures,
        band: Band::Fair,
        evidence: Vec::new(),
        recovery_actions: Vec::new(),
        remaining_limits: vec!["(-0.00) Counted above.".to_owned()],
    }
}

/// Lint passed, tests failed, nothing else ran.
fn gates() -> Gates {
    let checks = GATES.iter().map(|id| {
        let (status, reason, exit) = match *id {
            "lint" => ("pass", Value::Null, json!(0)),
            "tests" => ("fail", json!("command-failed"), json!(101)),
            "types" => ("not-applicable", json!("declared"), Value::Null),
            _ => ("missing-command", json!("no-command-configured"), Value::Null),
        };
        let stdout = (!exit.is_null()).then(|| format!("checks/{id}.stdout.txt"));
        let detail = (status == "not-applicable").then_some("no types");
        json!({"id": id, "gate_status": status, "reason": reason, "detail": detail, "command_exit": exit, "signal": null,
            "duration_ms": null, "runner": null, "command_path": null, "stdout": stdout, "stderr": null, "truncated": false,
            "environment": {}, "tests": null, "source_proof": null, "before": null, "after": null, "artifacts": {}})
    });
    let gates = json!({"schema_version": 1, "status": "fail", "checks_run": GATES, "checks_failed": [], "failed_count": 3,
        "checks_not_applicable": ["types"], "checks": checks.collect::<Vec<_>>(), "source": {"mode": "local-review-mirror",
        "worktree": "/w", "expected_head": null, "receipt_path": null, "receipt_sha256": null, "snapshot_path": null,
        "snapshot_sha256": null}});
    serde_json::from_value(gates).expect("gates")
}

fn handoff(fixture: &Fixture) -> Value {
    let row = |index: usize, field: &str, value: &str| {
        let (id, source) = (format!("row-{index}"), format!("S-{index}"));
        json!({"id": id, "cells": [field, value], "source_ids": [source]})
    };
    let rows = [
        row(1, "Scope", "working tree"),
        row(2, "Revision", &format!("diff sha256:{}", fixture.t0.review_input_sha256)),
        row(3, "CI", "unavailable"),
        row(4, "Type", "fix"),
        row(5, "Commit", &format!("{} (working-tree base)", "c".repeat(40))),
        row(6, "Suggestion", "major revision"),
    ];
    let gate = |check: &str, status: &str, reason: Option<&str>, detail: Option<&str>, exit: Option<i32>, evidence: &str| {
        let mut record = json!({"check": check, "status": status, "reason": reason, "detail": detail});
        record["command_exit"] = json!(exit);
        record["evidence"] = json!(evidence);
        record
    };
    let missing = |check: &str| gate(check, "missing-command", Some("no-command-configured"), None, None, "gates.json");
    json!({
        "schema_version": 1,
        "presentation_version": 13,
        "skill": "code-review",
        "branch": "assessed",
        "outcome": {"title": "Review Decision", "summary": "Recommendation: needs-more-work."},
        "result_status": "fail",
        "tables": [{
            "title": "Review Snapshot",
            "columns": ["Field", "Value"],
            "rows": rows,
            "reviewers": [
                {"role": "Software engineer", "rating": 3, "evidence": "specialists/sw-engineer.attempt-1.md"},
                {"role": "QA specialist (parent substitute)", "rating": 2, "evidence": "specialists/qa-specialist.md"}
            ],
            "summary": "It retries without end.",
            "source_rating_version": 1,
            "verification_readiness": "blocked"
        }, {
            "title": "Review Findings and Merge Blocks",
            "columns": ["Finding / area", "Required change", "Evidence", "Status"],
            "layout": "concise",
            "overview_only": true,
            "rows": [
                {"id": "F-1", "cells": ["F-1", "Stop.", "src/a.rs:3; a log", "Required"], "source_ids": ["S-7"], "title": "Endless retry",
                 "authors": ["Software engineer"], "summary": "It never gives up.", "closure_evidence": "A test ends."},
                {"id": "B-1", "cells": ["B-1", "Ask.", "the plan", "Verify"], "source_ids": ["S-8"], "title": "The owner decides",
                 "authors": ["Software engineer"]}
            ]
        }],
        "source_records": (1..=8).map(|index| json!({"id": format!("S-{index}"), "evidence": "run.json"})).collect::<Vec<_>>(),
        "source_coverage": {"source_records_total": 8, "represented_source_records_total": 8, "omitted_source_records_total": 0},
        "verification": [
            gate("lint", "pass", None, None, Some(0), "checks/lint.stdout.txt"),
            missing("format"),
            gate("types", "not-applicable", Some("declared"), Some("no types"), None, "gates.json"),
            gate("tests", "fail", Some("command-failed"), None, Some(101), "checks/tests.stdout.txt"),
            missing("review")
        ],
        "reviewer_evidence": [
            {"role": "Software engineer", "evidence_level": "recorded"},
            {"role": "QA specialist (parent substitute)", "evidence_level": "substituted"}
        ],
        "remaining": [{
            "row_id": "C-1",
            "item": "The server stores twice. Missing: staging credentials",
            "owner": "storage team",
            "next_action": "Replay one upload. One object is listed."
        }],
        "next_steps": ["C-1"],
        "confidence": {
            "score": 0.9,
            "band": "fair",
            "limits": ["(-0.00) Counted above."],
            "gaps": [
                {"gap": "No staging.", "status": "unresolved", "rationale": "(-0.10) None exists."},
                {"gap": "Not replayed.", "status": "closed", "evidence": "(-0.00) Replayed."}
            ]
        },
        "artifacts": [{"label": "Result", "path": "reviews/one/result.json"}, {"label": "Run", "path": "run.json"}],
        "terminal": null,
        "caller_contract": null,
        "report_path": "/source/reviews/one/review-notes.md"
    })
}
