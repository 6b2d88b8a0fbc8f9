//! Files beside the index. A file is read only when its stat data no longer prove it unchanged.

use std::{
    collections::BTreeMap,
    num::NonZero,
    path::{Path, PathBuf},
    thread,
};

use code_polishy_core::{
    diagnostic::Failure,
    patch::{Change, Entry, EntryMode},
};
use gix::{
    bstr::{BStr, ByteSlice},
    index::{
        self,
        entry::{Flags, Mode, stat},
    },
};

use super::{
    blobs::Blob,
    clean_filter::{CleanFilter, Ground},
    fault,
    file_stat::{FileKind, FileStat},
    repository,
    staged::entry_of,
};

/// Below this, a thread costs more than it brings.
const ENTRIES_A_THREAD: usize = 512;

/// What the files changed, and the blobs they would be.
#[derive(Default)]
pub(super) struct Unstaged {
    /// Each path once.
    pub(super) changes: Vec<Change>,
    /// By id: what the object database need not have.
    pub(super) blobs: BTreeMap<String, Blob>,
}

impl Unstaged {
    /// Takes in what another thread found.
    pub(super) fn merge(&mut self, mut other: Self) {
        self.changes.append(&mut other.changes);
        self.blobs.append(&mut other.blobs);
    }
}

/// Compares every entry of the index with its file; the changes are sorted by path bytes.
///
/// # Errors
/// Usage `git.path-not-utf8`; operational `git.files`, `git.settings`.
pub(super) fn unstaged(ground: Ground<'_>) -> Result<Unstaged, Failure> {
    let entries = ground.index.entries();
    let threads = cores().min(entries.len().div_ceil(ENTRIES_A_THREAD)).max(1);
    let chunks = entries.chunks(entries.len().div_ceil(threads).max(1));
    let parts = thread::scope(|scope| {
        let workers: Vec<_> = chunks.map(|chunk| scope.spawn(move || Comparison::of(ground)?.with_all(chunk))).collect();
        let done = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.collect::<Result<Vec<_>, Failure>>()
    })?;
    let mut all = Unstaged::default();
    parts.into_iter().for_each(|part| all.merge(part));
    Ok(all)
}

/// Threads worth using.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Compares entries; one per thread.
pub(super) struct Comparison<'index> {
    ground: Ground<'index>,
    capabilities: gix::fs::Capabilities,
    filter: Option<CleanFilter<'index>>,
    /// Folders above the last path, from the top, each a folder and no link; the flag says that the last one is not.
    folders: (Vec<u8>, bool),
    found: Unstaged,
}

impl<'index> Comparison<'index> {
    pub(super) fn of(ground: Ground<'index>) -> Result<Self, Failure> {
        let capabilities = ground
            .repository
            .local()
            .filesystem_options()
            .map_err(|error| fault::operational("git.settings", "the repository's file system settings cannot be read", error))?;
        Ok(Self { ground, capabilities, filter: None, folders: (Vec::new(), true), found: Unstaged::default() })
    }

    /// Looks up the file of each entry, and ends.
    pub(super) fn with_all<'a>(mut self, entries: impl IntoIterator<Item = &'a index::Entry>) -> Result<Unstaged, Failure> {
        for entry in entries.into_iter().filter(|entry| entry.mode != Mode::DIR) {
            let file = self.look_up(entry.path(self.ground.index))?;
            self.with(entry, file)?;
        }
        Ok(self.found)
    }

    /// What was found.
    pub(super) fn finish(self) -> Unstaged {
        self.found
    }

    /// Compares an entry with its file; `None` when there is none, or only through a link.
    ///
    /// An entry marked skip-worktree or assume-unchanged may lack its file, and is compared by content if it has one (BR-84).
    pub(super) fn with(&mut self, entry: &index::Entry, file: Option<FileStat>) -> Result<(), Failure> {
        let marked = entry.flags.intersects(Flags::SKIP_WORKTREE | Flags::ASSUME_VALID);
        match file {
            None if marked => Ok(()),
            None => self.changed(entry, None),
            Some(file) if !marked && self.proves(entry, &file) => Ok(()),
            Some(file) => {
                let new = self.read(entry, &file)?;
                self.changed(entry, new)
            }
        }
    }

    /// Records a change, if it is one.
    fn changed(&mut self, entry: &index::Entry, new: Option<Entry>) -> Result<(), Failure> {
        let old = entry_of(entry);
        if old != new {
            self.found.changes.push(Change { path: fault::utf8_path(entry.path(self.ground.index))?, old, new });
        }
        Ok(())
    }

    /// The stat data say that nothing was written since the index was.
    fn proves(&self, entry: &index::Entry, file: &FileStat) -> bool {
        let options = stat::Options { trust_ctime: true, check_stat: true, use_nsec: true, use_stdev: false };
        let same_kind = match entry.mode {
            Mode::FILE => file.kind == FileKind::File && !(self.capabilities.executable_bit && file.executable),
            Mode::FILE_EXECUTABLE => file.kind == FileKind::File && (!self.capabilities.executable_bit || file.executable),
            Mode::SYMLINK => file.kind == FileKind::Link,
            _ => false,
        };
        same_kind
            && !entry.flags.contains(Flags::INTENT_TO_ADD)
            && entry.stat.matches(&file.stat, options)
            && !entry.stat.is_racy(self.ground.index.timestamp(), options)
    }

    /// What the file is now; `None` for a folder in its place, or for something that git does not store.
    fn read(&mut self, entry: &index::Entry, file: &FileStat) -> Result<Option<Entry>, Failure> {
        let path = entry.path(self.ground.index);
        let place = self.place(path)?;
        if entry.mode == Mode::COMMIT {
            return Ok(submodule(entry, &place, file));
        }
        let (mode, (id, blob)) = match file.kind {
            FileKind::Link => (EntryMode::Link, self.filter()?.link(&place)?),
            FileKind::File => (self.file_mode(entry, file), self.filter()?.file(path, &place)?),
            FileKind::Folder | FileKind::Other => return Ok(None),
        };
        if id != entry.id {
            self.found.blobs.insert(id.to_string(), blob);
        }
        Ok(Some(Entry { mode, id: id.to_string() }))
    }

    fn file_mode(&self, entry: &index::Entry, file: &FileStat) -> EntryMode {
        match entry.mode {
            Mode::SYMLINK if !self.capabilities.symlink => EntryMode::Link,
            Mode::FILE_EXECUTABLE if !self.capabilities.executable_bit => EntryMode::Executable,
            _ if self.capabilities.executable_bit && file.executable => EntryMode::Executable,
            _ => EntryMode::File,
        }
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

    fn look_up(&mut self, path: &BStr) -> Result<Option<FileStat>, Failure> {
        if !self.is_reachable(path)? {
            return Ok(None);
        }
        self.stat(path)
    }

    /// No folder above the path is a link or missing: git follows none.
    fn is_reachable(&mut self, path: &BStr) -> Result<bool, Failure> {
        let folder = &path[..path.rfind_byte(b'/').unwrap_or(0)];
        let (known, exists) = &self.folders;
        if known == folder {
            return Ok(*exists);
        }
        let mut reachable = true;
        for end in folder.find_iter("/").chain((!folder.is_empty()).then_some(folder.len())) {
            let (known, exists) = &self.folders;
            let is_known = *exists && (known.get(..end) == Some(&folder[..end]) && known.get(end).is_none_or(|next| *next == b'/'));
            if !is_known && self.stat(folder[..end].as_bstr())?.is_none_or(|found| found.kind != FileKind::Folder) {
                reachable = false;
                break;
            }
        }
        self.folders = (folder.to_vec(), reachable);
        Ok(reachable)
    }

    fn stat(&self, path: &BStr) -> Result<Option<FileStat>, Failure> {
        let place = self.place(path)?;
        FileStat::of(&place).map_err(|error| fault::files("cannot read", &place, error))
    }
}

/// A submodule is its commit: the recorded one when it is not checked out. What it holds is not looked at.
fn submodule(entry: &index::Entry, place: &Path, file: &FileStat) -> Option<Entry> {
    if file.kind != FileKind::Folder {
        return None;
    }
    let id = match place.join(".git").symlink_metadata() {
        Ok(_) => repository::isolated().open(place).ok()?.to_thread_local().head_id().ok()?.to_string(),
        Err(_) => entry.id.to_string(),
    };
    Some(Entry { mode: EntryMode::Gitlink, id })
}
