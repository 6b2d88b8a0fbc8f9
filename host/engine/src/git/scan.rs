//! One walk over the work tree: tracked files beside the index, and files that the index does not know.
//!
//! Only `.gitignore` files of the work tree hide untracked files, and folders that are excluded are never entered. Tracked files there, and
//! files that are gone, are looked up afterwards.

use std::{
    collections::HashMap,
    ffi::CStr,
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use code_polishy_core::diagnostic::Failure;
use gix::{
    bstr::{BStr, BString, ByteSlice},
    glob::{pattern::Case, search::pattern::List},
    ignore::search::{Ignore, pattern_matching_relative_path},
    index::entry::Mode,
};
use rustix::{
    fs::{Dir, DirEntry, Mode as Access, OFlags, open},
    io::Errno,
};

use super::{
    clean_filter::Ground,
    fault,
    file_stat::{FileKind, FileStat},
    scope::Scope,
    unstaged::{Comparison, Unstaged, cores},
    work::{Tasks, run},
};

/// What an untracked path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    File,
    Symlink,
    /// A folder with a `.git` of its own.
    Repository,
    /// A pipe, socket or device.
    Other,
}

/// The changed tracked and the governed untracked paths, both sorted by bytes.
///
/// # Errors
/// Usage `git.path-not-utf8`; operational `git.files`, `git.settings`.
pub(super) fn scan(ground: Ground<'_>, scope: &dyn Scope) -> Result<(Unstaged, Vec<(String, Kind)>), Failure> {
    let entries = ground.index.entries();
    let tracked = entries.iter().enumerate().map(|(index, entry)| (entry.path(ground.index), index)).collect();
    let shared = Shared { ground, scope, tracked, seen: entries.iter().map(|_| AtomicBool::new(false)).collect() };
    let top = Folder { path: BString::default(), rules: None };
    let workers = run(cores(), top, |tasks| Walk::of(&shared)?.work(tasks))?;
    let mut untracked = Vec::new();
    let unseen = entries.iter().zip(&shared.seen).filter(|(_, seen)| !seen.load(Ordering::Relaxed)).map(|(entry, _)| entry);
    let mut unstaged = Comparison::of(ground)?.with_all(unseen)?;
    for (found, paths) in workers {
        unstaged.merge(found);
        untracked.extend(paths);
    }
    unstaged.changes.sort();
    untracked.sort();
    Ok((unstaged, untracked))
}

struct Shared<'a> {
    ground: Ground<'a>,
    scope: &'a dyn Scope,
    /// Places in the index.
    tracked: HashMap<&'a BStr, usize>,
    /// By place in the index: the walk met the file.
    seen: Vec<AtomicBool>,
}

/// A folder that is due.
struct Folder {
    path: BString,
    rules: Option<Arc<Rules>>,
}

/// The ignore rules that hold in a folder, the nearest first.
struct Rules {
    list: List<Ignore>,
    above: Option<Arc<Rules>>,
}

struct Walk<'a> {
    shared: &'a Shared<'a>,
    comparison: Comparison<'a>,
    untracked: Vec<(String, Kind)>,
    /// The path of the child that is looked at.
    path: BString,
}

impl<'a> Walk<'a> {
    fn of(shared: &'a Shared<'a>) -> Result<Self, Failure> {
        Ok(Self { shared, comparison: Comparison::of(shared.ground)?, untracked: Vec::new(), path: BString::default() })
    }

    fn work(mut self, tasks: &Tasks<Folder>) -> Result<(Unstaged, Vec<(String, Kind)>), Failure> {
        while let Some(folder) = tasks.next() {
            self.folder(&folder, tasks)?;
        }
        Ok((self.comparison.finish(), self.untracked))
    }

    fn folder(&mut self, folder: &Folder, tasks: &Tasks<Folder>) -> Result<(), Failure> {
        let place = self
            .shared
            .ground
            .root
            .join(gix::path::from_bstr(folder.path.as_bstr()).map_err(|error| unnamed(folder.path.as_bstr(), error))?);
        let failed = |error: Errno| fault::files("cannot list", &place, error);
        let access = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = match open(&place, access, Access::empty()) {
            // It went away, or something else took its place, after it was listed.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(()),
            opened => opened.map_err(failed)?,
        };
        let mut listing = Dir::new(opened).map_err(failed)?;
        let children = listing.by_ref().collect::<rustix::io::Result<Vec<_>>>().map_err(failed)?;
        if !folder.path.is_empty() && children.iter().any(|child| child.file_name().to_bytes() == b".git") {
            return self.record(folder.path.as_bstr(), Kind::Repository);
        }
        let rules = self.rules(folder, &children, &place)?;
        for child in children.iter().filter(|child| !matches!(child.file_name().to_bytes(), b"." | b".." | b".git")) {
            join(&mut self.path, folder.path.as_bstr(), child.file_name());
            let stat = |name: &CStr| {
                let listing = listing.fd().map_err(std::io::Error::from)?;
                FileStat::in_folder(listing, name)
            };
            self.child(child, rules.as_ref(), tasks, &|name| stat(name).map_err(|error| fault::files("cannot read", &place, error)))?;
        }
        Ok(())
    }

    fn child(
        &mut self,
        child: &DirEntry,
        rules: Option<&Arc<Rules>>,
        tasks: &Tasks<Folder>,
        stat: &dyn Fn(&CStr) -> Result<Option<FileStat>, Failure>,
    ) -> Result<(), Failure> {
        let tracked = self.shared.tracked.get(self.path.as_bstr()).copied();
        let mut kind = FileKind::from(child.file_type());
        if let Some(index) = tracked {
            let entry = &self.shared.ground.index.entries()[index];
            let file = stat(child.file_name())?;
            self.shared.seen[index].store(true, Ordering::Relaxed);
            self.comparison.with(entry, file)?;
            match file {
                None => return Ok(()),
                Some(_) if entry.mode == Mode::COMMIT => return Ok(()),
                Some(file) => kind = file.kind,
            }
        } else if kind == FileKind::Other {
            // Some file systems leave the kind out of their listings.
            let Some(file) = stat(child.file_name())? else { return Ok(()) };
            kind = file.kind;
        }
        match kind {
            FileKind::Folder => self.subfolder(rules, tasks),
            FileKind::File | FileKind::Link if tracked.is_some() => Ok(()),
            _ if is_ignored(rules, self.path.as_bstr(), false) => Ok(()),
            FileKind::File => self.record_child(Kind::File),
            FileKind::Link => self.record_child(Kind::Symlink),
            FileKind::Other => self.record_child(Kind::Other),
        }
    }

    fn subfolder(&mut self, rules: Option<&Arc<Rules>>, tasks: &Tasks<Folder>) -> Result<(), Failure> {
        let enters = self.path.to_str().map_or(true, |path| self.shared.scope.enters(path));
        if enters && !is_ignored(rules, self.path.as_bstr(), true) {
            tasks.add(Folder { path: self.path.clone(), rules: rules.cloned() });
        }
        Ok(())
    }

    /// The rules in a folder: those above, and its own.
    fn rules(&self, folder: &Folder, children: &[DirEntry], place: &std::path::Path) -> Result<Option<Arc<Rules>>, Failure> {
        let has_own = |child: &DirEntry| child.file_name().to_bytes() == b".gitignore" && !child.file_type().is_symlink();
        let file = place.join(".gitignore");
        if !children.iter().any(has_own) || !file.symlink_metadata().is_ok_and(|found| found.is_file()) {
            return Ok(folder.rules.clone());
        }
        let failed = |error| fault::files("cannot read", &file, error);
        let bytes = fs::read(&file).map_err(failed)?;
        let list = List::from_bytes(&bytes, file.clone(), Some(self.shared.ground.root), Ignore::default()).map_err(failed)?;
        Ok(Some(Arc::new(Rules { list, above: folder.rules.clone() })))
    }

    fn record_child(&mut self, kind: Kind) -> Result<(), Failure> {
        let path = std::mem::take(&mut self.path);
        self.record(path.as_bstr(), kind)?;
        self.path = path;
        Ok(())
    }

    fn record(&mut self, path: &BStr, kind: Kind) -> Result<(), Failure> {
        let path = fault::utf8_path(path)?;
        if self.shared.scope.untracked(&path) {
            self.untracked.push((path, kind));
        }
        Ok(())
    }
}

/// The nearest rule that matches says so.
fn is_ignored(mut rules: Option<&Arc<Rules>>, path: &BStr, folder: bool) -> bool {
    let name = path.rfind_byte(b'/').map(|slash| slash + 1);
    while let Some(here) = rules {
        if let Some(found) = pattern_matching_relative_path(&here.list, path, name, Some(folder), Case::Sensitive) {
            return !found.pattern.is_negative();
        }
        rules = here.above.as_ref();
    }
    false
}

fn join(path: &mut BString, folder: &BStr, name: &CStr) {
    path.clear();
    path.extend_from_slice(folder);
    if !folder.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name.to_bytes());
}

fn unnamed(path: &BStr, error: impl std::fmt::Display) -> Failure {
    fault::operational("git.files", format_args!("cannot name `{path}`"), error)
}
