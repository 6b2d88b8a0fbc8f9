//! What a disposable worktree costs beside `git worktree`, on a repository of 50,000 files.
//!
//! ```text
//! cargo bench -p code-polishy-tests --bench worktree
//! ```
//!
//! Both make their worktrees in the same folder, in turn within one run; the figures are medians, and the ratio is the one to compare
//! between machines. `TMPDIR` chooses the file system: with a folder in memory the work itself is seen. On ext4 both wait for the disk,
//! which makes files slowly where as many were just removed.
#![allow(clippy::print_stdout, reason = "the figures are the result")]

use std::time::Instant;

use code_polishy_engine::git::{Repository, Worktrees};
use code_polishy_tests::{Bulk, Flow, Project, World};

const FILES: usize = 50_000;
const ROUNDS: usize = 7;

fn main() {
    // Cargo tells a benchmark so when it only builds and smoke-tests it.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let flow = Flow::new(World { binary: "", scratch: "" }, Project::shop());
    let repo = &flow.repo;
    let commit = Bulk { files: FILES, changed: 1 }.fill(repo);
    let opened = Repository::open(&repo.root()).expect("a repository");
    let worktrees = Worktrees::new(&opened, repo.area("worktrees")).expect("a place");
    let peer = repo.area("peer").into_os_string().into_string().expect("a UTF-8 path");

    let mut figures: [Vec<f64>; 4] = Default::default();
    // The first round fills the page cache.
    for round in 0..=ROUNDS {
        let (worktree, add) = time(|| worktrees.add(&commit, "control").expect("a worktree"));
        assert!(!worktree.tracked_changes().expect("a comparison"));
        let ((), remove) = time(|| worktree.remove().expect("a removal"));
        let (_, git_add) = time(|| repo.git(&["worktree", "add", "--quiet", "--detach", &peer, &commit]));
        let (_, git_remove) = time(|| repo.git(&["worktree", "remove", "--force", &peer]));
        let times = [add, remove, git_add, git_remove];
        figures.iter_mut().zip(times).filter(|_| round > 0).for_each(|(figures, time)| figures.push(time));
    }
    let [add, remove, git_add, git_remove] = figures.map(median);
    for (name, own, peer) in
        [("worktree add / git worktree add", add, git_add), ("worktree remove / git worktree remove", remove, git_remove)]
    {
        println!("{name:<52} {:>6.2}   ({own:.0} ms / {peer:.0} ms, median of {ROUNDS})", own / peer);
    }
}

/// What a call returns, and its milliseconds.
fn time<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64() * 1000.0)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
