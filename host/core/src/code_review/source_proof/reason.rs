//! Why an origin, or a process, proves nothing (CR-146, CR-147).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_review::gates::ProofStatus;

/// A closed code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProofReason {
    /// No process that ran tests imported it.
    ModuleNotImported,
    /// It was imported, and comes from no file: a namespace package, a built-in module or a stand-in.
    ModuleHasNoFile,
    /// Its file lies outside the reviewed tree.
    OriginOutsideWorktree,
    /// Its file lies in the tree, and git does not track it.
    OriginNotTracked,
    /// The test file lies outside the reviewed tree.
    TestOutsideWorktree,
    /// The test file lies in the tree, and git does not track it.
    TestNotTracked,
    /// Its file is not what was mirrored.
    OriginNotCurrentSnapshotMember,
    /// It came from several files.
    ConflictingWorkerOrigins,
    /// A process ended before its work was done.
    WorkerFailed,
    /// A process left no record.
    WorkerProofMissing,
    /// A record cannot be read, or does not belong to this run.
    WorkerProofInvalid,
    /// A process saw other bytes than the tree has.
    WorkerLocalSnapshotMismatch,
}

impl ProofReason {
    /// What it makes of a proof: what was not seen leaves it open, the rest refutes it.
    pub fn status(self) -> ProofStatus {
        match self {
            Self::ModuleNotImported | Self::ModuleHasNoFile => ProofStatus::Inconclusive,
            _ => ProofStatus::Fail,
        }
    }

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ModuleNotImported => "module-not-imported",
            Self::ModuleHasNoFile => "module-has-no-file",
            Self::OriginOutsideWorktree => "origin-outside-worktree",
            Self::OriginNotTracked => "origin-not-tracked",
            Self::TestOutsideWorktree => "test-outside-worktree",
            Self::TestNotTracked => "test-not-tracked",
            Self::OriginNotCurrentSnapshotMember => "origin-not-current-snapshot-member",
            Self::ConflictingWorkerOrigins => "conflicting-worker-origins",
            Self::WorkerFailed => "worker-failed",
            Self::WorkerProofMissing => "worker-proof-missing",
            Self::WorkerProofInvalid => "worker-proof-invalid",
            Self::WorkerLocalSnapshotMismatch => "worker-local-snapshot-mismatch",
        }
    }
}
