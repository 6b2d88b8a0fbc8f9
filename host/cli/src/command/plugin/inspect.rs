//! `plugin inspect`: what is known about a component without running it.

use std::path::Path;

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::Failure,
    plugin::{PluginFault, PluginFaultKind},
    policy::model::PluginLimits,
    text::escape_line,
};
use code_polishy_sandbox::{
    Sandbox,
    admission::{Edge, edge, size_warning},
    inspect::Description,
};
use serde_json::{Value, json};

use super::component::Component;
use crate::{
    arguments::plugin::PluginInspect,
    command::Context,
    exit::Exit,
    reply::Reply,
    view::{
        json::Protocol,
        lines::{BAD, GOOD, OPEN, list, next, note, paint, size},
    },
};

/// One component.
struct Inspected {
    component: Component,
    sha256: String,
    /// What is at its edge, when it can be read that far.
    edge: Option<Edge>,
    warning: Option<String>,
    /// Why it would not be loaded.
    refusal: Option<PluginFault>,
    description: Option<Description>,
}

/// Every plugin that the word means. One that would be refused gives exit 1.
pub fn run(context: &Context, arguments: &PluginInspect) -> Result<Reply, Failure> {
    let sandbox = context.setup.plugins.quiet_sandbox();
    let inspect = |component| inspected(sandbox, component, arguments);
    let inspected = Component::named(context, Path::new(&arguments.plugin))?.into_iter().map(inspect).collect::<Vec<_>>();
    let refused = inspected.iter().find_map(|plugin| plugin.refusal.as_ref());
    let mut lines: Vec<String> = inspected.iter().flat_map(lines).collect();
    match refused {
        Some(fault) => lines.push(next(&fault.next)),
        None if !arguments.describe => lines.push(note("its own name, version and options are known when it runs: --describe")),
        None => {}
    }
    let documents: Vec<Value> = inspected.iter().map(document).collect();
    let state = if refused.is_some() { "refused" } else { "accepted" };
    let reply = Reply::lines(lines, Protocol::Plugin("inspect").done(state, "plugins", &documents));
    Ok(if refused.is_some() { reply.ending(Exit::Blocked) } else { reply })
}

fn inspected(sandbox: &Sandbox, component: Component, arguments: &PluginInspect) -> Inspected {
    let (bytes, sha256) = (&component.bytes, digest_bytes(&component.bytes));
    let size_mib = component.size_mib(arguments.size_mib);
    let mut refusal = match component.pinned_sha256() {
        Some(pinned) if pinned != sha256 => Some(mismatch(&component.name, pinned)),
        _ => sandbox.admit(&component.name, bytes, size_mib).err(),
    };
    let edge = edge(bytes).ok();
    let kind = component.kind.or_else(|| edge.as_ref().and_then(|edge| edge.kind.as_ref().map(|(kind, _)| *kind)));
    let description = match (kind, &refusal) {
        (Some(kind), None) if arguments.describe => {
            match sandbox.describe(&component.source(kind, &PluginLimits { size_mib, ..PluginLimits::default() })) {
                Ok(description) => Some(description),
                Err(fault) => {
                    refusal = Some(fault);
                    None
                }
            }
        }
        _ => None,
    };
    Inspected { sha256, edge, warning: size_warning(bytes.len()), refusal, description, component }
}

fn mismatch(plugin: &str, pinned: &str) -> PluginFault {
    PluginFault {
        plugin: plugin.to_owned(),
        kind: PluginFaultKind::PinMismatch,
        message: format!("the policy pins {pinned}"),
        next: "restore the pinned file, or review the new one and pin it".to_owned(),
        log: Vec::new(),
    }
}

fn lines(plugin: &Inspected) -> Vec<String> {
    let Inspected { component, sha256, edge, warning, refusal, description } = plugin;
    let kind = match edge.as_ref().and_then(|edge| edge.kind.as_ref()) {
        Some((kind, version)) => format!("{kind}, contract {version}"),
        None => "no plugin of this contract".to_owned(),
    };
    let about = format!("{kind}, {}, {}", size(component.bytes.len()), escape_line(&component.origin));
    let mut lines = vec![format!("{}: {about}", escape_line(&component.name)), format!("sha256 {sha256}")];
    if let Some(edge) = edge {
        lines.extend([format!("imports {}", list(&edge.imports)), format!("exports {}", list(&edge.exports))]);
    }
    if let Some(Description { name, version, summary, options_schema }) = description {
        lines.push(format!("{name} {version}: {}", escape_line(summary)));
        lines.push(format!("options {}", escape_line(&Value::from(options_schema.clone()).to_string())));
    }
    lines.extend(warning.iter().map(|warning| format!("{} {}", paint(OPEN, "WARNING"), escape_line(warning))));
    lines.push(match refusal {
        Some(fault) => format!("{} {}", paint(BAD, "REFUSED"), escape_line(&fault.message)),
        None => format!("{} it may come in", paint(GOOD, "ADMITTED")),
    });
    lines
}

fn document(plugin: &Inspected) -> Value {
    let Inspected { component, sha256, edge, warning, refusal, description } = plugin;
    let kind = edge.as_ref().and_then(|edge| edge.kind.as_ref());
    json!({
        "name": component.name,
        "source": component.origin,
        "kind": kind.map(|(kind, _)| kind),
        "wit_version": kind.map(|(_, version)| version.to_string()),
        "size": component.bytes.len(),
        "sha256": sha256,
        "imports": edge.as_ref().map(|edge| &edge.imports),
        "exports": edge.as_ref().map(|edge| &edge.exports),
        "warnings": warning.iter().collect::<Vec<_>>(),
        "refusal": refusal.as_ref().map(|fault| json!({
            "code": format!("plugin.{}", fault.kind.code()), "message": fault.message, "next": fault.next,
        })),
        "description": description.as_ref().map(|described| json!({
            "name": described.name,
            "version": described.version.to_string(),
            "summary": described.summary,
            "options_schema": described.options_schema,
        })),
    })
}
