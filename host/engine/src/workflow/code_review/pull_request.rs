//! A pull request's run before anything is collected: it begins with its target alone, and `import-pr` fills it.

use code_polishy_core::{
    code_review::{
        codes,
        config::CONFIG_FILE,
        pull_request::{identity::PullTarget, receipt::TARGET_FILE},
        run::{RUN_FILE, RunRecord, target_label},
        t0::GIT_STATE_FILE,
        vocabulary::Scope,
    },
    diagnostic::Failure,
};

use super::{config::Effective, git_state, reports::Reports, run::Run, terms::Resolved, usage};
use crate::workspace::Workspace;

/// A new run of the pull request that a caller named.
///
/// # Errors
/// Exit 2 `usage-error`: the target is no pull request; exit 3.
pub(super) fn begin(
    workspace: &Workspace<'_>,
    target: &str,
    terms: &Resolved,
    effective: &Effective,
    reports: &Reports,
) -> Result<(Run, RunRecord), Failure> {
    let number = target_of(target)?.number().to_string();
    let run = reports.create_run()?;
    let record = RunRecord {
        scope: Scope::Pr,
        targets: vec![target.to_owned()],
        target_label: target_label(Scope::Pr, &[number], None, None),
        ..terms.base_record(workspace, effective)
    };
    let _lock = run.lock(&record)?;
    run.write_json(RUN_FILE, &record)?;
    run.write_json(CONFIG_FILE, &effective.config)?;
    run.write(TARGET_FILE, format!("{target}\n").as_bytes())?;
    run.write_json(GIT_STATE_FILE, &git_state::observe(&workspace.repository)?)?;
    Ok((run, record))
}

/// What a caller named.
///
/// # Errors
/// Exit 2 `usage-error`.
pub(super) fn target_of(target: &str) -> Result<PullTarget, Failure> {
    PullTarget::read(target).ok_or_else(|| {
        let message = format!("`{target}` is no pull request");
        usage(&codes::USAGE_ERROR, message, "name its number, or its https address as the forge shows it")
    })
}
