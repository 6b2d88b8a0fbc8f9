//! Removing a whole folder of the store (BR-81).

use std::io;
use std::path::Path;

use cap_std::fs::Dir;
use code_polishy_core::diagnostic::Failure;

use super::walk::{components, step};
use super::{Store, StoreFault, StoreFaultKind, atomic};
use crate::failpoint;

/// How often a removal starts over when somebody else removes the same things.
const ATTEMPTS: usize = 16;

/// Removes the folder `relative` below `root` with everything in it, without following a link; whether it was there.
///
/// The folder leaves its path in one step, before its content goes: nobody sees half of it, and whoever makes it anew
/// meanwhile keeps the new one. What an earlier removal left behind goes too.
///
/// # Errors
/// A [`StoreFault`]: `relative` or a folder above it is a link or no directory, or the system refuses.
pub fn remove_tree(root: &Path, relative: &str) -> Result<bool, Failure> {
    let names = components(relative)?;
    let Some((name, above)) = names.split_last() else { return Err(StoreFault::new(relative, StoreFaultKind::Name).into()) };
    let Some(parent) = Store::open(root, &above.join("/"))? else { return Ok(false) };
    let dir = parent.dir();
    let removed = step(dir, name, relative)?.is_some() && set_aside(dir, name, relative)?;
    failpoint::reached("folder.set-aside");
    for left in left_behind(dir) {
        discard(dir, &left).map_err(|error| StoreFault::system(relative, "removed", error))?;
    }
    failpoint::reached("folder.removed");
    if removed {
        atomic::sync(dir, parent.path())?;
    }
    Ok(removed)
}

/// Gives the folder a name that everybody ignores; whether it was still there.
fn set_aside(dir: &Dir, name: &str, path: &str) -> Result<bool, StoreFault> {
    loop {
        match dir.rename(name, dir, atomic::temporary_name()) {
            Ok(()) => return Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) if matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists) => {}
            Err(error) => return Err(StoreFault::system(path, "removed", error)),
        }
    }
}

/// The folders that a removal has set aside.
fn left_behind(dir: &Dir) -> Vec<String> {
    let Ok(entries) = dir.entries() else { return Vec::new() };
    let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| atomic::is_temporary(name)).collect()
}

fn discard(dir: &Dir, name: &str) -> io::Result<()> {
    let mut attempt = 0;
    loop {
        match dir.remove_dir_all(name) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !dir.try_exists(name)? => return Ok(()),
            Err(error) => {
                attempt += 1;
                let contended = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty);
                if !contended || attempt == ATTEMPTS {
                    return Err(error);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn removes_exactly_the_folder_and_says_whether_it_was_there() {
        let root = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("kept"), "x").unwrap();
        let store = Store::create(root.path(), "r/b/proofs").unwrap();
        store.write("x", b"1").unwrap();
        Store::create(root.path(), "r/other").unwrap();
        symlink(outside.path(), root.path().join("r/b/link")).unwrap();
        fs::create_dir(root.path().join("r/.code-polishy-tmp-9-9")).unwrap();

        assert!(remove_tree(root.path(), "r/b").unwrap());
        assert!(!remove_tree(root.path(), "r/b").unwrap());
        assert!(!remove_tree(root.path(), "absent/b").unwrap());
        assert_eq!(fs::read_dir(root.path().join("r")).unwrap().count(), 1);
        assert!(outside.path().join("kept").exists());
    }

    #[test]
    fn a_link_in_the_path_or_at_its_end_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::create_dir(outside.path().join("b")).unwrap();
        symlink(outside.path(), root.path().join("r")).unwrap();
        assert_eq!(remove_tree(root.path(), "r/b").unwrap_err().diagnostics[0].code, "store.link");
        assert_eq!(remove_tree(root.path(), "r").unwrap_err().diagnostics[0].code, "store.link");
        assert_eq!(remove_tree(root.path(), "").unwrap_err().diagnostics[0].code, "store.name");
        assert!(outside.path().join("b").exists() && root.path().join("r").exists());
    }

    #[test]
    fn parallel_removals_succeed() {
        let root = tempfile::tempdir().unwrap();
        for folder in 0..50 {
            Store::create(root.path(), &format!("r/b/{folder}")).unwrap().write("x", b"1").unwrap();
        }
        let removed = std::thread::scope(|scope| {
            let removals: Vec<_> = (0..8).map(|_| scope.spawn(|| remove_tree(root.path(), "r/b").unwrap())).collect();
            removals.into_iter().map(|removal| removal.join().unwrap()).filter(|removed| *removed).count()
        });
        assert_eq!(removed, 1);
        assert_eq!(fs::read_dir(root.path().join("r")).unwrap().count(), 0);
    }
}
