//! `plugin list`: bundled plugins, and those that the working policy pins.

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::Failure,
    plugin::PluginKind,
    policy::model::{PluginPin, Policy},
    text::escape_line,
};
use code_polishy_engine::{
    plugins::{Origin, PluginSet},
    workflow::policies::working_policy,
    workspace::Workspace,
};
use code_polishy_sandbox::bundled;
use serde::Serialize;

use crate::{
    command::Context,
    reply::Reply,
    view::{
        json::Protocol,
        lines::{BAD, GOOD, paint},
    },
};

/// A plugin that a policy can name.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Listed {
    name: String,
    kind: PluginKind,
    source: String,
    sha256: String,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Whether it can be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// Its bytes are the named ones.
    Ready,
    /// Its bytes are not the pinned ones.
    Mismatch,
    /// Its component cannot be read.
    Unreadable,
}

/// Outside a repository only bundled plugins are listed.
pub fn run(context: &Context) -> Result<Reply, Failure> {
    let mut listed: Vec<Listed> = bundled::all().iter().map(of_bundled).collect();
    match context.setup.workspace() {
        Ok(workspace) => {
            if let Some(policy) = working_policy(workspace.repository.root())? {
                listed.extend(policy.plugins.iter().map(|pin| of_pin(&workspace, &policy, pin)));
            }
        }
        Err(failure) if failure.diagnostics.iter().any(|diagnostic| diagnostic.code == "git.no-repository") => {}
        Err(failure) => return Err(failure),
    }
    let lines = listed.iter().map(line).collect();
    Ok(Reply::lines(lines, Protocol::Plugin("list").done("listed", "plugins", &listed)))
}

fn of_bundled(plugin: &bundled::Bundled) -> Listed {
    let (name, source) = (plugin.name.to_owned(), "bundled".to_owned());
    Listed { name, kind: plugin.kind, source, sha256: plugin.sha256().to_owned(), state: State::Ready, reason: None }
}

fn of_pin(workspace: &Workspace<'_>, policy: &Policy, pin: &PluginPin) -> Listed {
    let root = workspace.repository.root();
    let plugins = PluginSet { host: workspace.plugins, policy, origin: Origin::Files(root), places: &workspace.places };
    let (state, reason) = match plugins.source(pin.kind, &pin.name, None) {
        Err(failure) => (State::Unreadable, failure.diagnostics.into_iter().next().map(|diagnostic| diagnostic.message)),
        Ok(source) => match source.pinned.map(|component| digest_bytes(&component.bytes)) {
            Some(actual) if actual != pin.sha256 => (State::Mismatch, Some(format!("the component's digest is {actual}"))),
            _ => (State::Ready, None),
        },
    };
    Listed { name: pin.name.clone(), kind: pin.kind, source: pin.source.clone(), sha256: pin.sha256.clone(), state, reason }
}

fn line(plugin: &Listed) -> String {
    let (style, state) = match plugin.state {
        State::Ready => (GOOD, "ready"),
        State::Mismatch => (BAD, "mismatch"),
        State::Unreadable => (BAD, "unreadable"),
    };
    let reason = plugin.reason.as_deref().map(|reason| format!(": {}", escape_line(reason))).unwrap_or_default();
    let Listed { name, kind, source, sha256, .. } = plugin;
    format!("{} {kind} {} {sha256} {}{reason}", escape_line(name), escape_line(source), paint(style, state))
}
