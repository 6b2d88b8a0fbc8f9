//! Things of the machine that one command at a time may use, such as a port or a display (BR-76).

use std::path::Path;
use std::time::{Duration, Instant};

use code_polishy_core::diagnostic::Failure;

use crate::interrupt::Interrupt;
use crate::lock::{self, Lock};

/// The folder of the lease files in the user's cache.
const FOLDER: &str = "leases";

/// Held resources. Dropping it lets the next command have them, and so does the death of this process.
#[derive(Debug)]
pub struct Leases {
    /// How long it took until all of them were held.
    pub waited: Duration,
    _locks: Vec<Lock>,
}

/// Waits until all these resources are held. `cache` is the user's cache folder, which all processes that shall take turns
/// share; `on_wait` is called with a resource's identifier, once, when the wait for it takes longer than a second.
///
/// Everybody takes them in the same order, so that nobody waits in a circle.
///
/// # Errors
/// As for [`lock::acquire`].
pub fn acquire(cache: &Path, resources: &[String], interrupt: &Interrupt, on_wait: impl Fn(&str)) -> Result<Leases, Failure> {
    let mut resources: Vec<&str> = resources.iter().map(String::as_str).collect();
    resources.sort_unstable();
    resources.dedup();
    let since = Instant::now();
    let lease = |resource: &str| lock::acquire(cache, FOLDER, &format!("{resource}.lock"), interrupt, || on_wait(resource));
    let locks: Result<Vec<Lock>, Failure> = resources.into_iter().map(lease).collect();
    Ok(Leases { waited: since.elapsed(), _locks: locks? })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn commands_with_a_common_resource_take_turns_and_never_wait_in_a_circle() {
        let cache = tempfile::tempdir().unwrap();
        let (inside, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let run = |resources: [&str; 2]| {
            for _ in 0..5 {
                let held = acquire(cache.path(), &resources.map(str::to_owned), &Interrupt::manual(), |_| ()).unwrap();
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                std::thread::sleep(Duration::from_millis(2));
                inside.fetch_sub(1, Ordering::SeqCst);
                done.fetch_add(1, Ordering::SeqCst);
                drop(held);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| run(["port.80", "display"]));
            scope.spawn(|| run(["display", "port.80"]));
            scope.spawn(|| run(["port.80", "port.80"]));
        });
        assert_eq!(done.into_inner(), 15);
    }

    #[test]
    fn the_wait_is_measured_and_can_be_interrupted() {
        let cache = tempfile::tempdir().unwrap();
        let resources = ["gpu".to_owned()];
        let held = acquire(cache.path(), &resources, &Interrupt::manual(), |_| ()).unwrap();
        let interrupt = Interrupt::manual();
        let stop = |resource: &str| {
            assert_eq!(resource, "gpu");
            interrupt.trigger();
        };
        assert_eq!(acquire(cache.path(), &resources, &interrupt, stop).unwrap_err(), Failure::interrupted());
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| acquire(cache.path(), &resources, &Interrupt::manual(), |_| ()).unwrap().waited);
            std::thread::sleep(Duration::from_millis(50));
            drop(held);
            assert!(waiter.join().unwrap() >= Duration::from_millis(20));
        });
    }
}
