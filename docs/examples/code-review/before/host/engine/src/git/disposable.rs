//! Folders that live as long as the process that made them: whoever finds one whose owner is gone may remove it.

use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions, Permissions, TryLockError},
    io::{self, ErrorKind},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rustix::fs::OFlags;

/// Stands before the random part of a folder's name.
const PREFIX: &str = "w-";
/// Held locked by the owner.
const ALIVE: &str = "alive";
/// Serialises making and finding folders.
const GUARD: &str = ".guard";
/// How long a removal is tried while somebody still writes (contract 3.8).
const REMOVAL: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

/// A private folder (0700), owned by this process until it is dropped or the process ends.
pub(super) struct Folder {
    path: PathBuf,
    _alive: File,
}

impl Folder {
    /// Makes a folder in `location`, which exists.
    pub(super) fn create(location: &Path) -> io::Result<Self> {
        let _guard = guard(location)?;
        let made = tempfile::Builder::new().prefix(PREFIX).permissions(Permissions::from_mode(0o700)).tempdir_in(location)?;
        let alive = open(&made.path().join(ALIVE))?;
        alive.lock()?;
        Ok(Self { path: made.keep(), _alive: alive })
    }

    /// Takes over the folders in `location` whose owners are gone.
    pub(super) fn abandoned(location: &Path) -> io::Result<Vec<Self>> {
        let _guard = guard(location)?;
        let mut folders = Vec::new();
        for child in fs::read_dir(location)? {
            let child = child?;
            if !is_ours(&child.file_name()) || !child.file_type()?.is_dir() {
                continue;
            }
            make_writable(&child.path());
            let alive = open(&child.path().join(ALIVE))?;
            match alive.try_lock() {
                Ok(()) => folders.push(Self { path: child.path(), _alive: alive }),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Ok(folders)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the folder and everything in it, read-only or still being written.
    pub(super) fn remove(&self) -> io::Result<()> {
        remove_all(&self.path)
    }
}

/// Keeps others from making and finding folders in `location` while it is held.
pub(super) fn guard(location: &Path) -> io::Result<File> {
    let guard = open(&location.join(GUARD))?;
    guard.lock()?;
    Ok(guard)
}

/// Removes a folder tree without following links; an absent one is removed already.
pub(super) fn remove_all(path: &Path) -> io::Result<()> {
    let end = Instant::now() + REMOVAL;
    loop {
        match fs::remove_dir_all(path) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() => return Ok(()),
            Err(error) if Instant::now() >= end => return Err(error),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                if !make_all_writable(path) {
                    return Err(error);
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::NotFound) => thread::sleep(PAUSE),
            Err(error) => return Err(error),
        }
    }
}

/// Gives the owner every right to every folder that lacks one; `false` when there was none.
fn make_all_writable(folder: &Path) -> bool {
    let mut changed = make_writable(folder);
    for child in fs::read_dir(folder).into_iter().flatten().flatten() {
        if child.file_type().is_ok_and(|kind| kind.is_dir()) {
            changed |= make_all_writable(&child.path());
        }
    }
    changed
}

fn make_writable(folder: &Path) -> bool {
    let lacks = folder.symlink_metadata().is_ok_and(|found| found.is_dir() && found.permissions().mode() & 0o700 != 0o700);
    lacks && fs::set_permissions(folder, Permissions::from_mode(0o700)).is_ok()
}

fn is_ours(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
}

fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).custom_flags(flags).open(path)
}
