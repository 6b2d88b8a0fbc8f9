//! What the product costs beside git, on a repository of 50,000 files with a change of 2,000 (S-105).
//!
//! ```text
//! cargo build --release -p code-polishy && cargo bench -p code-polishy-tests --bench flow
//! ```
//!
//! The binary is `target/release/code-polishy`, or the one that `CODE_POLISHY_BIN` names. Peers are measured in turn within one run, so
//! that a busy machine slows both; the figures are medians, and the ratio is the one to compare between machines.
#![allow(clippy::print_stdout, reason = "the figures are the result")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use code_polishy_tests::{
    Bulk, Flow, INTENT, Project, Repo, World,
    bench::{self, median, time},
    policy,
};

const BULK: Bulk = Bulk { files: 50_000, changed: 2_000 };
const ROUNDS: usize = 9;

fn main() {
    // Cargo tells a benchmark so when it only builds and smoke-tests it.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let world = bench::world();
    let flow = large_repository(world);
    beside_git(&flow);
    peak_memory(&flow);
    plugins(world);
}

/// `status` and `prepare` beside their peers.
fn beside_git(flow: &Flow) {
    let (repo, root) = (&flow.repo, flow.repo.root());
    compare(
        "behavior-review status / git status --porcelain",
        || repo.command(&["behavior-review", "status", "--base", "main"]),
        || git(&root, &["status", "--porcelain"]),
    );
    compare(
        "behavior-review prepare / git diff base..HEAD",
        || repo.command(&["behavior-review", "prepare", "--base", "main"]),
        || git(&root, &["diff", "main..HEAD"]),
    );
}

fn compare(name: &str, own: impl Fn() -> Command, peer: impl Fn() -> Command) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let pair = (time(own()), time(peer()));
        // The first round fills the page cache and the store of compiled plugins.
        if round > 0 {
            ours.push(pair.0);
            theirs.push(pair.1);
        }
    }
    let (ours, theirs) = (median(&mut ours), median(&mut theirs));
    println!("{name:<52} {:>6.2}   ({:.1} ms / {:.1} ms, median of {ROUNDS})", ours / theirs, ours, theirs);
}

/// The highest resident size of `prepare` beside the packet that it writes, and beside that of the diff that git makes.
fn peak_memory(flow: &Flow) {
    let prepare = peak(flow.repo.command(&["behavior-review", "prepare", "--base", "main"]), "code-polishy");
    let diff = peak(git(&flow.repo.root(), &["diff", "main..HEAD"]), "git");
    let packet = flow.repo.read(".code-polishy-reports/behavior-review/packet.json").len();
    let mib = |bytes: usize| bytes as f64 / 1_048_576.0;
    for (name, peer) in [("peak memory of prepare / packet", packet), ("peak memory of prepare / of git diff", diff)] {
        println!("{name:<52} {:>6.2}   ({:.1} MiB / {:.1} MiB)", prepare as f64 / peer as f64, mib(prepare), mib(peer));
    }
}

/// The highest resident size in bytes of a command whose program has this name; 0 outside Linux.
fn peak(mut command: Command, name: &str) -> usize {
    let mut child = command.stdout(Stdio::null()).spawn().expect("the command starts");
    let mut peak = 0;
    while child.try_wait().expect("a child").is_none() {
        peak = resident_peak(child.id(), name).unwrap_or(peak);
        std::thread::sleep(Duration::from_micros(200));
    }
    peak
}

/// `VmHWM` of a process in bytes, once it runs the program; `None` outside Linux and after the end.
fn resident_peak(process: u32, name: &str) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().next().filter(|line| line.ends_with(name))?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?;
    kib.parse::<usize>().ok().map(|kib| kib * 1024)
}

/// A gate over one trivial suite, which needs a runner, a classifier and a renderer: without and with their compiled code.
fn plugins(world: World) {
    let project = Project { policy: policy::without_review(), ..Project::shop() }.with_file("run-tests.sh", "#!/bin/sh\n:\n");
    let flow = Flow::new(world, project);
    flow.change();
    let cache = flow.repo.area("cache");
    let gate = || {
        let mut command = flow.repo.command(&["merge-gate", "--base", "main", "--no-reuse"]);
        command.env("CODE_POLISHY_CACHE", &cache);
        command
    };
    let (mut cold, mut warm) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let _ = fs::remove_dir_all(&cache);
        cold.push(time(gate()));
        warm.push(time(gate()));
    }
    let (cold, warm) = (median(&mut cold), median(&mut warm));
    println!("{:<52} {:>6.2}   ({cold:.1} ms / {warm:.1} ms, median of {ROUNDS})", "small merge gate, plugins cold / warm", cold / warm);
}

/// The shop among many files, a few of which the candidate changes.
fn large_repository(world: World) -> Flow {
    let flow = Flow::new(
        world,
        Project::shop().with_policy(|policy| policy["modules"][1]["paths"] = serde_json::json!(["checkout/**", "bulk/**"])),
    );
    // Git would pack in the background, beside the first measurements.
    flow.repo.git(&["config", "maintenance.auto", "false"]);
    BULK.fill(&flow.repo);
    flow.repo.git(&["branch", "--force", "main"]);
    flow.capture(INTENT).exits(0);
    BULK.change(&flow.repo);
    settle(&flow.repo);
    flow
}

/// Packs the objects and lets the index forget that its files were written just now, as in any repository that has rested.
fn settle(repo: &Repo) {
    repo.git(&["gc", "--quiet"]);
    std::thread::sleep(Duration::from_secs(2));
    repo.git(&["update-index", "--refresh"]);
}

fn git(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(root).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    command
}
