//! Reviews that end before the source is judged: everything that they hold follows from receipts and, when closing is advised, from the
//! decision (section 16).

mod closed;
mod decision;
mod result;
mod unavailable;

use serde_json::{Map, Number, Value, json};

use super::{
    confidence::{Band, ClosureStatus},
    gates::{GATES, GateCheck, GateReason, GateSource, GateStatus, Gates, SourceMode},
    handoff::{
        Artifact, Branch, ConfidenceRecord, Gap, GateRecord, Handoff, Outcome, RESULT_LABEL, Remaining, SKILL, SourceCoverage, Terminal,
    },
    notes::NOTES_FILE,
    run::RunRecord,
    run_manifest::result_path,
    vocabulary::{Severity, Status, Tier},
};

pub use closed::closed;
pub use decision::{CLOSE_CODES, CLOSE_MINIMUM, CloseDecision, faults};
pub use result::{CollectionFailure, EndedMetadata, EndedResult};
pub use unavailable::{Unavailable, unavailable};

/// The keys of the metadata, in documented order; the third from the left stands for the branch's own (CR-187).
pub const COMMON_KEYS: [&str; 8] = [
    "scope",
    "risk_tier",
    "review_status",
    "confidence_gaps",
    "confidence_gap_closures",
    "confidence_recovery",
    "final_handoff",
    "run_manifest",
];

/// The keys of a result that ended early.
pub const RESULT_KEYS: [&str; 8] =
    ["schema_version", "status", "checks_run", "checks_failed", "findings", "confidence", "artifact_path", "metadata"];

/// What no run that ended early holds (CR-186, CR-188, CR-195).
pub const FORBIDDEN: [&str; 12] = [
    "scope.txt",
    "review-routing.json",
    "review-briefs.json",
    "direct-plan.json",
    "batch-inventory.json",
    "inspection-plan.json",
    "specialist-manifest.json",
    "reviewers.events.jsonl",
    "codemap-context.json",
    "blind-blueprint.md",
    "dependency-evidence.json",
    "evidence-index.json",
];

/// Folders of which no run that ended early holds a file.
pub const FORBIDDEN_FOLDERS: [&str; 3] = ["specialists", "role-cards", "reproductions"];

/// The key of the metadata that only this branch has.
pub fn own_key(branch: Branch) -> &'static str {
    if branch == Branch::Closed { "close_decision" } else { "collection_failure" }
}

/// A review that ended early, whole but for its bindings.
#[derive(Clone, Debug)]
pub struct Ended {
    /// `closed` or `unavailable`.
    pub branch: Branch,
    /// The result; its metadata lack `final_handoff` and `run_manifest`.
    pub result: Value,
    /// `review-notes.md`.
    pub notes: String,
    /// `gates.json`.
    pub gates: Gates,
    /// `final-handoff.json`.
    pub handoff: Handoff,
}

/// What the two branches give to their common parts.
struct Parts<'p> {
    branch: Branch,
    run: &'p RunRecord,
    run_path: &'p str,
    tier: Tier,
    status: Status,
    hundredths: u8,
    own: Value,
    confidence: Told,
    gates: Gates,
    notes: String,
    outcome: Outcome,
    remaining: Vec<Remaining>,
    artifacts: Vec<Artifact>,
    terminal: Terminal,
}

/// The one gap of a review that ended early, and what is said around it.
struct Told {
    gap: &'static str,
    status: ClosureStatus,
    rationale: String,
    evidence: &'static str,
    action: &'static str,
}

/// What the one limit says: nothing is deducted twice.
const LIMIT: &str = "(-0.00) Counted in the gap.";

impl Parts<'_> {
    fn ended(self) -> Ended {
        let result = self.result();
        let handoff = self.handoff();
        Ended { branch: self.branch, result, notes: self.notes, gates: self.gates, handoff }
    }

    fn score(&self) -> Number {
        Number::from_f64(f64::from(self.hundredths) / 100.0).expect("a quotient of two small integers is finite")
    }

    fn result(&self) -> Value {
        let Told { gap, status, rationale, evidence, action } = &self.confidence;
        let counts: Map<String, Value> = Severity::WORDS.iter().rev().map(|(word, _)| ((*word).to_owned(), json!(0))).collect();
        let score = self.score();
        let mut metadata = Map::new();
        metadata.insert("scope".to_owned(), json!(self.run.scope));
        metadata.insert("risk_tier".to_owned(), json!(self.tier));
        metadata.insert("review_status".to_owned(), json!(self.branch));
        metadata.insert(own_key(self.branch).to_owned(), self.own.clone());
        metadata.insert("confidence_gaps".to_owned(), json!([gap]));
        metadata.insert("confidence_gap_closures".to_owned(), json!([{"gap": gap, "status": status, "rationale": rationale}]));
        metadata.insert(
            "confidence_recovery".to_owned(),
            json!({
                "initial_confidence": score,
                "final_confidence": score,
                "status": Band::of(self.hundredths),
                "evidence": [evidence],
                "recovery_actions": [action],
                "remaining_limits": [LIMIT]
            }),
        );
        json!({
            "schema_version": 3,
            "status": self.status,
            "checks_run": GATES,
            "checks_failed": [],
            "findings": counts,
            "confidence": score,
            "artifact_path": result_path(self.run, self.run_path),
            "metadata": metadata
        })
    }

    fn handoff(&self) -> Handoff {
        let Told { gap, status, rationale, .. } = &self.confidence;
        let gap = Gap { gap: (*gap).to_owned(), status: *status, evidence: None, rationale: Some(rationale.clone()) };
        let result = Artifact { label: RESULT_LABEL.to_owned(), path: result_path(self.run, self.run_path) };
        Handoff {
            schema_version: 1,
            presentation_version: self.branch.presentation(),
            skill: SKILL.to_owned(),
            branch: self.branch,
            outcome: self.outcome.clone(),
            result_status: self.status,
            tables: Vec::new(),
            source_records: Vec::new(),
            source_coverage: SourceCoverage {
                source_records_total: 0,
                represented_source_records_total: 0,
                omitted_source_records_total: 0,
            },
            verification: self.gates.checks.iter().map(GateRecord::of).collect(),
            reviewer_evidence: Vec::new(),
            next_steps: self.remaining.iter().map(|entry| entry.row_id.clone()).collect(),
            remaining: self.remaining.clone(),
            confidence: ConfidenceRecord {
                score: self.score(),
                band: Band::of(self.hundredths),
                limits: vec![LIMIT.to_owned()],
                gaps: vec![gap],
            },
            artifacts: std::iter::once(result).chain(self.artifacts.iter().cloned()).collect(),
            terminal: Some(self.terminal.clone()),
            caller_contract: None,
            report_path: format!("{}/{NOTES_FILE}", self.run_path.trim_end_matches('/')),
        }
    }
}

/// The five gates of a review that ended early: none applies, but for what `review` says.
fn gates(run: &RunRecord, why: &str, review: Option<GateCheck>) -> Gates {
    let declared = |id: &str| GateCheck::unstarted(id, GateStatus::NotApplicable, Some(GateReason::Declared), Some(why.to_owned()));
    let mut checks: Vec<GateCheck> = GATES.iter().map(|id| declared(id)).collect();
    if let (Some(last), Some(review)) = (checks.last_mut(), review) {
        *last = review;
    }
    let source = GateSource {
        mode: SourceMode::Clean,
        worktree: run.review_worktree.clone().unwrap_or_else(|| run.source_worktree.clone()),
        expected_head: run.head_oid.clone(),
        receipt_path: None,
        receipt_sha256: None,
        snapshot_path: None,
        snapshot_sha256: None,
    };
    Gates::of(checks, source)
}

/// Paragraphs, one blank line between two; lines of a list stand together.
fn paragraphs(blocks: &[String]) -> String {
    blocks.join("\n\n") + "\n"
}
