//! One process at a time compiles a component; the others wait for its result instead of doing the same work beside it.

use std::{
    fs::{self, File, TryLockError},
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

/// How long to wait before compiling all the same: a process that was stopped keeps its turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// Between two looks at a turn that somebody has.
const PAUSE: Duration = Duration::from_millis(5);

/// The turn to compile, until it is dropped or its process ends.
#[derive(Debug)]
pub struct Turn {
    path: PathBuf,
    _locked: File,
}

impl Turn {
    /// Takes the turn that this file stands for. `None` when the file cannot be made or locked, or when patience is at its end: a turn saves work and
    /// protects nothing, so everybody may go on without.
    pub fn take(path: PathBuf) -> Option<Self> {
        let file = File::options().create(true).truncate(false).write(true).open(&path).ok()?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Some(Self { path, _locked: file }),
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => thread::sleep(PAUSE),
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Turn {
    /// Who waits on the removed file finds the result next; who makes a new one as well.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_waited_for_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.turn");
        let first = Turn::take(path.clone()).expect("free");
        let waiting = thread::spawn({
            let path = path.clone();
            move || Turn::take(path).map(drop)
        });
        thread::sleep(PAUSE * 4);
        assert!(!waiting.is_finished(), "the turn is taken");
        drop(first);
        assert_eq!(waiting.join().expect("no panic"), Some(()));
        assert!(!path.exists());
    }

    #[test]
    fn without_a_folder_there_is_no_turn() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Turn::take(folder.path().join("absent/x.turn")).is_none());
    }
}
