//! The two state lines of a review (contract 8.2).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{canonical::present, policy::model::Boundary};

/// What is known of the behavior review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BehaviorState {
    /// Nothing asks for a review.
    NotRun,
    /// A review is asked for and has not been accepted.
    Required,
    /// A receipt is accepted.
    Passed,
    /// A result or receipt says no.
    Failed,
}

/// What is known of the final state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FinalState {
    /// Nothing asks for a review.
    NotRunOptional,
    /// A review is asked for and there is no usable result.
    NotRunRequired,
    /// The current result lists no final-state finding.
    Passed,
    /// The current result lists at least one, or nothing current speaks for it.
    Failed,
}

/// How the stored receipt stands to what is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReceiptStanding {
    /// There is none.
    #[default]
    Absent,
    /// It is accepted (BR-65).
    Accepted,
    /// It belongs to the newest prepared review and is stale, edited or blocked.
    Refused,
    /// It is of another base, or of a candidate before this one while a newer packet is prepared.
    Unrelated,
}

/// How the stored result stands to the current packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultStanding {
    /// None that is current and well-formed.
    #[default]
    Unusable,
    /// Current and valid, without blocking content.
    Clean,
    /// Current or refused, with blocking content.
    Blocking {
        /// Some of it is a final-state finding.
        final_state: bool,
    },
}

/// What the state is decided from.
#[derive(Clone, Copy, Debug, Default)]
pub struct StateFacts {
    /// A feature or the full candidate is selected, and base and candidate differ.
    pub selected: bool,
    /// Governed paths are staged, unstaged or untracked.
    pub dirty: bool,
    /// The receipt.
    pub receipt: ReceiptStanding,
    /// The result.
    pub result: ResultStanding,
}

/// Both states with what they cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewState {
    /// The behavior review.
    pub behavior: BehaviorState,
    /// The final state.
    pub final_state: FinalState,
    /// `all changes` first, then feature names; empty when nothing is selected.
    pub scope: String,
}

impl ReviewState {
    /// Decides by the table of 8.2, first row that holds.
    pub fn decide(facts: StateFacts, scope: String) -> Self {
        let (behavior, final_state) = match facts {
            StateFacts { selected: false, .. } => (BehaviorState::NotRun, FinalState::NotRunOptional),
            StateFacts { dirty: true, .. } => (BehaviorState::Required, FinalState::NotRunRequired),
            StateFacts { receipt: ReceiptStanding::Accepted, .. } => (BehaviorState::Passed, FinalState::Passed),
            StateFacts { receipt: ReceiptStanding::Refused, result, .. } => (BehaviorState::Failed, of_refused(result)),
            StateFacts { result: ResultStanding::Blocking { final_state }, .. } => {
                (BehaviorState::Failed, if final_state { FinalState::Failed } else { FinalState::Passed })
            }
            StateFacts { result: ResultStanding::Clean, .. } => (BehaviorState::Required, FinalState::Passed),
            StateFacts { result: ResultStanding::Unusable, .. } => (BehaviorState::Required, FinalState::NotRunRequired),
        };
        Self { behavior, final_state, scope: if facts.selected { scope } else { String::new() } }
    }

    /// A gate's replay gave a wrong red or green.
    #[must_use]
    pub fn refuted(mut self) -> Self {
        self.behavior = BehaviorState::Failed;
        self.final_state = FinalState::Failed;
        self
    }

    /// The review blocks a gate (BR-68).
    pub fn blocks(&self) -> bool {
        matches!(self.behavior, BehaviorState::Required | BehaviorState::Failed)
    }

    /// The two lines, exactly.
    pub fn lines(&self) -> [String; 2] {
        let scope = &self.scope;
        let behavior = match self.behavior {
            BehaviorState::NotRun => "NOT RUN (optional)".to_owned(),
            BehaviorState::Required => format!("REQUIRED ({scope})"),
            BehaviorState::Passed => format!("PASSED ({scope})"),
            BehaviorState::Failed => format!("FAILED ({scope})"),
        };
        let final_state = match self.final_state {
            FinalState::NotRunOptional => "NOT RUN (optional)".to_owned(),
            FinalState::NotRunRequired => "NOT RUN (required)".to_owned(),
            FinalState::Passed => format!("PASSED ({scope})"),
            FinalState::Failed => format!("FAILED ({scope})"),
        };
        [format!("BEHAVIOR REVIEW: {behavior}"), format!("FINAL STATE: {final_state}")]
    }
}

/// The review as a gate saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BehaviorReviewReport {
    /// The behavior review.
    pub state: BehaviorState,
    /// The final state.
    pub final_state: FinalState,
    /// Where it was asked.
    pub boundary: Boundary,
    /// Names of selected features.
    pub selected: Vec<String>,
    /// Digest of the selection.
    pub selection_sha256: String,
    /// The full candidate is selected.
    pub full_candidate: bool,
    /// The accepted review.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub review_id: Option<String>,
    /// The accepted receipt.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub receipt_path: Option<String>,
}

/// With a refused receipt the final state passes only when a current result lists nothing.
fn of_refused(result: ResultStanding) -> FinalState {
    match result {
        ResultStanding::Clean | ResultStanding::Blocking { final_state: false } => FinalState::Passed,
        ResultStanding::Unusable | ResultStanding::Blocking { final_state: true } => FinalState::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(facts: StateFacts) -> [String; 2] {
        ReviewState::decide(facts, "all changes, checkout".into()).lines()
    }

    #[test]
    fn every_row_of_the_table() {
        let asked = StateFacts { selected: true, ..StateFacts::default() };
        let rows = [
            (StateFacts { selected: false, receipt: ReceiptStanding::Refused, ..asked }, "NOT RUN (optional)", "NOT RUN (optional)"),
            (asked, "REQUIRED (all changes, checkout)", "NOT RUN (required)"),
            (StateFacts { result: ResultStanding::Clean, ..asked }, "REQUIRED (all changes, checkout)", "PASSED (all changes, checkout)"),
            (
                StateFacts { result: ResultStanding::Blocking { final_state: true }, ..asked },
                "FAILED (all changes, checkout)",
                "FAILED (all changes, checkout)",
            ),
            (
                StateFacts { result: ResultStanding::Blocking { final_state: false }, ..asked },
                "FAILED (all changes, checkout)",
                "PASSED (all changes, checkout)",
            ),
            (
                StateFacts { dirty: true, receipt: ReceiptStanding::Accepted, ..asked },
                "REQUIRED (all changes, checkout)",
                "NOT RUN (required)",
            ),
            (
                StateFacts { receipt: ReceiptStanding::Accepted, ..asked },
                "PASSED (all changes, checkout)",
                "PASSED (all changes, checkout)",
            ),
            (StateFacts { receipt: ReceiptStanding::Refused, ..asked }, "FAILED (all changes, checkout)", "FAILED (all changes, checkout)"),
            (
                StateFacts { receipt: ReceiptStanding::Refused, result: ResultStanding::Clean, ..asked },
                "FAILED (all changes, checkout)",
                "PASSED (all changes, checkout)",
            ),
            (StateFacts { receipt: ReceiptStanding::Unrelated, ..asked }, "REQUIRED (all changes, checkout)", "NOT RUN (required)"),
        ];
        for (facts, behavior, final_state) in rows {
            assert_eq!(lines(facts), [format!("BEHAVIOR REVIEW: {behavior}"), format!("FINAL STATE: {final_state}")], "{facts:?}");
        }
    }
}
