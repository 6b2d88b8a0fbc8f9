//! `final-handoff.json`: what a review hands to people, in the form that renderers draw (section 12).

mod answer;
mod binding;
mod derive;
mod read;
mod table;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::{
    confidence::{Band, ClosureStatus},
    gates::{GateReason, GateStatus},
    manifest::EvidenceLevel,
    vocabulary::{NO_JUDGMENT, Status, Verdict},
};

pub use answer::{CallerAnswer, CloseEvidence, Terminal};
pub use binding::{FinalHandoff, HandoffValidation};
pub use derive::{Action, Derived, Sources, derive};
pub(crate) use read::{KEYS, read};
pub use table::{ACTION_COLUMNS, ActionRow, ActionTable, LAYOUT, SnapshotRow, SnapshotTable, Table};

/// The file's name.
pub const HANDOFF_FILE: &str = "final-handoff.json";
/// What it renders to.
pub const FINAL_FILE: &str = "final.md";
/// That both were validated.
pub const HANDOFF_VALIDATION_FILE: &str = "final-handoff.validation.json";
/// The renderer of [`FINAL_FILE`]; it comes with the program.
pub const RENDERER: &str = "handoff";
/// The layout of reviews that judged the source.
pub const ASSESSED_PRESENTATION: u32 = 13;
/// The layout of reviews that ended before.
pub const TERMINAL_PRESENTATION: u32 = 12;
/// Whose hand-off it is.
pub const SKILL: &str = "code-review";
/// The remaining entry of an operation of git that was in progress when the review was started (CR-35).
pub const OPERATION: &str = "in-progress-operation";
/// Who goes on with it.
pub const OPERATION_OWNER: &str = "remediation";
/// The remaining entry of a pull request that could not be collected (CR-230).
pub const COLLECTION: &str = "collection";
/// The label of the first artifact.
pub const RESULT_LABEL: &str = "Result";

/// The hand-off; the keys are written in this order (CR-149).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Handoff {
    /// 1.
    pub schema_version: u32,
    /// 13 of a review that judged the source, 12 of one that ended before.
    pub presentation_version: u32,
    /// `code-review`.
    pub skill: String,
    /// How the review ended.
    pub branch: Branch,
    /// What it came to.
    pub outcome: Outcome,
    /// `status` of the result.
    pub result_status: Status,
    /// The snapshot, and the actions when there are some; none of a review that ended early.
    pub tables: Vec<Table>,
    /// Where the rows come from.
    pub source_records: Vec<SourceRecord>,
    /// How many of them the rows show.
    pub source_coverage: SourceCoverage,
    /// One per gate, in order.
    pub verification: Vec<GateRecord>,
    /// One per pass, in the order of the manifest.
    pub reviewer_evidence: Vec<ReviewerEvidence>,
    /// What is left to do.
    pub remaining: Vec<Remaining>,
    /// The ids of `remaining`, in order.
    pub next_steps: Vec<String>,
    /// How sure the review is.
    pub confidence: ConfidenceRecord,
    /// Where the evidence lies; the result first.
    pub artifacts: Vec<Artifact>,
    /// Why the review ended early; null when it did not.
    pub terminal: Option<Terminal>,
    /// What the caller asked for instead of the layout; null when it did not.
    pub caller_contract: Option<CallerAnswer>,
    /// The notes; absolute (CR-209).
    pub report_path: String,
}

/// How a review ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Branch {
    /// The source was judged.
    Assessed,
    /// The same, told in the caller's own format.
    CallerContract,
    /// The pull request could not be collected.
    Unavailable,
    /// Closing is advised without a detailed review.
    Closed,
}

impl Branch {
    /// Its words.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("assessed", Self::Assessed),
        ("caller-contract", Self::CallerContract),
        ("unavailable", Self::Unavailable),
        ("closed", Self::Closed),
    ];

    /// The word.
    pub fn as_str(self) -> &'static str {
        Self::WORDS.iter().find(|(_, branch)| *branch == self).map_or("assessed", |(word, _)| word)
    }

    /// The review ended before the source was judged.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Unavailable | Self::Closed)
    }

    /// The layout of its report.
    pub fn presentation(self) -> u32 {
        if self.is_terminal() { TERMINAL_PRESENTATION } else { ASSESSED_PRESENTATION }
    }
}

/// Title and summary (CR-151).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Such as `Review Decision`.
    pub title: String,
    /// Such as `Recommendation: minor-changes.`.
    pub summary: String,
}

impl Outcome {
    /// The outcome of a review with this verdict.
    pub fn assessed(verdict: Option<Verdict>) -> Self {
        let verdict = verdict.map_or(NO_JUDGMENT, Verdict::as_str);
        Self { title: "Review Decision".to_owned(), summary: format!("Recommendation: {verdict}.") }
    }
}

/// Where a row comes from (CR-154).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceRecord {
    /// Unique; named by exactly one row.
    pub id: String,
    /// A receipt, a record or a place.
    pub evidence: String,
}

/// How many source records the rows show (CR-154).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceCoverage {
    /// All of them.
    pub source_records_total: u64,
    /// Those that a row names.
    pub represented_source_records_total: u64,
    /// 0.
    pub omitted_source_records_total: u64,
}

/// What one gate gave (CR-155).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateRecord {
    /// The gate.
    pub check: String,
    /// What it gave.
    pub status: GateStatus,
    /// Null exactly for a pass.
    pub reason: Option<GateReason>,
    /// Free text; why a gate does not apply.
    pub detail: Option<String>,
    /// Null when the command did not run or was ended by a signal.
    pub command_exit: Option<i32>,
    /// What it printed when it ran, else `gates.json`; relative to the run.
    pub evidence: String,
}

/// What shows that a pass happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewerEvidence {
    /// The label, with the suffix of a substitute (CR-87).
    pub role: String,
    /// The pass's own.
    pub evidence_level: EvidenceLevel,
}

/// Something left to do (CR-156).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remaining {
    /// A canonical action, an open candidate, or `in-progress-operation`.
    pub row_id: String,
    /// What it is.
    pub item: String,
    /// Who does it.
    pub owner: String,
    /// How, and what is observed when it is done.
    pub next_action: String,
}

/// How sure the review is (CR-157).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfidenceRecord {
    /// 0 to 1 with at most two decimals.
    pub score: Number,
    /// Its band.
    pub band: Band,
    /// `remaining_limits`, in order.
    pub limits: Vec<String>,
    /// One per gap, in the order of the gaps.
    pub gaps: Vec<Gap>,
}

/// A gap and what became of it; exactly one of the last two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Its text.
    pub gap: String,
    /// What became of it.
    pub status: ClosureStatus,
    /// Of a closed gap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Of another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// A file that the reader may open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// What it is called.
    pub label: String,
    /// Relative to the run; the result's as the result states it.
    pub path: String,
}

impl Handoff {
    /// The snapshot table.
    pub fn snapshot(&self) -> Option<(usize, &SnapshotTable)> {
        self.tables.iter().enumerate().find_map(|(index, table)| match table {
            Table::Snapshot(table) => Some((index, table)),
            Table::Actions(_) => None,
        })
    }

    /// The table of the actions.
    pub fn actions(&self) -> Option<(usize, &ActionTable)> {
        self.tables.iter().enumerate().find_map(|(index, table)| match table {
            Table::Actions(table) => Some((index, table)),
            Table::Snapshot(_) => None,
        })
    }
}
