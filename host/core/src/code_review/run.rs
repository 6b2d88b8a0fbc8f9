//! `run.json`: what a run is about, fixed when it starts (CR-13).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::Scope;
use crate::canonical::nullable;

/// The file's name.
pub const RUN_FILE: &str = "run.json";

/// The identity of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// 1.
    pub schema_version: u32,
    /// `code-review/v1`.
    pub protocol: String,
    /// A UUID.
    pub run_id: String,
    /// Who drives the review; opaque (CR-19).
    pub producer_id: String,
    /// The version of `code-polishy` that started the run.
    pub tool_version: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// What is reviewed.
    pub scope: Scope,
    /// As they were given, sorted for the scope `path`.
    pub targets: Vec<String>,
    /// For people (CR-30).
    pub target_label: String,
    /// The invoking checkout; absolute.
    pub source_worktree: String,
    /// The frozen source; absolute. Null before a pull request is collected, and with `--review-worktree none`.
    #[serde(deserialize_with = "nullable")]
    pub review_worktree: Option<String>,
    /// Full id of what the change is compared with; null for a root commit, an unborn HEAD, and a pull request that is not collected.
    #[serde(deserialize_with = "nullable")]
    pub base_oid: Option<String>,
    /// Full id of the reviewed commit, or of HEAD below a working tree; null where there is none.
    #[serde(deserialize_with = "nullable")]
    pub head_oid: Option<String>,
    /// Digest of `config.json`.
    pub config_sha256: String,
    /// Where the configuration was read: `source-worktree`, `commit:<id>` or `defaults`.
    pub config_origin: String,
    /// Only attested passes will do (CR-63).
    pub independence_required: bool,
    /// The user's words; null when it is not required.
    #[serde(deserialize_with = "nullable")]
    pub independence_requirement_evidence: Option<String>,
    /// The format that the caller asked for (CR-158).
    #[serde(deserialize_with = "nullable")]
    pub caller_contract: Option<CallerContract>,
    /// The run whose independence requirement was waived (CR-63).
    #[serde(deserialize_with = "nullable")]
    pub revised_scope: Option<RevisedScope>,
}

/// The label of a scope (CR-30). `targets` are sorted for the scope `path`; of a pull request the first one is its number.
pub fn target_label(scope: Scope, targets: &[String], base: Option<&str>, head: Option<&str>) -> String {
    match scope {
        Scope::WorkingTree => "working tree".to_owned(),
        Scope::Path => format!("paths: {}", targets.join(", ")),
        Scope::Commit => format!("commit range {}..{}", base.unwrap_or("none"), head.unwrap_or("none")),
        Scope::Pr => format!("PR #{}", targets.first().map_or("", String::as_str)),
    }
}

/// A full lower-case hex object id (CR-8).
pub fn is_object_id(id: &str) -> bool {
    matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// A lower-case hex SHA-256 (CR-8).
pub fn is_digest(text: &str) -> bool {
    text.len() == 64 && is_object_id(text)
}

/// An output format that the caller asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallerContract {
    /// Its name.
    pub format: String,
    /// The caller's words.
    pub evidence: String,
}

/// A waiver of independence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisedScope {
    /// The run's id.
    pub original_run: String,
    /// The user's words.
    pub waiver_evidence: String,
}
