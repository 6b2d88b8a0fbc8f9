//! Independent work side by side, with results in the order of the work.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

/// Works on the items with up to `jobs` threads, taking them in order. After a result that `go_on` refuses nothing new is started;
/// what was never started is `None`.
pub fn in_order<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
    go_on: impl Fn(&R) -> bool + Sync,
) -> Vec<Option<R>> {
    let mut results = Vec::with_capacity(items.len());
    let Ok(()) = stream(jobs, items, work, go_on, |_, result| {
        results.push(Some(result));
        Ok::<(), Infallible>(())
    });
    results.resize_with(items.len(), || None);
    results
}

/// The same, but each result is taken on the calling thread as soon as it and all before it are there. After an error of `take`
/// nothing new is started and nothing more is taken.
pub fn stream<T: Sync, R: Send, E>(
    jobs: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
    go_on: impl Fn(&R) -> bool + Sync,
    mut take: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = |done: mpsc::Sender<(usize, R)>| {
        while !stopped.load(Ordering::SeqCst) {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(item) = items.get(index) else { return };
            let result = work(index, item);
            if !go_on(&result) {
                stopped.store(true, Ordering::SeqCst);
            }
            // Nobody listens any more after an error of `take`.
            let _ = done.send((index, result));
        }
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (worker, sender) = (&worker, sender.clone());
            scope.spawn(move || worker(sender));
        }
        drop(sender);
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                take(due, result).inspect_err(|_| stopped.store(true, Ordering::SeqCst))?;
                due += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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

    #[test]
    fn a_result_is_taken_before_later_work_is_done() {
        let (release, released) = mpsc::channel();
        let released = std::sync::Mutex::new(released);
        let work = |index: usize, _: &()| {
            if index == 1 {
                released.lock().unwrap().recv_timeout(Duration::from_secs(10)).unwrap();
            }
            index
        };
        let mut taken = Vec::new();
        let outcome = stream(
            2,
            &[(); 3],
            work,
            |_| true,
            |index, result| {
                taken.push((index, result));
                if index == 0 { release.send(()) } else { Ok(()) }
            },
        );
        assert_eq!((outcome, taken), (Ok(()), vec![(0, 0), (1, 1), (2, 2)]));
    }

    #[test]
    fn an_error_of_who_takes_ends_it() {
        let started = AtomicUsize::new(0);
        let work = |_: usize, _: &()| started.fetch_add(1, Ordering::SeqCst);
        let outcome = stream(
            1,
            &[(); 1000],
            |index, item| {
                thread::sleep(Duration::from_millis(1));
                work(index, item)
            },
            |_| true,
            |index, _| {
                if index == 1 { Err("full") } else { Ok(()) }
            },
        );
        assert!(outcome == Err("full") && started.into_inner() < 1000);
    }
}
