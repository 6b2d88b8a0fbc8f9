//! What some branches hand over beside, or instead of, the tables (CR-158, CR-192, CR-197).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a review ended before it judged the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Terminal {
    /// The pull request could not be collected.
    Unavailable {
        /// The code of the failure.
        code: String,
        /// One sentence for people.
        explanation: String,
        /// What is known of the cause, from closed and safe fields.
        diagnostic: String,
    },
    /// Closing is advised.
    Closed {
        /// The close code.
        code: String,
        /// `close_decision.summary`.
        summary: String,
        /// The verified head.
        head_sha: String,
        /// What speaks for it.
        evidence: Vec<CloseEvidence>,
        /// What was looked for against it.
        counterevidence_checked: Vec<String>,
    },
}

/// One claim of a close decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CloseEvidence {
    /// What is so.
    pub claim: String,
    /// Where it shows.
    pub source: String,
}

/// The report in the format that the caller asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallerAnswer {
    /// As in `run.json`.
    pub format: String,
    /// As in `run.json`.
    pub evidence: String,
    /// The bytes of `final.md`.
    pub output: String,
}
