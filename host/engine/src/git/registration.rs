//! The private git folder of a linked worktree, `<common>/worktrees/<id>`, as git lays it out.
//!
//! Written by hand, because what gix offers reads the settings and the other worktrees of the repository first, and may change the settings.

use std::{
    fs,
    io::{self, ErrorKind},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::disposable::remove_all;

/// A registration on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Registration {
    git_dir: PathBuf,
}

impl Registration {
    /// Registers the new, empty folder `tree` with a detached HEAD.
    pub(super) fn create(common_dir: &Path, tree: &Path, commit: &str) -> io::Result<Self> {
        let git_dir = reserve(&common_dir.join("worktrees"), tree)?;
        let created = Self { git_dir };
        created.link(tree, commit).inspect_err(|_| drop(created.remove()))?;
        Ok(created)
    }

    /// The registration at `git_dir`, if it is one.
    pub(super) fn at(git_dir: PathBuf) -> Option<Self> {
        let in_place = git_dir.is_absolute() && git_dir.parent()?.file_name()? == "worktrees";
        in_place.then_some(Self { git_dir })
    }

    /// All of a repository's.
    pub(super) fn all(common_dir: &Path) -> Vec<Self> {
        registered_in(&common_dir.join("worktrees"))
    }

    /// All of the same repository's, this one too.
    pub(super) fn all_beside(&self) -> Vec<Self> {
        self.git_dir.parent().map(registered_in).unwrap_or_default()
    }

    /// Absolute.
    pub(super) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The top folder of the tree that it is for.
    pub(super) fn tree(&self) -> Option<PathBuf> {
        let link = fs::read(self.git_dir.join("gitdir")).ok()?;
        let link = Path::new(std::ffi::OsStr::from_bytes(link.strip_suffix(b"\n").unwrap_or(&link)));
        link.parent().map(Path::to_owned)
    }

    /// Removes it, locked or not, and the folder of all registrations with the last one, as git does.
    pub(super) fn remove(&self) -> io::Result<()> {
        remove_all(&self.git_dir)?;
        if let Some(all) = self.git_dir.parent() {
            let _ = fs::remove_dir(all);
        }
        Ok(())
    }

    fn link(&self, tree: &Path, commit: &str) -> io::Result<()> {
        fs::write(self.git_dir.join("gitdir"), line(b"", &tree.join(".git")))?;
        fs::write(self.git_dir.join("commondir"), "../..\n")?;
        fs::write(self.git_dir.join("HEAD"), format!("{commit}\n"))?;
        fs::write(tree.join(".git"), line(b"gitdir: ", &self.git_dir))
    }
}

fn registered_in(folder: &Path) -> Vec<Registration> {
    let children = fs::read_dir(folder).into_iter().flatten().flatten();
    children.map(|child| Registration { git_dir: child.path() }).collect()
}

/// A folder named after the tree, with a number when the name is taken.
fn reserve(all: &Path, tree: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(all)?;
    let name = tree.file_name().ok_or(ErrorKind::InvalidInput)?;
    for number in 0_u32.. {
        let mut candidate = name.to_owned();
        if number > 0 {
            candidate.push(number.to_string());
        }
        match fs::create_dir(all.join(&candidate)) {
            Ok(()) => return Ok(all.join(candidate)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn line(prefix: &[u8], path: &Path) -> Vec<u8> {
    [prefix, path.as_os_str().as_bytes(), b"\n"].concat()
}
