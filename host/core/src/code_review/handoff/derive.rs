//! What a hand-off repeats of the run's records, made from the records (CR-150).

use serde_json::Number;

use super::{Artifact, ConfidenceRecord, Gap, GateRecord, RESULT_LABEL, ReviewerEvidence};
use crate::code_review::{
    assessment::Assessment,
    confidence::{ClosureStatus, Confidence},
    finding::{Blocker, Finding},
    gates::{GATES_FILE, GateCheck, Gates},
    manifest::{Manifest, Pass, PassMode},
    notes::NOTES_FILE,
    snapshot::{self, Row},
    vocabulary::{Readiness, SUBSTITUTE_SUFFIX, Status},
};

/// The records.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'s> {
    /// `status` of the result.
    pub status: Status,
    /// `artifact_path` of the result.
    pub result_path: &'s str,
    /// The run's folder; absolute.
    pub run_path: &'s str,
    /// The gates.
    pub gates: &'s Gates,
    /// The passes.
    pub manifest: &'s Manifest,
    /// The confidence.
    pub confidence: &'s Confidence,
    /// `reviewer_assessments`.
    pub assessments: &'s [Assessment],
    /// `review_decision.summary`.
    pub summary: &'s str,
    /// `verification_readiness`.
    pub readiness: Readiness,
    /// The findings.
    pub findings: &'s [Finding],
    /// The operational blockers.
    pub blockers: &'s [Blocker],
    /// What the snapshot is made of; the author chooses the type.
    pub snapshot: snapshot::Source<'s>,
}

/// What follows from the records.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// `result_status`.
    pub result_status: Status,
    /// `verification`.
    pub verification: Vec<GateRecord>,
    /// `reviewer_evidence`.
    pub reviewer_evidence: Vec<ReviewerEvidence>,
    /// `confidence`.
    pub confidence: ConfidenceRecord,
    /// The first of `artifacts`.
    pub result: Artifact,
    /// `report_path`.
    pub report_path: String,
    /// `reviewers` of the snapshot.
    pub reviewers: Vec<Assessment>,
    /// `summary` of the snapshot.
    pub summary: String,
    /// `verification_readiness` of the snapshot.
    pub readiness: Readiness,
    /// The machine rows of the snapshot, or which source of them cannot be read.
    pub snapshot: Result<Vec<Row>, String>,
    /// The rows of the actions: findings, then blockers, each in the order of the result.
    pub actions: Vec<Action>,
}

/// The content of a row of the actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The canonical id.
    pub id: String,
    /// One line.
    pub title: String,
    /// Labels.
    pub authors: Vec<String>,
    /// The cell.
    pub required_change: String,
    /// The cell: the texts joined by `; `.
    pub evidence: String,
    /// Of a finding.
    pub summary: Option<String>,
    /// Of a finding.
    pub closure_evidence: Option<String>,
}

impl Derived {
    /// The reviewed commit as the snapshot shows it.
    pub fn commit(&self) -> Option<&str> {
        let rows = self.snapshot.as_ref().ok()?;
        rows.iter().find(|row| row.field == "Commit").map(|row| row.value.as_str())
    }
}

/// Derives it.
pub fn derive(sources: Sources<'_>) -> Derived {
    let Sources { assessments, summary, readiness, .. } = sources;
    Derived {
        result_status: sources.status,
        verification: sources.gates.checks.iter().map(GateRecord::of).collect(),
        reviewer_evidence: sources.manifest.passes.iter().map(reviewer_evidence).collect(),
        confidence: confidence(sources.confidence),
        result: Artifact { label: RESULT_LABEL.to_owned(), path: sources.result_path.to_owned() },
        report_path: format!("{}/{NOTES_FILE}", sources.run_path.trim_end_matches('/')),
        reviewers: assessments.to_vec(),
        summary: summary.to_owned(),
        readiness,
        snapshot: snapshot::rows(sources.snapshot),
        actions: sources.findings.iter().map(Action::from).chain(sources.blockers.iter().map(Action::from)).collect(),
    }
}

impl GateRecord {
    /// What the hand-off says of a gate.
    pub fn of(check: &GateCheck) -> Self {
        Self {
            check: check.id.clone(),
            status: check.gate_status,
            reason: check.reason,
            detail: check.detail.clone(),
            command_exit: check.command_exit,
            evidence: check.stdout.clone().unwrap_or_else(|| GATES_FILE.to_owned()),
        }
    }
}

fn reviewer_evidence(pass: &Pass) -> ReviewerEvidence {
    let suffix = if pass.mode == PassMode::Substituted { SUBSTITUTE_SUFFIX } else { "" };
    ReviewerEvidence { role: pass.role.label() + suffix, evidence_level: pass.evidence_level }
}

fn confidence(confidence: &Confidence) -> ConfidenceRecord {
    let gaps = confidence.closures.iter().map(|closure| {
        let is_closed = closure.status == ClosureStatus::Closed;
        let text = |wanted: bool| wanted.then(|| closure.text.clone());
        Gap { gap: closure.gap.clone(), status: closure.status, evidence: text(is_closed), rationale: text(!is_closed) }
    });
    ConfidenceRecord {
        score: Number::from_f64(f64::from(confidence.hundredths) / 100.0).expect("a quotient of two small integers is finite"),
        band: confidence.band,
        limits: confidence.remaining_limits.clone(),
        gaps: gaps.collect(),
    }
}

impl From<&Finding> for Action {
    fn from(finding: &Finding) -> Self {
        Self {
            id: finding.id.clone(),
            title: finding.title.clone(),
            authors: finding.authors.clone(),
            required_change: finding.required_change.clone(),
            evidence: finding.evidence.join("; "),
            summary: Some(finding.summary.clone()),
            closure_evidence: Some(finding.closure_evidence.clone()),
        }
    }
}

impl From<&Blocker> for Action {
    fn from(blocker: &Blocker) -> Self {
        Self {
            id: blocker.id.clone(),
            title: blocker.title.clone(),
            authors: blocker.authors.clone(),
            required_change: blocker.required_change.clone(),
            evidence: blocker.evidence.join("; "),
            summary: None,
            closure_evidence: None,
        }
    }
}
