//! Disposable worktrees: one commit, outside every folder of the repository, gone after use (BR-57, BR-82).

use std::{
    collections::BTreeSet,
    fs, io,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use code_polishy_core::{diagnostic::Failure, patch::Entry};
use gix::bstr::{BString, ByteSlice};

use super::{
    changes, checkout,
    clean_filter::Ground,
    disposable::{self, Folder},
    fault,
    registration::Registration,
    repository::Repository,
    unstaged::unstaged,
};
use crate::failpoint;

/// Beside the tree: where it is registered, for whoever has to clean up.
const REGISTRATION: &str = "registration";

/// The disposable worktrees of a repository in one place.
pub struct Worktrees {
    repository: Repository,
    location: PathBuf,
}

/// A checked-out commit. Dropping it removes it as far as possible; [`Worktree::remove`] says when that fails.
pub struct Worktree {
    repository: Repository,
    site: Site,
    path: PathBuf,
    /// What the tracked files have to be: the commit, and the files that were put over it.
    index: gix::index::File,
}

/// What a worktree takes up on disk. Removed when dropped.
struct Site {
    location: PathBuf,
    folder: Folder,
    registration: Option<Registration>,
    removed: bool,
}

impl Worktrees {
    /// Worktrees below `location`, a private folder that is made when it is missing.
    ///
    /// # Errors
    /// Usage `git.worktrees-inside-repository`; operational `git.files`.
    pub fn new(repository: &Repository, location: PathBuf) -> Result<Self, Failure> {
        let made = fs::create_dir_all(&location).and_then(|()| location.canonicalize());
        let location = made.map_err(|error| fault::files("cannot make", &location, error))?;
        let above = [repository.root(), repository.git_dir(), repository.common_dir()];
        if above.iter().any(|folder| location.starts_with(folder)) {
            return Err(Failure::usage(
                "git.worktrees-inside-repository",
                format!("disposable worktrees cannot be inside the repository: {}", location.display()),
                "choose a folder outside with CODE_POLISHY_WORKTREES",
            ));
        }
        Ok(Self { repository: repository.clone(), location })
    }

    /// Checks out exactly `commit`, detached. `purpose` names the folder, with `-` for all but letters and digits.
    ///
    /// # Errors
    /// Operational `git.object` when the commit is missing, `git.files`.
    pub fn add(&self, commit: &str, purpose: &str) -> Result<Worktree, Failure> {
        let local = self.repository.local();
        let tree = changes::root_tree(&local, commit)?.id;
        let failed = |error: io::Error| fault::files("cannot make a worktree in", &self.location, error);
        let folder = Folder::create(&self.location).map_err(failed)?;
        let path = folder.path().join(purpose.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"));
        let mut site = Site { location: self.location.clone(), folder, registration: None, removed: false };
        failpoint::reached("worktree.folder-made");
        let registration = site.register(&self.repository, &path, commit).map_err(failed)?;
        failpoint::reached("worktree.registered");
        let index = checkout::tree(&local, tree, &path, registration.git_dir().join("index"))?;
        failpoint::reached("worktree.checked-out");
        Ok(Worktree { repository: self.repository.clone(), site, path, index })
    }

    /// Removes what killed processes left in the place, whichever repository they worked on, and this repository's registrations of
    /// worktrees there that are gone. Returns how many worktrees that were.
    ///
    /// # Errors
    /// Operational `git.files`.
    pub fn sweep(&self) -> Result<usize, Failure> {
        let failed = |error| fault::files("cannot clean up", &self.location, error);
        let abandoned = Folder::abandoned(&self.location).map_err(failed)?;
        let count = abandoned.len();
        for folder in abandoned {
            let registration = registration_of(&folder);
            Site { location: self.location.clone(), folder, registration, removed: false }.remove().map_err(failed)?;
        }
        Ok(count + self.forget_missing().map_err(failed)?)
    }

    fn forget_missing(&self) -> io::Result<usize> {
        let _guard = disposable::guard(&self.location)?;
        let is_missing = |tree: &Path| tree.starts_with(&self.location) && tree.parent().is_some_and(|folder| !folder.exists());
        let all = Registration::all(self.repository.common_dir());
        let missing: Vec<_> = all.into_iter().filter(|registration| registration.tree().is_some_and(|tree| is_missing(&tree))).collect();
        missing.iter().try_for_each(Registration::remove)?;
        Ok(missing.len())
    }
}

impl Worktree {
    /// The top folder of the tree.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts files over the tree, and removes those that have no entry. HEAD and the index on disk stay as they are.
    ///
    /// # Errors
    /// Blocked `git.path-in-the-way` when the tree has a file or a link where a path needs a folder, or a folder at a path;
    /// operational `git.object`, `git.files`.
    pub fn write_files(&mut self, files: &[(String, Option<Entry>)]) -> Result<(), Failure> {
        self.refuse_conflicts(files)?;
        for (path, _) in files.iter().filter(|(_, entry)| entry.is_none()) {
            let place = self.path.join(path);
            match fs::remove_file(&place) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault::files("cannot remove", &place, error)),
                _ => {}
            }
        }
        let written: Vec<_> = files.iter().filter_map(|(path, entry)| Some((path.as_str(), entry.as_ref()?))).collect();
        let overlay = checkout::files(&self.repository.local(), &written, &self.path)?;
        let replaced: BTreeSet<&[u8]> = files.iter().map(|(path, _)| path.as_bytes()).collect();
        self.index.remove_entries(|_, path, _| replaced.contains(path.as_bytes()));
        for entry in overlay.entries() {
            self.index.dangerously_push_entry(entry.stat, entry.id, entry.flags, entry.mode, entry.path(&overlay));
        }
        self.index.sort_entries();
        Ok(())
    }

    /// A tracked file is no longer what the commit, with the files put over it, says. What cannot be read has changed.
    ///
    /// # Errors
    /// Operational `git.settings`.
    pub fn tracked_changes(&self) -> Result<bool, Failure> {
        let ground = Ground { repository: &self.repository, root: &self.path, index: &self.index, disposable: true };
        match unstaged(ground) {
            Ok(found) => Ok(!found.changes.is_empty()),
            Err(failure) if failure.diagnostics.iter().all(|diagnostic| diagnostic.code == "git.files") => Ok(true),
            Err(failure) => Err(failure),
        }
    }

    /// Removes tree and registration, whatever the suite did to them.
    ///
    /// # Errors
    /// Operational `git.files` when something resists for 30 seconds.
    pub fn remove(mut self) -> Result<(), Failure> {
        self.site.remove().map_err(|error| fault::files("cannot remove the worktree", &self.path, error))
    }

    fn refuse_conflicts(&self, files: &[(String, Option<Entry>)]) -> Result<(), Failure> {
        let removed: BTreeSet<&str> = files.iter().filter(|(_, entry)| entry.is_none()).map(|(path, _)| path.as_str()).collect();
        let stays = |path: &BString| !removed.contains(path.to_str_lossy().as_ref()) && self.index.entry_by_path(path.as_bstr()).is_some();
        for (path, _) in files.iter().filter(|(_, entry)| entry.is_some()) {
            let above = path.match_indices('/').map(|(end, _)| BString::from(&path[..end])).find(stays);
            let below = BString::from(format!("{path}/"));
            let below = self
                .index
                .prefixed_entries(below.as_bstr())
                .into_iter()
                .flatten()
                .map(|entry| entry.path(&self.index).to_owned())
                .find(stays);
            if let Some(other) = above.or(below) {
                return Err(in_the_way(path, &other));
            }
        }
        Ok(())
    }
}

impl Site {
    /// Makes the tree's folder and its registration, and leaves a note of it for a later sweep.
    fn register(&mut self, repository: &Repository, tree: &Path, commit: &str) -> io::Result<Registration> {
        fs::create_dir(tree)?;
        let _guard = disposable::guard(&self.location)?;
        let registration = Registration::create(repository.common_dir(), tree, commit)?;
        failpoint::reached("worktree.not-noted");
        self.registration = Some(registration.clone());
        fs::write(self.folder.path().join(REGISTRATION), registration.git_dir().as_os_str().as_bytes())?;
        Ok(registration)
    }

    /// The registration goes first: a folder without one is found again, a registration without a folder only by its own repository.
    fn remove(&mut self) -> io::Result<()> {
        self.removed = true;
        let unregistered = match &self.registration {
            Some(registration) => disposable::guard(&self.location).and_then(|_guard| self.unregister(registration)),
            None => Ok(()),
        };
        failpoint::reached("worktree.unregistered");
        self.folder.remove().and(unregistered)
    }

    /// A suite may have registered worktrees of its own in the folder.
    fn unregister(&self, registration: &Registration) -> io::Result<()> {
        let is_inside = |other: &Registration| other.tree().is_some_and(|tree| tree.starts_with(self.folder.path()));
        let others = registration.all_beside().into_iter().filter(is_inside);
        others.chain([registration.clone()]).try_for_each(|registration| registration.remove())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if !self.removed {
            // The next sweep removes what resists now.
            let _ = self.remove();
        }
    }
}

/// The registration that an abandoned folder notes, if it still is one of a tree in that folder.
fn registration_of(folder: &Folder) -> Option<Registration> {
    let noted = fs::read(folder.path().join(REGISTRATION)).ok()?;
    let registration = Registration::at(PathBuf::from(std::ffi::OsString::from_vec(noted)))?;
    registration.tree()?.starts_with(folder.path()).then_some(registration)
}

fn in_the_way(path: &str, other: &BString) -> Failure {
    let message = format!("the base has `{other}` where the evidence needs another kind of entry");
    Failure::blocked("git.path-in-the-way", message, "name evidence whose folders are folders in the base").at_path(path)
}
