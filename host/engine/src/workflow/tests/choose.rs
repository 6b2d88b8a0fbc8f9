//! Which suites a caller of `test` means.

use std::collections::BTreeSet;

use code_polishy_core::{
    diagnostic::{Diagnostic, Failure, FailureKind},
    gate::plan::is_triggered,
    policy::{
        model::{Policy, Suite, SuiteRun, SuiteScope},
        modules::{ChangedPath, Impact},
        scope::Governed,
    },
    text::escape_line,
};

use super::{TestRequest, names};
use crate::{
    git::{changes, merge_base},
    workflow::{policies::Side, working},
    workspace::Workspace,
};

/// The selected suites in file order, each once. Empty only when the caller asked for what a change reaches.
///
/// # Errors
/// Usage for unknown names and for a request that asks for nothing; blocked when what it asks for has no suite.
pub fn suites<'p>(workspace: &Workspace<'_>, policy: &'p Policy, request: &TestRequest) -> Result<Vec<&'p Suite>, Failure> {
    check_names(policy, request)?;
    let of_change = request.changed || request.recommended;
    let changed = if of_change { changed_paths(workspace, policy, request.base.as_deref())? } else { Vec::new() };
    let chosen = choose(policy, request, &changed);
    if chosen.is_empty() && !of_change {
        let next = format!("select a suite that is configured: {}", names(policy));
        return Err(Failure::blocked("test.nothing-selected", "no configured suite is selected", next));
    }
    Ok(chosen)
}

/// The decision alone.
fn choose<'p>(policy: &'p Policy, request: &TestRequest, changed: &[ChangedPath]) -> Vec<&'p Suite> {
    let impacted = Impact::of(policy, changed).impacted;
    policy.suites.iter().filter(|suite| request.suites.contains(&suite.name) || is_meant(suite, request, changed, &impacted)).collect()
}

fn is_meant(suite: &Suite, request: &TestRequest, changed: &[ChangedPath], impacted: &BTreeSet<String>) -> bool {
    let of_module = request.module.as_ref().is_some_and(|module| suite.modules.contains(module));
    if suite.run_on.contains(&SuiteRun::Supplemental) {
        return request.supplemental && (of_module || request.module.is_none());
    }
    let of_impacted = suite.modules.iter().any(|module| impacted.contains(module));
    let triggered = suite.scope == SuiteScope::Repository && !changed.is_empty() && is_triggered(suite, changed);
    let focused = request.changed && suite.run_on.contains(&SuiteRun::Focused) && of_impacted;
    let recommended = request.recommended && suite.run_on.contains(&SuiteRun::Recommended) && (of_impacted || triggered);
    request.all || of_module || focused || recommended
}

fn check_names(policy: &Policy, request: &TestRequest) -> Result<(), Failure> {
    let any = !request.suites.is_empty()
        || request.module.is_some()
        || request.changed
        || request.recommended
        || request.all
        || request.supplemental;
    if !any {
        let next = format!("name suites with --suite ({}), or use --changed, --recommended, --module or --all", names(policy));
        return Err(Failure::usage("test.no-selection", "nothing says which suites to run", next));
    }
    if request.base.is_some() && !request.changed && !request.recommended {
        return Err(Failure::usage(
            "test.base",
            "--base says where a change starts, and no change is asked about",
            "add --changed or --recommended",
        ));
    }
    let mut unknown: Vec<Diagnostic> = Vec::new();
    for name in request.suites.iter().filter(|name| policy.suite(name).is_none()) {
        let message = format!("there is no suite `{}`", escape_line(name));
        unknown.push(Diagnostic::new("test.unknown-suite", message, format!("configured suites: {}", names(policy))));
    }
    if let Some(name) = request.module.as_ref().filter(|name| !policy.modules.iter().any(|module| module.name == **name)) {
        let modules: Vec<String> = policy.modules.iter().map(|module| format!("`{}`", module.name)).collect();
        let modules = if modules.is_empty() { "none".to_owned() } else { modules.join(", ") };
        unknown.push(Diagnostic::new(
            "test.unknown-module",
            format!("there is no module `{}`", escape_line(name)),
            format!("configured modules: {modules}"),
        ));
    }
    if unknown.is_empty() { Ok(()) } else { Err(Failure::new(FailureKind::Usage, unknown)) }
}

/// Governed paths that differ from HEAD, and with a base those that differ from its merge base.
fn changed_paths(workspace: &Workspace<'_>, policy: &Policy, base: Option<&str>) -> Result<Vec<ChangedPath>, Failure> {
    let repository = &workspace.repository;
    let head = repository.head()?;
    let committed = Side::at(repository, &head)?;
    let governed = Governed::new(committed.own.as_ref(), Some(policy));
    let status = working::status(workspace, &governed)?;
    let mut paths: BTreeSet<ChangedPath> = working::changed_paths(&status).collect();
    if let Some(reference) = base {
        let base = merge_base(repository, reference, &head)?;
        let committed = changes(repository, &base, &head)?;
        paths.extend(committed.iter().filter(|change| governed.tracked(&change.path)).map(ChangedPath::from));
    }
    Ok(paths.into_iter().collect())
}
