//! The tables of a hand-off: the snapshot, and the actions (CR-152, CR-153).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_review::{assessment::Assessment, vocabulary::Readiness};

/// The columns of the actions.
pub const ACTION_COLUMNS: [&str; 4] = ["Finding / area", "Required change", "Evidence", "Status"];

/// How the actions are shown.
pub const LAYOUT: &str = "concise";

/// One table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Table {
    /// Who, what, at which commit, with which suggestion.
    Snapshot(SnapshotTable),
    /// Findings and blockers.
    Actions(ActionTable),
}

/// The snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotTable {
    /// `PR Snapshot` or `Review Snapshot`.
    pub title: String,
    /// `Field` and `Value`.
    pub columns: Vec<String>,
    /// The six machine rows (CR-123).
    pub rows: Vec<SnapshotRow>,
    /// `reviewer_assessments`.
    pub reviewers: Vec<Assessment>,
    /// `review_decision.summary`.
    pub summary: String,
    /// 1.
    pub source_rating_version: u32,
    /// `review_validation.verification_readiness`.
    pub verification_readiness: Readiness,
}

/// A row of the snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotRow {
    /// Unique in the hand-off.
    pub id: String,
    /// Field and value.
    pub cells: Vec<String>,
    /// Source records; not empty.
    pub source_ids: Vec<String>,
}

/// The actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionTable {
    /// `Review Findings and Merge Blocks`.
    pub title: String,
    /// `Finding / area`, `Required change`, `Evidence` and `Status`.
    pub columns: Vec<String>,
    /// `concise`.
    pub layout: String,
    /// True: the report shows one line an action, the notes the rest.
    pub overview_only: bool,
    /// One per action.
    pub rows: Vec<ActionRow>,
}

/// A row of the actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionRow {
    /// The id of the finding or blocker.
    pub id: String,
    /// Id, required change, evidence joined by `; `, status.
    pub cells: Vec<String>,
    /// Source records; not empty.
    pub source_ids: Vec<String>,
    /// The record's.
    pub title: String,
    /// The record's, with suffixes.
    pub authors: Vec<String>,
    /// The finding's; a blocker has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The finding's; a blocker has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closure_evidence: Option<String>,
}
