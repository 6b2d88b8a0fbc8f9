//! `plugin check`: whether a component keeps the contract, and what it costs.

use std::path::Path;

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::{Failure, FailureKind},
    plugin::{PinnedComponent, PluginFault, PluginSource},
    text::escape_line,
};
use code_polishy_sandbox::check::{CheckReport, Probe};
use serde_json::{Value, json};

use crate::{
    arguments::PluginCheck,
    command::Context,
    exit::Exit,
    reply::Reply,
    view::{
        json::Protocol,
        lines::{BAD, FAINT, GOOD, OPEN, next, paint, size},
    },
};

/// What the author does about a call that gives no answer of the contract.
const MEND: &str = "mend the plugin, build it again, and check it again";

/// Admits the component, asks it to describe itself, and makes every call of its kind twice.
pub fn run(context: &Context, arguments: &PluginCheck) -> Result<Reply, Failure> {
    let path = context.setup.path(&arguments.file);
    let bytes = std::fs::read(&path).map_err(|error| unreadable(&arguments.file, &error))?;
    let name = path.file_stem().map_or_else(|| "plugin".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let sandbox = context.setup.plugins.sandbox();
    let kind = match arguments.kind {
        Some(kind) => kind.into(),
        None => sandbox.admit(&name, &bytes, arguments.size_mib).map_err(refused)?.kind,
    };
    let pinned = PinnedComponent { sha256: digest_bytes(&bytes), bytes, fuel: None, memory_mib: None, size_mib: arguments.size_mib };
    let report = sandbox.check(&PluginSource { name, kind, pinned: Some(pinned), options: "{}".to_owned() }).map_err(refused)?;
    let state = if report.passed() { "accepted" } else { "refused" };
    let reply = Reply::lines(lines(&report), Protocol::Plugin("check").done(state, "check", &document(&report)));
    Ok(if report.passed() { reply } else { reply.ending(Exit::Blocked) })
}

/// Whoever asks whether a plugin is good gets a no, not a fault.
fn refused(fault: PluginFault) -> Failure {
    Failure { kind: FailureKind::Blocked, ..Failure::from(fault) }
}

fn unreadable(file: &Path, error: &std::io::Error) -> Failure {
    Failure::usage("plugin.unreadable", format!("cannot read `{}`: {error}", file.display()), "name the `.wasm` file of a component")
}

fn lines(report: &CheckReport) -> Vec<String> {
    let (admitted, described) = (&report.admitted, &report.description);
    let mut lines = vec![
        format!("{} {}: {}", described.name, described.version, escape_line(&described.summary)),
        format!("{}, contract {}, {}, sha256 {}", admitted.kind, admitted.wit_version, size(admitted.size), admitted.sha256),
    ];
    lines.extend(admitted.warnings.iter().map(|warning| format!("{} {}", paint(OPEN, "WARNING"), escape_line(warning))));
    lines.extend(report.probes.iter().map(probe));
    match report.passed() {
        true => lines.push(format!("{} the plugin keeps the contract", paint(GOOD, "PASS"))),
        false => lines.extend([format!("{} the plugin breaks the contract", paint(BAD, "FAILED")), next(MEND)]),
    }
    lines
}

fn probe(probe: &Probe) -> String {
    let verdict = if probe.passed() { paint(GOOD, "PASS") } else { paint(BAD, "FAIL") };
    let answer = match &probe.fault {
        Some(fault) => format!(": {}", escape_line(&fault.message)),
        None if !probe.repeats => ": the second call gave another answer".to_owned(),
        None => String::new(),
    };
    let figures = format!("(fuel {}, memory {})", probe.figures.fuel, size(probe.figures.memory));
    format!("{verdict} {}{answer} {}", probe.call, paint(FAINT, &figures))
}

fn document(report: &CheckReport) -> Value {
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
        "calls": report.probes.iter().map(|probe| json!({
            "call": probe.call,
            "passed": probe.passed(),
            "repeats": probe.repeats,
            "fault": probe.fault.as_ref().map(|fault| json!({"code": fault.kind.code(), "message": fault.message, "next": fault.next})),
            "fuel": probe.figures.fuel,
            "memory": probe.figures.memory,
        })).collect::<Vec<_>>(),
    })
}
