//! `plugin list`: bundled plugins, those that the working policy pins, and those of the user's own store.

use std::{fs, io};

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::Failure,
    plugin::PluginKind,
    policy::model::{PluginPin, Policy},
    text::escape_line,
};
use code_polishy_engine::{
    plugins::{Origin, PluginSet},
    workflow::policies::policy_for_pinning,
    workspace::Workspace,
};
use code_polishy_sandbox::bundled;
use serde::Serialize;

use super::component::{Component, STORE};
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
    /// Unknown when its component cannot be read.
    kind: Option<PluginKind>,
    source: String,
    /// Empty when its component cannot be read.
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

/// Outside a repository nothing is pinned.
pub fn run(context: &Context) -> Result<Reply, Failure> {
    let mut listed: Vec<Listed> = bundled::all().iter().map(of_bundled).collect();
    if let Some(workspace) = context.setup.workspace_if_any()?
        && let Some(policy) = policy_for_pinning(workspace.repository.root())?
    {
        listed.extend(policy.plugins.iter().map(|pin| of_pin(&workspace, &policy, pin)));
    }
    listed.extend(stored_names(context)?.iter().map(|name| of_store(context, name)));
    let lines = listed.iter().map(line).collect();
    Ok(Reply::lines(lines, Protocol::Plugin("list").done("listed", "plugins", &listed)))
}

fn of_bundled(plugin: &bundled::Bundled) -> Listed {
    let (name, source) = (plugin.name.to_owned(), "bundled".to_owned());
    Listed { name, kind: Some(plugin.kind), source, sha256: plugin.sha256().to_owned(), state: State::Ready, reason: None }
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
    Listed { name: pin.name.clone(), kind: Some(pin.kind), source: pin.source.clone(), sha256: pin.sha256.clone(), state, reason }
}

/// Names of the files `<name>.wasm` in the user's store, in order; there may be no store.
fn stored_names(context: &Context) -> Result<Vec<String>, Failure> {
    let folder = context.setup.places().plugins_path();
    let unreadable = |error: io::Error| {
        let message = format!("cannot read your plugin store `{}`: {error}", folder.display());
        Failure::operational("plugin-list.store", message, "make the folder readable")
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries.collect::<io::Result<Vec<_>>>().map_err(unreadable)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let name = |entry: &fs::DirEntry| entry.file_name().to_str()?.strip_suffix(".wasm").map(str::to_owned);
    let mut names: Vec<String> = entries.iter().filter_map(name).collect();
    names.sort();
    Ok(names)
}

/// Whether one is large is for its pin to say.
fn of_store(context: &Context, name: &str) -> Listed {
    let read = Component::of_store(context, name);
    let admitted = read.and_then(|component| Ok(context.setup.plugins.sandbox().admit(name, &component.bytes, Some(u32::MAX))?));
    let (kind, sha256, state, reason) = match admitted {
        Ok(admitted) => (Some(admitted.kind), admitted.sha256, State::Ready, None),
        Err(failure) => {
            (None, String::new(), State::Unreadable, failure.diagnostics.into_iter().next().map(|diagnostic| diagnostic.message))
        }
    };
    Listed { name: name.to_owned(), kind, source: STORE.to_owned(), sha256, state, reason }
}

fn line(plugin: &Listed) -> String {
    let (style, state) = match plugin.state {
        State::Ready => (GOOD, "ready"),
        State::Mismatch => (BAD, "mismatch"),
        State::Unreadable => (BAD, "unreadable"),
    };
    let reason = plugin.reason.as_deref().map(|reason| format!(": {}", escape_line(reason))).unwrap_or_default();
    let Listed { name, kind, source, sha256, .. } = plugin;
    let kind = kind.map_or("unknown", PluginKind::name);
    let sha256 = if sha256.is_empty() { "-" } else { sha256 };
    format!("{} {kind} {} {sha256} {}{reason}", escape_line(name), escape_line(source), paint(style, state))
}
