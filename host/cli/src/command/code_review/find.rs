//! `code-review find`.

use code_polishy_core::{code_review::prior::PriorRecord, diagnostic::Failure, text::escape_line};
use code_polishy_engine::workflow::code_review::find::{Archive, Found, Report, Wanted, find};
use serde_json::{Value, json};

use crate::{
    arguments::code_review::Find,
    command::Context,
    reply::Reply,
    view::json::{code_review, word},
};

/// Finds a report, or what it holds.
pub fn run(context: &Context, arguments: &Find) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    Ok(match find(&workspace, &context.setup.cwd, &wanted(arguments))? {
        Found::Report(run, report) => reported(&run.text(), &report, arguments.path_only),
        Found::Archive(archive) => archived(&archive),
        Found::Evidence(run, evidence) => whole(&run.text(), &json!(evidence)),
        Found::Resolutions(run, resolutions) => whole(&run.text(), &ledger(resolutions.as_ref())),
    })
}

/// The command line demands exactly one of them.
fn wanted(arguments: &Find) -> Wanted {
    let Find { target, result, archive_result, finding_evidence, run, reports, .. } = arguments;
    let run = run.clone().unwrap_or_default();
    match (target, result, archive_result, finding_evidence) {
        (Some(target), ..) => Wanted::Target { target: target.clone(), reports_dir: reports.reports_dir.clone() },
        (_, Some(file), ..) => Wanted::Result(file.clone()),
        (_, _, Some(file), _) => Wanted::Archive(file.clone()),
        (_, _, _, Some(id)) => Wanted::FindingEvidence { id: id.clone(), run },
        _ => Wanted::PriorResolutions(run),
    }
}

fn reported(run: &str, report: &Report, path_only: bool) -> Reply {
    let document = code_review("find", "found", Some(run), report);
    let path = escape_line(&report.result);
    if path_only {
        return Reply::lines(vec![path], document);
    }
    let lines = vec![
        format!("scope: {}", report.scope),
        format!("review: {}", escape_line(&report.review_status)),
        format!("change: {}", word(&report.change_readiness)),
        path,
    ];
    Reply::lines(lines, document)
}

fn archived(archive: &Archive) -> Reply {
    let scope = archive.scope.as_deref().map_or_else(|| "unknown".to_owned(), escape_line);
    let lines = vec![
        "status: unverified archive; nothing of it was validated".to_owned(),
        format!("schema: {}", archive.schema_version),
        format!("scope: {scope}"),
        escape_line(&archive.path),
    ];
    Reply::lines(lines, code_review("find", "unverified-archive", None, archive))
}

/// Records that people read as they are.
fn whole(run: &str, record: &Value) -> Reply {
    let document = code_review("find", "found", Some(run), record);
    let text = serde_json::to_string_pretty(record).expect("a record has string keys");
    Reply::exact(format!("{text}\n").into_bytes(), document)
}

fn ledger(resolutions: Option<&PriorRecord>) -> Value {
    match resolutions {
        Some(record) => json!(record),
        None => json!({"source_run": null, "sha256": null, "resolutions": [], "invalid_lines": 0}),
    }
}
