//! Where each captured request stands in the candidate's history (BR-31, BR-32).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    diagnostic::Failure,
    journal::{Entry, Journal, MAX_INTENT_BYTES},
};

/// A captured request as the reviewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketIntent {
    /// Its id.
    #[schemars(regex(pattern = "^intent-[0-9a-f]{32}$"))]
    pub id: String,
    /// Where it stands in the candidate's history.
    pub position: Position,
    /// HEAD at capture.
    pub captured_at_commit: String,
    /// Digest of the candidate state at capture.
    pub candidate_state_sha256: String,
    /// Nothing was uncommitted at capture.
    pub clean: bool,
    /// History was rewritten before it.
    pub rewritten: bool,
    /// The exact text.
    #[schemars(length(max = MAX_INTENT_BYTES), regex(pattern = r"\S"))]
    pub intent: String,
    /// Digest of the text.
    pub intent_sha256: String,
    /// Digest of the journal record.
    pub entry_sha256: String,
}

/// Where a request stands in the candidate's history (BR-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Position {
    /// Captured before the work (BR-31).
    Original,
    /// Captured later, in the candidate's history.
    Correction,
    /// Captured at the candidate itself: it justifies nothing.
    AfterCandidate,
    /// Its commit is not in the candidate's history, or is gone.
    Rewritten,
}

/// What git knows of an entry's commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryFacts {
    /// It is the base or an ancestor of it.
    pub at_or_before_base: bool,
    /// For every changed path its tree holds what the base holds.
    pub holds_base_content: bool,
    /// It is the candidate or an ancestor of it.
    pub in_candidate_history: bool,
    /// It is the candidate.
    pub is_candidate: bool,
}

impl EntryFacts {
    /// Where the entry stands (BR-31, BR-32). Content alone makes a request original only when it was captured over a clean state.
    pub fn position(self, clean: bool) -> Position {
        if self.at_or_before_base || (clean && self.holds_base_content && !self.is_candidate) {
            Position::Original
        } else if self.is_candidate {
            Position::AfterCandidate
        } else if self.in_candidate_history {
            Position::Correction
        } else {
            Position::Rewritten
        }
    }
}

impl PacketIntent {
    /// The entry at its position.
    pub fn of(entry: &Entry, position: Position) -> Self {
        Self {
            id: entry.id.clone(),
            position,
            captured_at_commit: entry.captured_at_commit.clone(),
            candidate_state_sha256: entry.candidate_state_sha256.clone(),
            clean: entry.clean,
            rewritten: entry.rewritten,
            intent: entry.intent.clone(),
            intent_sha256: entry.intent_sha256.clone(),
            entry_sha256: entry.entry_sha256.clone(),
        }
    }
}

/// Every entry of the journal at its position; refused without an original one (BR-32).
///
/// What was captured at the base over uncommitted work may have been written after that work: alone it does not serve.
pub fn positioned(journal: &Journal, facts: &[EntryFacts]) -> Result<Vec<PacketIntent>, Failure> {
    let intents: Vec<PacketIntent> =
        journal.entries.iter().zip(facts).map(|(entry, facts)| PacketIntent::of(entry, facts.position(entry.clean))).collect();
    if intents.iter().any(|intent| intent.position == Position::Original && intent.clean) {
        return Ok(intents);
    }
    Err(Failure::blocked(
        "intent.after-the-fact",
        "intent after the fact: no request in the journal was captured before the change",
        "review needs the original request: capture it at the task's base, before the code, with `code-polishy behavior-review capture-intent --intent-file -`",
    ))
}
