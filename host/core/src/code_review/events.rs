//! `reviewers.events.jsonl`: the hash-chained log of what reviewers did (CR-59).

/// The log, read and chained.
#[derive(Clone, Debug, PartialEq)]
pub struct EventLog {
    /// Digest of the file; of no bytes when there is none.
    pub sha256: String,
}
