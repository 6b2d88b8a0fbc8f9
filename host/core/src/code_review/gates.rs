//! The five gates: what is run, what it gave, what may replace an earlier answer, and `gates.json` (section 11).

mod aggregate;
mod environment;
mod history;
mod outcome;
mod plan;
mod prover;
mod python;
mod record;

pub use aggregate::{CHECKS_LOG_FILE, FAILED_FILE, STATUS_FILE};
pub use environment::{GateVariable, extended};
pub use history::{ATTEMPTS_FOLDER, Replacement, attempt_folder, attempts};
pub use outcome::{Ended, Outcome, refusal};
pub use plan::{Asked, GateOptions, PlannedGate, Way, plan};
pub use prover::{ProofPlan, PytestOptions, is_module};
pub use python::changes_python;
pub use record::{
    CHANGED_COMMAND, GATES, GATES_FILE, GateCheck, GateReason, GateSource, GateStatus, Gates, GatesStatus, LOCAL_SNAPSHOT_FILE,
    Observation, ProofOrigin, ProofStatus, RESET_FILE, SourceMode, SourceProof, TestCounts, WorktreeReset, WorktreeResets,
};
