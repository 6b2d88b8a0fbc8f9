//! The wish of the user or the system that a command ends: a flag that everything which waits looks at.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use code_polishy_core::diagnostic::Failure;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// How long a waiting part sleeps between two looks at the flag.
const LOOK: Duration = Duration::from_millis(20);

/// A flag that is set once and never cleared. Clones share it.
#[derive(Clone, Debug)]
pub struct Interrupt {
    /// The own flag is the last one; the others belong to the handles it was made from.
    flags: Vec<Arc<AtomicBool>>,
}

impl Interrupt {
    /// The handle that SIGINT, SIGTERM and SIGHUP set from now on, for the rest of the process.
    ///
    /// A SIGHUP that is ignored stays ignored, so that a command under `nohup` outlives its terminal.
    ///
    /// # Errors
    /// `interrupt.install`, exit 3: the system refused a signal handler.
    pub fn install() -> Result<Self, Failure> {
        let interrupt = Self::manual();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            signal_hook::flag::register(signal, Arc::clone(interrupt.own())).map_err(|error| not_installed(&error))?;
        }
        Ok(interrupt)
    }

    /// A handle that only [`Interrupt::trigger`] sets.
    pub fn manual() -> Self {
        Self { flags: vec![Arc::default()] }
    }

    /// A handle that is set with this one, or by itself alone: cancels one part of a command.
    #[must_use]
    pub fn child(&self) -> Self {
        let mut flags = self.flags.clone();
        flags.push(Arc::default());
        Self { flags }
    }

    /// Sets the flag of this handle, its clones and its children.
    pub fn trigger(&self) {
        self.own().store(true, Ordering::SeqCst);
    }

    /// Whether the command shall end.
    pub fn is_set(&self) -> bool {
        self.flags.iter().any(|flag| flag.load(Ordering::SeqCst))
    }

    /// Ends a step of work when the command shall end (exit 130).
    pub fn check(&self) -> Result<(), Failure> {
        if self.is_set() { Err(Failure::interrupted()) } else { Ok(()) }
    }

    /// Sleeps that long, or until the flag is set.
    pub fn sleep(&self, duration: Duration) -> Result<(), Failure> {
        let end = Instant::now() + duration;
        loop {
            self.check()?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(LOOK));
        }
    }

    fn own(&self) -> &Arc<AtomicBool> {
        self.flags.last().expect("every constructor puts one flag in")
    }
}

fn not_installed(error: &io::Error) -> Failure {
    Failure::operational("interrupt.install", format!("cannot catch signals: {error}"), "run the command where signal handlers are allowed")
}

/// Whether the parent started this process with the signal ignored. Unknown counts as no.
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_follows_its_parent_and_not_the_other_way() {
        let parent = Interrupt::manual();
        let (one, other) = (parent.child(), parent.child());
        one.trigger();
        assert!(one.is_set() && !other.is_set() && !parent.is_set());
        parent.clone().trigger();
        assert!(other.is_set());
    }

    #[test]
    fn a_sleep_ends_early() {
        let interrupt = Interrupt::manual();
        interrupt.sleep(Duration::from_millis(1)).unwrap();
        let waker = interrupt.clone();
        let started = Instant::now();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            waker.trigger();
        });
        assert_eq!(interrupt.sleep(Duration::from_secs(60)), Err(Failure::interrupted()));
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_signal_sets_the_installed_handle() {
        let interrupt = Interrupt::install().unwrap();
        interrupt.check().unwrap();
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::HUP).unwrap();
        if !is_ignored(SIGHUP) {
            assert_eq!(interrupt.sleep(Duration::from_secs(10)), Err(Failure::interrupted()));
        }
    }
}
