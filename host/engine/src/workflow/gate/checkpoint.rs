//! The acceptance of a checkpoint: audit, never an implicit base (BR-70).

use std::path::Path;

use code_polishy_core::{
    canonical::{artifact_bytes, read_strict},
    diagnostic::{Diagnostic, Failure, FailureKind},
    gate::report::{Report, ReportStatus},
    packet::MAX_BYTES,
    policy::model::Boundary,
};
use serde::{Deserialize, Serialize};

use crate::{
    store::Store,
    workflow::gate::{
        Gate,
        records::{REPORT_FILE, folder, stored},
    },
};

const RECEIPT_FILE: &str = "receipt.json";

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

/// How the stored receipt stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// There is none.
    Absent,
    /// It agrees with the passed report that it names.
    Accepted(CheckpointReceipt),
    /// It does not, or cannot be read.
    Stale(Diagnostic),
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
    store.write(RECEIPT_FILE, &artifact_bytes(&receipt))
}

/// Reads the receipt with its report.
///
/// # Errors
/// A fault of the store (exit 3). What was edited, or is missing after a crash, is no error.
pub fn acceptance(root: &Path) -> Result<Acceptance, Failure> {
    let Some(store) = Store::open(root, &folder(Boundary::Checkpoint))? else { return Ok(Acceptance::Absent) };
    let Some(bytes) = store.read(RECEIPT_FILE, MAX_BYTES)? else { return Ok(Acceptance::Absent) };
    let receipt: CheckpointReceipt = match read_strict(&bytes, STALE, NEXT) {
        Ok(receipt) => receipt,
        Err(fault) => return Ok(Acceptance::Stale(at_receipt(*fault))),
    };
    Ok(match disagreement(root, &receipt)? {
        None => Acceptance::Accepted(receipt),
        Some(what) => Acceptance::Stale(at_receipt(Diagnostic::new(STALE, format!("the checkpoint receipt is stale: {what}"), NEXT))),
    })
}

const STALE: &str = "checkpoint.stale";
const NEXT: &str = "code-polishy checkpoint-gate --base REF";

fn at_receipt(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.at_path(format!("{}/{RECEIPT_FILE}", folder(Boundary::Checkpoint)))
}

/// What the report does not say of the receipt.
fn disagreement(root: &Path, receipt: &CheckpointReceipt) -> Result<Option<&'static str>, Failure> {
    let runs = format!("{}/runs/", folder(Boundary::Checkpoint));
    let run = receipt.report_path.strip_suffix(REPORT_FILE).and_then(|folder| folder.strip_suffix('/'));
    let Some(run) = run.filter(|run| run.starts_with(&runs) && !run.contains("..")) else {
        return Ok(Some("it names no report of a checkpoint gate"));
    };
    let report = match stored(root, run) {
        Ok(Some(report)) => report,
        Ok(None) => return Ok(Some("the report that it names is missing")),
        Err(failure) if failure.kind == FailureKind::Usage => return Ok(Some("the report that it names was edited")),
        Err(failure) => return Err(failure),
    };
    let same = receipt.version == 1
        && (&receipt.base, &receipt.candidate) == (&report.base, &report.candidate)
        && (&receipt.execution_id, &receipt.report_sha256) == (&report.execution_id, &report.sha256);
    let passed = report.gate == "checkpoint" && report.status == ReportStatus::Passed;
    Ok((!same || !passed).then_some("the report that it names says something else"))
}
