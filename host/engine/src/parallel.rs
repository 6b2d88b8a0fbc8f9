//! Independent work side by side, with results in the order of the work.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Works on the items with up to `jobs` threads, taking them in order. After a result that `go_on` refuses nothing new is started;
/// what was never started is `None`.
pub fn in_order<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
    go_on: impl Fn(&R) -> bool + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let worker = || {
        while !stopped.load(Ordering::SeqCst) {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(item) = items.get(index) else { return };
            let result = work(index, item);
            if !go_on(&result) {
                stopped.store(true, Ordering::SeqCst);
            }
            *results[index].lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(worker);
        }
        worker();
    });
    results.into_iter().map(|slot| slot.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order() {
        let items: Vec<u64> = (0..50).collect();
        let results = in_order(4, &items, |_, item| item * 2, |_| true);
        assert_eq!(results, items.iter().map(|item| Some(item * 2)).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_starts_after_a_stop() {
        assert_eq!(in_order(1, &[1, 2, 3], |_, item| *item, |item| *item != 2), [Some(1), Some(2), None]);
        assert!(in_order(8, &[] as &[u8], |_, item| *item, |_| true).is_empty());
    }
}
