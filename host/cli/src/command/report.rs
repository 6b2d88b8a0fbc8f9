//! `report`: shows a gate's report again, or what a renderer makes of it.

use std::path::Path;

use code_polishy_core::{
    canonical::canonical_json, diagnostic::Failure, gate::report::Report as GateReport, plugin::Artifact, policy::model::Boundary,
};
use code_polishy_engine::{
    store::Store,
    workflow::{
        gate::{gate_name, latest, stored},
        policies::Side,
    },
    workspace::Workspace,
};
use serde_json::{Value, json};

use super::Context;
use crate::{
    arguments::Report,
    reply::{Human, Reply},
    view::{
        gate::{View, lines, states},
        json::Protocol,
    },
};

/// Shows the newest or the named run. Showing a report of a failed gate is a success.
pub fn run(context: &Context, arguments: &Report) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let (report, path) = find(workspace.repository.root(), arguments.gate.into(), arguments.run.as_deref())?;
    match &arguments.renderer {
        None => Ok(shown(context, &report, &path)),
        Some(name) => render(&workspace, name, &report),
    }
}

fn shown(context: &Context, report: &GateReport, path: &str) -> Reply {
    let next = report.findings.first().map(|finding| finding.next.as_str());
    let view = View { report, states: states(report), report_path: Some(path), renders: &[], next, verbose: context.verbose };
    let document = serde_json::to_value(report).expect("reports have string keys");
    Reply { human: Human::Lines(lines(&view)), ..Reply::lines(Vec::new(), document) }
}

/// The report and its repository-relative path.
fn find(root: &Path, boundary: Boundary, run: Option<&str>) -> Result<(GateReport, String), Failure> {
    let gate = gate_name(boundary);
    let command = format!("code-polishy {gate}-gate --base REF");
    let path = match run {
        None => latest(root, boundary)?.map(|latest| latest.report_path),
        Some(run) => folder_of(root, gate, run)?.map(|folder| format!("{folder}/report.json")),
    };
    let missing = || match run {
        None => Failure::blocked("report.none", format!("no {gate} gate has run"), command.clone()),
        Some(run) => Failure::blocked("report.unknown-run", format!("there is no run `{run}` of the {gate} gate"), command.clone()),
    };
    let path = path.ok_or_else(missing)?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let report = stored(root, folder)?.ok_or_else(missing)?;
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
