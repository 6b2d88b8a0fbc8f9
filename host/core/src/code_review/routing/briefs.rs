//! `review-briefs.json`: what each reviewer is given, frozen before anybody is asked (CR-56, CR-220).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_review::vocabulary::Role;

/// The file's name.
pub const BRIEFS_FILE: &str = "review-briefs.json";

/// The briefs of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Briefs {
    /// 1.
    pub schema_version: u32,
    /// One per triggered role, in the order of the roles.
    pub briefs: Vec<Brief>,
}

/// What one role is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Brief {
    /// Whose.
    pub role: Role,
    /// The context that is dispatched, relative to the run; in a batched run it lists the contexts of the batches with their digests.
    pub context_path: String,
    /// Its digest.
    pub context_sha256: String,
    /// What the role inspects, sorted.
    pub assigned_paths: Vec<String>,
    /// The contexts of the batches; empty in a direct run.
    pub batches: Vec<BatchContext>,
}

/// The context of one batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchContext {
    /// From 1.
    pub batch: u32,
    /// Relative to the run.
    pub context_path: String,
    /// Its digest.
    pub context_sha256: String,
}

impl Briefs {
    /// The brief of this role.
    pub fn of(&self, role: Role) -> Option<&Brief> {
        self.briefs.iter().find(|brief| brief.role == role)
    }
}
