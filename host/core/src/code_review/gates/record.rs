//! The record of the five gates (CR-137).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{canonical::nullable, code_review::source_proof::ProofReason};

/// The file's name.
pub const GATES_FILE: &str = "gates.json";

/// What mirror mode sees of the mirror before and after each gate (CR-139).
pub const LOCAL_SNAPSHOT_FILE: &str = "checks/local-source-snapshot.json";

/// What a reset made of the review worktree.
pub const RESET_FILE: &str = "checks/worktree-reset.json";

/// The gates, in execution and record order (CR-130).
pub const GATES: [&str; 5] = ["lint", "format", "types", "tests", "review"];

/// The record of one `gates` command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gates {
    /// 1.
    pub schema_version: u32,
    /// Derived from the checks (CR-135).
    pub status: GatesStatus,
    /// The five ids.
    pub checks_run: Vec<String>,
    /// Those that failed, timed out or are missing.
    pub checks_failed: Vec<String>,
    /// Their number.
    pub failed_count: u32,
    /// Those that do not apply.
    pub checks_not_applicable: Vec<String>,
    /// One per gate, in order.
    pub checks: Vec<GateCheck>,
    /// The tree that they ran on.
    pub source: GateSource,
}

impl Gates {
    /// The commit that every gate saw in a clean tree, before and after (CR-127).
    pub fn observed_commit(&self) -> Option<String> {
        if self.source.mode != SourceMode::Clean {
            return None;
        }
        let mut heads = self.checks.iter().flat_map(|check| [&check.before, &check.after]).flatten().map(|seen| &seen.head);
        let first = heads.next()?.clone()?;
        heads.all(|head| head.as_ref() == Some(&first)).then_some(first)
    }
}

/// The status of all gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GatesStatus {
    /// None failed, timed out or is missing.
    Pass,
    /// Some failed or is missing.
    Fail,
    /// Some timed out.
    Timeout,
}

/// What one gate gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GateStatus {
    /// Green, with proof where it is asked.
    Pass,
    /// Red, or green without what makes green count.
    Fail,
    /// There is nothing to run.
    MissingCommand,
    /// Declared, with a reason.
    NotApplicable,
    /// Ended by the time limit.
    Timeout,
}

/// Why a gate did not pass (CR-133).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "closed codes of the contract")]
pub enum GateReason {
    CommandFailed,
    SourceDrift,
    SourceDirty,
    SourceHeadMismatch,
    SourceInspectionFailed,
    SourceProofMissing,
    SourceProofFailed,
    SourceProofInconclusive,
    NoTestsExecuted,
    RunnerContradiction,
    RunnerError,
    NoCommandConfigured,
    ProgramNotFound,
    PrerequisiteUnavailable,
    Declared,
    Timeout,
}

/// One gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateCheck {
    /// `lint`, `format`, `types`, `tests` or `review`.
    pub id: String,
    /// What it gave.
    pub gate_status: GateStatus,
    /// Null exactly for a pass.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<GateReason>,
    /// Free text; the declared reason of a gate that does not apply.
    #[serde(deserialize_with = "nullable")]
    pub detail: Option<String>,
    /// Null when the command did not run or was ended by a signal.
    #[serde(deserialize_with = "nullable")]
    pub command_exit: Option<i32>,
    /// The signal that ended it.
    #[serde(deserialize_with = "nullable")]
    pub signal: Option<i32>,
    /// Milliseconds; null when it did not run.
    #[serde(deserialize_with = "nullable")]
    pub duration_ms: Option<u64>,
    /// The suite runner, or an internal one; null for a plain command.
    #[serde(deserialize_with = "nullable")]
    pub runner: Option<String>,
    /// `checks/<id>.command.txt`; null when there is no command.
    #[serde(deserialize_with = "nullable")]
    pub command_path: Option<String>,
    /// `checks/<id>.stdout.txt`; null when it did not run.
    #[serde(deserialize_with = "nullable")]
    pub stdout: Option<String>,
    /// `checks/<id>.stderr.txt`; null when it did not run.
    #[serde(deserialize_with = "nullable")]
    pub stderr: Option<String>,
    /// An output was cut at its limit.
    pub truncated: bool,
    /// Values of `--gate-env`.
    pub environment: BTreeMap<String, String>,
    /// What a runner counted.
    #[serde(deserialize_with = "nullable")]
    pub tests: Option<TestCounts>,
    /// Where the tested code came from.
    #[serde(deserialize_with = "nullable")]
    pub source_proof: Option<SourceProof>,
    /// The tree before the command: an observation of CR-138, or a digest in mirror mode.
    #[serde(deserialize_with = "nullable")]
    pub before: Option<Observation>,
    /// The tree after it.
    #[serde(deserialize_with = "nullable")]
    pub after: Option<Observation>,
    /// Digests by path.
    pub artifacts: BTreeMap<String, String>,
}

/// Begins the detail of a gate that replaced a failure with another command (CR-227).
pub const CHANGED_COMMAND: &str = "changed command: ";

impl GateCheck {
    /// A gate whose command did not run.
    pub fn unstarted(id: &str, status: GateStatus, reason: Option<GateReason>, detail: Option<String>) -> Self {
        Self {
            id: id.to_owned(),
            gate_status: status,
            reason,
            detail,
            command_exit: None,
            signal: None,
            duration_ms: None,
            runner: None,
            command_path: None,
            stdout: None,
            stderr: None,
            truncated: false,
            environment: BTreeMap::new(),
            tests: None,
            source_proof: None,
            before: None,
            after: None,
            artifacts: BTreeMap::new(),
        }
    }

    /// The gate failed, timed out, or has nothing to run.
    pub fn is_failing_or_absent(&self) -> bool {
        matches!(self.gate_status, GateStatus::Fail | GateStatus::Timeout | GateStatus::MissingCommand)
    }

    /// The command ran and its answer is no (CR-104).
    pub fn ran_and_failed(&self) -> bool {
        let reasons = [GateReason::CommandFailed, GateReason::Timeout, GateReason::NoTestsExecuted, GateReason::RunnerContradiction];
        self.reason.is_some_and(|reason| reasons.contains(&reason))
    }

    /// The command was started.
    pub fn ran(&self) -> bool {
        let unstarted = [GateReason::SourceDirty, GateReason::SourceHeadMismatch, GateReason::SourceInspectionFailed];
        matches!(self.gate_status, GateStatus::Pass | GateStatus::Fail | GateStatus::Timeout)
            && !self.reason.is_some_and(|reason| unstarted.contains(&reason))
    }

    /// Why another command than the failed one was run (CR-227).
    pub fn changed_command(&self) -> Option<&str> {
        self.detail.as_deref()?.strip_prefix(CHANGED_COMMAND)
    }
}

/// Tests that a runner counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "counts by outcome")]
pub struct TestCounts {
    pub total: u64,
    pub passed: u64,
    pub failed: u64,
    pub errors: u64,
    pub skipped: u64,
}

/// A look at the reviewed tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// HEAD's full id; null in mirror mode.
    #[serde(deserialize_with = "nullable")]
    pub head: Option<String>,
    /// Changed and untracked paths; empty in a clean tree.
    pub dirty: Vec<String>,
    /// The checkout's root; absolute.
    pub top_level: String,
    /// Digest of the local snapshot; null in clean mode.
    #[serde(deserialize_with = "nullable")]
    pub snapshot_sha256: Option<String>,
}

/// Where the tested code came from (CR-144).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceProof {
    /// The outcome.
    pub status: ProofStatus,
    /// `pytest-import`, `cargo-manifest`, or a runner's own; null for `none`.
    #[serde(deserialize_with = "nullable")]
    pub kind: Option<String>,
    /// What was seen.
    pub origins: Vec<ProofOrigin>,
    /// Processes that executed tests.
    pub processes: Vec<String>,
    /// What could not be read.
    pub errors: Vec<String>,
}

impl SourceProof {
    /// It proves where imported Python came from; what cargo builds says nothing about that (CR-228).
    pub fn proves_python(&self) -> bool {
        self.status == ProofStatus::Pass && self.kind.as_deref() == Some("pytest-import")
    }
}

/// The outcome of a source proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProofStatus {
    /// Every origin is in the reviewed tree.
    Pass,
    /// Some is not.
    Fail,
    /// Some could not be seen.
    Inconclusive,
    /// There is no proof.
    None,
}

/// One origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProofOrigin {
    /// A module, a test file, a package.
    pub name: String,
    /// Where it came from; null when it was not seen.
    #[serde(deserialize_with = "nullable")]
    pub path: Option<String>,
    /// Git tracks it in the reviewed tree.
    pub tracked: bool,
    /// Digest of the file; null when it was not read.
    #[serde(deserialize_with = "nullable")]
    pub sha256: Option<String>,
    /// The mirror was made with these bytes there: the snapshot's, or the commit's where the snapshot has none.
    pub snapshot_member: bool,
    /// `pass`, `fail` or `inconclusive`.
    pub status: ProofStatus,
    /// A closed code of CR-146; null for a pass.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<ProofReason>,
}

/// The tree that the gates ran on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateSource {
    /// `clean` or `local-review-mirror`.
    pub mode: SourceMode,
    /// Absolute.
    pub worktree: String,
    /// The head that clean mode expects.
    #[serde(deserialize_with = "nullable")]
    pub expected_head: Option<String>,
    /// The mirror's receipt, relative to the run.
    #[serde(deserialize_with = "nullable")]
    pub receipt_path: Option<String>,
    /// Its digest.
    #[serde(deserialize_with = "nullable")]
    pub receipt_sha256: Option<String>,
    /// The snapshot, relative to the run.
    #[serde(deserialize_with = "nullable")]
    pub snapshot_path: Option<String>,
    /// Its digest.
    #[serde(deserialize_with = "nullable")]
    pub snapshot_sha256: Option<String>,
}

/// How the reviewed tree is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SourceMode {
    /// A commit: HEAD and a clean status (CR-138).
    Clean,
    /// A mirror of working files: its snapshot (CR-139).
    LocalReviewMirror,
}

/// What `gates --reset-worktree` made of the review worktree (CR-229).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorktreeResets {
    /// 1.
    pub schema_version: u32,
    /// In the order of time.
    pub resets: Vec<WorktreeReset>,
}

/// One reset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorktreeReset {
    /// The gate that left the worktree so; null when it was so before the first gate.
    pub after: Option<String>,
    /// Paths that got their reviewed bytes again, in byte order.
    pub restored: Vec<String>,
    /// Paths that the reviewed source does not have, in byte order.
    pub removed: Vec<String>,
}
