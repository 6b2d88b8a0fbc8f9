//! What a violation asks of whoever reads it (CR-23).

use schemars::JsonSchema;
use serde::Serialize;

/// What the reader of a violation does, weakest first: of several the strongest counts (CR-23).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NextAction {
    /// Correct a copied value, row or text.
    RepairCopy,
    /// Run the gates again.
    RerunGate,
    /// Record evidence that is missing, or repair a record.
    SupplyEvidence,
    /// A person has to decide.
    AskUser,
    /// Evidence is damaged, foreign or gone: it is not repaired.
    Stop,
}

impl NextAction {
    /// The action as its JSON word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RepairCopy => "repair-copy",
            Self::RerunGate => "rerun-gate",
            Self::SupplyEvidence => "supply-evidence",
            Self::AskUser => "ask-user",
            Self::Stop => "stop",
        }
    }
}
