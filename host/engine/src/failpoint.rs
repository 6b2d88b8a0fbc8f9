//! Named points at which a test may kill or stop the process, to see what it leaves behind. Release builds have none.
//!
//! | variable | at the point the process |
//! | --- | --- |
//! | `CODE_POLISHY_KILL_AT` | is killed (SIGKILL) |
//! | `CODE_POLISHY_STOP_AT` | stops until it is continued (SIGSTOP) |
//!
//! The value is `POINT` or `POINT:N`, the N-th time the point is reached. The point `any` is every point.

#[cfg(debug_assertions)]
pub use armed::reached;

/// Nothing happens here.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn reached(_point: &str) {}

#[cfg(debug_assertions)]
mod armed {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use rustix::process::{Signal, getpid, kill_process};

    struct Trap {
        point: String,
        /// Times until it springs; 0 when it has.
        left: AtomicU64,
        signal: Signal,
    }

    static TRAPS: LazyLock<Vec<Trap>> = LazyLock::new(|| {
        let armed = [("CODE_POLISHY_KILL_AT", Signal::KILL), ("CODE_POLISHY_STOP_AT", Signal::STOP)];
        armed.into_iter().filter_map(|(variable, signal)| Trap::new(&std::env::var(variable).ok()?, signal)).collect()
    });

    /// Springs the traps that wait for this point.
    pub fn reached(point: &str) {
        TRAPS.iter().filter(|trap| trap.point == "any" || trap.point == point).for_each(Trap::count);
    }

    impl Trap {
        fn new(text: &str, signal: Signal) -> Option<Self> {
            let (point, times) = text.split_once(':').unwrap_or((text, "1"));
            Some(Self { point: point.to_owned(), left: AtomicU64::new(times.parse().ok()?), signal })
        }

        fn count(&self) {
            let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            if left == Ok(1) {
                kill_process(getpid(), self.signal).expect("a process may signal itself");
            }
        }
    }
}
