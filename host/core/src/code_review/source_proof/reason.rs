//! Why an origin, or a process, proves nothing (CR-146, CR-147).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_review::gates::{ProofStatus, SourceProof};

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
    /// Every code.
    const ALL: [Self; 12] = [
        Self::ModuleNotImported,
        Self::ModuleHasNoFile,
        Self::OriginOutsideWorktree,
        Self::OriginNotTracked,
        Self::TestOutsideWorktree,
        Self::TestNotTracked,
        Self::OriginNotCurrentSnapshotMember,
        Self::ConflictingWorkerOrigins,
        Self::WorkerFailed,
        Self::WorkerProofMissing,
        Self::WorkerProofInvalid,
        Self::WorkerLocalSnapshotMismatch,
    ];

    /// The first reason of a proof that counts against it: what refutes it, else what leaves it open.
    pub fn first(proof: &SourceProof) -> Option<Self> {
        let code = |error: &String| Self::ALL.into_iter().find(|reason| error.split(':').next() == Some(reason.as_str()));
        let broken = proof.errors.iter().filter_map(code);
        let mut reasons: Vec<Self> = proof.origins.iter().filter_map(|origin| origin.reason).chain(broken).collect();
        reasons.sort_by_key(|reason| reason.status() != ProofStatus::Fail);
        reasons.first().copied()
    }

    /// What it makes of a proof: what was not seen leaves it open, the rest refutes it.
    pub fn status(self) -> ProofStatus {
        match self {
            Self::ModuleNotImported | Self::ModuleHasNoFile => ProofStatus::Inconclusive,
            _ => ProofStatus::Fail,
        }
    }

    /// What to do about it, in a worktree at this place.
    pub fn advice(self, kind: Option<&str>, worktree: &str) -> String {
        let advice = match self {
            Self::OriginOutsideWorktree if kind == Some("cargo-manifest") => {
                "let every package that cargo builds from a folder lie in the repository"
            }
            Self::OriginOutsideWorktree | Self::TestOutsideWorktree => {
                return format!(
                    "let the tests load the reviewed tree: remove the editable install, or, when the sources lie in `src`, \
                     run the same command with --gate-env tests:PYTHONPATH={worktree}/src"
                );
            }
            Self::ModuleNotImported => "name a module that the tests load with --pytest-import, or let a test load this one",
            Self::ModuleHasNoFile => "name a module inside of it with --pytest-import: it has no file of its own",
            Self::OriginNotTracked | Self::TestNotTracked => "commit the file, and start a new run",
            Self::OriginNotCurrentSnapshotMember => "start a new run, which mirrors the files as they are now",
            Self::ConflictingWorkerOrigins => "let one place of the module be found, in every process",
            Self::WorkerFailed => "mend what ends the process, and run the same commands again",
            Self::WorkerProofMissing | Self::WorkerProofInvalid => {
                "let nothing unload or disturb the plugin `code_polishy_recorder`, and run the same commands again"
            }
            Self::WorkerLocalSnapshotMismatch => "let nothing write into the reviewed tree while the tests run",
        };
        advice.to_owned()
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
