//! The five gates: what is run, what it gave, what may replace an earlier answer, and `gates.json` (section 11).

mod aggregate;
mod environment;
mod history;
mod outcome;
mod overlay;
mod plan;
mod prover;
mod python;
mod record;

pub use aggregate::{CHECKS_LOG_FILE, FAILED_FILE, STATUS_FILE};
pub use environment::{GateVariable, extended};
pub use history::{ATTEMPTS_FOLDER, Replacement, attempt_folder, attempts};
pub use outcome::{Ended, Outcome, refusal};
pub use overlay::{DEPENDENCIES_FILE, OVERLAY_FILE, OverlayReceipt, UNTOLD, has_other_overlay, overlaid, overlays_folder};
pub use plan::{Asked, GateOptions, PlannedGate, Way, plan};
pub use prover::{ProofPlan, PytestOptions, is_module};
pub use python::changes_python;
pub use record::{
    CHANGED_COMMAND, GATES, GATES_FILE, GateCheck, GateReason, GateSource, GateStatus, Gates, GatesStatus, LOCAL_SNAPSHOT_FILE,
    Observation, ProofOrigin, ProofStatus, RESET_FILE, SourceMode, SourceProof, TestCounts, WorktreeReset, WorktreeResets,
};
