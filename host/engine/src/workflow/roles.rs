//! The part that each path plays, under both policies with both plugin sets (BR-22).

use code_polishy_core::{
    diagnostic::Failure,
    patch::{Change, EntryMode},
    plugin::{PathFact, PathKind, Role},
};

use crate::{
    workflow::{
        classifiers::{Classifiers, asks_plugins},
        policies::{Policies, Side},
    },
    workspace::Workspace,
};

/// Roles of one path: under the base's and under the candidate's policy.
pub type Roles = [Role; 2];

/// Roles of every change, in order.
pub fn roles(workspace: &Workspace<'_>, policies: &Policies, changes: &[Change]) -> Result<Vec<Roles>, Failure> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let sides @ [base, candidate] = [&policies.base, &policies.candidate];
    let classifiers = Classifiers::load(workspace, sides)?;
    let of_base = facts(changes, base, candidate, |change| change.old.is_some())?;
    if classifiers.are_conventions_alone() {
        return Ok(classifiers.roles_of_base(&of_base)?.into_iter().map(|role| [role, role]).collect());
    }
    let of_candidate = facts(changes, candidate, base, |change| change.new.is_some())?;
    let [of_base, of_candidate] = classifiers.roles([&of_base, &of_candidate])?;
    Ok(of_base.into_iter().zip(of_candidate).map(|(base, candidate)| [base, candidate]).collect())
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
