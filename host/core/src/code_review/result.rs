//! The whole result of an assessed review (CR-164, CR-165), for its schema: the steps judge it value by value, each with a code of its own.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value};

use super::{
    assessment::Assessment,
    candidate::Candidate,
    confidence::Band,
    finding::{Blocker, Finding},
    handoff::{FinalHandoff, Gap},
    manifest::{ExecutionMode, MirroredPass},
    run_manifest::RunManifestBinding,
    source_finding::{Reconciliation, SourceFinding},
    vocabulary::{Readiness, Role, Scope, Status, Tier, Verdict},
};
use crate::canonical::nullable;

/// `result.json` and `result.candidate.json` of an assessed review.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewResult {
    /// 3.
    pub schema_version: u32,
    /// What the checks came to (CR-108).
    pub status: Status,
    /// The five gates, in order.
    pub checks_run: Vec<String>,
    /// The gates that failed, in order; then the band of a confidence that is too low (CR-167).
    pub checks_failed: Vec<String>,
    /// The findings by severity.
    pub findings: SeverityCounts,
    /// 0 to 1 with at most two decimals.
    pub confidence: Number,
    /// This run's `result.json`; relative to the checkout when it lies in it, else absolute.
    pub artifact_path: String,
    /// What the review recorded.
    pub metadata: Metadata,
    /// Advice beside the findings; each text.
    pub recommendations: Vec<String>,
    /// What is to be followed up.
    pub follow_up: Vec<FollowUp>,
}

/// How many findings there are of each severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the severities")]
pub struct SeverityCounts {
    pub critical: u32,
    pub high: u32,
    pub medium: u32,
    pub low: u32,
}

/// Something to follow up.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FollowUp {
    /// A finding, a blocker or an open claim.
    pub id: String,
    /// What is to be done.
    pub text: String,
}

/// What an assessed review recorded.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// As in `run.json`.
    pub scope: Scope,
    /// As in `review-routing.json`.
    pub risk_tier: Tier,
    /// 2.
    pub finding_records_version: u32,
    /// The claims, and what became of them.
    pub review_validation: ReviewValidation,
    /// The confirmed claims.
    pub review_findings: Vec<Finding>,
    /// Project actions that are no source finding.
    pub operational_blockers: Vec<Blocker>,
    /// One per pass; the software engineer's first, the main reviewer's besides.
    pub reviewer_assessments: Vec<Assessment>,
    /// The verdict and why.
    pub review_decision: ReviewDecision,
    /// `specialist-manifest.json`.
    pub specialist_manifest: String,
    /// The manifest's passes.
    pub specialist_passes: Vec<MirroredPass>,
    /// As in `run.json`.
    pub review_run_id: String,
    /// Digest of `diff.patch`.
    pub review_input_sha256: String,
    /// How the passes lay in time.
    pub execution_mode: ExecutionMode,
    /// The weakest level of the passes, or `none`.
    pub execution_evidence_level: String,
    /// What was observed of each selected attempt, by role.
    pub execution_observed_controls: BTreeMap<Role, Value>,
    /// False: reviewers do not write.
    pub write_parallel_eligible: bool,
    /// Some pass is a substitute.
    pub fanout_substituted: bool,
    /// As in `run.json`.
    pub independence_required: bool,
    /// As in `run.json`.
    #[serde(deserialize_with = "nullable")]
    pub independence_requirement_evidence: Option<String>,
    /// Every triggered role has an attested pass.
    pub independence_satisfied: bool,
    /// What the responses reported, unchanged.
    pub source_findings: Vec<SourceFinding>,
    /// Each original by `finding_id`, with the claim that judges it.
    pub source_finding_mapping: BTreeMap<String, String>,
    /// Why different originals are one claim, by claim.
    pub source_finding_reconciliation: BTreeMap<String, Reconciliation>,
    /// Later identical originals, with the first.
    pub source_finding_duplicates: BTreeMap<String, String>,
    /// What is not certain.
    pub confidence_gaps: Vec<String>,
    /// What became of each gap, in their order.
    pub confidence_gap_closures: Vec<Gap>,
    /// How the confidence was reached.
    pub confidence_recovery: ConfidenceRecovery,
    /// Full id of the reviewed commit, or of the commit below a mirror; null for an unborn HEAD.
    #[serde(deserialize_with = "nullable")]
    pub reviewed_commit_sha: Option<String>,
    /// The hand-off that is bound.
    pub final_handoff: FinalHandoff,
    /// The list of files that is bound.
    pub run_manifest: RunManifestBinding,
}

/// The claims of a review, and what became of them (CR-73).
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewValidation {
    /// 1.
    pub schema_version: u32,
    /// 1.
    pub source_rating_version: u32,
    /// The recommendation of the decision.
    #[serde(deserialize_with = "nullable")]
    pub source_verdict: Option<Verdict>,
    /// Whether everything feasible was checked.
    pub verification_readiness: Readiness,
    /// Every claim of every severity, once.
    pub candidates: Vec<Candidate>,
}

/// The verdict and why.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewDecision {
    /// Null where no source judgment was possible.
    #[serde(deserialize_with = "nullable")]
    pub recommendation: Option<Verdict>,
    /// What the review found, in short.
    pub summary: String,
    /// Why the verdict follows.
    pub rationale: String,
}

/// How the confidence was reached (CR-110).
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfidenceRecovery {
    /// Before anything was done about the gaps.
    pub initial_confidence: Number,
    /// The result's.
    pub final_confidence: Number,
    /// Its band.
    pub status: Band,
    /// What it rests on; not empty.
    pub evidence: Vec<String>,
    /// What was done about the gaps; not empty.
    pub recovery_actions: Vec<String>,
    /// What stays uncertain, each with its share.
    pub remaining_limits: Vec<String>,
}
