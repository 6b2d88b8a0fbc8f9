//! Reading a run: every file once, bounded, without links, and unchanged to the end (CR-21, CR-201).

use std::{mem, thread};

use cap_fs_ext::MetadataExt;
use cap_std::{fs::Metadata, time::SystemTime};
use code_polishy_core::{
    canonical::digest_bytes,
    code_review::image::{ImageFault, ImageFaultKind, ImageFile, MAX_FILES, MAX_IMAGE_BYTES, RunImage, max_bytes, wants_content},
    diagnostic::Failure,
};

use super::run::Run;
use crate::{interrupt::Interrupt, parallel::in_order, store::Store};

/// Files that are read between two looks at the interrupt, and given to a thread at once.
const BATCH: usize = 32;

/// The image of a run as it is now.
///
/// # Errors
/// Exit 3: a folder cannot be listed or opened; exit 130. What is wrong with a file is a fault of the image.
pub fn read(run: &Run, interrupt: &Interrupt) -> Result<RunImage, Failure> {
    let mut listing = Listing { interrupt, batches: Vec::new(), faults: Vec::new(), files: 0, bytes: 0, full: false };
    listing.folder(&run.store()?, "")?;
    let mut image = RunImage { faults: listing.faults, ..RunImage::default() };
    let batches = listing.batches;
    // Hashing is most of the work, and files do not depend on each other.
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let read = in_order(jobs, &batches, |_, batch| interrupt.check().and_then(|()| batch.read(run)), Result::is_ok);
    for (batch, files) in batches.iter().zip(read.into_iter().map_while(|files| files)) {
        for (seen, file) in batch.files.iter().zip(files?) {
            match file {
                Some(file) => drop(image.files.insert(batch.path(&seen.name), file)),
                None => image.faults.push(batch.changed(seen)),
            }
        }
    }
    // Whoever wrote meanwhile changed what was read first.
    let again = in_order(jobs, &batches, |_, batch| interrupt.check().and_then(|()| batch.look_again(run)), Result::is_ok);
    for changed in again.into_iter().map_while(|changed| changed) {
        for changed in changed? {
            image.files.remove(&changed.path);
            image.faults.push(changed);
        }
    }
    image.faults.sort_by(|one, other| one.path.cmp(&other.path));
    image.faults.dedup();
    Ok(image)
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

/// A file that is to be read.
struct Seen {
    name: String,
    identity: Identity,
}

/// Files of one folder.
struct Batch {
    /// Relative to the run, with a final `/` unless it is the run itself.
    folder: String,
    files: Vec<Seen>,
}

impl Batch {
    fn path(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }

    fn changed(&self, seen: &Seen) -> ImageFault {
        ImageFault { path: self.path(&seen.name), kind: ImageFaultKind::Changed }
    }

    fn store(&self, run: &Run) -> Result<Option<Store>, Failure> {
        run.folder(self.folder.trim_end_matches('/'))
    }

    /// Each file, when it is the one that was seen.
    fn read(&self, run: &Run) -> Result<Vec<Option<ImageFile>>, Failure> {
        let Some(store) = self.store(run)? else { return Ok(self.files.iter().map(|_| None).collect()) };
        Ok(self.files.iter().map(|seen| self.file(&store, seen)).collect())
    }

    fn file(&self, store: &Store, seen: &Seen) -> Option<ImageFile> {
        let path = self.path(&seen.name);
        let (bytes, metadata) = store.read_known(&seen.name, max_bytes(&path)).ok()??;
        let is_same = Identity::of(&metadata) == seen.identity && bytes.len() as u64 == seen.identity.size;
        is_same.then(|| {
            let (size, sha256) = (seen.identity.size, digest_bytes(&bytes));
            ImageFile { size, sha256, content: wants_content(&path).then_some(bytes) }
        })
    }

    fn look_again(&self, run: &Run) -> Result<Vec<ImageFault>, Failure> {
        let store = self.store(run)?;
        let is_same = |seen: &&Seen| {
            let now = store.as_ref().and_then(|store| store.dir().symlink_metadata(&seen.name).ok());
            now.is_some_and(|now| Identity::of(&now) == seen.identity)
        };
        Ok(self.files.iter().filter(|seen| !is_same(seen)).map(|seen| self.changed(seen)).collect())
    }
}

/// What there is to read, as far as the limits of an image go.
struct Listing<'a> {
    interrupt: &'a Interrupt,
    batches: Vec<Batch>,
    faults: Vec<ImageFault>,
    files: usize,
    bytes: u64,
    /// A limit is passed: nothing more is listed.
    full: bool,
}

impl Listing<'_> {
    fn folder(&mut self, store: &Store, folder: &str) -> Result<(), Failure> {
        let mut files = Vec::new();
        for name in store.names()? {
            self.interrupt.check()?;
            let path = format!("{folder}{name}");
            if self.full {
                break;
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
                () => files.extend(self.counted(path, name, &metadata)),
            }
            if files.len() == BATCH {
                self.batches.push(Batch { folder: folder.to_owned(), files: mem::take(&mut files) });
            }
        }
        if !files.is_empty() {
            self.batches.push(Batch { folder: folder.to_owned(), files });
        }
        Ok(())
    }

    /// The file, unless the image would be too large with it.
    fn counted(&mut self, path: String, name: String, metadata: &Metadata) -> Option<Seen> {
        self.bytes += metadata.len();
        if self.bytes > MAX_IMAGE_BYTES || self.files >= MAX_FILES {
            self.full = true;
            self.fault(path, ImageFaultKind::ImageTooLarge);
            return None;
        }
        self.files += 1;
        Some(Seen { name, identity: Identity::of(metadata) })
    }

    fn fault(&mut self, path: String, kind: ImageFaultKind) {
        self.faults.push(ImageFault { path, kind });
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

    #[test]
    fn batches_are_put_together_in_path_order() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let mut expected = RunImage::default();
        for number in 0..3 * BATCH + 1 {
            let path =
                ["run.json".to_owned(), format!("{number}.txt"), format!("a/{number}.bin"), format!("a/b/{number}")][number % 4].clone();
            fs::create_dir_all(folder.join("run/a/b")).unwrap();
            fs::write(folder.join("run").join(&path), path.repeat(number)).unwrap();
            expected.put(&path, path.repeat(number).as_bytes());
        }
        let run = Run::open(&folder, "run".as_ref()).unwrap();
        assert_eq!(read(&run, &Interrupt::manual()).unwrap(), expected);
        let interrupt = Interrupt::manual();
        interrupt.trigger();
        assert_eq!(read(&run, &interrupt), Err(Failure::interrupted()));
    }
}
