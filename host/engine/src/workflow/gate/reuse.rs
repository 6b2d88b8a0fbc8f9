//! Passed commands of an earlier run with the identical identity (BR-72). Replays are never among them (BR-64).

use std::collections::BTreeMap;

use code_polishy_core::{
    diagnostic::Failure,
    gate::{
        plan::Category,
        report::{CommandReport, CommandStatus, Report, ReportStatus},
    },
};

use crate::workflow::gate::{Gate, records::of_identity};

/// Passed ordinary commands by the digest of what ran, each with its run.
pub type Earlier = BTreeMap<String, String>;

/// What may be reused: of the newest passed run, or with `--resume` of the newest failed one.
pub fn passed_commands(gate: &Gate<'_>, identity_sha256: &str) -> Result<Earlier, Failure> {
    if gate.request.no_reuse {
        return Ok(Earlier::new());
    }
    let reports = of_identity(gate.workspace, gate.request.boundary, identity_sha256)?;
    let wanted = if gate.request.resume { ReportStatus::Failed } else { ReportStatus::Passed };
    match reports.iter().find(|report| report.status == wanted) {
        Some(report) => Ok(passed(report)),
        None if gate.request.resume => Err(Failure::usage(
            "gate.nothing-to-resume",
            "no failed run has the identity of this one",
            format!("code-polishy merge-gate --base {}", gate.request.base),
        )),
        None => Ok(Earlier::new()),
    }
}

fn passed(report: &Report) -> Earlier {
    let ordinary = |command: &&CommandReport| {
        command.status == CommandStatus::Passed && !matches!(command.category, Category::BehaviorProofReplay | Category::Documentation)
    };
    let run = |command: &CommandReport| command.reused_from.clone().unwrap_or_else(|| report.execution_id.clone());
    report.commands.iter().filter(ordinary).map(|command| (command.sha256.clone(), run(command))).collect()
}
