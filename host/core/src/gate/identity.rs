//! What a gate's run is identified by: equal identities may reuse passed commands (BR-72).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{canonical::digest_json, gate::state::BehaviorReviewReport, plugin::PluginIdentity};

/// Everything that decides what a gate's commands mean. Any difference gives another run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunIdentity {
    /// `merge` or `checkpoint`.
    #[schemars(extend("enum" = ["merge", "checkpoint"]))]
    pub gate: String,
    /// The base commit.
    pub base: String,
    /// The candidate commit.
    pub candidate: String,
    /// The level's name.
    #[schemars(extend("enum" = ["unchanged", "documentation", "checkpoint", "recommended", "full"]))]
    pub level: String,
    /// Version of the engine.
    pub engine_version: String,
    /// Digests of the policies' bytes at base and candidate; empty for an absent one.
    pub policy_sha256: [String; 2],
    /// Every plugin that the run asks.
    pub plugins: Vec<PluginIdentity>,
    /// Operating system and architecture.
    pub platform: String,
    /// In plan order.
    pub commands: Vec<CommandIdentity>,
    /// Digest of each variable that commands get, by name; values never enter evidence.
    #[schemars(extend("additionalProperties" = {"type": "string", "pattern": "^[0-9a-f]{64}$"}))]
    pub environment: BTreeMap<String, String>,
    /// The review as planned.
    pub behavior_review: BehaviorReviewReport,
}

/// A planned command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandIdentity {
    /// The name that people see.
    pub name: String,
    /// `check`, `test`, `build` or `supply-chain`.
    pub category: crate::gate::plan::Category,
    /// Digest of the definition with defaults resolved.
    pub definition_sha256: String,
    /// Digest of the program's bytes; empty when it was not found.
    pub program_sha256: String,
}

impl RunIdentity {
    /// Digest of the identity.
    pub fn sha256(&self) -> String {
        digest_json(self)
    }
}
