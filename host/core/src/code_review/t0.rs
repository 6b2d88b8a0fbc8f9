//! What collection wrote before anybody looked: the receipts of a run's source (section 4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{config::Config, run::RunRecord};
use crate::{canonical::nullable, plugin::Role};

pub mod lists;

/// The receipt of the mirror.
pub const MIRROR_FILE: &str = "local-source/review-worktree.json";
/// The receipt of the mirrored files.
pub const SNAPSHOT_FILE: &str = "local-source/source-snapshot.json";
/// The git state when the run was started.
pub const GIT_STATE_FILE: &str = "git-state.start.json";
/// The same when the run was finalized.
pub const GIT_STATE_FINALIZE_FILE: &str = "git-state.finalize.json";
/// The parts of the paths.
pub const PATH_ROLES_FILE: &str = "path-roles.json";
/// The reviewed commit of the scope `commit`.
pub const REVIEWED_COMMIT_FILE: &str = "reviewed-commit.txt";

/// Collection's facts about the change, read from a run.
#[derive(Clone, Debug, PartialEq)]
pub struct T0 {
    /// `run.json`.
    pub run: RunRecord,
    /// `config.json`.
    pub config: Config,
    /// `files.txt`: tracked paths that changed, in byte order.
    pub tracked: Vec<String>,
    /// `untracked.txt`: untracked paths, in byte order.
    pub untracked: Vec<String>,
    /// `numstat.txt`.
    pub numstat: Vec<Numstat>,
    /// What must be inspected, in byte order: tracked and untracked paths, or the members of explicit targets when both are empty.
    pub inspection_set: Vec<String>,
    /// Digest of `diff.patch`.
    pub review_input_sha256: String,
    /// `local-source/review-worktree.json`, for the scopes `working-tree` and `path`.
    pub mirror: Option<MirrorReceipt>,
    /// `local-source/source-snapshot.json`, for the same.
    pub snapshot: Option<SourceSnapshot>,
    /// Full id of the reviewed commit, or of the commit below a mirror (CR-127); null while it is not known.
    pub reviewed_commit: Option<String>,
}

/// One row of `numstat.txt`; null where git prints `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numstat {
    /// Added lines.
    pub added: Option<u64>,
    /// Deleted lines.
    pub deleted: Option<u64>,
    /// Repository-relative.
    pub path: String,
}

/// `local-source/review-worktree.json` (CR-32).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MirrorReceipt {
    /// 1.
    pub schema_version: u32,
    /// The invoking checkout; absolute.
    pub source_worktree: String,
    /// The mirror; absolute.
    pub review_worktree: String,
    /// Full id of the commit below; null for an unborn HEAD.
    #[serde(deserialize_with = "nullable")]
    pub revision: Option<String>,
    /// The targets, sorted; empty for the whole tree.
    pub scope_paths: Vec<String>,
    /// Digest of the staged entries.
    pub index_sha256: String,
    /// Digest of `diff.patch`.
    pub diff_sha256: String,
    /// Digest of the source's `status.txt`.
    pub status_sha256: String,
    /// Digest of the mirror's status.
    pub review_status_sha256: String,
}

/// `local-source/source-snapshot.json` (CR-32); the contents lie in the mirror (CR-215).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceSnapshot {
    /// 1.
    pub schema_version: u32,
    /// The repository's root; absolute.
    pub repository: String,
    /// The targets, sorted; empty for the whole tree.
    pub scope_paths: Vec<String>,
    /// Full id of the commit below; null for an unborn HEAD.
    #[serde(deserialize_with = "nullable")]
    pub revision: Option<String>,
    /// Digest of the staged entries.
    pub index_sha256: String,
    /// The inspection set, in byte order.
    pub files: Vec<SnapshotFile>,
}

/// One path of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotFile {
    /// Repository-relative.
    pub path: String,
    /// What it is.
    pub kind: SnapshotKind,
    /// Digest of the bytes, or of a link's target; null when missing.
    #[serde(deserialize_with = "nullable")]
    pub sha256: Option<String>,
    /// Anybody may execute it.
    pub executable: bool,
}

/// What a path of a snapshot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SnapshotKind {
    /// A regular file.
    File,
    /// A symbolic link.
    Symlink,
    /// A submodule's commit.
    Gitlink,
    /// Deleted.
    Missing,
}

/// `git-state.start.json`, `git-state.finalize.json` and the state at completion (CR-34).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GitState {
    /// 1.
    pub schema_version: u32,
    /// The invoking checkout; absolute.
    pub source_worktree: String,
    /// RFC 3339, UTC.
    pub observed_at: String,
    /// HEAD's full id; null when unborn.
    #[serde(deserialize_with = "nullable")]
    pub head: Option<String>,
    /// `MERGE_HEAD`; the first id of several.
    #[serde(deserialize_with = "nullable")]
    pub merge_head: Option<String>,
    /// `REBASE_HEAD`.
    #[serde(deserialize_with = "nullable")]
    pub rebase_head: Option<String>,
    /// `CHERRY_PICK_HEAD`.
    #[serde(deserialize_with = "nullable")]
    pub cherry_pick_head: Option<String>,
    /// `REVERT_HEAD`.
    #[serde(deserialize_with = "nullable")]
    pub revert_head: Option<String>,
    /// In byte order.
    pub unmerged_paths: Vec<String>,
    /// Digest of what `git ls-files --stage -z` prints.
    pub index_sha256: String,
}

impl GitState {
    /// The checkout is in the same state, whenever it was looked at.
    pub fn is_same(&self, other: &Self) -> bool {
        Self { observed_at: other.observed_at.clone(), ..self.clone() } == *other
    }

    /// The operations in progress: each kind with the id that it is at.
    pub fn operations(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let heads = [
            ("merge", &self.merge_head),
            ("rebase", &self.rebase_head),
            ("cherry-pick", &self.cherry_pick_head),
            ("revert", &self.revert_head),
        ];
        heads.into_iter().filter_map(|(kind, id)| Some((kind, id.as_deref()?)))
    }
}

/// `path-roles.json`: the part that each path of the inspection set plays, as the plugins said at the start (CR-210, CR-219).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathRolesRecord {
    /// 1.
    pub schema_version: u32,
    /// In byte order of the paths.
    pub paths: Vec<PathRole>,
}

/// One path's part, under both policies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathRole {
    /// Repository-relative.
    pub path: String,
    /// Under the base's policy.
    pub base: Role,
    /// Under the candidate's policy.
    pub candidate: Role,
}
