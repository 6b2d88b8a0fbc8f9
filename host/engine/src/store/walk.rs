//! Steps from folder to folder and to a file, none of which follows a link.

use std::io::{self, Read};

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::{StoreFault, StoreFaultKind};

/// The folders of a relative path, each a plain name; the empty path has none.
pub(crate) fn components(relative: &str) -> Result<Vec<&str>, StoreFault> {
    if relative.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<&str> = relative.split('/').collect();
    if names.iter().all(|name| is_plain(name)) { Ok(names) } else { Err(StoreFault::new(relative, StoreFaultKind::Name)) }
}

/// Whether a name means an entry of its folder and nothing else.
pub(crate) fn is_plain(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(if cfg!(windows) { &['/', '\\', ':', '\0'][..] } else { &['/', '\0'] })
}

/// The folder of that name in `dir`; absent is `None`, anything else that is no folder a fault. `path` is for messages.
pub(crate) fn step(dir: &Dir, name: &str, path: &str) -> Result<Option<Dir>, StoreFault> {
    match dir.open_dir_nofollow(name) {
        Ok(folder) => Ok(Some(folder)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(match kind_at(dir, name) {
            Some(Kind::Link) => StoreFault::new(path, StoreFaultKind::Link),
            Some(Kind::File | Kind::Other) => StoreFault::new(path, StoreFaultKind::NotDirectory),
            Some(Kind::Directory) | None => StoreFault::system(path, "opened", error),
        }),
    }
}

/// What stands at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

fn kind_at(dir: &Dir, name: &str) -> Option<Kind> {
    dir.symlink_metadata(name).ok().map(|metadata| kind_of(&metadata))
}

fn kind_of(metadata: &Metadata) -> Kind {
    let kind = metadata.file_type();
    match () {
        () if kind.is_symlink() => Kind::Link,
        () if kind.is_dir() => Kind::Directory,
        () if kind.is_file() => Kind::File,
        () => Kind::Other,
    }
}

/// Whether a regular file has that name; absent is `false`, anything else a fault.
pub(crate) fn file_in(dir: &Dir, name: &str, path: &str) -> Result<bool, StoreFault> {
    match dir.symlink_metadata(name).map(|metadata| kind_of(&metadata)) {
        Ok(Kind::File) => Ok(true),
        Ok(Kind::Link) => Err(StoreFault::new(path, StoreFaultKind::Link)),
        Ok(Kind::Directory | Kind::Other) => Err(StoreFault::new(path, StoreFaultKind::NotRegular)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(StoreFault::system(path, "looked at", error)),
    }
}

/// Opens a regular file with these options, without following a link and without waiting for the other end of a pipe.
pub(crate) fn open_regular(dir: &Dir, name: &str, path: &str, options: &OpenOptions) -> Result<Option<File>, StoreFault> {
    Ok(open_known(dir, name, path, options)?.map(|(file, _)| file))
}

/// The same, with what the system says of the open file.
pub(super) fn open_known(dir: &Dir, name: &str, path: &str, options: &OpenOptions) -> Result<Option<(File, Metadata)>, StoreFault> {
    let mut options = options.clone();
    options.follow(FollowSymlinks::No).nonblock(true);
    let file = match dir.open_with(name, &options) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file_in(dir, name, path).err().unwrap_or_else(|| StoreFault::system(path, "opened", error))),
    };
    let metadata = file.metadata().map_err(|error| StoreFault::system(path, "looked at", error))?;
    match kind_of(&metadata) {
        Kind::File => Ok(Some((file, metadata))),
        _ => Err(StoreFault::new(path, StoreFaultKind::NotRegular)),
    }
}

/// The whole of an open file of at most `limit` bytes: refused by its size before, and by what arrives while reading.
pub(crate) fn read_open(file: &mut File, path: &str, limit: u64) -> Result<Vec<u8>, StoreFault> {
    let size = file.metadata().map_err(|error| StoreFault::system(path, "read", error))?.len();
    read_sized(file, size, path, limit)
}

/// The same, of a file that was just seen to have this size: read in one go, and once more to see that it ends there.
pub(super) fn read_sized(file: &mut File, size: u64, path: &str, limit: u64) -> Result<Vec<u8>, StoreFault> {
    let system = |error| StoreFault::system(path, "read", error);
    let too_large = || StoreFault::new(path, StoreFaultKind::TooLarge { limit });
    if size > limit {
        return Err(too_large());
    }
    let mut content = vec![0; usize::try_from(size).unwrap_or_default()];
    let mut filled = 0;
    while filled < content.len() {
        match file.read(&mut content[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(system(error)),
        }
    }
    content.truncate(filled);
    let room = (limit - filled as u64).saturating_add(1);
    file.take(room).read_to_end(&mut content).map_err(system)?;
    if content.len() as u64 > limit { Err(too_large()) } else { Ok(content) }
}

/// Whether two looks saw one file.
pub(crate) fn same_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}
