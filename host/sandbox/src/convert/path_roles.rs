//! Facts about paths go in, roles come out.

use code_polishy_core::plugin::{PathFact, PathKind, Role};

use super::{Checked, bad};
use crate::bindings::path_roles::exports::code_polishy::plugin::path_roles as wit;

/// Paths of one call.
pub const MAX_PATHS: usize = 100_000;

/// Bytes of a blob that a classifier sees.
pub const HEAD_BYTES: usize = 4 << 10;

/// The facts as the contract has them.
pub fn facts(paths: &[PathFact]) -> Vec<wit::PathFact> {
    paths.iter().map(fact).collect()
}

/// Bytes that these facts take in the guest.
pub fn facts_size(facts: &[wit::PathFact]) -> usize {
    let attributes = |fact: &wit::PathFact| fact.attributes.iter().map(|known| known.name.len() + known.value.len() + 16).sum::<usize>();
    facts.iter().map(|fact| fact.path.len() + fact.head.len() + attributes(fact) + 64).sum()
}

/// One role a path, as many as were asked for.
pub fn roles(said: Vec<Option<wit::Role>>, asked: usize) -> Checked<Vec<Option<Role>>> {
    if said.len() != asked {
        return bad(format!("{} roles for {asked} paths", said.len()));
    }
    Ok(said.into_iter().map(|said| said.map(role)).collect())
}

fn fact(fact: &PathFact) -> wit::PathFact {
    wit::PathFact {
        path: fact.path.clone(),
        kind: match fact.kind {
            PathKind::File => wit::PathKind::File,
            PathKind::Link => wit::PathKind::Link,
            PathKind::Gitlink => wit::PathKind::Gitlink,
        },
        executable: fact.executable,
        size: fact.size,
        head: fact.head[..fact.head.len().min(HEAD_BYTES)].to_vec(),
        attributes: fact.attributes.iter().map(|(name, value)| wit::Attribute { name: name.clone(), value: value.clone() }).collect(),
    }
}

fn role(role: wit::Role) -> Role {
    match role {
        wit::Role::Generated => Role::Generated,
        wit::Role::ProductInput => Role::ProductInput,
        wit::Role::Fixture => Role::Fixture,
        wit::Role::Test => Role::Test,
        wit::Role::Development => Role::Development,
        wit::Role::Plan => Role::Plan,
        wit::Role::Changelog => Role::Changelog,
        wit::Role::CurrentStateDocumentation => Role::CurrentStateDocumentation,
        wit::Role::ProductionSource => Role::ProductionSource,
    }
}
