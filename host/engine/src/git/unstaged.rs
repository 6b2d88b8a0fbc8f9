//! The files of the work tree beside the index. A file is read only when its stat data no longer prove it unchanged.

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    num::NonZero,
    path::{Path, PathBuf},
    thread,
};

use code_polishy_core::{
    diagnostic::Failure,
    patch::{Change, Entry, EntryMode},
};
use gix::{
    bstr::{BStr, BString, ByteSlice},
    index::{
        entry::{Flags, Mode, Stat, stat},
        fs::Metadata,
    },
};

use super::{
    blobs::Blob,
    clean_filter::{CleanFilter, Ground},
    fault, repository,
    staged::entry_of,
};

/// Below this, a thread costs more than it brings.
const ENTRIES_A_THREAD: usize = 512;

/// What the files changed, and the blobs they would be.
#[derive(Default)]
pub(super) struct Unstaged {
    /// Sorted by path bytes.
    pub(super) changes: Vec<Change>,
    /// By id: what the object database need not have.
    pub(super) blobs: BTreeMap<String, Blob>,
}

/// Compares every entry of the index with its file.
///
/// An entry marked skip-worktree or assume-unchanged may lack its file, and is compared by content if it has one (BR-84).
///
/// # Errors
/// Usage `git.path-not-utf8`; operational `git.files`, `git.settings`.
pub(super) fn unstaged(ground: Ground<'_>, threads: usize) -> Result<Unstaged, Failure> {
    let entries = ground.index.entries();
    let threads = threads.min(entries.len().div_ceil(ENTRIES_A_THREAD)).max(1);
    let chunks = entries.chunks(entries.len().div_ceil(threads).max(1));
    let parts = thread::scope(|scope| {
        let workers: Vec<_> = chunks.map(|chunk| scope.spawn(move || Comparison::of(ground)?.run(chunk))).collect();
        let done = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.collect::<Result<Vec<_>, Failure>>()
    })?;
    let mut all = Unstaged::default();
    for mut part in parts {
        all.changes.append(&mut part.changes);
        all.blobs.append(&mut part.blobs);
    }
    Ok(all)
}

/// Threads worth using.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

struct Comparison<'index> {
    ground: Ground<'index>,
    capabilities: gix::fs::Capabilities,
    filter: Option<CleanFilter<'index>>,
    /// The folder that was last found to be one, without a link on the way.
    folder: (BString, bool),
    found: Unstaged,
}

impl<'index> Comparison<'index> {
    fn of(ground: Ground<'index>) -> Result<Self, Failure> {
        let capabilities = ground
            .repository
            .local()
            .filesystem_options()
            .map_err(|error| fault::operational("git.settings", "the repository's file system settings cannot be read", error))?;
        let folder = (BString::default(), true);
        Ok(Self { ground, capabilities, filter: None, folder, found: Unstaged::default() })
    }

    fn run(mut self, entries: &[gix::index::Entry]) -> Result<Unstaged, Failure> {
        for entry in entries.iter().filter(|entry| entry.mode != Mode::DIR) {
            self.compare(entry)?;
        }
        Ok(self.found)
    }

    fn compare(&mut self, entry: &gix::index::Entry) -> Result<(), Failure> {
        let path = entry.path(self.ground.index);
        let place = self.place(path)?;
        let marked = entry.flags.intersects(Flags::SKIP_WORKTREE | Flags::ASSUME_VALID);
        let file = if self.folder_exists(path)? { stat_of(&place)? } else { None };
        match file {
            None if marked => Ok(()),
            None => self.changed(entry, None),
            Some(file) if !marked && self.proves(entry, &file) => Ok(()),
            Some(file) => {
                let new = self.read(entry, &place, &file)?;
                self.changed(entry, new)
            }
        }
    }

    /// Records a change, if it is one.
    fn changed(&mut self, entry: &gix::index::Entry, new: Option<Entry>) -> Result<(), Failure> {
        let old = entry_of(entry);
        if old != new {
            self.found.changes.push(Change { path: fault::utf8_path(entry.path(self.ground.index))?, old, new });
        }
        Ok(())
    }

    /// The stat data say that nothing was written since the index was.
    fn proves(&self, entry: &gix::index::Entry, file: &Metadata) -> bool {
        let options = stat::Options { trust_ctime: true, check_stat: true, use_nsec: true, use_stdev: false };
        let same_kind = match entry.mode {
            Mode::FILE => file.is_file() && !(self.capabilities.executable_bit && file.is_executable()),
            Mode::FILE_EXECUTABLE => file.is_file() && (!self.capabilities.executable_bit || file.is_executable()),
            Mode::SYMLINK => file.is_symlink(),
            _ => false,
        };
        same_kind
            && !entry.flags.contains(Flags::INTENT_TO_ADD)
            && !entry.stat.is_racy(self.ground.index.timestamp(), options)
            && Stat::from_fs(file).is_ok_and(|now| entry.stat.matches(&now, options))
    }

    /// What the file is now; `None` for a folder in its place, or for something that git does not store.
    fn read(&mut self, entry: &gix::index::Entry, place: &Path, file: &Metadata) -> Result<Option<Entry>, Failure> {
        if entry.mode == Mode::COMMIT {
            return Ok(self.submodule(entry, place, file));
        }
        let (mode, (id, blob)) = if file.is_symlink() {
            (EntryMode::Link, self.filter()?.link(place)?)
        } else if file.is_file() {
            let path = entry.path(self.ground.index);
            (self.file_mode(entry, file), self.filter()?.file(path, place)?)
        } else {
            return Ok(None);
        };
        if id != entry.id {
            self.found.blobs.insert(id.to_string(), blob);
        }
        Ok(Some(Entry { mode, id: id.to_string() }))
    }

    fn file_mode(&self, entry: &gix::index::Entry, file: &Metadata) -> EntryMode {
        match entry.mode {
            Mode::SYMLINK if !self.capabilities.symlink => EntryMode::Link,
            Mode::FILE_EXECUTABLE if !self.capabilities.executable_bit => EntryMode::Executable,
            _ if self.capabilities.executable_bit && file.is_executable() => EntryMode::Executable,
            _ => EntryMode::File,
        }
    }

    /// A submodule is its commit: the recorded one when it is not checked out. What it holds is not looked at.
    fn submodule(&self, entry: &gix::index::Entry, place: &Path, file: &Metadata) -> Option<Entry> {
        if !file.is_dir() {
            return None;
        }
        let recorded = entry.id.to_string();
        let id = match place.join(".git").exists() {
            true => repository::isolated().open(place).ok().and_then(|inner| Some(inner.to_thread_local().head_id().ok()?.to_string())),
            false => Some(recorded),
        };
        id.map(|id| Entry { mode: EntryMode::Gitlink, id })
    }

    fn filter(&mut self) -> Result<&mut CleanFilter<'index>, Failure> {
        if self.filter.is_none() {
            self.filter = Some(CleanFilter::of(self.ground)?);
        }
        Ok(self.filter.as_mut().expect("it was just made"))
    }

    fn place(&self, path: &BStr) -> Result<PathBuf, Failure> {
        let relative = gix::path::from_bstr(path).map_err(|error| fault::files("cannot name", self.ground.root, error))?;
        Ok(self.ground.root.join(relative))
    }

    /// No folder above the path is a link or missing: git follows none.
    fn folder_exists(&mut self, path: &BStr) -> Result<bool, Failure> {
        let folder = &path[..path.rfind_byte(b'/').unwrap_or(0)];
        if self.folder.0 != folder {
            let exists = folder.is_empty()
                || (self.folder_exists(folder.as_bstr())? && stat_of(&self.place(folder.as_bstr())?)?.is_some_and(|file| file.is_dir()));
            self.folder = (folder.into(), exists);
        }
        Ok(self.folder.1)
    }
}

fn stat_of(place: &Path) -> Result<Option<Metadata>, Failure> {
    match Metadata::from_path_no_follow(place) {
        Ok(file) => Ok(Some(file)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(fault::files("cannot read", place, error)),
    }
}
