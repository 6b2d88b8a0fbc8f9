//! The suite runners that gates ask for, from the policy that the run was started with (CR-18, CR-143).

use code_polishy_core::{
    code_review::{
        gates::{PlannedGate, Way},
        t0::T0,
    },
    diagnostic::Failure,
    plugin::PluginKind,
};

use super::execute::Runners;
use crate::{workflow::code_review::pinned::with_plugins, workspace::Workspace};

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
    with_plugins(workspace, t0, |plugins| {
        let load = |(gate, runner): (&'static str, &str)| {
            plugins.identity(PluginKind::SuiteRunner, runner)?;
            let loaded = workspace.plugins.suite_runner(&plugins.source(PluginKind::SuiteRunner, runner, None)?)?;
            Ok((gate, loaded))
        };
        asked.into_iter().map(load).collect()
    })
}
