//! The index beside HEAD's tree. Folders that the index knows to be unchanged are not read.

use std::{collections::BTreeMap, ops::Range};

use code_polishy_core::{
    diagnostic::Failure,
    patch::{Change, Entry, EntryMode},
};
use gix::{
    ObjectId,
    bstr::{BStr, BString, ByteSlice},
    index::{
        State,
        entry::{Flags, Mode, Stage},
        extension,
    },
};

use super::{changes, fault, repository};

/// What differs between a tree and the index, sorted by path bytes.
///
/// # Errors
/// Usage `git.merge-in-progress` when the index holds conflicts; `git.path-not-utf8`; operational `git.object`.
pub(super) fn staged(local: &gix::Repository, tree: ObjectId, index: &State) -> Result<Vec<Change>, Failure> {
    refuse_conflicts(index)?;
    let mut walk = Walk { local, index, equal: Vec::new(), entries: BTreeMap::new() };
    walk.compare(tree, index.tree(), BString::default())?;
    let Walk { mut equal, entries: mut old, .. } = walk;
    equal.sort_by_key(|range| range.start);
    let mut changed = BTreeMap::new();
    for (path, new) in indexed(local, index, &equal)? {
        let old = old.remove(&path);
        if old.as_ref() != Some(&new) {
            changed.insert(path, (old, Some(new)));
        }
    }
    changed.extend(old.into_iter().map(|(path, old)| (path, (Some(old), None))));
    changed.into_iter().map(|(path, (old, new))| Ok(Change { path: fault::utf8_path(&path)?, old, new })).collect()
}

fn refuse_conflicts(index: &State) -> Result<(), Failure> {
    match index.entries().iter().find(|entry| entry.stage() != Stage::Unconflicted) {
        Some(entry) => Err(repository::merge_in_progress(&format!("`{}` has a conflict", entry.path(index)))),
        None => Ok(()),
    }
}

struct Walk<'a> {
    local: &'a gix::Repository,
    index: &'a State,
    /// Ranges of index entries that are known to be as in the tree.
    equal: Vec<Range<usize>>,
    /// The tree's entries in all other folders.
    entries: BTreeMap<BString, Entry>,
}

impl Walk<'_> {
    fn compare(&mut self, tree: ObjectId, cached: Option<&extension::Tree>, prefix: BString) -> Result<(), Failure> {
        if let Some(range) = cached.filter(|cached| cached.id == tree).and_then(|cached| self.range(cached, prefix.as_bstr())) {
            self.equal.push(range);
            return Ok(());
        }
        let found = self.local.find_tree(tree).map_err(unreadable)?;
        for entry in found.iter() {
            let entry = entry.map_err(unreadable)?;
            let mut path = prefix.clone();
            path.extend_from_slice(entry.filename());
            match changes::entry(entry.mode(), entry.object_id()) {
                Some(leaf) => drop(self.entries.insert(path, leaf)),
                None => {
                    let child = cached.and_then(|cached| cached.children.iter().find(|child| child.name.as_slice() == entry.filename()));
                    path.push(b'/');
                    self.compare(entry.object_id(), child, path)?;
                }
            }
        }
        Ok(())
    }

    /// The index entries below a folder, if there are as many as its record claims; files that are only intended have no place in a tree.
    fn range(&self, cached: &extension::Tree, prefix: &BStr) -> Option<Range<usize>> {
        let range = if prefix.is_empty() { 0..self.index.entries().len() } else { self.index.prefixed_entries_range(prefix)? };
        let in_trees = self.index.entries()[range.clone()].iter().filter(|entry| !entry.flags.contains(Flags::INTENT_TO_ADD));
        (Some(u32::try_from(in_trees.count()).ok()?) == cached.num_entries).then_some(range)
    }
}

/// The index's entries outside the `equal` ranges, with folders of a sparse index opened.
fn indexed(local: &gix::Repository, index: &State, equal: &[Range<usize>]) -> Result<Vec<(BString, Entry)>, Failure> {
    let mut entries = Vec::new();
    let mut next = 0;
    for range in equal.iter().cloned().chain(std::iter::once(index.entries().len()..index.entries().len())) {
        for entry in &index.entries()[next.min(range.start)..range.start] {
            match entry_of(entry) {
                Some(leaf) => entries.push((entry.path(index).to_owned(), leaf)),
                None if entry.mode == Mode::DIR => open(local, entry.id, entry.path(index).to_owned(), &mut entries)?,
                None => {}
            }
        }
        next = next.max(range.end);
    }
    Ok(entries)
}

/// What the index holds at a path: nothing for a file that is only intended, or for a folder.
pub(super) fn entry_of(entry: &gix::index::Entry) -> Option<Entry> {
    if entry.flags.contains(Flags::INTENT_TO_ADD) {
        return None;
    }
    let mode = match entry.mode {
        Mode::FILE => EntryMode::File,
        Mode::FILE_EXECUTABLE => EntryMode::Executable,
        Mode::SYMLINK => EntryMode::Link,
        Mode::COMMIT => EntryMode::Gitlink,
        _ => return None,
    };
    Some(Entry { mode, id: entry.id.to_string() })
}

fn open(local: &gix::Repository, tree: ObjectId, prefix: BString, entries: &mut Vec<(BString, Entry)>) -> Result<(), Failure> {
    let found = local.find_tree(tree).map_err(unreadable)?;
    for entry in found.iter() {
        let entry = entry.map_err(unreadable)?;
        let mut path = prefix.clone();
        path.extend_from_slice(entry.filename());
        match changes::entry(entry.mode(), entry.object_id()) {
            Some(leaf) => entries.push((path, leaf)),
            None => {
                path.push(b'/');
                open(local, entry.object_id(), path, entries)?;
            }
        }
    }
    Ok(())
}

fn unreadable(error: impl std::fmt::Display) -> Failure {
    fault::operational("git.object", "an object of the repository cannot be read", error)
}
