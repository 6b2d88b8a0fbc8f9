//! `plugin warm`: compiles what later commands load.

use code_polishy_core::{
    diagnostic::Failure,
    plugin::{PluginFault, PluginKind, PluginSource},
    text::escape_line,
};
use code_polishy_engine::{
    plugins::{Origin, PluginSet},
    workflow::policies::policy_for_pinning,
};
use code_polishy_sandbox::{Sandbox, bundled};
use serde::Serialize;

use crate::{
    command::Context,
    reply::Reply,
    view::{
        json::Protocol,
        lines::{FAINT, GOOD, OPEN, count, paint},
    },
};

/// A plugin that is ready to be loaded.
#[derive(Debug, Serialize)]
struct Warmed {
    name: String,
    kind: PluginKind,
    state: State,
}

/// Where its compiled code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// In the store, since now.
    Compiled,
    /// In the store, since before.
    Stored,
    /// Nowhere: the store cannot be written to.
    NotStored,
}

/// Bundled plugins, then those that the working policy pins; the first fault ends it.
pub fn run(context: &Context) -> Result<Reply, Failure> {
    let sandbox = context.setup.plugins.sandbox();
    let sources = bundled_sources().chain(pinned_sources(context)?);
    let warmed = sources.map(|source| warm(sandbox, &source)).collect::<Result<Vec<_>, _>>()?;
    let mut lines: Vec<String> = warmed.iter().map(line).collect();
    let compiled = warmed.iter().filter(|plugin| plugin.state == State::Compiled).count();
    lines.push(format!("{}, {compiled} compiled now", count(warmed.len(), "plugin")));
    Ok(Reply::lines(lines, Protocol::Plugin("warm").done("warmed", "plugins", &warmed)))
}

fn bundled_sources() -> impl Iterator<Item = PluginSource> {
    let source = |plugin: &bundled::Bundled| PluginSource {
        name: plugin.name.to_owned(),
        kind: plugin.kind,
        pinned: None,
        options: "{}".to_owned(),
    };
    bundled::all().iter().map(source)
}

fn pinned_sources(context: &Context) -> Result<Vec<PluginSource>, Failure> {
    let Some(workspace) = context.setup.workspace_if_any()? else { return Ok(Vec::new()) };
    let Some(policy) = policy_for_pinning(workspace.repository.root())? else { return Ok(Vec::new()) };
    let origin = Origin::Files(workspace.repository.root());
    let plugins = PluginSet { host: workspace.plugins, policy: &policy, origin, places: &workspace.places };
    policy.plugins.iter().map(|pin| plugins.source(pin.kind, &pin.name, None)).collect()
}

fn warm(sandbox: &Sandbox, source: &PluginSource) -> Result<Warmed, PluginFault> {
    let state = if sandbox.is_warm(source)? {
        State::Stored
    } else {
        sandbox.warm(source)?;
        if sandbox.is_warm(source)? { State::Compiled } else { State::NotStored }
    };
    Ok(Warmed { name: source.name.clone(), kind: source.kind, state })
}

fn line(plugin: &Warmed) -> String {
    let (style, word) = match plugin.state {
        State::Compiled => (GOOD, "compiled"),
        State::Stored => (FAINT, "was there"),
        State::NotStored => (OPEN, "compiled and not stored"),
    };
    format!("{} {} {}", escape_line(&plugin.name), plugin.kind, paint(style, word))
}
