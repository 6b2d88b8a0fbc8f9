//! What replays side by side save, and what a gate costs beside its suites.
//!
//! ```text
//! cargo build --release -p code-polishy && cargo bench -p code-polishy-tests --bench replays
//! ```
//!
//! The binary is `target/release/code-polishy`, or the one that `CODE_POLISHY_BIN` names. Serial and parallel gates take turns within
//! one run; the figures are medians, and the ratio is the one to compare between machines.
#![allow(clippy::print_stdout, reason = "the figures are the result")]

use std::time::Instant;

use code_polishy_tests::{
    Flow, Project, World,
    bench::{self, median},
};
use serde_json::Value;

/// Each is a baseline and a candidate; all share one control.
const PROOFS: usize = 4;
const ROUNDS: usize = 5;

/// Works in disposable worktrees alone, where a file beside the repository says how.
const SUITE: &str = r#"#!/bin/sh
set -e
if [ "$PWD" != "${HOME%/home}/repo" ]; then
    case $(cat "$HOME/work") in
        sleep) sleep 0.3 ;;
        compute) i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); done ;;
    esac
fi
for case in tests/"$1"/*.sh; do sh "$case"; done
"#;

fn main() {
    // Cargo tells a benchmark so when it only builds and smoke-tests it.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let world = bench::world();
    let flow = reviewed(world);
    for work in ["sleep", "compute"] {
        side_by_side(&flow, work);
    }
    overhead(world);
}

/// A change whose review cites every proof.
fn reviewed(world: World) -> Flow {
    let flow = Flow::prepared(world, Project::shop().with_file("run-tests.sh", SUITE));
    set_work(&flow, "nothing");
    let ids: Vec<String> = (0..PROOFS).map(|number| format!("three-{number}")).collect();
    for id in &ids {
        flow.prove(id).exits(0);
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    flow.review(flow.reviewer().behavior("requested", &ids, &["checkout"]));
    flow.finalize().exits(0);
    flow
}

fn set_work(flow: &Flow, work: &str) {
    std::fs::write(flow.repo.area("home").join("work"), work).expect("a written file");
}

fn side_by_side(flow: &Flow, work: &str) {
    set_work(flow, work);
    let jobs = PROOFS.to_string();
    let (mut serial, mut parallel) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        serial.push(gate(flow, &["--jobs", "1"]).0);
        parallel.push(gate(flow, &["--jobs", &jobs]).0);
    }
    let (serial, parallel) = (median(&mut serial), median(&mut parallel));
    let name = format!("{PROOFS} replays that {work}, --jobs 1 / --jobs {PROOFS}");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{name:<52} {:>6.2}   ({serial:.0} ms / {parallel:.0} ms, median of {ROUNDS}, {cores} cores)", serial / parallel);
}

/// The time of a gate beside the time of its commands, which run one after the other.
fn overhead(world: World) {
    let project = Project::gated().with_file("run-tests.sh", "#!/bin/sh\nsleep 0.1\n");
    let flow = Flow::new(world, project);
    flow.change();
    let (mut whole, mut beside) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let (time, report) = gate(&flow, &["--jobs", "1", "--no-reuse"]);
        // The first round fills the store of compiled plugins.
        if round > 0 {
            whole.push(time);
            beside.push(time - commands(&report));
        }
    }
    let (whole, beside) = (median(&mut whole), median(&mut beside));
    println!("{:<52} {:>6.2}   ({beside:.0} ms of {whole:.0} ms, median of {ROUNDS})", "gate without its commands / gate", beside / whole);
}

/// Milliseconds of a passed gate, and its report.
fn gate(flow: &Flow, options: &[&str]) -> (f64, Value) {
    let start = Instant::now();
    let gate = flow.merge_gate(options).exits(0);
    let elapsed = start.elapsed().as_secs_f64() * 1000.0;
    (elapsed, flow.repo.json(&gate.after("GATE REPORT: ")))
}

/// Milliseconds of all attempts.
fn commands(report: &Value) -> f64 {
    let commands = report["commands"].as_array().expect("commands").iter();
    commands.map(|command| command["attempts"][0]["duration_ms"].as_f64().expect("a duration")).sum()
}
