//! Reading a run: every file once, bounded, without links, and unchanged to the end (CR-21, CR-201).

use cap_fs_ext::MetadataExt;
use cap_std::{fs::Metadata, time::SystemTime};
use code_polishy_core::{
    canonical::digest_bytes,
    code_review::image::{ImageFault, ImageFaultKind, ImageFile, MAX_FILES, MAX_IMAGE_BYTES, RunImage, max_bytes, wants_content},
    diagnostic::Failure,
};

use super::run::Run;
use crate::{interrupt::Interrupt, store::Store};

/// The image of a run as it is now.
///
/// # Errors
/// Exit 3: a folder cannot be listed; exit 130. What is wrong with a file is a fault of the image.
pub fn read(run: &Run, interrupt: &Interrupt) -> Result<RunImage, Failure> {
    let mut reading = Reading { interrupt, image: RunImage::default(), seen: Vec::new(), bytes: 0 };
    reading.folder(&run.store()?, "")?;
    reading.look_again(run)?;
    reading.image.faults.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(reading.image)
}

/// What tells a file that was written to from one that was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    fn of(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino(), size: metadata.len(), modified: metadata.modified().ok() }
    }
}

struct Reading<'a> {
    interrupt: &'a Interrupt,
    image: RunImage,
    seen: Vec<(String, Identity)>,
    bytes: u64,
}

impl Reading<'_> {
    fn folder(&mut self, store: &Store, prefix: &str) -> Result<(), Failure> {
        for name in store.names()? {
            self.interrupt.check()?;
            let path = format!("{prefix}{name}");
            if self.is_full() {
                return Ok(());
            }
            let Ok(metadata) = store.dir().symlink_metadata(&name) else {
                self.fault(path, ImageFaultKind::Changed);
                continue;
            };
            match () {
                () if metadata.is_dir() => match store.child(&name, false)? {
                    Some(child) => self.folder(&child, &format!("{path}/"))?,
                    None => self.fault(path, ImageFaultKind::Changed),
                },
                () if !metadata.is_file() || metadata.nlink() > 1 => self.fault(path, ImageFaultKind::NotRegular),
                () if metadata.len() > max_bytes(&path) => self.fault(path, ImageFaultKind::TooLarge),
                () => self.file(store, &name, path, &metadata),
            }
        }
        Ok(())
    }

    fn file(&mut self, store: &Store, name: &str, path: String, before: &Metadata) {
        let identity = Identity::of(before);
        let bytes = match store.read(name, max_bytes(&path)) {
            Ok(Some(bytes)) if bytes.len() as u64 == identity.size => bytes,
            _ => return self.fault(path, ImageFaultKind::Changed),
        };
        self.bytes += identity.size;
        if self.bytes > MAX_IMAGE_BYTES || self.image.files.len() >= MAX_FILES {
            return self.fault(path, ImageFaultKind::ImageTooLarge);
        }
        let file = ImageFile { size: identity.size, sha256: digest_bytes(&bytes), content: wants_content(&path).then_some(bytes) };
        self.seen.push((path.clone(), identity));
        self.image.files.insert(path, file);
    }

    /// Whoever wrote meanwhile changed what was read first.
    fn look_again(&mut self, run: &Run) -> Result<(), Failure> {
        let store = run.store()?;
        for (path, identity) in std::mem::take(&mut self.seen) {
            let now = store.dir().symlink_metadata(&path).ok();
            if now.is_none_or(|now| Identity::of(&now) != identity) {
                self.fault(path, ImageFaultKind::Changed);
            }
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.image.faults.iter().any(|fault| fault.kind == ImageFaultKind::ImageTooLarge)
    }

    fn fault(&mut self, path: String, kind: ImageFaultKind) {
        self.image.faults.push(ImageFault { path, kind });
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn only_regular_files_with_one_name_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        fs::create_dir_all(folder.join("run/a")).unwrap();
        fs::write(folder.join("run/run.json"), "{}").unwrap();
        fs::write(folder.join("run/a/x.txt"), "x").unwrap();
        fs::write(folder.join("run/two.txt"), "2").unwrap();
        fs::hard_link(folder.join("run/two.txt"), folder.join("elsewhere")).unwrap();
        symlink("run.json", folder.join("run/link.json")).unwrap();
        let run = Run::open(&folder, "run".as_ref()).unwrap();
        let image = read(&run, &Interrupt::manual()).unwrap();
        assert_eq!(image.files.keys().collect::<Vec<_>>(), ["a/x.txt", "run.json"]);
        let faults: Vec<_> = image.faults.iter().map(|fault| (fault.path.as_str(), fault.kind)).collect();
        assert_eq!(faults, [("link.json", ImageFaultKind::NotRegular), ("two.txt", ImageFaultKind::NotRegular)]);
    }
}
