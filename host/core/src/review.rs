//! The reviewer's result: read strictly, held against the packet, and decided (contract 6).

mod read;
mod validate;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use read::read;
pub use validate::{Assessment, DeclaredSuites, ProofStandings, assess};

/// The only version that is read.
pub const VERSION: u32 = 4;
/// Bytes of a result.
pub const MAX_BYTES: u64 = 256 * 1024;
/// Elements of `findings`, and of `final_state_findings`.
pub const MAX_FINDINGS: usize = 256;
/// Bytes of a finding, of `before` and of `after`.
pub const MAX_TEXT_BYTES: usize = 16 * 1024;
/// Bytes of a summary.
pub const MAX_SUMMARY_BYTES: usize = 1024;

/// The file `result.json`; its accepted copy is `review.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewResult {
    /// Always 4.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// The packet's `review_id`.
    pub review_id: String,
    /// The packet's `base`.
    pub base: String,
    /// The packet's `candidate`.
    pub candidate: String,
    /// The packet's `intent_sha256`.
    pub intent_sha256: String,
    /// The packet's `selection_sha256`.
    pub selection_sha256: String,
    /// The packet's `decision_sha256`.
    pub decision_sha256: String,
    /// What an observer sees change or stay, at least one.
    #[schemars(length(min = 1))]
    pub behaviors: Vec<Behavior>,
    /// Defects in behavior, as sentences.
    #[schemars(length(max = MAX_FINDINGS), inner(length(min = 1, max = MAX_TEXT_BYTES)))]
    pub findings: Vec<String>,
    /// Defects in prose and residue of rejected ideas.
    #[schemars(length(max = MAX_FINDINGS))]
    pub final_state_findings: Vec<FinalStateFinding>,
}

/// One observable behavior.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Behavior {
    /// What an observer saw before the candidate.
    #[schemars(length(min = 1, max = MAX_TEXT_BYTES))]
    pub before: String,
    /// What an observer sees after it.
    #[schemars(length(min = 1, max = MAX_TEXT_BYTES))]
    pub after: String,
    /// How the two relate to what was asked.
    pub classification: Classification,
    /// Proofs that show it; `requested` needs at least one.
    pub proof_ids: Vec<String>,
    /// What it is about.
    pub scope: BehaviorScope,
}

/// How a behavior relates to what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Classification {
    /// An intent asks for it.
    Requested,
    /// It stays as it was.
    Preserved,
    /// It changes and nobody asked: blocks.
    Unintended,
    /// The packet does not let the reviewer decide: blocks.
    Unknown,
}

/// Either selected features, or the full candidate (BR-49).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BehaviorScope {
    /// Names of selected features.
    pub features: Vec<String>,
    /// The whole change.
    pub full_candidate: bool,
}

/// A defect in what the change leaves behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinalStateFinding {
    /// What it is.
    pub kind: FindingKind,
    /// A changed path of the packet.
    #[schemars(length(min = 1))]
    pub path: String,
    /// A line that its hunk lets a finding cite.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// The hunk's `sha256`.
    pub patch_hunk_sha256: String,
    /// Intents that matter.
    pub intent_ids: Vec<String>,
    /// One line.
    #[schemars(length(min = 1, max = MAX_SUMMARY_BYTES))]
    pub summary: String,
}

/// Kinds of final-state findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Prose that narrates the task or the editing.
    MetaNote,
    /// Executable residue of a rejected idea.
    CorrectionResidue,
    /// The packet does not show enough.
    UnknownFinalState,
}

impl FindingKind {
    /// The name in results and on lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::MetaNote => "meta-note",
            Self::CorrectionResidue => "correction-residue",
            Self::UnknownFinalState => "unknown-final-state",
        }
    }
}

impl FinalStateFinding {
    /// The line that people see (BR-67): `path:line kind: summary`.
    pub fn line_text(&self) -> String {
        use crate::text::escape_line;
        format!("{}:{} {}: {}", escape_line(&self.path), self.line, self.kind.name(), escape_line(&self.summary))
    }
}

impl ReviewResult {
    /// Every cited proof, sorted, unique.
    pub fn cited_proofs(&self) -> Vec<String> {
        let mut ids: Vec<String> = self.behaviors.iter().flat_map(|behavior| behavior.proof_ids.clone()).collect();
        ids.sort();
        ids.dedup();
        ids
    }

    /// Something blocks (BR-53).
    pub fn blocks(&self) -> bool {
        !self.findings.is_empty()
            || !self.final_state_findings.is_empty()
            || self.behaviors.iter().any(|behavior| matches!(behavior.classification, Classification::Unintended | Classification::Unknown))
    }
}
