//! What differs between two trees: exact, without renames, sorted by path bytes (BR-35).

use std::collections::BTreeMap;

use code_polishy_core::{
    diagnostic::Failure,
    patch::{Change, Entry, EntryMode},
};
use gix::{
    bstr::BString,
    diff::tree::{Recorder, recorder},
    objs::tree::{EntryKind, EntryMode as RawMode},
};

use super::{
    fault,
    repository::{Repository, object_id},
};

/// The changed paths between two commits, both named by full ids.
///
/// A path that changes its kind is one change with both entries; a file that becomes a folder is a deletion and additions.
///
/// # Errors
/// Usage `git.path-not-utf8`; operational `git.object` when a tree is missing or broken.
pub fn changes(repository: &Repository, base: &str, candidate: &str) -> Result<Vec<Change>, Failure> {
    let local = repository.local();
    let (old, new) = (root_tree(&local, base)?, root_tree(&local, candidate)?);
    let mut recorder = Recorder::default();
    let trees =
        (gix::objs::TreeRefIter::from_bytes(&old.data, old.id.kind()), gix::objs::TreeRefIter::from_bytes(&new.data, new.id.kind()));
    gix::diff::tree(trees.0, trees.1, gix::diff::tree::State::default(), &local.objects, &mut recorder).map_err(unreadable)?;
    by_path(recorder.records).into_iter().filter(|(_, (old, new))| old != new).map(named).collect()
}

/// Every path of a commit, as the change that a first commit makes.
///
/// # Errors
/// As [`changes`].
pub fn additions(repository: &Repository, candidate: &str) -> Result<Vec<Change>, Failure> {
    let entries = super::Tree::of(repository, candidate)?.entries_below("")?;
    Ok(entries.into_iter().map(|(path, entry)| Change { path, old: None, new: Some(entry) }).collect())
}

type Sides = (Option<Entry>, Option<Entry>);

fn by_path(records: Vec<recorder::Change>) -> BTreeMap<BString, Sides> {
    let mut paths = BTreeMap::<BString, Sides>::new();
    for record in records {
        match record {
            recorder::Change::Addition { entry_mode, oid, path, .. } => put(&mut paths, path, None, entry(entry_mode, oid)),
            recorder::Change::Deletion { entry_mode, oid, path, .. } => put(&mut paths, path, entry(entry_mode, oid), None),
            recorder::Change::Modification { previous_entry_mode, previous_oid, entry_mode, oid, path } => {
                put(&mut paths, path, entry(previous_entry_mode, previous_oid), entry(entry_mode, oid));
            }
        }
    }
    paths
}

fn put(paths: &mut BTreeMap<BString, Sides>, path: BString, old: Option<Entry>, new: Option<Entry>) {
    if old.is_none() && new.is_none() {
        return;
    }
    let sides = paths.entry(path).or_default();
    sides.0 = old.or(sides.0.take());
    sides.1 = new.or(sides.1.take());
}

fn named((path, (old, new)): (BString, Sides)) -> Result<Change, Failure> {
    Ok(Change { path: fault::utf8_path(&path)?, old, new })
}

/// An entry that is no folder. Historic modes such as 100664 count as 100644, as git reads them.
pub(super) fn entry(mode: RawMode, id: gix::ObjectId) -> Option<Entry> {
    let mode = match mode.kind() {
        EntryKind::Tree => return None,
        EntryKind::Blob => EntryMode::File,
        EntryKind::BlobExecutable => EntryMode::Executable,
        EntryKind::Link => EntryMode::Link,
        EntryKind::Commit => EntryMode::Gitlink,
    };
    Some(Entry { mode, id: id.to_string() })
}

/// The top tree of a commit.
pub(super) fn root_tree<'repo>(local: &'repo gix::Repository, commit: &str) -> Result<gix::Tree<'repo>, Failure> {
    local.find_commit(object_id(commit)?).map_err(unreadable)?.tree().map_err(unreadable)
}

fn unreadable(error: impl std::fmt::Display) -> Failure {
    fault::operational("git.object", "an object of the repository cannot be read", error)
}
