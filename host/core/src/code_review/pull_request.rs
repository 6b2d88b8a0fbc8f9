//! A collected pull request: the receipts of CR-38, read and joined.

/// What later steps need of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PullRequest {
    /// Its number.
    pub number: u64,
    /// Its address.
    pub url: String,
}
