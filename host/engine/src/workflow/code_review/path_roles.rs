//! The part of each path of the inspection set, under the base's and the candidate's policy (CR-219).

use std::{fs::File, io::Read, path::Path};

use code_polishy_core::{
    code_review::t0::{PathRole, PathRolesRecord},
    diagnostic::Failure,
    patch::Change,
    plugin::{PathFact, PathKind, Role},
    policy::{model::Policy, scope::Governed},
};

use super::scope::Capture;
use crate::{
    git::Repository,
    workflow::{
        classifiers::{Classifiers, asks_plugins},
        policies::{Policies, Side},
        roles::roles,
    },
    workspace::Workspace,
};

/// Bytes of a file that a classifier gets to see.
const HEAD_BYTES: u64 = 4096;

/// `path-roles.json` of a capture. `working` is the policy of the working file, for the scopes that have one.
///
/// # Errors
/// Exit 2 of a policy or a pin; exit 3 of git or a plugin.
pub fn path_roles(workspace: &Workspace<'_>, capture: &Capture, working: Option<&Policy>) -> Result<PathRolesRecord, Failure> {
    let paths = &capture.inspection_set;
    let roles = match &capture.local {
        Some(_) => of_files(workspace, capture, working)?,
        None => of_commits(workspace, capture)?,
    };
    let record = |(path, [base, candidate]): (&String, [Role; 2])| PathRole { path: path.clone(), base, candidate };
    Ok(PathRolesRecord { schema_version: 1, paths: paths.iter().zip(roles).map(record).collect() })
}

fn of_commits(workspace: &Workspace<'_>, capture: &Capture) -> Result<Vec<[Role; 2]>, Failure> {
    let repository = &workspace.repository;
    let (base, candidate) = (side(repository, capture.base.as_deref())?, side(repository, capture.head.as_deref())?);
    let governed = Governed::new(base.own.as_ref(), candidate.own.as_ref());
    roles(workspace, &Policies { base, candidate, governed }, &capture.changes)
}

/// Facts are those of the working files; of a deleted file those of HEAD.
fn of_files(workspace: &Workspace<'_>, capture: &Capture, working: Option<&Policy>) -> Result<Vec<[Role; 2]>, Failure> {
    let repository = &workspace.repository;
    let base = side(repository, capture.head.as_deref())?;
    let candidate = Side {
        own: working.cloned(),
        policy: working.cloned().unwrap_or_default(),
        files: Some(repository.root().to_owned()),
        ..side(repository, capture.head.as_deref())?
    };
    let sides = [&base, &candidate];
    let classifiers = Classifiers::load(workspace, sides)?;
    let [of_base, of_candidate] = sides.map(|side| file_facts(repository.root(), side, capture));
    let [of_base, of_candidate] = classifiers.roles([&of_base?, &of_candidate?])?;
    Ok(of_base.into_iter().zip(of_candidate).map(|(base, candidate)| [base, candidate]).collect())
}

fn side(repository: &Repository, commit: Option<&str>) -> Result<Side, Failure> {
    commit.map_or_else(|| Ok(Side::empty(repository)), |commit| Side::at(repository, commit))
}

/// The built-in classifier decides by paths alone: when nobody else is asked, no file is read.
fn file_facts(root: &Path, side: &Side, capture: &Capture) -> Result<Vec<PathFact>, Failure> {
    let paths: Vec<&str> = capture.inspection_set.iter().map(String::as_str).collect();
    if !asks_plugins(side) {
        return Ok(paths.iter().map(|path| bare(path)).collect());
    }
    let attributes = side.tree.attributes(&paths)?;
    let facts = paths.iter().zip(attributes).map(|(path, attributes)| {
        let fact = match file_fact(root, path) {
            Some(fact) => fact,
            None if is_deleted(&capture.changes, path) => side.tree.facts(&[path])?.remove(0),
            None => bare(path),
        };
        Ok(PathFact { attributes, ..fact })
    });
    facts.collect()
}

fn is_deleted(changes: &[Change], path: &str) -> bool {
    changes.iter().any(|change| change.path == path && change.old.is_some())
}

fn bare(path: &str) -> PathFact {
    PathFact { path: path.to_owned(), kind: PathKind::File, executable: false, size: 0, head: Vec::new(), attributes: Vec::new() }
}

fn file_fact(root: &Path, path: &str) -> Option<PathFact> {
    use std::os::unix::fs::PermissionsExt;
    let place = root.join(path);
    let metadata = place.symlink_metadata().ok()?;
    if metadata.is_symlink() {
        return Some(PathFact { kind: PathKind::Link, size: metadata.len(), ..bare(path) });
    }
    if metadata.is_dir() {
        return Some(PathFact { kind: PathKind::Gitlink, ..bare(path) });
    }
    let mut head = Vec::new();
    File::open(&place).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    Some(PathFact { executable: metadata.permissions().mode() & 0o100 != 0, size: metadata.len(), head, ..bare(path) })
}
