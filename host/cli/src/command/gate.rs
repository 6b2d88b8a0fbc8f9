//! `merge-gate` and `checkpoint-gate`: the same decision at two boundaries.

use code_polishy_core::{diagnostic::Failure, gate::report::ReportStatus, policy::model::Boundary};
use code_polishy_engine::workflow::gate::{GateOutcome, GateRequest, gate, gate_name};

use super::Context;
use crate::{
    arguments::{CheckpointGate, MergeGate},
    exit::Exit,
    reply::{Human, Reply},
    view::gate::{View, lines},
};

/// `checkpoint-gate`.
pub fn checkpoint(context: &Context, arguments: &CheckpointGate) -> Result<Reply, Failure> {
    let running = &arguments.running;
    let base = arguments.base.clone();
    run(context, GateRequest { boundary: Boundary::Checkpoint, base, resume: false, jobs: running.jobs(), no_reuse: running.no_reuse })
}

/// `merge-gate`.
pub fn merge(context: &Context, arguments: &MergeGate) -> Result<Reply, Failure> {
    let running = &arguments.running;
    let base = arguments.base.clone();
    run(
        context,
        GateRequest { boundary: Boundary::Merge, base, resume: arguments.resume, jobs: running.jobs(), no_reuse: running.no_reuse },
    )
}

fn run(context: &Context, request: GateRequest) -> Result<Reply, Failure> {
    let outcome = gate(&context.setup.workspace()?, &request)?;
    let next = next(&outcome);
    let view = View {
        report: &outcome.report,
        states: outcome.lines.clone(),
        accepts: outcome.is_passed() && outcome.report.gate == gate_name(Boundary::Checkpoint),
        report_path: outcome.report_path.as_deref(),
        renders: &outcome.renders,
        next: next.as_deref(),
        verbose: context.verbose,
    };
    Ok(Reply {
        human: Human::Lines(lines(&view)),
        document: serde_json::to_value(&outcome.report).expect("reports have string keys"),
        exit: exit(&outcome),
        remarks: Vec::new(),
        // What failed while commands ran is among the findings.
        fault: outcome.renderer_fault,
    })
}

fn exit(outcome: &GateOutcome) -> Exit {
    match (&outcome.operational, &outcome.renderer_fault, outcome.report.status) {
        (Some(failure), ..) => failure.kind.into(),
        (None, _, ReportStatus::Operational) | (None, Some(_), ReportStatus::Passed) => Exit::Operational,
        (None, _, ReportStatus::Failed) => Exit::Blocked,
        (None, None, ReportStatus::Passed) => Exit::Done,
    }
}

/// The step of a gate that is not passed (BR-10).
fn next(outcome: &GateOutcome) -> Option<String> {
    let finding = || outcome.report.findings.first().map(|finding| finding.next.clone());
    let fault = |failure: &Option<Failure>| failure.as_ref().map(|failure| failure.next_step().to_owned());
    fault(&outcome.operational).or_else(finding).or_else(|| fault(&outcome.renderer_fault))
}
