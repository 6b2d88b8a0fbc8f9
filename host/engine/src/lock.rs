//! One writer at a time: an exclusive advisory lock on a file of the store (BR-29).

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use cap_std::fs::{Metadata, OpenOptions};
use code_polishy_core::diagnostic::Failure;
use fs4::{FileExt, TryLockError};

use crate::failpoint;
use crate::interrupt::Interrupt;
use crate::store::{Store, StoreFault, open_regular, same_file};

/// How long a waiter says nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// The pause between two attempts: short at first, for holders that write one file.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(25));

/// A held lock. Dropping it lets the next one in; the lock file stays.
#[derive(Debug)]
pub struct Lock {
    store: Store,
    /// The lock belongs to this open file, which no child process inherits.
    _file: File,
}

impl Lock {
    /// The folder of the lock file, the one that is at the locked path.
    pub fn store(&self) -> &Store {
        &self.store
    }
}

/// Locks the file `name` in the folder `folder` below `root`; both are made when they are absent.
///
/// It waits for its turn, for as long as it takes, and calls `on_wait` once after a second. When the folder was removed
/// or replaced meanwhile, it starts over with the new one.
///
/// # Errors
/// A `StoreFault` (exit 3), `lock.failed` (exit 3), or the interrupt (exit 130).
pub fn acquire(root: &Path, folder: &str, name: &str, interrupt: &Interrupt, on_wait: impl FnOnce()) -> Result<Lock, Failure> {
    let waiting = Waiting::new(root, folder, name, interrupt, on_wait);
    Ok(waiting.take(|| Store::create(root, folder).map(Some))?.expect("the folder is made when it is absent"))
}

/// The same, but an absent folder is left absent, and is `None`.
pub fn acquire_existing(
    root: &Path,
    folder: &str,
    name: &str,
    interrupt: &Interrupt,
    on_wait: impl FnOnce(),
) -> Result<Option<Lock>, Failure> {
    Waiting::new(root, folder, name, interrupt, on_wait).take(|| Store::open(root, folder))
}

/// The lock without waiting: `None` when somebody else holds it.
///
/// # Errors
/// As [`acquire`], but never the interrupt.
pub fn acquire_now(root: &Path, folder: &str, name: &str) -> Result<Option<Lock>, Failure> {
    loop {
        let store = Store::create(root, folder)?;
        let Some(file) = lock_file(&store, name)? else { continue };
        match FileExt::try_lock(&file) {
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(&store.file_path(name)?, &error)),
            Ok(()) if is_current(root, folder, name, &file)? => {
                failpoint::reached("lock.held");
                return Ok(Some(Lock { store, _file: file }));
            }
            Ok(()) => {}
        }
    }
}

/// Whether the path from the root still leads to the locked file.
fn is_current(root: &Path, folder: &str, name: &str, file: &File) -> Result<bool, Failure> {
    let Some(store) = Store::open(root, folder)? else { return Ok(false) };
    let path = store.file_path(name)?;
    let locked = Metadata::from_file(file).map_err(|error| StoreFault::system(&path, "looked at", error))?;
    Ok(store.dir().symlink_metadata(name).is_ok_and(|there| same_file(&there, &locked)))
}

fn failed(path: &str, error: &std::io::Error) -> Failure {
    let next = "put the repository on a file system with advisory locks";
    Failure::operational("lock.failed", format!("cannot lock `{path}`: {error}"), next).at_path(path)
}

struct Waiting<'a, F> {
    root: &'a Path,
    folder: &'a str,
    name: &'a str,
    interrupt: &'a Interrupt,
    since: Instant,
    pause: Duration,
    on_wait: Option<F>,
}

impl<'a, F: FnOnce()> Waiting<'a, F> {
    fn new(root: &'a Path, folder: &'a str, name: &'a str, interrupt: &'a Interrupt, on_wait: F) -> Self {
        Self { root, folder, name, interrupt, since: Instant::now(), pause: PAUSE.0, on_wait: Some(on_wait) }
    }

    fn take(mut self, open: impl Fn() -> Result<Option<Store>, Failure>) -> Result<Option<Lock>, Failure> {
        loop {
            self.interrupt.check()?;
            let Some(store) = open()? else { return Ok(None) };
            let Some(file) = lock_file(&store, self.name)? else {
                // The folder went away between the two calls.
                self.wait()?;
                continue;
            };
            self.lock(&file, &store.file_path(self.name)?)?;
            if is_current(self.root, self.folder, self.name, &file)? {
                failpoint::reached("lock.held");
                return Ok(Some(Lock { store, _file: file }));
            }
        }
    }

    fn lock(&mut self, file: &File, path: &str) -> Result<(), Failure> {
        loop {
            match FileExt::try_lock(file) {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) => self.wait()?,
                Err(TryLockError::Error(error)) => return Err(failed(path, &error)),
            }
        }
    }

    fn wait(&mut self) -> Result<(), Failure> {
        if self.since.elapsed() >= PATIENCE
            && let Some(on_wait) = self.on_wait.take()
        {
            on_wait();
        }
        self.interrupt.sleep(self.pause)?;
        self.pause = (self.pause * 2).min(PAUSE.1);
        Ok(())
    }
}

/// Opens or makes the lock file; `None` when its folder is gone.
fn lock_file(store: &Store, name: &str) -> Result<Option<File>, StoreFault> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
    Ok(open_regular(store.dir(), name, &store.file_path(name)?, &options)?.map(cap_std::fs::File::into_std))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::store::remove_tree;

    fn count(root: &Path) -> u32 {
        let store = Store::open(root, "s").unwrap().unwrap();
        store.read("count", 99).unwrap().map_or(0, |bytes| String::from_utf8(bytes).unwrap().parse().unwrap())
    }

    fn add(root: &Path) {
        let lock = acquire(root, "s", ".lock", &Interrupt::manual(), || ()).unwrap();
        let next = count(root) + 1;
        lock.store().write("count", next.to_string().as_bytes()).unwrap();
    }

    #[test]
    fn threads_take_turns() {
        let root = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| (0..32).for_each(|_| drop(scope.spawn(|| (0..4).for_each(|_| add(root.path()))))));
        assert_eq!(count(root.path()), 128);
        assert_eq!(fs::metadata(root.path().join("s/.lock")).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn processes_take_turns() {
        const ROOT: &str = "CODE_POLISHY_TEST_LOCK_ROOT";
        if let Some(root) = std::env::var_os(ROOT) {
            return add(Path::new(&root));
        }
        let root = tempfile::tempdir().unwrap();
        let again = || {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "lock::tests::processes_take_turns"]).env(ROOT, root.path());
            command.stdout(std::process::Stdio::null()).spawn().unwrap()
        };
        let children: Vec<_> = (0..32).map(|_| again()).collect();
        assert!(children.into_iter().all(|mut child| child.wait().unwrap().success()));
        assert_eq!(count(root.path()), 32);
    }

    #[test]
    fn removal_under_the_lock_sends_the_waiters_to_a_new_folder() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let added = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        add(root);
                        added.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
            let mut lost = 0;
            while added.load(Ordering::SeqCst) < 40 {
                if let Some(lock) = acquire_existing(root, "s", ".lock", &Interrupt::manual(), || ()).unwrap() {
                    lost += count(root);
                    assert!(remove_tree(root, "s").unwrap());
                    drop(lock);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            // What a removal took away and what is left is all that was added, each once.
            let left = if root.join("s").exists() { count(root) } else { 0 };
            assert_eq!(lost + left, 40);
        });
    }

    #[test]
    fn a_waiter_says_so_once_and_can_be_interrupted() {
        let root = tempfile::tempdir().unwrap();
        let held = acquire(root.path(), "s", ".lock", &Interrupt::manual(), || ()).unwrap();
        let interrupt = Interrupt::manual();
        let said = AtomicUsize::new(0);
        let failure = acquire(root.path(), "s", ".lock", &interrupt, || {
            said.fetch_add(1, Ordering::SeqCst);
            interrupt.trigger();
        });
        assert_eq!(failure.unwrap_err(), Failure::interrupted());
        assert_eq!(said.into_inner(), 1);
        drop(held);
        assert!(acquire_existing(root.path(), "absent", ".lock", &Interrupt::manual(), || ()).unwrap().is_none());
    }

    #[test]
    fn a_link_is_no_lock_file() {
        let root = tempfile::tempdir().unwrap();
        Store::create(root.path(), "s").unwrap();
        symlink("elsewhere", root.path().join("s/.lock")).unwrap();
        let failure = acquire(root.path(), "s", ".lock", &Interrupt::manual(), || ()).unwrap_err();
        assert_eq!(failure.diagnostics[0].code, "store.link");
        assert!(!root.path().join("s/elsewhere").exists());
    }
}
