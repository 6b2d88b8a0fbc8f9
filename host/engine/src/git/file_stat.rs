//! What the file system says of a file, in the form in which the index remembers it.

use std::{io, path::Path};

use gix::index::entry::{Stat, stat::Time};
use rustix::{
    fs::{AtFlags, CWD, FileType, statat},
    io::Errno,
};

/// The kind of a file, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    File,
    Link,
    Folder,
    Other,
}

impl From<FileType> for FileKind {
    fn from(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Symlink => Self::Link,
            FileType::Directory => Self::Folder,
            _ => Self::Other,
        }
    }
}

/// A file's data, without its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileStat {
    pub(super) kind: FileKind,
    /// The owner may execute it.
    pub(super) executable: bool,
    /// Comparable with an index entry's.
    pub(super) stat: Stat,
}

impl FileStat {
    /// Of an absolute path; `None` when there is nothing.
    pub(super) fn of(place: &Path) -> io::Result<Option<Self>> {
        Self::present(statat(CWD, place, AtFlags::SYMLINK_NOFOLLOW))
    }

    /// Of a name in an open folder.
    pub(super) fn in_folder(folder: impl rustix::fd::AsFd, name: &std::ffi::CStr) -> io::Result<Option<Self>> {
        Self::present(statat(folder, name, AtFlags::SYMLINK_NOFOLLOW))
    }

    fn present(found: rustix::io::Result<rustix::fs::Stat>) -> io::Result<Option<Self>> {
        match found {
            Ok(found) => Ok(Some(Self::from(&found))),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::unnecessary_cast,
    reason = "the index keeps 32 bits, on every system"
)]
impl From<&rustix::fs::Stat> for FileStat {
    fn from(found: &rustix::fs::Stat) -> Self {
        let stat = Stat {
            mtime: Time { secs: found.st_mtime as u32, nsecs: found.st_mtime_nsec as u32 },
            ctime: Time { secs: found.st_ctime as u32, nsecs: found.st_ctime_nsec as u32 },
            dev: found.st_dev as u32,
            ino: found.st_ino as u32,
            uid: found.st_uid,
            gid: found.st_gid,
            size: found.st_size as u32,
        };
        Self { kind: FileType::from_raw_mode(found.st_mode).into(), executable: found.st_mode & 0o100 != 0, stat }
    }
}
