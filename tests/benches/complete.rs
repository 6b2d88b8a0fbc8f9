//! What completing a review costs beside hashing its files.
//!
//! ```text
//! cargo build --release -p code-polishy && cargo bench -p code-polishy-tests --bench complete
//! ```
//!
//! The binary is `target/release/code-polishy`, or the one that `CODE_POLISHY_BIN` names. Both take turns within one run; the figures are
//! medians, and the ratio is the one to compare between machines.
#![allow(clippy::print_stdout, reason = "the figures are the result")]

use std::fs;
use std::path::Path;
use std::time::Instant;

use code_polishy_tests::{
    ReviewRun, World,
    bench::{self, median, time},
    sha256,
};
use serde_json::{Value, json};

const FILES: usize = 2_000;
const FILE_BYTES: usize = 16 << 10;
const FINDINGS: usize = 500;
const ROUNDS: usize = 15;

fn main() {
    // Cargo tells a benchmark so when it only builds and smoke-tests it.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let run = promoted(bench::world());
    let (mut completions, mut hashes) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let completion = time(run.repo.command(&["code-review", "complete", "--run", &run.path.display().to_string(), "--nested"]));
        let start = Instant::now();
        let files = hash(&run.path);
        let hashing = start.elapsed().as_secs_f64() * 1000.0;
        assert!(files > FILES, "{files} files");
        // The first round fills the caches.
        if round > 0 {
            completions.push(completion);
            hashes.push(hashing);
        }
    }
    let (completion, hashing) = (median(&mut completions), median(&mut hashes));
    println!("{FILES} retained files of {} KiB, {FINDINGS} findings, median of {ROUNDS}:", FILE_BYTES >> 10);
    println!("complete {completion:.1} ms, hashing the run's files {hashing:.1} ms, ratio {:.2} (goal 2)", completion / hashing);
}

/// A promoted review with many findings that keeps many files.
fn promoted(world: World) -> ReviewRun {
    let run = ReviewRun::reviewed(world, &json!([]));
    let content = |number: usize| format!("{number:08}").repeat(FILE_BYTES / 8);
    for number in 0..FILES {
        run.write(&format!("reproductions/K-1/part-{number:04}.txt"), content(number));
    }
    run.conclude(|result| {
        run.record(result, "K-1", "low", Some("confirmed"));
        let repeat = |list: &mut Value| {
            let list = list.as_array_mut().expect("a list");
            let first = list[0].clone();
            list.extend((2..=FINDINGS).map(|number| {
                let mut next = first.clone();
                next["id"] = json!(format!("K-{number}"));
                next
            }));
        };
        repeat(&mut result["metadata"]["review_validation"]["candidates"]);
        repeat(&mut result["metadata"]["review_findings"]);
        result["findings"]["low"] = json!(FINDINGS);
    });
    run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
    run
}

/// Reads and hashes every file below a folder; how many they are.
fn hash(folder: &Path) -> usize {
    let mut files = 0;
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files += hash(&path);
        } else {
            assert_eq!(sha256(fs::read(path).expect("readable")).len(), 64);
            files += 1;
        }
    }
    files
}
