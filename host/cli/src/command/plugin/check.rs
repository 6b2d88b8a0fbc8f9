//! `plugin check`: whether a component keeps the contract and answers as its cases expect, and what it costs.

use code_polishy_core::{
    diagnostic::{Failure, FailureKind},
    plugin::PluginFault,
    policy::model::PluginLimits,
    text::escape_line,
};
use code_polishy_sandbox::check::CheckReport;
use serde_json::{Value, json};

use super::{
    cases::{Cases, Outcome},
    component::Component,
    cost, verdict,
};
use crate::{
    arguments::plugin::PluginCheck,
    command::Context,
    exit::Exit,
    reply::Reply,
    view::{
        json::Protocol,
        lines::{BAD, GOOD, OPEN, count, next, paint, size},
    },
};

/// What the author does about a call that gives no answer of the contract.
const MEND: &str = "mend the plugin, build it again, and check it again";
/// What the author does about a case.
const MEND_CASES: &str = "mend the plugin, or run it again with --accept when the new answers are the right ones";

/// Admits the component, asks it to describe itself, makes every call of its kind twice, and then those of the author's cases.
pub fn run(context: &Context, arguments: &PluginCheck) -> Result<Reply, Failure> {
    let component = Component::of_file(context, &arguments.file)?;
    let limits = PluginLimits::from(arguments.limits);
    let sandbox = context.setup.plugins.quiet_sandbox();
    let kind = match arguments.kind {
        Some(kind) => kind.into(),
        None => sandbox.admit(&component.name, &component.bytes, limits.size_mib).map_err(refused)?.kind,
    };
    let cases = arguments.cases.as_deref().map(|folder| Cases::read(context, folder, kind)).transpose()?;
    let source = component.source(kind, &limits);
    let report = sandbox.check(&source).map_err(refused)?;
    let outcomes = cases.map(|cases| cases.run(sandbox, &source, arguments.accept)).transpose()?.unwrap_or_default();
    let passed = report.passed() && outcomes.iter().all(|outcome| outcome.result.is_good());
    let state = if passed { "accepted" } else { "refused" };
    let reply = Reply::lines(lines(&report, &outcomes), Protocol::Plugin("check").done(state, "check", &document(&report, &outcomes)));
    Ok(if passed { reply } else { reply.ending(Exit::Blocked) })
}

/// Whoever asks whether a plugin is good gets a no, not a fault.
fn refused(fault: PluginFault) -> Failure {
    Failure { kind: FailureKind::Blocked, ..Failure::from(fault) }
}

fn lines(report: &CheckReport, outcomes: &[Outcome]) -> Vec<String> {
    let (admitted, described) = (&report.admitted, &report.description);
    let mut lines = vec![
        format!("{} {}: {}", described.name, described.version, escape_line(&described.summary)),
        format!("{}, contract {}, {}, sha256 {}", admitted.kind, admitted.wit_version, size(admitted.size), admitted.sha256),
    ];
    lines.extend(admitted.warnings.iter().map(|warning| format!("{} {}", paint(OPEN, "WARNING"), escape_line(warning))));
    lines.extend(cost::table(&report.probes));
    lines.extend(report.probes.iter().filter_map(verdict::broken));
    lines.extend(outcomes.iter().flat_map(verdict::case));
    lines.extend(end(report, outcomes));
    lines
}

/// The last words.
fn end(report: &CheckReport, outcomes: &[Outcome]) -> Vec<String> {
    let failed = outcomes.iter().filter(|outcome| !outcome.result.is_good()).count();
    let answers = match (outcomes.len(), failed) {
        (0, _) => String::new(),
        (all, 0) => format!(" and answers as {} expect", count(all, "case")),
        (_, failed) => format!(" and does not answer as {} expect", count(failed, "case")),
    };
    match (report.passed(), failed) {
        (true, 0) => vec![format!("{} the plugin keeps the contract{answers}", paint(GOOD, "PASS"))],
        (true, _) => vec![format!("{} the plugin keeps the contract{answers}", paint(BAD, "FAILED")), next(MEND_CASES)],
        (false, _) => vec![format!("{} the plugin breaks the contract", paint(BAD, "FAILED")), next(MEND)],
    }
}

fn document(report: &CheckReport, outcomes: &[Outcome]) -> Value {
    let (admitted, described) = (&report.admitted, &report.description);
    json!({
        "name": described.name,
        "version": described.version.to_string(),
        "summary": described.summary,
        "options_schema": described.options_schema,
        "kind": admitted.kind,
        "wit_version": admitted.wit_version.to_string(),
        "size": admitted.size,
        "sha256": admitted.sha256,
        "warnings": admitted.warnings,
        "calls": report.probes.iter().map(cost::document).collect::<Vec<_>>(),
        "cases": outcomes.iter().map(verdict::document).collect::<Vec<_>>(),
    })
}
