//! `discarded/<NNN>/discard.json`: why a result was given up before it was promoted (CR-20).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The folder of everything that was discarded.
pub const DISCARDED_FOLDER: &str = "discarded";
/// The record beside a discarded candidate.
pub const DISCARD_FILE: &str = "discard.json";

/// A discarded candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discard {
    /// 1.
    pub schema_version: u32,
    /// What kind of reason it was.
    pub category: DiscardCategory,
    /// The reason.
    pub reason: String,
    /// Digest of the candidate.
    pub candidate_sha256: String,
    /// RFC 3339, UTC.
    pub discarded_at: String,
    /// Who drives the review.
    pub producer_id: String,
}

/// Why a candidate is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DiscardCategory {
    /// A newer review takes its place.
    Superseded,
    /// Its evidence does not hold.
    InvalidEvidence,
    /// The source is no longer what was reviewed.
    SourceMoved,
    /// Another run reviews the same.
    DuplicateRun,
    /// Something else.
    Other,
}
