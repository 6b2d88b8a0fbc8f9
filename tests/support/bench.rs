//! What every benchmark needs: the release binary, the time of a run, and the median of several.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::World;

/// The binary that `CODE_POLISHY_BIN` names, or `target/release/code-polishy`, with the target folder's scratch place.
///
/// # Panics
/// There is no such binary: the message says how to build it.
pub fn world() -> World {
    World { binary: leak(binary()), scratch: leak(target().join("tmp")) }
}

/// Milliseconds of one successful run.
///
/// # Panics
/// The command does not start or does not succeed.
pub fn time(mut command: Command) -> f64 {
    let start = Instant::now();
    let output = command.output().expect("the command starts");
    let elapsed = start.elapsed();
    assert!(output.status.success(), "{command:?}: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    elapsed.as_secs_f64() * 1000.0
}

/// The middle one of at least one figure, the upper of two.
pub fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn binary() -> PathBuf {
    let named = std::env::var_os("CODE_POLISHY_BIN").map(PathBuf::from);
    let path = named.unwrap_or_else(|| target().join("release/code-polishy"));
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}; build it first: cargo build --release -p code-polishy", path.display()))
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from)
}

fn leak(path: PathBuf) -> &'static str {
    path.into_os_string().into_string().expect("a UTF-8 path").leak()
}
