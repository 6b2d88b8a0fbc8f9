//! A collected pull request: the receipts of CR-38, read and joined.

/// What later steps need of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PullRequest {
    /// Its number.
    pub number: u64,
    /// Its address.
    pub url: String,
    /// The verified head: full id.
    pub head_oid: String,
    /// The verified base: full id.
    pub base_oid: String,
    /// The review threads could not be read (CR-43).
    pub threads_unavailable: bool,
    /// The ids that the fallback transport omitted, sorted (CR-44); `None` when the forge's own interface answered.
    pub fallback: Option<Vec<String>>,
}
