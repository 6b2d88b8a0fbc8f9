//! The files of an inspection set as they lie in a folder: looked at, and copied byte by byte (CR-31, CR-32).

use std::{
    fs::{self, File},
    io::{self, Read},
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
    },
    path::Path,
};

use code_polishy_core::{
    canonical::{digest_bytes, hex},
    code_review::{
        codes,
        t0::{SnapshotFile, SnapshotKind},
    },
    diagnostic::Failure,
};
use sha2::{Digest, Sha256};

use super::operational;

/// What lies at each path below `root`, in their order. A path behind a link is missing, as git sees it.
///
/// # Errors
/// Exit 3: a file cannot be read.
pub fn look<'a>(root: &Path, paths: impl IntoIterator<Item = &'a String>) -> Result<Vec<SnapshotFile>, Failure> {
    paths.into_iter().map(|path| member(root, path).map_err(|error| unusable("read", root, path, &error))).collect()
}

/// Makes the path below `to` what it is below `from`.
///
/// # Errors
/// Exit 3: a file cannot be read or written, or a link is in the way.
pub fn copy(from: &Path, to: &Path, path: &str) -> Result<(), Failure> {
    put(from, to, path).map_err(|error| unusable("copy", from, path, &error))
}

/// The bytes of a regular file.
///
/// # Errors
/// Exit 3: it cannot be read.
pub fn read(root: &Path, path: &str) -> Result<Vec<u8>, Failure> {
    fs::read(root.join(path)).map_err(|error| unusable("read", root, path, &error))
}

fn member(root: &Path, path: &str) -> io::Result<SnapshotFile> {
    let file = |kind, sha256, executable| SnapshotFile { path: path.to_owned(), kind, sha256, executable };
    let place = root.join(path);
    let metadata = match place.symlink_metadata() {
        Ok(metadata) if is_behind_folders(root, path) => metadata,
        Ok(_) => return Ok(file(SnapshotKind::Missing, None, false)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(file(SnapshotKind::Missing, None, false));
        }
        Err(error) => return Err(error),
    };
    if metadata.is_symlink() {
        let target = fs::read_link(&place)?;
        return Ok(file(SnapshotKind::Symlink, Some(digest_bytes(target.as_os_str().as_bytes())), false));
    }
    if metadata.is_dir() {
        return Ok(file(SnapshotKind::Gitlink, None, false));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    Ok(file(SnapshotKind::File, Some(digest_file(&place)?), metadata.permissions().mode() & 0o100 != 0))
}

fn put(from: &Path, to: &Path, path: &str) -> io::Result<()> {
    let (source, target) = (from.join(path), to.join(path));
    let found = if is_behind_folders(from, path) { source.symlink_metadata().ok() } else { None };
    if let Ok(there) = target.symlink_metadata()
        && is_behind_folders(to, path)
        && !there.is_dir()
    {
        fs::remove_file(&target)?;
    }
    let Some(found) = found else { return Ok(()) };
    make_folders(to, path)?;
    if found.is_symlink() {
        symlink(fs::read_link(&source)?, &target)
    } else if found.is_dir() {
        fs::create_dir_all(&target)
    } else if found.is_file() {
        fs::copy(&source, &target).map(drop)
    } else {
        Err(io::Error::other("it is no regular file"))
    }
}

/// Every folder above the path is one, and no link.
fn is_behind_folders(root: &Path, path: &str) -> bool {
    path.match_indices('/').all(|(end, _)| root.join(&path[..end]).symlink_metadata().is_ok_and(|above| above.is_dir()))
}

/// Makes the folders above a path; nothing is written through a link.
fn make_folders(root: &Path, path: &str) -> io::Result<()> {
    for folder in path.match_indices('/').map(|(end, _)| root.join(&path[..end])) {
        match folder.symlink_metadata() {
            Ok(there) if there.is_dir() => {}
            Ok(_) => return Err(io::Error::other(format!("{} is in the way", folder.display()))),
            Err(_) => fs::create_dir(&folder)?,
        }
    }
    Ok(())
}

/// Digest of a file's bytes, read piece by piece.
pub(super) fn digest_file(place: &Path) -> io::Result<String> {
    let mut file = File::open(place)?;
    let mut sink = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&sink.finalize())),
            read => sink.update(&buffer[..read]),
        }
    }
}

fn unusable(what: &str, root: &Path, path: &str, error: &io::Error) -> Failure {
    let message = format!("cannot {what} {}: {error}", root.join(path).display());
    operational(&codes::IO_ERROR, message, "check permissions and free space, then start again").at_path(path)
}
