//! Components on disk: replaced whole, and put back when the rest of an addition fails.

use std::{
    fs::{self, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use code_polishy_core::diagnostic::Failure;

use crate::{
    input::{InputFault, read_contained},
    plugins::MAX_COMPONENT_BYTES,
};

/// A folder of components.
pub(super) struct Folder {
    path: PathBuf,
    /// Rights of a new file, before the umask.
    rights: u32,
    /// Folders that were made on the way, the outermost first.
    made: Vec<PathBuf>,
}

impl Folder {
    /// The folder `relative` of the repository at `root`; it is made when it is absent, and no link leads to it.
    pub(super) fn in_repository(root: &Path, relative: &str) -> Result<Self, Failure> {
        let mut folder = Self { path: root.to_owned(), rights: 0o666, made: Vec::new() };
        for name in relative.split('/') {
            folder.path.push(name);
            if let Err(error) = folder.enter() {
                let message = format!("cannot use the folder `{}`: {error}", folder.path.display());
                folder.leave();
                return Err(Failure::operational("plugin-add.place", message, "make it a folder that you can write to"));
            }
        }
        Ok(folder)
    }

    /// The user's plugin store, which is there.
    pub(super) fn of_user(path: PathBuf) -> Self {
        Self { path, rights: 0o600, made: Vec::new() }
    }

    fn enter(&mut self) -> io::Result<()> {
        match self.path.symlink_metadata() {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(io::ErrorKind::NotADirectory.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir(&self.path)?;
                self.made.push(self.path.clone());
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Removes what was made and is empty.
    pub(super) fn leave(&self) {
        for made in self.made.iter().rev() {
            let _ = fs::remove_dir(made);
        }
    }

    /// The absolute path of a file, for people.
    pub(super) fn path(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }

    /// The file that is there; a link, a folder or a device is refused, and so is what is larger than any component.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        match read_contained(&self.path, name, MAX_COMPONENT_BYTES) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(InputFault::Absent) => Ok(None),
            Err(fault) => {
                self.leave();
                let message = format!("`{}` {fault}", self.path(name));
                Err(Failure::operational("plugin-add.place", message, "remove what is in the way, or choose another --name"))
            }
        }
    }

    /// Replaces the file whole, or leaves it.
    pub(super) fn write(&self, name: &str, bytes: &[u8], present: Option<Vec<u8>>) -> Result<Written<'_>, Failure> {
        let place = self.path.join(name);
        replace(&place, bytes, self.rights).map_err(|error| {
            self.leave();
            unwritable(&place, &error)
        })?;
        Ok(Written { folder: self, place, present })
    }
}

/// A written component, until its pin is written too.
pub(super) struct Written<'a> {
    folder: &'a Folder,
    place: PathBuf,
    present: Option<Vec<u8>>,
}

impl Written<'_> {
    /// Puts back what was there, as far as that is possible: the fault that asks for it is the one to tell.
    pub(super) fn undo(self) {
        match self.present {
            Some(bytes) => drop(replace(&self.place, &bytes, self.folder.rights)),
            None => drop(fs::remove_file(&self.place)),
        }
        self.folder.leave();
    }
}

/// Writes a file of the working tree whole or not at all.
pub(super) fn write(root: &Path, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let place = root.join(name);
    replace(&place, bytes, 0o666).map_err(|error| unwritable(&place, &error).at_path(name))
}

/// Who reads meanwhile sees the old or the new file whole; a file keeps its rights.
fn replace(place: &Path, bytes: &[u8], rights: u32) -> io::Result<()> {
    let folder = place.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let rights = place.symlink_metadata().map_or_else(|_| Permissions::from_mode(rights), |file| file.permissions());
    let mut file = tempfile::Builder::new().prefix(".code-polishy-").permissions(rights).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(place)?;
    Ok(())
}

fn unwritable(place: &Path, error: &io::Error) -> Failure {
    let message = format!("`{}` cannot be written: {error}", place.display());
    Failure::operational("plugin-add.write", message, "check the disk and the folder's rights, then run the command again")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn an_addition_that_is_undone_leaves_what_was_there() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::in_repository(root.path(), "a/b").unwrap();
        folder.write("x", b"new", None).unwrap().undo();
        assert_eq!(names(root.path()), Vec::<String>::new());

        fs::create_dir_all(root.path().join("a/b")).unwrap();
        fs::write(root.path().join("a/b/x"), "old").unwrap();
        let folder = Folder::in_repository(root.path(), "a/b").unwrap();
        let present = folder.read("x").unwrap();
        assert_eq!(present.as_deref(), Some(&b"old"[..]));
        folder.write("x", b"new", present).unwrap().undo();
        assert_eq!(fs::read(root.path().join("a/b/x")).unwrap(), b"old");
        assert_eq!(names(&root.path().join("a/b")), ["x"]);
    }

    #[test]
    fn no_link_is_followed_and_nothing_is_made_beside_it() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(root.path().join("real")).unwrap();
        std::os::unix::fs::symlink(outside.path(), root.path().join("real/b")).unwrap();
        assert!(Folder::in_repository(root.path(), "real/b").is_err());
        assert!(Folder::in_repository(root.path(), "real/b/c").is_err());
        fs::write(root.path().join("file"), "").unwrap();
        assert!(Folder::in_repository(root.path(), "file/b").is_err());

        std::os::unix::fs::symlink(outside.path().join("x"), root.path().join("real/x")).unwrap();
        assert!(Folder::in_repository(root.path(), "real").unwrap().read("x").is_err());
        assert_eq!(names(outside.path()), Vec::<String>::new());
    }

    #[test]
    fn a_file_keeps_its_rights_and_a_new_one_of_the_user_is_private() {
        let root = tempfile::tempdir().unwrap();
        let mode = |name: &str| fs::metadata(root.path().join(name)).unwrap().permissions().mode() & 0o777;
        let folder = Folder::of_user(root.path().to_owned());
        drop(folder.write("mine", b"x", None).unwrap());
        assert_eq!(mode("mine"), 0o600);
        fs::write(root.path().join("ours"), "old").unwrap();
        fs::set_permissions(root.path().join("ours"), Permissions::from_mode(0o640)).unwrap();
        write(root.path(), "ours", b"new").unwrap();
        assert_eq!((mode("ours"), fs::read(root.path().join("ours")).unwrap()), (0o640, b"new".to_vec()));
    }
}
