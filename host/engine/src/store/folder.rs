//! A folder of the store, held open.

use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirBuilder, Metadata, OpenOptions};
use code_polishy_core::diagnostic::Failure;
use rustix::{
    fs::{RenameFlags, renameat_with},
    io::Errno,
};

use super::walk::{components, file_in, is_plain, open_known, read_sized, step};
use super::{StoreFault, StoreFaultKind, atomic};
use crate::failpoint;

/// An open folder: the right to read and write what is directly in it, whatever happens to the path that led there.
///
/// It was reached from the root component by component, and no component was a link (BR-78). A folder that is renamed or
/// swapped while open keeps the writes; the new thing at the old path gets none. Folders are made 0700, files 0600.
///
/// Every method fails with a [`StoreFault`] as an operational [`Failure`] (exit 3).
#[derive(Debug)]
pub struct Store {
    dir: Dir,
    path: String,
}

impl Store {
    /// The folder `relative` (`/` between names, empty for the root itself) below `root`; `None` when a part of it is absent.
    ///
    /// `root` is trusted: the caller has resolved it.
    pub fn open(root: &Path, relative: &str) -> Result<Option<Self>, Failure> {
        Ok(Self::walk(root, relative, false)?)
    }

    /// The same, with absent folders made.
    pub fn create(root: &Path, relative: &str) -> Result<Self, Failure> {
        Ok(Self::walk(root, relative, true)?.expect("every absent folder is made"))
    }

    /// The folder of that name in this one; absent it is made, or `None`.
    pub fn child(&self, name: &str, create: bool) -> Result<Option<Self>, Failure> {
        Ok(self.step(name, create)?)
    }

    /// Relative to the root, with `/`: for messages.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The bytes of a regular file of at most `limit` bytes, or `None` when it is absent (BR-80).
    pub fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.read_known(name, limit)?.map(|(bytes, _)| bytes))
    }

    /// The same, with what the system said of the file before it was read.
    pub(crate) fn read_known(&self, name: &str, limit: u64) -> Result<Option<(Vec<u8>, Metadata)>, Failure> {
        let path = self.file_path(name)?;
        let Some((mut file, metadata)) = open_known(&self.dir, name, &path, OpenOptions::new().read(true))? else { return Ok(None) };
        Ok(Some((read_sized(&mut file, metadata.len(), &path, limit)?, metadata)))
    }

    /// Makes `bytes` the content of a file, so that whoever looks, and whoever starts after a crash, finds the old or the new
    /// content whole (BR-79). Strays of writers that died are removed first.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.file_path(name)?;
        file_in(&self.dir, name, &path)?;
        Ok(atomic::write(&self.dir, name, &path, bytes)?)
    }

    /// Removes a regular file; whether it was there.
    pub fn remove(&self, name: &str) -> Result<bool, Failure> {
        let path = self.file_path(name)?;
        if !file_in(&self.dir, name, &path)? {
            return Ok(false);
        }
        match self.dir.remove_file(name) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(StoreFault::system(&path, "removed", error).into()),
        }
        failpoint::reached("file.removed");
        atomic::sync(&self.dir, &self.path)?;
        Ok(true)
    }

    /// Moves a regular file into another folder of the same file system, over a file of that name.
    pub fn move_to(&self, name: &str, target: &Self) -> Result<(), Failure> {
        let path = self.file_path(name)?;
        file_in(&self.dir, name, &path)?;
        file_in(&target.dir, name, &target.file_path(name)?)?;
        self.dir.rename(name, &target.dir, name).map_err(|error| StoreFault::system(&path, "moved", error))?;
        failpoint::reached("file.moved");
        atomic::sync(&target.dir, &target.path)?;
        Ok(atomic::sync(&self.dir, &self.path)?)
    }

    /// Moves a folder into another one of the same file system under a new name; `false`, and nothing moved, when that name is taken.
    pub fn move_folder(&self, name: &str, target: &Self, new_name: &str) -> Result<bool, Failure> {
        let (path, new_path) = (self.file_path(name)?, target.file_path(new_name)?);
        if step(&self.dir, name, &path)?.is_none() {
            return Err(StoreFault::system(&path, "moved", std::io::ErrorKind::NotFound.into()).into());
        }
        match renameat_with(&self.dir, name, &target.dir, new_name, RenameFlags::NOREPLACE) {
            Ok(()) => {}
            Err(Errno::EXIST) => return Ok(false),
            Err(error) => return Err(StoreFault::system(&new_path, "made", error.into()).into()),
        }
        failpoint::reached("folder.moved");
        atomic::sync(&target.dir, &target.path)?;
        atomic::sync(&self.dir, &self.path)?;
        Ok(true)
    }

    /// The names of everything in the folder, sorted by bytes, without temporary files of writers.
    ///
    /// A name that is not UTF-8 is a fault: nothing here made it.
    pub fn names(&self) -> Result<Vec<String>, Failure> {
        let system = |error| StoreFault::system(&self.path, "listed", error);
        let mut names = Vec::new();
        for entry in self.dir.entries().map_err(system)? {
            let name = entry.map_err(system)?.file_name();
            let Some(name) = name.to_str() else {
                return Err(StoreFault::new(&self.join(&name.to_string_lossy()), StoreFaultKind::Name).into());
            };
            if !atomic::is_temporary(name) {
                names.push(name.to_owned());
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Whether a file of that name is there; anything else than a regular file is a fault.
    pub fn has(&self, name: &str) -> Result<bool, Failure> {
        Ok(file_in(&self.dir, name, &self.file_path(name)?)?)
    }

    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// The path of a file in this folder; a name that is none of ours is a fault.
    pub(crate) fn file_path(&self, name: &str) -> Result<String, StoreFault> {
        let path = self.join(name);
        if is_plain(name) && !atomic::is_temporary(name) { Ok(path) } else { Err(StoreFault::new(&path, StoreFaultKind::Name)) }
    }

    pub(super) fn walk(root: &Path, relative: &str, create: bool) -> Result<Option<Self>, StoreFault> {
        let names = components(relative)?;
        let dir = Dir::open_ambient_dir(root, ambient_authority())
            .map_err(|error| StoreFault::system(&root.display().to_string(), "opened", error))?;
        let mut folder = Self { dir, path: String::new() };
        for name in names {
            match folder.step(name, create)? {
                Some(next) => folder = next,
                None => return Ok(None),
            }
        }
        Ok(Some(folder))
    }

    fn step(&self, name: &str, create: bool) -> Result<Option<Self>, StoreFault> {
        let path = self.file_path(name)?;
        if let Some(dir) = step(&self.dir, name, &path)? {
            return Ok(Some(Self { dir, path }));
        }
        if !create {
            return Ok(None);
        }
        match self.dir.create_dir_with(name, &private_folder()) {
            Ok(()) => {
                failpoint::reached("folder.made");
                atomic::sync(&self.dir, &self.path)?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreFault::system(&path, "made", error)),
        }
        match step(&self.dir, name, &path)? {
            Some(dir) => Ok(Some(Self { dir, path })),
            // Removed between the two calls: once more.
            None => self.step(name, create),
        }
    }

    fn join(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}/{name}", self.path) }
    }
}

fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    cap_std::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn code(failure: Failure) -> String {
        assert_eq!(failure.kind.exit_status(), 3);
        failure.diagnostics[0].code.clone()
    }

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn writes_and_reads_privately() {
        let root = tempfile::tempdir().unwrap();
        assert!(Store::open(root.path(), "a/b").unwrap().is_none());
        let store = Store::create(root.path(), "a/b").unwrap();
        assert_eq!(store.read("x", 9).unwrap(), None);
        store.write("x", b"one").unwrap();
        store.write("x", b"two").unwrap();
        assert_eq!(store.read("x", 3).unwrap().unwrap(), b"two");
        assert_eq!((mode(&root.path().join("a")), mode(&root.path().join("a/b/x"))), (0o700, 0o600));
        store.child("c", true).unwrap().unwrap().write("y", b"").unwrap();
        assert_eq!(store.names().unwrap(), ["c", "x"]);
        assert!(store.remove("x").unwrap() && !store.remove("x").unwrap());
        assert_eq!(store.path(), "a/b");
    }

    #[test]
    fn a_link_at_any_level_is_refused_and_its_target_untouched() {
        let root = tempfile::tempdir().unwrap();
        let elsewhere = root.path().join("elsewhere");
        fs::create_dir_all(elsewhere.join("b")).unwrap();
        fs::write(elsewhere.join("file"), "kept").unwrap();

        symlink(&elsewhere, root.path().join("a")).unwrap();
        let failure = Store::create(root.path(), "a/b").unwrap_err();
        assert_eq!(failure.diagnostics[0].path.as_deref(), Some("a"));
        assert_eq!(code(failure), "store.link");
        assert_eq!(code(Store::open(root.path(), "a/b").unwrap_err()), "store.link");

        let store = Store::create(root.path(), "real").unwrap();
        symlink(elsewhere.join("b"), root.path().join("real/b")).unwrap();
        assert_eq!(code(store.child("b", true).unwrap_err()), "store.link");
        symlink("../elsewhere/file", root.path().join("real/file")).unwrap();
        symlink("../elsewhere/absent", root.path().join("real/dangling")).unwrap();
        for name in ["file", "dangling"] {
            assert_eq!(code(store.read(name, 99).unwrap_err()), "store.link");
            assert_eq!(code(store.write(name, b"new").unwrap_err()), "store.link");
            assert_eq!(code(store.remove(name).unwrap_err()), "store.link");
        }
        assert_eq!(fs::read_to_string(elsewhere.join("file")).unwrap(), "kept");
        assert!(!elsewhere.join("absent").exists());
    }

    #[test]
    fn only_regular_files_and_plain_names() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::create(root.path(), "").unwrap();
        fs::create_dir(root.path().join("folder")).unwrap();
        fs::write(root.path().join("file"), "x").unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, root.path().join("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        for name in ["folder", "pipe"] {
            assert_eq!(code(store.read(name, 9).unwrap_err()), "store.not-regular");
            assert_eq!(code(store.write(name, b"").unwrap_err()), "store.not-regular");
        }
        assert_eq!(code(store.child("file", true).unwrap_err()), "store.not-directory");
        for name in ["", ".", "..", "a/b", "a\0", ".code-polishy-tmp-1"] {
            assert_eq!(code(store.write(name, b"").unwrap_err()), "store.name", "{name}");
        }
        for relative in ["/etc", "a//b", "../a", "a/"] {
            assert_eq!(code(Store::create(root.path(), relative).unwrap_err()), "store.name", "{relative}");
        }
    }

    #[test]
    fn a_folder_moves_to_a_free_name_only() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::create(root.path(), "").unwrap();
        let target = Store::create(root.path(), "target").unwrap();
        store.child("one", true).unwrap().unwrap().write("x", b"1").unwrap();
        fs::create_dir(root.path().join("target/taken")).unwrap();
        assert!(!store.move_folder("one", &target, "taken").unwrap());
        assert!(store.move_folder("one", &target, "free").unwrap());
        assert_eq!((fs::read(root.path().join("target/free/x")).unwrap(), root.path().join("one").exists()), (b"1".to_vec(), false));
        symlink("free", root.path().join("target/link")).unwrap();
        assert_eq!(code(target.move_folder("link", &store, "x").unwrap_err()), "store.link");
        assert_eq!(code(store.move_folder("absent", &target, "x").unwrap_err()), "store.system");
    }

    #[test]
    fn the_limit_is_exact() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::create(root.path(), "s").unwrap();
        store.write("x", &[7; 10]).unwrap();
        assert_eq!(store.read("x", 10).unwrap().unwrap().len(), 10);
        let failure = store.read("x", 9).unwrap_err();
        assert_eq!(failure.diagnostics[0].message, "`s/x` is larger than 9 bytes");
        assert_eq!(code(failure), "store.too-large");
    }

    #[test]
    fn a_folder_swapped_while_open_keeps_the_writes() {
        let root = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let store = Store::create(root.path(), "a").unwrap();
        fs::rename(root.path().join("a"), root.path().join("moved")).unwrap();
        symlink(outside.path(), root.path().join("a")).unwrap();
        store.write("x", b"here").unwrap();
        assert_eq!(fs::read(root.path().join("moved/x")).unwrap(), b"here");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
