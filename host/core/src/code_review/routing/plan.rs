//! The frozen plan: what is inspected, by whom, in which batch (CR-56).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_review::{
    t0::{SnapshotKind, T0},
    vocabulary::Role,
};

/// The inventory of a batched run.
pub const INVENTORY_FILE: &str = "batch-inventory.json";
/// Who inspects a path that no reviewer is called for.
pub const PARENT: &str = "parent";

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

/// `batch-inventory.json`: how a change that is too large for one context is taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchInventory {
    /// 1.
    pub schema_version: u32,
    /// What the batches are taken from.
    pub source_snapshot: InventorySource,
    /// The largest context of a batch.
    pub batch_bytes: u32,
    /// In order, from 1.
    pub batches: Vec<Batch>,
}

/// What the batches are taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InventorySource {
    /// Full id of the reviewed commit, or of the commit below a mirror; null before the first commit.
    pub revision: Option<String>,
}

/// One batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// From 1.
    pub batch: u32,
    /// How many paths it has.
    pub files: usize,
}

/// What lies at a path of the reviewed source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What it is.
    pub kind: SnapshotKind,
    /// Digest of its bytes, or of a link's target; none for what has no bytes.
    pub sha256: Option<String>,
}

const KINDS: [(&str, SnapshotKind); 4] = [
    ("file", SnapshotKind::File),
    ("symlink", SnapshotKind::Symlink),
    ("gitlink", SnapshotKind::Gitlink),
    ("missing", SnapshotKind::Missing),
];

impl Source {
    /// The kind as plans spell it.
    pub(super) fn kind(&self) -> &'static str {
        KINDS.into_iter().find(|(_, kind)| *kind == self.kind).map_or("", |(word, _)| word)
    }
}

/// What the plan is of: the snapshot of a mirror, or the reviewed commit.
pub fn revision(t0: &T0, snapshot_sha256: Option<&str>) -> Option<String> {
    match snapshot_sha256 {
        Some(sha256) => Some(format!("sha256:{sha256}")),
        None => t0.run.head_oid.as_ref().map(|head| format!("head:{head}")),
    }
}

/// Every triggered role inspects every path; without one the parent does.
pub(super) fn inspectors(roles: &[Role]) -> Vec<String> {
    match roles {
        [] => vec![PARENT.to_owned()],
        roles => roles.iter().map(|role| role.as_str().to_owned()).collect(),
    }
}

impl PlanFile {
    /// What lies there; `None` when its kind is unknown.
    pub fn source(&self) -> Option<Source> {
        let kind = KINDS.into_iter().find(|(word, _)| *word == self.kind)?.1;
        Some(Source { kind, sha256: self.sha256.clone() })
    }

    /// This role inspects it.
    pub fn is_for(&self, role: Role) -> bool {
        self.roles.iter().any(|name| name == role.as_str())
    }
}
