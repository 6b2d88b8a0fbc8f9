//! `review-routing.json`: how risky the change is and who looks at it (CR-55).

mod briefs;
mod derive;
mod production;
mod signals;
mod tier;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::{Role, Tier};

pub use briefs::{BRIEFS_FILE, BatchContext, Brief, Briefs};
pub use derive::RoutingFacts;
pub use production::{is_production, is_test_path};
pub use signals::{SIGNALS, mandatory};
pub use tier::{Mechanical, mechanical};

/// The file's name.
pub const ROUTING_FILE: &str = "review-routing.json";

/// The routing of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Routing {
    /// 1.
    pub schema_version: u32,
    /// The declared tier; never below the mechanical one.
    pub risk_tier: Tier,
    /// From paths and sizes alone (CR-49).
    pub mechanical_risk_tier: Tier,
    /// Its reasons (CR-50).
    pub mechanical_risk_evidence: Vec<String>,
    /// The 18 signals (CR-51).
    pub signals: BTreeMap<String, bool>,
    /// Their reasons; each text.
    pub signal_evidence: BTreeMap<String, String>,
    /// Sorted by id.
    pub triggered_roles: Vec<Role>,
    /// Why each was triggered.
    pub trigger_reasons: BTreeMap<Role, Vec<String>>,
    /// Roles that the user asked for, with the user's words.
    pub explicit_selections: BTreeMap<Role, String>,
    /// As in `run.json`.
    pub independent_review_required: bool,
    /// As in `run.json`.
    pub independence_requirement_evidence: Option<String>,
}

/// The frozen plan (CR-56).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// 1.
    pub schema_version: u32,
    /// `direct` or `batched`.
    pub plan_kind: PlanKind,
    /// `head:<oid>` or `sha256:<digest>` of what is inspected.
    pub revision: String,
    /// The inspection set, sorted by path.
    pub files: Vec<PlanFile>,
}

/// Whether each reviewer gets one context or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlanKind {
    /// One.
    Direct,
    /// Several, each below the limit.
    Batched,
}

/// One path of the inspection set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// Repository-relative.
    pub path: String,
    /// `file`, `symlink`, `gitlink` or `missing`.
    pub kind: String,
    /// Digest of its bytes; null for what has none.
    pub sha256: Option<String>,
    /// From 1.
    pub batch: u32,
    /// Ids of triggered roles, or `parent`.
    pub roles: Vec<String>,
}
