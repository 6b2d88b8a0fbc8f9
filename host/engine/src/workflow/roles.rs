//! The part that each path plays, under both policies with both plugin sets (BR-22).

use code_polishy_core::{
    canonical::canonical_json,
    diagnostic::Failure,
    patch::{Change, EntryMode},
    plugin::{PathFact, PathKind, PathRoles, PluginKind, PluginSource, Role},
};

use crate::{
    workflow::policies::{Policies, Side},
    workspace::Workspace,
};

/// Roles of one path: under the base's and under the candidate's policy.
pub type Roles = [Role; 2];

/// Roles of every change, in order.
pub fn roles(workspace: &Workspace<'_>, policies: &Policies, changes: &[Change]) -> Result<Vec<Roles>, Failure> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let [base, candidate] = [&policies.base, &policies.candidate];
    let of_base = side_roles(workspace, base, &facts(changes, base, candidate, |change| change.old.is_some())?)?;
    if !asks_plugins(base) && !asks_plugins(candidate) && conventions_options(base) == conventions_options(candidate) {
        return Ok(of_base.into_iter().map(|role| [role, role]).collect());
    }
    let of_candidate = side_roles(workspace, candidate, &facts(changes, candidate, base, |change| change.new.is_some())?)?;
    Ok(of_base.into_iter().zip(of_candidate).map(|(base, candidate)| [base, candidate]).collect())
}

/// The side pins classifiers of its own.
pub(crate) fn asks_plugins(side: &Side) -> bool {
    side.policy.plugins.iter().any(|pin| pin.kind == PluginKind::PathRoles)
}

/// The role that asks for more review.
pub fn stricter(roles: Roles) -> Role {
    let rank = |role: &Role| match role {
        Role::ProductionSource => 8,
        Role::ProductInput => 7,
        Role::CurrentStateDocumentation => 6,
        Role::Development => 5,
        Role::Test => 4,
        Role::Fixture => 3,
        Role::Plan => 2,
        Role::Changelog => 1,
        Role::Generated => 0,
    };
    if rank(&roles[0]) >= rank(&roles[1]) { roles[0] } else { roles[1] }
}

/// Facts from this side's tree; of the other tree where this side has no such path, under this side's attributes all the same.
///
/// The built-in classifier decides by paths alone: when nobody else is asked, no blob is read.
fn facts(changes: &[Change], own: &Side, other: &Side, is_own: impl Fn(&Change) -> bool) -> Result<Vec<PathFact>, Failure> {
    if !asks_plugins(own) {
        return Ok(changes.iter().map(bare_fact).collect());
    }
    let paths_of = |wanted: bool| -> Vec<&str> {
        changes.iter().filter(|change| is_own(change) == wanted).map(|change| change.path.as_str()).collect()
    };
    let absent = paths_of(false);
    let with_attributes = |(fact, attributes)| PathFact { attributes, ..fact };
    let mut own_facts = own.tree.facts(&paths_of(true))?.into_iter();
    let mut other_facts = other.tree.facts(&absent)?.into_iter().zip(own.tree.attributes(&absent)?).map(with_attributes);
    let facts = changes.iter().map(|change| if is_own(change) { own_facts.next() } else { other_facts.next() });
    Ok(facts.collect::<Option<Vec<_>>>().expect("each tree answers every path that it is asked"))
}

fn bare_fact(change: &Change) -> PathFact {
    let mode = change.new.as_ref().or(change.old.as_ref()).map(|entry| entry.mode);
    let kind = match mode {
        Some(EntryMode::Link) => PathKind::Link,
        Some(EntryMode::Gitlink) => PathKind::Gitlink,
        _ => PathKind::File,
    };
    PathFact {
        path: change.path.clone(),
        kind,
        executable: mode == Some(EntryMode::Executable),
        size: 0,
        head: Vec::new(),
        attributes: Vec::new(),
    }
}

/// Configured classifiers in order, then the built-in one; the first answer wins (3.7).
pub(crate) fn side_roles(workspace: &Workspace<'_>, side: &Side, facts: &[PathFact]) -> Result<Vec<Role>, Failure> {
    let plugins = side.plugins(workspace);
    let mut roles: Vec<Option<Role>> = vec![None; facts.len()];
    for pin in side.policy.plugins.iter().filter(|pin| pin.kind == PluginKind::PathRoles) {
        let classifier = workspace.plugins.path_roles(&plugins.source(PluginKind::PathRoles, &pin.name, None)?)?;
        ask(classifier.as_ref(), facts, &mut roles)?;
    }
    if roles.iter().any(Option::is_none) {
        let source =
            PluginSource { name: CONVENTIONS.to_owned(), kind: PluginKind::PathRoles, pinned: None, options: conventions_options(side) };
        ask(workspace.plugins.path_roles(&source)?.as_ref(), facts, &mut roles)?;
    }
    Ok(roles.into_iter().map(|role| role.unwrap_or(Role::ProductionSource)).collect())
}

/// The bundled classifier that answers last.
pub const CONVENTIONS: &str = "conventions";

fn conventions_options(side: &Side) -> String {
    canonical_json(&serde_json::json!({
        "generated": side.policy.scope.generated,
        "development": side.policy.scope.development,
        "productInputs": side.policy.documentation.product_inputs,
    }))
}

fn ask(classifier: &dyn PathRoles, facts: &[PathFact], roles: &mut [Option<Role>]) -> Result<(), Failure> {
    let open: Vec<usize> = (0..facts.len()).filter(|index| roles[*index].is_none()).collect();
    if open.is_empty() {
        return Ok(());
    }
    let asked: Vec<PathFact> = open.iter().map(|index| facts[*index].clone()).collect();
    for (index, role) in open.into_iter().zip(classifier.classify(&asked)?) {
        roles[index] = role;
    }
    Ok(())
}
