//! The gate report `code-polishy-report/v1` (contract 9.4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    canonical::{digest_json, present, read_strict},
    diagnostic::Diagnostic,
    gate::{identity::RunIdentity, plan::Category, state::BehaviorReviewReport},
    policy::model::RedKind,
    proof::CaseCounts,
};

/// The document's protocol.
pub const PROTOCOL: &str = "code-polishy-report/v1";
/// The document's version.
pub const VERSION: u32 = 1;

/// A gate's report. Times, durations and waits are observations outside `sha256`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// `code-polishy-report/v1`.
    #[schemars(extend("const" = PROTOCOL))]
    pub protocol: String,
    /// Always 1.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// `merge` or `checkpoint`.
    #[schemars(extend("enum" = ["merge", "checkpoint"]))]
    pub gate: String,
    /// What the run is identified by.
    pub identity: RunIdentity,
    /// Digest of `identity`.
    pub identity_sha256: String,
    /// `run-`, 12 hex digits, `-` and an ordinal; empty when nothing was to be run or written.
    #[schemars(regex(pattern = "^(run-[0-9a-f]{12}-[1-9][0-9]*)?$"))]
    pub execution_id: String,
    /// How it ended.
    pub status: ReportStatus,
    /// The reference that the caller gave.
    pub base_requested: String,
    /// The base commit.
    pub base: String,
    /// The candidate commit.
    pub candidate: String,
    /// The level's name.
    #[schemars(extend("enum" = ["unchanged", "documentation", "checkpoint", "recommended", "full"]))]
    pub level: String,
    /// Why this level.
    pub level_reasons: Vec<String>,
    /// The review.
    pub behavior_review: BehaviorReviewReport,
    /// Policy sections that nothing enforces (BR-12).
    pub not_enforced: Vec<String>,
    /// Every planned command, in plan order.
    pub commands: Vec<CommandReport>,
    /// Why the gate is not passed.
    pub findings: Vec<Finding>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// RFC 3339, UTC.
    #[schemars(regex(pattern = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"))]
    pub started_at: String,
    /// RFC 3339, UTC.
    #[schemars(regex(pattern = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"))]
    pub completed_at: String,
    /// Digest of the report without itself, times, durations and waits.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sha256: String,
}

/// How a gate ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReportStatus {
    /// Everything passed.
    Passed,
    /// There are findings.
    Failed,
    /// Something outside failed.
    Operational,
}

/// A planned command and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandReport {
    /// From 0, in plan order.
    pub index: u32,
    /// Digest of what was to run.
    pub sha256: String,
    /// The name that people see.
    pub name: String,
    /// What it is.
    pub category: Category,
    /// What became of it.
    pub status: CommandStatus,
    /// The run whose passed command counts.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reused_from: Option<String>,
    /// What a replay has to show again.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub proof: Option<RecordedProof>,
    /// What was started; empty when it was reused or never started.
    pub attempts: Vec<Attempt>,
}

/// What the record of a proof says (BR-60).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedProof {
    /// How its red came to be red.
    pub red_kind: RedKind,
    /// Cases that turned green; empty: the red is known by exit status only.
    pub flipped_cases: Vec<String>,
}

/// What became of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CommandStatus {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// A phase before it failed.
    NotStarted,
}

/// One start of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// From 1.
    pub number: u32,
    /// How it ended.
    pub status: CommandStatus,
    /// Why it is no pass.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub failure_category: Option<FailureCategory>,
    /// Of the process; absent when a signal or the host ended it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub exit_status: Option<i32>,
    /// Milliseconds.
    pub duration_ms: u64,
    /// Milliseconds before an exclusive resource was free.
    pub resource_wait_ms: u64,
    /// Counts, when the runner knows cases.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub cases: Option<CaseCounts>,
    /// Repository-relative.
    pub log_path: String,
    /// Digest of the log's bytes.
    pub log_sha256: String,
    /// The log holds less than was printed.
    pub truncated: bool,
}

/// Why a command is no pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FailureCategory {
    /// Its exit status, or its runner's judgement.
    CommandExit,
    /// Its time was over.
    Timeout,
    /// The gate was ended.
    Canceled,
    /// It could not start.
    Environment,
    /// An exclusive resource was not to be had.
    Resource,
    /// Something outside failed.
    Operational,
}

impl FailureCategory {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::CommandExit => "command-exit",
            Self::Timeout => "timeout",
            Self::Canceled => "canceled",
            Self::Environment => "environment",
            Self::Resource => "resource",
            Self::Operational => "operational",
        }
    }
}

/// Why a gate is not passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Such as `policy.behaviorReview`.
    pub rule: String,
    /// The path it is about; empty for none.
    pub path: String,
    /// The line in it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What it is about.
    pub subject: String,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub remedy: String,
    /// The exact next command or action.
    pub next: String,
}

/// Fields that observe a run and are no evidence.
const OBSERVED: [&str; 7] = ["started_at", "completed_at", "duration_ms", "resource_wait_ms", "log_sha256", "truncated", "sha256"];

impl Report {
    /// Fills in the digest; the last step before writing.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.sha256 = self.content_sha256();
        self
    }

    /// Digest of what the report says, without what it observed.
    pub fn content_sha256(&self) -> String {
        let mut value = serde_json::to_value(Self { sha256: String::new(), ..self.clone() }).expect("reports have string keys");
        let Some(report) = value.as_object_mut() else { return String::new() };
        for key in ["started_at", "completed_at"] {
            report.remove(key);
        }
        let commands = report.get_mut("commands").and_then(Value::as_array_mut).into_iter().flatten();
        for attempt in commands.filter_map(|command| command.get_mut("attempts")).filter_map(Value::as_array_mut).flatten() {
            if let Some(attempt) = attempt.as_object_mut() {
                attempt.retain(|key, _| !OBSERVED.contains(&key.as_str()));
            }
        }
        digest_json(&value)
    }

    /// Reads a stored report strictly and checks its digests.
    pub fn read(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let next = "run the gate again";
        let report: Self = read_strict(bytes, "report.malformed", next)?;
        if report.protocol != PROTOCOL || report.version != VERSION {
            let message = format!("it is no {PROTOCOL} document of version {VERSION}");
            return Err(Box::new(Diagnostic::new("report.version", message, next).at_pointer("/version")));
        }
        if report.sha256 != report.content_sha256() || report.identity_sha256 != report.identity.sha256() {
            return Err(Box::new(Diagnostic::new("report.edited", "the report is not the one that was written", next)));
        }
        Ok(report)
    }
}
