//! The shape of a result that ended early, for its schema: the step `terminal` compares it whole (CR-187).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Number;

use super::CloseDecision;
use crate::code_review::{
    handoff::{Branch, FinalHandoff, Gap},
    result::{ConfidenceRecovery, SeverityCounts},
    run_manifest::RunManifestBinding,
    vocabulary::{Scope, Status, Tier},
};

/// `result.json` of a review that ended early.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndedResult {
    /// 3.
    pub schema_version: u32,
    /// `fail` of an unavailable review, `pass` of a closed one.
    pub status: Status,
    /// The five gates, in order.
    pub checks_run: Vec<String>,
    /// Empty.
    pub checks_failed: Vec<String>,
    /// All 0.
    pub findings: SeverityCounts,
    /// From 0.90 to 1.
    pub confidence: Number,
    /// Where the promoted result lies.
    pub artifact_path: String,
    /// What it follows from.
    pub metadata: EndedMetadata,
}

/// `metadata` of a review that ended early; exactly one of `collection_failure` and `close_decision`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndedMetadata {
    /// `pr`.
    pub scope: Scope,
    /// The mechanical tier; `LOCAL` without a diff.
    pub risk_tier: Tier,
    /// `unavailable` or `closed`.
    pub review_status: Branch,
    /// Of an unavailable review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection_failure: Option<CollectionFailure>,
    /// Of a closed one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub close_decision: Option<CloseDecision>,
    /// The one gap.
    pub confidence_gaps: Vec<String>,
    /// What became of it.
    pub confidence_gap_closures: Vec<Gap>,
    /// How the confidence was reached.
    pub confidence_recovery: ConfidenceRecovery,
    /// The hand-off and its report.
    pub final_handoff: FinalHandoff,
    /// The list of the run's files.
    pub run_manifest: RunManifestBinding,
}

/// `metadata.collection_failure`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CollectionFailure {
    /// The content of `pr-error.txt`.
    pub code: String,
    /// `pr-error.txt`.
    pub artifact: String,
}
