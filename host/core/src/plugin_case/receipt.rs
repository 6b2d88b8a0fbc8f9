//! What goes into `verify`: receipts of one attempt, as authors write them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Bytes;
use crate::{
    canonical::present,
    code_review::vocabulary::{EventKind, PassMode},
    plugin::ReceiptFacts,
};

/// The input of `verify`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyInput {
    /// The review's id.
    pub run_id: String,
    /// Of one attempt, in order; the last one is judged.
    pub receipts: Vec<ReceiptInput>,
    /// The adapter's options.
    #[serde(default)]
    pub options: Map<String, Value>,
}

impl VerifyInput {
    /// The facts that an adapter is told.
    pub fn facts(&self) -> Vec<ReceiptFacts> {
        self.receipts.iter().map(ReceiptInput::facts).collect()
    }

    /// Where and why the input is none of the contract.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        if self.receipts.is_empty() {
            return Err(("/receipts".to_owned(), "there is no receipt to judge".to_owned()));
        }
        match self.receipts.iter().position(|receipt| receipt.mode == PassMode::Substituted) {
            Some(index) => Err((format!("/receipts/{index}/mode"), "a substitute has no receipts".to_owned())),
            None => Ok(()),
        }
    }
}

/// A receipt with its event.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceiptInput {
    /// What happened.
    pub event: EventKind,
    /// Such as `sw-engineer`.
    pub role: String,
    /// 1 or 2; 1 when absent.
    #[serde(default = "first")]
    pub attempt: u32,
    /// How the reviewer works; `spawned` when absent.
    #[serde(default = "spawned")]
    pub mode: PassMode,
    /// The reviewer.
    pub reviewer_id: String,
    /// RFC 3339, UTC.
    pub at: String,
    /// Digest of what was sent.
    #[serde(default, deserialize_with = "present")]
    #[schemars(transform = crate::schema::shape::without_null)]
    pub context_sha256: Option<String>,
    /// Digest of the response.
    #[serde(default, deserialize_with = "present")]
    #[schemars(transform = crate::schema::shape::without_null)]
    pub output_sha256: Option<String>,
    /// The receipt's bytes.
    pub content: Bytes,
}

impl ReceiptInput {
    fn facts(&self) -> ReceiptFacts {
        ReceiptFacts {
            event: self.event,
            role: self.role.clone(),
            attempt: self.attempt,
            mode: self.mode,
            reviewer_id: self.reviewer_id.clone(),
            at: self.at.clone(),
            context_sha256: self.context_sha256.clone(),
            output_sha256: self.output_sha256.clone(),
            content: self.content.0.clone(),
        }
    }
}

fn first() -> u32 {
    1
}

fn spawned() -> PassMode {
    PassMode::Spawned
}
