//! `specialist-manifest.json`: the passes, derived from the event log and the retained responses (CR-66).

mod derive;
mod execution;
mod gap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::vocabulary::Role;

pub use super::vocabulary::{EvidenceLevel, PassMode};
pub use derive::{Derived, PassGap, Sources, card_path, derive, plan_path, read};
pub use execution::{ExecutionMode, Mirror, MirroredPass};

/// The file's name.
pub const MANIFEST_FILE: &str = "specialist-manifest.json";

/// The manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// 10.
    pub schema_version: u32,
    /// `direct` or `batched`.
    pub manifest_kind: super::routing::PlanKind,
    /// As in `run.json`.
    pub review_run_id: String,
    /// As in `run.json`.
    pub producer_id: String,
    /// Digest of `diff.patch`.
    pub review_input_sha256: String,
    /// The plan, relative to the run.
    pub plan_path: String,
    /// Its digest.
    pub plan_sha256: String,
    /// Digest of the event log; of no bytes when there is none.
    pub events_sha256: String,
    /// One per triggered role, in the order of the roles.
    pub passes: Vec<Pass>,
}

/// One role's work in this run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pass {
    /// Whose.
    pub role: Role,
    /// The signal `axis_*` of the role, or the role's id.
    pub axis: String,
    /// Why it was triggered.
    pub trigger: String,
    /// How it was done.
    pub mode: PassMode,
    /// What shows it (CR-62).
    pub evidence_level: EvidenceLevel,
    /// The response's own, as a number with at most two decimals.
    pub confidence: Value,
    /// Critical and high records of the response.
    pub blocking_findings: u32,
    /// The response, relative to the run.
    pub output_path: String,
    /// Its digest.
    pub output_sha256: String,
    /// Digest of the context; null for a substitute.
    pub context_sha256: Option<String>,
    /// Digest of the retained role card.
    pub role_card_sha256: String,
    /// Every attempt, in order; kept by a substitute too.
    pub attempts: Vec<Attempt>,
    /// The attempt whose output counts, from 1; null for a substitute.
    pub selected_attempt: Option<u32>,
}

/// One try of a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// 1 or 2.
    pub attempt: u32,
    /// How it was done.
    pub mode: PassMode,
    /// The reviewer's id.
    pub reviewer_id: Option<String>,
    /// How it ended: `joined`, `refused`, `invalid` for a response that does not parse, or `open`.
    pub outcome: String,
    /// RFC 3339; null when it did not start.
    pub started_at: Option<String>,
    /// RFC 3339; null when it did not complete.
    pub completed_at: Option<String>,
    /// What shows it.
    pub evidence_level: EvidenceLevel,
    /// Null when it has none.
    pub output_path: Option<String>,
    /// Null when it has none.
    pub output_sha256: Option<String>,
    /// Why there was a second try.
    pub retry_reason: Option<String>,
    /// What the reviewer's host said it saw; stored, never judged.
    pub observed: Value,
}
