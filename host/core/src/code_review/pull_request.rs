//! A collected pull request: what its receipts say once they are read and joined (section 4.2).

pub mod command;
pub mod export;
pub mod fault;
pub mod identity;
pub mod intake;
pub mod online;
pub mod receipt;

use serde_json::Value;

/// What later steps need of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PullRequest {
    /// Its number.
    pub number: u64,
    /// Its address.
    pub url: String,
    /// Its title, as the forge gave it.
    pub title: String,
    /// The login of its author, as the forge gave it; null for an account that is gone.
    pub author: Option<String>,
    /// `statusCheckRollup` as the forge gave it; null when it is absent (CR-126).
    pub status_checks: Option<Value>,
    /// The verified head: full id.
    pub head_oid: String,
    /// The verified base: full id.
    pub base_oid: String,
    /// The ids that the triage of online reviews answers, in the order of the summary (CR-45, CR-121).
    pub item_ids: Vec<String>,
    /// The ids of the unresolved threads, in the forge's order; each is one of the parents of the items.
    pub unresolved_threads: Vec<String>,
    /// The review threads could not be read (CR-43).
    pub threads_unavailable: bool,
    /// The ids that the fallback transport omitted, sorted (CR-44); `None` when the forge's own interface answered.
    pub fallback: Option<Vec<String>>,
}
