//! The suite runners that gates ask for, from the policy that the run was started with (CR-18, CR-143).

use std::path::Path;

use code_polishy_core::{
    code_review::{
        codes,
        gates::{PlannedGate, Way},
        t0::T0,
    },
    diagnostic::{Failure, FailureKind},
    plugin::PluginKind,
    policy::{load, model::Policy},
};
use serde_json::Value;

use super::execute::Runners;
use crate::{
    git::{Repository, Tree},
    plugins::{Origin, PluginSet},
    workspace::Workspace,
};

/// Loads them; nothing is read when no gate has one.
///
/// # Errors
/// Exit 2: a runner is unknown, its pin does not fit, or it cannot be admitted; exit 3.
pub fn load_runners(workspace: &Workspace<'_>, t0: &T0, planned: &[PlannedGate]) -> Result<Runners, Failure> {
    let asked = planned.iter().filter_map(|gate| match &gate.way {
        Way::Run { runner: Some(runner), .. } => Some((gate.id, runner.as_str())),
        _ => None,
    });
    let asked: Vec<(&'static str, &str)> = asked.collect();
    if asked.is_empty() {
        return Ok(Runners::new());
    }
    let policy = policy(&t0.config.policy)?;
    let source = Path::new(&t0.run.source_worktree);
    let tree = match t0.run.config_origin.strip_prefix("commit:") {
        Some(commit) => Some(Tree::of(&Repository::open(source)?, commit)?),
        None => None,
    };
    let origin = tree.as_ref().map_or(Origin::Files(source), Origin::Tree);
    let plugins = PluginSet { host: workspace.plugins, policy: &policy, origin, places: &workspace.places };
    let load = |(gate, runner): (&'static str, &str)| {
        plugins.identity(PluginKind::SuiteRunner, runner)?;
        let loaded = workspace.plugins.suite_runner(&plugins.source(PluginKind::SuiteRunner, runner, None)?)?;
        Ok((gate, loaded))
    };
    asked.into_iter().map(load).collect()
}

/// The policy that `config.json` was taken from.
fn policy(config: &Value) -> Result<Policy, Failure> {
    if config.is_null() {
        return Ok(Policy::default());
    }
    load(config.to_string().as_bytes()).map_err(|mut diagnostics| {
        for diagnostic in &mut diagnostics {
            diagnostic.code = codes::REVIEW_CONFIG_INVALID.name.to_owned();
        }
        Failure::new(FailureKind::Usage, diagnostics)
    })
}
