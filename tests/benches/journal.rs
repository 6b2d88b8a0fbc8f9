//! What a full journal costs: 128 intents and 128 requirements beside none (BR-24).
//!
//! ```text
//! cargo build --release -p code-polishy && cargo bench -p code-polishy-tests --bench journal
//! ```
//!
//! The binary is `target/release/code-polishy`, or the one that `CODE_POLISHY_BIN` names. A small repository shows the cost itself, one of
//! 20,000 files what it comes to. Both journals take turns within one run; the figures are medians, and the ratio is the one to compare
//! between machines.
#![allow(clippy::print_stdout, reason = "the figures are the result")]

use std::fs;
use std::path::PathBuf;

use code_polishy_tests::{
    Bulk, EVIDENCE, Flow, Project, World,
    bench::{self, median, time},
};
use serde_json::json;

const RECORDS: usize = 128;
const ROUNDS: usize = 21;
const CAPTURE: [&str; 4] = ["behavior-review", "capture-intent", "--intent-file", "request.ignored"];
const STATUS: [&str; 4] = ["behavior-review", "status", "--base", "main"];

fn main() {
    // Cargo tells a benchmark so when it only builds and smoke-tests it.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let world = bench::world();
    for bulk in [None, Some(Bulk { files: 20_000, changed: 500 })] {
        measure(world, bulk);
    }
}

fn measure(world: World, bulk: Option<Bulk>) {
    let project = Project::shop().with_policy(|policy| policy["modules"][1]["paths"] = json!(["checkout/**", "bulk/**"]));
    let flow = Flow::new(world, project);
    if let Some(bulk) = bulk {
        bulk.fill(&flow.repo);
        flow.repo.git(&["branch", "--force", "main"]);
    }
    flow.repo.write("request.ignored", "Totals of three amounts must add all three, and say so on the receipt.\n");
    let journals = Journals::fill(&flow);
    flow.change();
    if let Some(bulk) = bulk {
        bulk.change(&flow.repo);
    }
    // The index forgets that its files were written just now, as in any repository that has rested.
    std::thread::sleep(std::time::Duration::from_secs(2));
    flow.repo.git(&["update-index", "--refresh"]);

    let files = bulk.map_or("a few files".to_owned(), |bulk| format!("{} files", bulk.files));
    compare(&format!("status, full / empty journal, {files}"), &flow, &STATUS, [&journals.full, &journals.none]);
    // The first capture needs a clean candidate alone, the last one the whole journal.
    compare(&format!("capture-intent, full / empty journal, {files}"), &flow, &CAPTURE, [&journals.almost_full, &journals.none]);
}

/// The bytes of journals; none for the empty one.
struct Journals {
    full: Option<Vec<u8>>,
    almost_full: Option<Vec<u8>>,
    none: Option<Vec<u8>>,
}

impl Journals {
    /// Captures until nothing more fits.
    fn fill(flow: &Flow) -> Self {
        let mut almost_full = None;
        for _ in 0..RECORDS {
            almost_full = fs::read(journal(flow)).ok();
            flow.repo.run(&[&CAPTURE[..], &["--feature", "checkout"]].concat()).exits(0);
        }
        Self { full: fs::read(journal(flow)).ok(), almost_full, none: None }
    }
}

fn journal(flow: &Flow) -> PathBuf {
    flow.repo.path(EVIDENCE).join("intent-journal.json")
}

fn compare(name: &str, flow: &Flow, arguments: &[&str], journals: [&Option<Vec<u8>>; 2]) {
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..=ROUNDS {
        for (journal_bytes, times) in journals.iter().zip(&mut times) {
            match journal_bytes {
                Some(bytes) => fs::write(journal(flow), bytes).expect("a written journal"),
                None => drop(fs::remove_file(journal(flow))),
            }
            let elapsed = time(flow.repo.command(arguments));
            // The first round fills the page cache.
            if round > 0 {
                times.push(elapsed);
            }
        }
    }
    let [full, empty] = times.each_mut().map(|times| median(times));
    println!("{name:<58} {:>6.2}   ({full:.1} ms / {empty:.1} ms, median of {ROUNDS})", full / empty);
}
