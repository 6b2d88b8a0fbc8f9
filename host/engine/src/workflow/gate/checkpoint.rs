//! The acceptance of a checkpoint: audit, never an implicit base (BR-70).

use code_polishy_core::{canonical::artifact_bytes, diagnostic::Failure, gate::report::Report};
use serde::{Deserialize, Serialize};

use crate::{
    store::Store,
    workflow::gate::{Gate, runs::folder},
};

/// The file `checkpoint-gate/receipt.json`. Without the report that it names it reads as stale.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointReceipt {
    /// Always 1.
    pub version: u32,
    /// The base commit.
    pub base: String,
    /// The accepted commit.
    pub candidate: String,
    /// The run that accepted it.
    pub execution_id: String,
    /// Repository-relative.
    pub report_path: String,
    /// The report's own digest.
    pub report_sha256: String,
}

/// Writes the receipt; the report follows.
pub fn accept(gate: &Gate<'_>, report: &Report, report_path: &str) -> Result<(), Failure> {
    let receipt = CheckpointReceipt {
        version: 1,
        base: report.base.clone(),
        candidate: report.candidate.clone(),
        execution_id: report.execution_id.clone(),
        report_path: report_path.to_owned(),
        report_sha256: report.sha256.clone(),
    };
    let store = Store::create(gate.workspace.repository.root(), &folder(gate.request.boundary))?;
    store.write("receipt.json", &artifact_bytes(&receipt))
}
