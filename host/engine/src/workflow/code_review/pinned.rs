//! The plugins of a run: those of the policy that it was started with (CR-18).

use std::path::Path;

use code_polishy_core::{
    code_review::{codes, t0::T0},
    diagnostic::{Failure, FailureKind},
    policy::{load, model::Policy},
};
use serde_json::Value;

use crate::{
    git::{Repository, Tree},
    plugins::{Origin, PluginSet},
    workspace::Workspace,
};

/// Asks the plugins of a run; their components are read where the policy was.
///
/// # Errors
/// Exit 2 `review-config-invalid`; exit 3 when the commit of the policy cannot be read; what `ask` gives.
pub(super) fn with_plugins<T>(
    workspace: &Workspace<'_>,
    t0: &T0,
    ask: impl FnOnce(&PluginSet<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let policy = policy(&t0.config.policy)?;
    let source = Path::new(&t0.run.source_worktree);
    let tree = match t0.run.config_origin.strip_prefix("commit:") {
        Some(commit) => Some(Tree::of(&Repository::open(source)?, commit)?),
        None => None,
    };
    let origin = tree.as_ref().map_or(Origin::Files(source), Origin::Tree);
    ask(&PluginSet { host: workspace.plugins, policy: &policy, origin, places: &workspace.places })
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
