//! Replacing a file whole (BR-79).
//!
//! A writer holds an advisory lock on its temporary file from its creation until the rename. Whoever can take that lock knows
//! that the writer is dead, however recent the file is, and removes the stray.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::StoreFault;
use super::walk::{open_regular, same_file};
use crate::failpoint;

/// What names of temporary files and of folders on their way out begin with. Nothing else may.
const RESERVED: &str = ".code-polishy-tmp-";

pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(RESERVED)
}

/// A name that no other living part of this process uses; the folder says whether another process does.
pub(super) fn temporary_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{RESERVED}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Replaces or makes the file `name`, which the caller has found to be regular or absent.
pub(super) fn write(dir: &Dir, name: &str, path: &str, bytes: &[u8]) -> Result<(), StoreFault> {
    failpoint::reached("write.begun");
    sweep(dir);
    let system = |error| StoreFault::system(path, "written", error);
    let (temporary, mut file) = create(dir).map_err(system)?;
    failpoint::reached("write.created");
    let result = fill(&mut file, bytes).and_then(|()| dir.rename(&temporary, dir, name)).map_err(system);
    if result.is_err() {
        // The first fault is the one to tell; what stays is a stray for the next writer.
        let _ = dir.remove_file(&temporary);
    }
    result?;
    failpoint::reached("write.renamed");
    sync(dir, path)?;
    failpoint::reached("write.done");
    Ok(())
}

fn fill(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    failpoint::reached("write.filled");
    file.sync_all()?;
    failpoint::reached("write.synced");
    Ok(())
}

/// Makes what was renamed, made or removed in a folder survive a crash.
pub(super) fn sync(dir: &Dir, path: &str) -> Result<(), StoreFault> {
    match dir.open(".").and_then(|folder| folder.sync_all()) {
        // Some file systems cannot sync a folder and need not.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other.map_err(|error| StoreFault::system(path, "synced", error)),
    }
}

/// A new locked temporary file.
fn create(dir: &Dir) -> io::Result<(String, File)> {
    loop {
        let name = temporary_name();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = match dir.open_with(&name, &options) {
            Ok(file) => file.into_std(),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        // Without locks on this file system nobody can take it for a stray either.
        let _ = file.lock();
        // A sweeper may have been faster between creation and lock.
        if is_at(dir, &name, &Metadata::from_file(&file)?) {
            return Ok((name, file));
        }
    }
}

/// Removes the temporary files of dead writers, as far as that is possible.
fn sweep(dir: &Dir) {
    let Ok(entries) = dir.entries() else { return };
    for entry in entries.flatten() {
        if let Some(name) = entry.file_name().to_str().filter(|name| is_temporary(name)) {
            remove_stray(dir, name);
        }
    }
}

fn remove_stray(dir: &Dir, name: &str) {
    let Ok(Some(file)) = open_regular(dir, name, name, OpenOptions::new().write(true)) else { return };
    let file = file.into_std();
    if fs4::FileExt::try_lock(&file).is_ok() && Metadata::from_file(&file).is_ok_and(|metadata| is_at(dir, name, &metadata)) {
        let _ = dir.remove_file(name);
    }
}

fn is_at(dir: &Dir, name: &str, file: &Metadata) -> bool {
    dir.symlink_metadata(name).is_ok_and(|there| same_file(&there, file))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::Store;
    use super::*;

    #[test]
    fn the_next_writer_removes_the_stray_of_a_dead_one_and_not_of_a_living_one() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::create(root.path(), "s").unwrap();
        let (living, _held) = create(store.dir()).unwrap();
        let (dead, dropped) = create(store.dir()).unwrap();
        drop(dropped);
        store.write("x", b"1").unwrap();
        assert!(root.path().join("s").join(living).exists());
        assert!(!root.path().join("s").join(dead).exists());
        assert_eq!(store.names().unwrap(), ["x"]);
    }

    #[test]
    fn parallel_writers_leave_one_whole_content() {
        let root = tempfile::tempdir().unwrap();
        Store::create(root.path(), "s").unwrap();
        std::thread::scope(|scope| {
            for writer in 0..16_u8 {
                let root = root.path();
                scope.spawn(move || {
                    let store = Store::open(root, "s").unwrap().unwrap();
                    for _ in 0..8 {
                        store.write("x", &[writer; 4096]).unwrap();
                        let read = store.read("x", 4096).unwrap().unwrap();
                        assert!(read.len() == 4096 && read.iter().all(|byte| *byte == read[0]));
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(root.path().join("s")).unwrap().count(), 1);
    }

    #[test]
    fn a_writer_killed_at_any_time_leaves_the_old_or_the_new_bytes_and_no_stray_for_long() {
        const ROOT: &str = "CODE_POLISHY_TEST_STORE_ROOT";
        if let Some(root) = std::env::var_os(ROOT) {
            let store = Store::create(root.as_ref(), "s").unwrap();
            for round in (0..=u8::MAX).cycle() {
                store.write("x", &vec![round; 300_000]).unwrap();
            }
        }
        let root = tempfile::tempdir().unwrap();
        let store = Store::create(root.path(), "s").unwrap();
        let name = "store::atomic::tests::a_writer_killed_at_any_time_leaves_the_old_or_the_new_bytes_and_no_stray_for_long";
        for round in 0..20_u64 {
            let mut command = std::process::Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", name]).env(ROOT, root.path()).stdout(std::process::Stdio::null());
            let mut child = command.spawn().unwrap();
            while !root.path().join("s/x").exists() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            std::thread::sleep(std::time::Duration::from_millis(10 + 3 * round));
            child.kill().unwrap();
            child.wait().unwrap();
            if let Some(bytes) = store.read("x", 300_000).unwrap() {
                assert!(bytes.len() == 300_000 && bytes.iter().all(|byte| *byte == bytes[0]));
            }
            assert!(fs::read_dir(root.path().join("s")).unwrap().count() <= 2);
        }
        store.write("y", b"").unwrap();
        assert_eq!(fs::read_dir(root.path().join("s")).unwrap().count(), store.names().unwrap().len());
    }

    #[test]
    fn a_full_disk_leaves_the_old_bytes_and_no_stray() {
        let root = tempfile::tempdir().unwrap();
        let Some(_mounted) = Tmpfs::mount(root.path(), "64k") else { return };
        let store = Store::create(root.path(), "s").unwrap();
        store.write("x", b"old").unwrap();
        // Full in the middle of a content, and full before its first byte.
        for size in [1 << 20, 10] {
            let failure = store.write("x", &vec![1; size]).unwrap_err();
            assert_eq!(failure.diagnostics[0].code, "store.full", "{size}");
            assert_eq!(store.read("x", 9).unwrap().unwrap(), b"old");
            assert_eq!(store.names().unwrap().len(), fs::read_dir(root.path().join("s")).unwrap().count());
            fs::write(root.path().join("filler"), vec![0; 1 << 20]).unwrap_err();
        }
        fs::remove_file(root.path().join("filler")).unwrap();
        store.write("x", b"new").unwrap();
        assert_eq!(store.read("x", 9).unwrap().unwrap(), b"new");
    }

    /// A small file system in memory, for the time of a test; `None` where mounting is not allowed.
    struct Tmpfs<'a>(&'a std::path::Path);

    impl<'a> Tmpfs<'a> {
        fn mount(at: &'a std::path::Path, size: &str) -> Option<Self> {
            let mut mount = std::process::Command::new("mount");
            mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "none"]).arg(at);
            mount.output().is_ok_and(|output| output.status.success()).then_some(Self(at))
        }
    }

    impl Drop for Tmpfs<'_> {
        fn drop(&mut self) {
            let _ = std::process::Command::new("umount").arg("-l").arg(self.0).status();
        }
    }
}
