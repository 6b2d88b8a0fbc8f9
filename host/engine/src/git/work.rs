//! Work that makes more work, shared by threads.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Tasks that are due. A thread that waits for one is woken when there is one, or when no thread can make any more.
pub(super) struct Tasks<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    workers: usize,
}

struct State<T> {
    due: Vec<T>,
    idle: usize,
    ended: bool,
}

/// Runs `work` on up to `threads` threads, beginning with one task, and returns what each of them returned. The first failure wins, and ends
/// the others at their next task.
pub(super) fn run<T: Send, R: Send, E: Send>(
    threads: usize,
    first: T,
    work: impl Fn(&Tasks<T>) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let workers = threads.max(1);
    let tasks = Tasks { state: Mutex::new(State { due: vec![first], idle: 0, ended: false }), changed: Condvar::new(), workers };
    let work = || {
        let _end = End(&tasks);
        work(&tasks)
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = others.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(own).chain(others.collect::<Vec<_>>()).collect()
    })
}

impl<T> Tasks<T> {
    /// Adds a task.
    pub(super) fn add(&self, task: T) {
        let mut state = self.lock();
        state.due.push(task);
        if state.idle > 0 {
            self.changed.notify_one();
        }
    }

    /// The next task; `None` when all is done.
    pub(super) fn next(&self) -> Option<T> {
        let mut state = self.lock();
        state.idle += 1;
        while state.due.is_empty() && state.idle < self.workers && !state.ended {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let task = state.due.pop().filter(|_| !state.ended);
        match task {
            Some(_) => state.idle -= 1,
            None => self.changed.notify_all(),
        }
        task
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the work of all when one of them ends: it failed, or there is none left.
struct End<'a, T>(&'a Tasks<T>);

impl<T> Drop for End<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.ended = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each task makes two smaller ones.
    fn count(tasks: &Tasks<u32>) -> Result<usize, ()> {
        let mut done = 0;
        while let Some(task) = tasks.next() {
            done += 1;
            (0..2).filter(|_| task > 0).for_each(|_| tasks.add(task - 1));
        }
        Ok(done)
    }

    #[test]
    fn does_every_task_once() {
        for threads in [1, 2, 7] {
            assert_eq!(run(threads, 10, count).map(|counts| counts.iter().sum()), Ok(2047_usize));
        }
    }

    #[test]
    fn a_failure_ends_all() {
        let work = |tasks: &Tasks<u32>| {
            while let Some(task) = tasks.next() {
                if task == 3 {
                    return Err("three");
                }
                tasks.add(task + 1);
                tasks.add(task + 1);
            }
            Ok(())
        };
        assert_eq!(run(4, 0, work), Err("three"));
    }
}
