//! What ties a result to its hand-off, and a hand-off to its report (CR-159).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Branch, FINAL_FILE, HANDOFF_FILE, HANDOFF_VALIDATION_FILE, SKILL};

/// `final-handoff.validation.json`: this hand-off was validated and rendered to these bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HandoffValidation {
    /// 1.
    pub schema_version: u32,
    /// `pass`.
    pub status: String,
    /// `code-review`.
    pub skill: String,
    /// The hand-off's.
    pub branch: Branch,
    /// Digest of `final-handoff.json`.
    pub handoff_sha256: String,
    /// Digest of `final.md`.
    pub rendered_sha256: String,
}

impl HandoffValidation {
    /// The record of these files.
    pub fn of(branch: Branch, handoff_sha256: &str, rendered_sha256: &str) -> Self {
        Self {
            schema_version: 1,
            status: "pass".to_owned(),
            skill: SKILL.to_owned(),
            branch,
            handoff_sha256: handoff_sha256.to_owned(),
            rendered_sha256: rendered_sha256.to_owned(),
        }
    }
}

/// `metadata.final_handoff` of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinalHandoff {
    /// 1.
    pub schema_version: u32,
    /// `final-handoff.json`.
    pub handoff_path: String,
    /// Its digest.
    pub handoff_sha256: String,
    /// `final.md`.
    pub rendered_path: String,
    /// Its digest.
    pub rendered_sha256: String,
    /// `final-handoff.validation.json`.
    pub validation_path: String,
    /// The hand-off's.
    pub branch: Branch,
}

impl FinalHandoff {
    /// The binding of these files.
    pub fn of(branch: Branch, handoff_sha256: &str, rendered_sha256: &str) -> Self {
        Self {
            schema_version: 1,
            handoff_path: HANDOFF_FILE.to_owned(),
            handoff_sha256: handoff_sha256.to_owned(),
            rendered_path: FINAL_FILE.to_owned(),
            rendered_sha256: rendered_sha256.to_owned(),
            validation_path: HANDOFF_VALIDATION_FILE.to_owned(),
            branch,
        }
    }
}
