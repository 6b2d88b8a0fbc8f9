//! Files that the index does not know. Only `.gitignore` files of the work tree hide them; excluded folders are never entered.

use std::{
    collections::HashSet,
    fs::{DirEntry, FileType},
    path::Path,
};

use code_polishy_core::diagnostic::Failure;
use gix::{
    bstr::{BStr, BString, ByteSlice},
    glob::pattern::Case,
    ignore::{Search, search::Ignore},
    index::{State, entry::Mode},
};

use super::{fault, repository::Repository, state::Scope};

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

/// The governed untracked paths, sorted by bytes.
///
/// # Errors
/// Usage `git.path-not-utf8`; operational `git.files`.
pub(super) fn untracked(repository: &Repository, index: &State, scope: &dyn Scope) -> Result<Vec<(String, Kind)>, Failure> {
    let tracked = index.entries().iter().filter(|entry| entry.mode != Mode::COMMIT).map(|entry| entry.path(index)).collect();
    let submodules = index.entries().iter().filter(|entry| entry.mode == Mode::COMMIT).map(|entry| entry.path(index)).collect();
    let mut walk = Walk { root: repository.root(), tracked, submodules, scope, ignores: Search::default(), found: Vec::new() };
    walk.folder(BStr::new(""), repository.root())?;
    walk.found.sort();
    Ok(walk.found)
}

struct Walk<'a> {
    root: &'a Path,
    tracked: HashSet<&'a BStr>,
    submodules: HashSet<&'a BStr>,
    scope: &'a dyn Scope,
    /// The rules of every folder above, the nearest last.
    ignores: Search,
    found: Vec<(String, Kind)>,
}

impl Walk<'_> {
    fn folder(&mut self, path: &BStr, place: &Path) -> Result<(), Failure> {
        let failed = |error: std::io::Error| fault::files("cannot list", place, error);
        let children = std::fs::read_dir(place).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let rules = self.ignores.patterns.len();
        self.read_rules(&children, place)?;
        for child in &children {
            self.child(path, child)?;
        }
        self.ignores.patterns.truncate(rules);
        Ok(())
    }

    fn read_rules(&mut self, children: &[DirEntry], place: &Path) -> Result<(), Failure> {
        let Some(file) = children.iter().find(|child| child.file_name() == ".gitignore") else { return Ok(()) };
        if !file.file_type().is_ok_and(|kind| kind.is_file()) {
            return Ok(());
        }
        let path = place.join(".gitignore");
        let failed = |error| fault::files("cannot read", &path, error);
        let rules = std::fs::read(&path).map_err(failed)?;
        self.ignores.add_patterns_buffer(&rules, path.clone(), Some(self.root), Ignore::default()).map_err(failed)
    }

    fn child(&mut self, folder: &BStr, child: &DirEntry) -> Result<(), Failure> {
        let place = child.path();
        let kind = child.file_type().map_err(|error| fault::files("cannot read", &place, error))?;
        let name = child.file_name();
        let name = gix::path::os_str_into_bstr(&name).map_err(|error| fault::files("cannot name", &place, error))?;
        let path = join(folder, name);
        match kind_of(kind) {
            None if name == ".git" => Ok(()),
            None => self.subfolder(path.as_bstr(), &place),
            Some(Kind::File) if name == ".git" && folder.is_empty() => Ok(()),
            Some(Kind::File | Kind::Symlink) if self.tracked.contains(path.as_bstr()) => Ok(()),
            Some(_) if self.is_ignored(path.as_bstr(), false) => Ok(()),
            Some(kind) => self.record(path.as_bstr(), kind),
        }
    }

    fn subfolder(&mut self, path: &BStr, place: &Path) -> Result<(), Failure> {
        if self.submodules.contains(path) || path.to_str().is_ok_and(|path| !self.scope.enters(path)) || self.is_ignored(path, true) {
            return Ok(());
        }
        if place.join(".git").symlink_metadata().is_ok() {
            return self.record(path, Kind::Repository);
        }
        self.folder(path, place)
    }

    fn is_ignored(&self, path: &BStr, folder: bool) -> bool {
        self.ignores.pattern_matching_relative_path(path, Some(folder), Case::Sensitive).is_some_and(|found| !found.pattern.is_negative())
    }

    fn record(&mut self, path: &BStr, kind: Kind) -> Result<(), Failure> {
        let path = fault::utf8_path(path)?;
        if self.scope.untracked(&path) {
            self.found.push((path, kind));
        }
        Ok(())
    }
}

/// `None` for a folder.
fn kind_of(kind: FileType) -> Option<Kind> {
    match kind {
        _ if kind.is_dir() => None,
        _ if kind.is_file() => Some(Kind::File),
        _ if kind.is_symlink() => Some(Kind::Symlink),
        _ => Some(Kind::Other),
    }
}

fn join(folder: &BStr, name: &BStr) -> BString {
    let mut path = BString::from(Vec::with_capacity(folder.len() + 1 + name.len()));
    path.extend_from_slice(folder);
    if !folder.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}
