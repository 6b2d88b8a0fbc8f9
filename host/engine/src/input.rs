//! What a user hands in: a file of the repository, or standard input, of bounded size (BR-27, BR-47).

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use code_polishy_core::diagnostic::Failure;
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::interrupt::Interrupt;
use crate::store::{StoreFault, StoreFaultKind, components, open_regular, read_open, step};

/// Why a file cannot be taken as input. The caller decides what that means for its command.
#[derive(Debug, thiserror::Error)]
pub enum InputFault {
    /// There is no such file.
    #[error("does not exist")]
    Absent,
    /// The path, or a folder on its way, is a symbolic link.
    #[error("is reached through the symbolic link `{0}`")]
    Link(String),
    /// It is a folder, a pipe, a device or a socket, or a file stands where a folder belongs.
    #[error("is not a regular file")]
    NotRegular,
    /// It has more bytes than are taken.
    #[error("is larger than {0} bytes")]
    TooLarge(u64),
    /// It is not in the repository.
    #[error("is not inside the repository")]
    Outside,
    /// The system refused.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
}

impl From<StoreFault> for InputFault {
    fn from(fault: StoreFault) -> Self {
        match fault.kind {
            StoreFaultKind::Link => Self::Link(fault.path),
            StoreFaultKind::NotDirectory | StoreFaultKind::NotRegular => Self::NotRegular,
            StoreFaultKind::TooLarge { limit } => Self::TooLarge(limit),
            StoreFaultKind::Name => Self::Outside,
            StoreFaultKind::Full { .. } => Self::Unreadable(io::ErrorKind::StorageFull.into()),
            StoreFaultKind::System { error, .. } => Self::Unreadable(error),
        }
    }
}

/// The bytes of a regular file below `root`, at most `limit`; no component of `relative` (with `/`) may be a link.
pub fn read_contained(root: &Path, relative: &str, limit: u64) -> Result<Vec<u8>, InputFault> {
    Ok(read_open(&mut open_contained(root, relative)?, relative, limit)?)
}

/// The first `limit` bytes of such a file, and whether it has more.
pub fn read_contained_head(root: &Path, relative: &str, limit: u64) -> Result<(Vec<u8>, bool), InputFault> {
    let mut head = Vec::new();
    let mut file = open_contained(root, relative)?;
    (&mut file).take(limit.saturating_add(1)).read_to_end(&mut head).map_err(InputFault::Unreadable)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = head.len() > limit;
    head.truncate(limit);
    Ok((head, more))
}

fn open_contained(root: &Path, relative: &str) -> Result<File, InputFault> {
    let names = components(relative)?;
    let (name, folders) = names.split_last().ok_or(InputFault::NotRegular)?;
    let mut dir = Dir::open_ambient_dir(root, ambient_authority()).map_err(InputFault::Unreadable)?;
    let mut path = String::new();
    for folder in folders {
        path += folder;
        dir = step(&dir, folder, &path)?.ok_or(InputFault::Absent)?;
        path.push('/');
    }
    open_regular(&dir, name, relative, OpenOptions::new().read(true))?.ok_or(InputFault::Absent)
}

/// The path of an operand relative to `root`, with `/`; `None` when it is not below `root` or not UTF-8.
///
/// `cwd` is where relative operands start. `.` and `..` are taken by their text, so that a link on the way is still seen by
/// [`read_contained`]; only the way to `root` itself may lead through links.
pub fn contained_path(root: &Path, cwd: &Path, operand: &Path) -> Option<String> {
    let mut absolute = PathBuf::new();
    for component in cwd.join(operand).components() {
        match component {
            Component::ParentDir => drop(absolute.pop()),
            Component::CurDir => {}
            other => absolute.push(other),
        }
    }
    let mut above: Vec<&Path> = absolute.ancestors().skip(1).collect();
    above.reverse();
    let is_root = |path: &&&Path| **path == root || path.canonicalize().is_ok_and(|path| path == root);
    let relative = absolute.strip_prefix(above.iter().find(is_root)?).ok()?;
    let names: Option<Vec<&str>> = relative.components().map(|component| component.as_os_str().to_str()).collect();
    names.map(|names| names.join("/"))
}

/// Reads a stream to its end, at most `limit` bytes: one more is [`InputFault::TooLarge`]. A terminal or pipe that says
/// nothing does not keep an interrupt waiting (exit 130, the outer error).
pub fn read_stream(mut stream: impl Read + AsFd, limit: u64, interrupt: &Interrupt) -> Result<Result<Vec<u8>, InputFault>, Failure> {
    let mut content = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        interrupt.check()?;
        match is_ready(&stream).and_then(|ready| if ready { stream.read(&mut buffer).map(Some) } else { Ok(None) }) {
            Ok(None) => {}
            Ok(Some(0)) => return Ok(Ok(content)),
            Ok(Some(count)) => content.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(InputFault::Unreadable(error))),
        }
        if content.len() as u64 > limit {
            return Ok(Err(InputFault::TooLarge(limit)));
        }
    }
}

/// Waits for something to read, for as long as an interrupt may go unnoticed.
fn is_ready(stream: &impl AsFd) -> io::Result<bool> {
    let tick = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    Ok(rustix::event::poll(&mut [PollFd::new(stream, PollFlags::IN)], Some(&tick))? > 0)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::symlink;
    use std::time::Duration;

    use super::*;

    #[test]
    fn takes_regular_files_inside_only() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        fs::create_dir(root.join("folder")).unwrap();
        fs::write(root.join("folder/file"), "12345").unwrap();
        symlink("folder", root.join("linked")).unwrap();
        symlink("folder/file", root.join("link")).unwrap();

        assert_eq!(read_contained(root, "folder/file", 5).unwrap(), b"12345");
        assert!(matches!(read_contained(root, "folder/file", 4), Err(InputFault::TooLarge(4))));
        assert!(matches!(read_contained(root, "linked/file", 5), Err(InputFault::Link(link)) if link == "linked"));
        assert!(matches!(read_contained(root, "link", 5), Err(InputFault::Link(link)) if link == "link"));
        assert!(matches!(read_contained(root, "folder", 5), Err(InputFault::NotRegular)));
        assert!(matches!(read_contained(root, "folder/file/x", 5), Err(InputFault::NotRegular)));
        assert!(matches!(read_contained(root, "absent/x", 5), Err(InputFault::Absent)));
        assert!(matches!(read_contained(root, "../x", 5), Err(InputFault::Outside)));
        assert!(matches!(read_contained(root, "/etc/passwd", 5), Err(InputFault::Outside)));
    }

    #[test]
    fn operands_become_paths_of_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let root = folder.join("repository");
        fs::create_dir_all(root.join("a")).unwrap();
        symlink(&root, folder.join("alias")).unwrap();
        let path = |cwd: &Path, operand: &str| contained_path(&root, cwd, Path::new(operand));
        assert_eq!(path(&root.join("a"), "x.md").unwrap(), "a/x.md");
        assert_eq!(path(&root.join("a"), "../b/./x").unwrap(), "b/x");
        assert_eq!(path(&folder, "alias/a/x").unwrap(), "a/x");
        assert_eq!(path(&folder, root.join("x").to_str().unwrap()).unwrap(), "x");
        assert_eq!(path(&root, "../x"), None);
        assert_eq!(path(&root, "."), None);
        assert_eq!(path(&root, "/etc/passwd"), None);
    }

    #[test]
    fn a_stream_is_read_to_its_limit() {
        let take = |bytes: &[u8], limit| {
            let (reader, mut writer) = io::pipe().unwrap();
            writer.write_all(bytes).unwrap();
            drop(writer);
            read_stream(reader, limit, &Interrupt::manual()).unwrap()
        };
        assert_eq!(take(b"1234", 4).unwrap(), b"1234");
        assert!(matches!(take(b"12345", 4), Err(InputFault::TooLarge(4))));
    }

    #[test]
    fn a_silent_stream_can_be_interrupted() {
        let (reader, _writer) = io::pipe().unwrap();
        let interrupt = Interrupt::manual();
        let waker = interrupt.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            waker.trigger();
        });
        assert_eq!(read_stream(reader, 9, &interrupt).unwrap_err(), Failure::interrupted());
    }
}
