//! `review-routing.json`: how risky the change is and who looks at it (CR-55).

mod briefs;
mod cards;
mod context;
mod derive;
mod freeze;
mod judge;
mod plan;
mod production;
mod signals;
mod statement;
mod tier;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::{Role, Tier};
use crate::canonical::nullable;

pub use briefs::{BRIEFS_FILE, BatchContext, Brief, Briefs};
pub use cards::built_in;
pub use derive::{Declared, RoutingFacts};
pub use freeze::{Frozen, Ingredients, MAX_CONTEXT_BYTES, freeze, is_frozen_path};
pub use judge::judge;
pub use plan::{Batch, BatchInventory, INVENTORY_FILE, InventorySource, PARENT, Plan, PlanFile, PlanKind, Source, revision};
pub use production::{is_production, is_test_path};
pub use signals::{SIGNALS, mandatory};
pub use statement::{Statement, Statements, read as read_statements, stated, template};
pub use tier::{Mechanical, mechanical};

/// The file's name.
pub const ROUTING_FILE: &str = "review-routing.json";
/// The file that has the tier as its only word.
pub const SCOPE_FILE: &str = "scope.txt";

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
    #[serde(deserialize_with = "nullable")]
    pub independence_requirement_evidence: Option<String>,
}
