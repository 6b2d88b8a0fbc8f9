//! `report`: shows a gate's report again, or what a renderer makes of it.

use std::path::Path;

use code_polishy_core::{
    canonical::canonical_json,
    diagnostic::{Failure, FailureKind},
    gate::report::Report as GateReport,
    plugin::Artifact,
    policy::model::Boundary,
    text::escape_line,
};
use code_polishy_engine::{
    store::Store,
    workflow::{
        gate::{Acceptance, Latest, acceptance, gate_name, latest, stored},
        policies::Side,
    },
    workspace::Workspace,
};
use serde_json::{Value, json};

use super::Context;
use crate::{
    arguments::Report,
    exit::Exit,
    reply::{Human, Reply},
    view::{
        gate::{View, lines, states},
        json::Protocol,
    },
};

/// Shows the newest or the named run. Showing a report of a failed gate is a success.
pub fn run(context: &Context, arguments: &Report) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let root = workspace.repository.root();
    let boundary = arguments.gate.into();
    let acceptance = if boundary == Boundary::Checkpoint { acceptance(root)? } else { Acceptance::Absent };
    let (report, path) = find(root, boundary, arguments.run.as_deref()).map_err(|failure| also(failure, &acceptance))?;
    match &arguments.renderer {
        None => Ok(shown(context, &report, &path, acceptance)),
        Some(name) => render(&workspace, name, &report),
    }
}

/// A missing report explains itself by the receipt that a crash left (BR-70).
fn also(mut failure: Failure, acceptance: &Acceptance) -> Failure {
    if let Acceptance::Stale(stale) = acceptance {
        failure.diagnostics.push(stale.clone());
    }
    failure
}

/// With a stale receipt of a checkpoint the command is blocked: nothing is accepted.
fn shown(context: &Context, report: &GateReport, path: &str, acceptance: Acceptance) -> Reply {
    let accepts = matches!(&acceptance, Acceptance::Accepted(receipt) if receipt.execution_id == report.execution_id);
    let stale = match acceptance {
        Acceptance::Stale(stale) => Some(Failure::new(FailureKind::Blocked, vec![stale])),
        Acceptance::Absent | Acceptance::Accepted(_) => None,
    };
    let finding = report.findings.first().map(|finding| finding.next.as_str());
    let next = finding.or(stale.as_ref().map(Failure::next_step));
    let view = View { report, states: states(report), accepts, report_path: Some(path), renders: &[], next, verbose: context.verbose };
    let document = serde_json::to_value(report).expect("reports have string keys");
    let exit = stale.as_ref().map_or(Exit::Done, |stale| stale.kind.into());
    Reply { human: Human::Lines(lines(&view)), fault: stale, ..Reply::lines(Vec::new(), document).ending(exit) }
}

/// The report and its repository-relative path.
fn find(root: &Path, boundary: Boundary, run: Option<&str>) -> Result<(GateReport, String), Failure> {
    let gate = gate_name(boundary);
    let command = format!("code-polishy {gate}-gate --base REF");
    let latest = if run.is_none() { latest(root, boundary)? } else { None };
    let path = match run {
        None => latest.as_ref().map(|latest| latest.report_path.clone()),
        Some(run) => folder_of(root, gate, run)?.map(|folder| format!("{folder}/report.json")),
    };
    let missing = || match (run, &latest) {
        (None, None) => Failure::blocked("report.none", format!("no {gate} gate has run"), command.clone()),
        (None, Some(latest)) => {
            let message = format!("the report of the newest {gate} gate is missing: {}", escape_line(&latest.report_path));
            Failure::blocked("report.missing", message, command.clone())
        }
        (Some(run), _) => {
            let message = format!("there is no run `{}` of the {gate} gate", escape_line(run));
            Failure::blocked("report.unknown-run", message, command.clone())
        }
    };
    let path = path.ok_or_else(missing)?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let report = stored(root, folder)?.ok_or_else(missing)?;
    let other = |latest: &Latest| latest.report_sha256 != report.sha256 || latest.execution_id != report.execution_id;
    if report.gate != gate || latest.as_ref().is_some_and(other) {
        let message = format!("{} is not the report that the {gate} gate wrote there", escape_line(&path));
        return Err(Failure::usage("report.edited", message, command));
    }
    Ok((report, path))
}

/// Runs are kept below the digest of their identity, whose start their id repeats.
fn folder_of(root: &Path, gate: &str, run: &str) -> Result<Option<String>, Failure> {
    let Some((start, _)) = run.strip_prefix("run-").and_then(|rest| rest.split_once('-')) else { return Ok(None) };
    let runs = format!(".code-polishy-reports/{gate}-gate/runs");
    let Some(store) = Store::open(root, &runs)? else { return Ok(None) };
    for identity in store.names()?.into_iter().filter(|identity| identity.starts_with(start)) {
        let Some(folder) = store.child(&identity, false)? else { continue };
        if folder.names()?.iter().any(|name| name == run) {
            return Ok(Some(format!("{runs}/{identity}/{run}")));
        }
    }
    Ok(None)
}

/// A renderer's single artifact goes to standard output as it is.
fn render(workspace: &Workspace<'_>, name: &str, report: &GateReport) -> Result<Reply, Failure> {
    let head = Side::at(&workspace.repository, &workspace.repository.head()?)?;
    let renderer = head.plugins(workspace).renderer(name)?;
    let mut artifacts = renderer.render(&canonical_json(report))?;
    let document = Protocol::Report("report").done("rendered", "artifacts", &artifacts.iter().map(described).collect::<Vec<_>>());
    match (artifacts.pop(), artifacts.len()) {
        (Some(artifact), 0) => Ok(Reply::exact(artifact.content, document)),
        (_, others) => {
            let message =
                format!("the renderer `{name}` made {} files, and standard output takes one", if others == 0 { 0 } else { others + 1 });
            Err(Failure::operational("report.artifacts", message, "read the files that the gate names in its RENDER lines"))
        }
    }
}

fn described(artifact: &Artifact) -> Value {
    json!({"name": artifact.name, "media_type": artifact.media_type, "content": String::from_utf8_lossy(&artifact.content)})
}
