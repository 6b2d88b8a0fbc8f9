//! The decision of a review: its verdict and why (section 9).

use super::vocabulary::Verdict;

/// `metadata.review_decision`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Null where no source judgment was possible.
    pub recommendation: Option<Verdict>,
    /// One to three sentences.
    pub summary: String,
    /// Why it follows.
    pub rationale: String,
}
