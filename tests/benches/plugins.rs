//! What plugins cost: compiling, loading and calling each bundled one, and a whole command with five more of them.
//!
//! ```text
//! cargo build --release -p code-polishy && cargo bench -p code-polishy-tests --bench plugins
//! ```
//!
//! The binary is `target/release/code-polishy`, or the one that `CODE_POLISHY_BIN` names. Figures are medians of one run.
#![allow(clippy::print_stdout, reason = "the figures are the result")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use code_polishy_core::plugin::{
    ExecutionFacts, PathFact, PathKind, PluginHost as _, PluginKind, PluginSource, ProcessExit, StreamFacts, SuiteFacts,
};
use code_polishy_sandbox::{
    Sandbox,
    bundled::{self, Bundled},
};
use code_polishy_tests::{
    Flow, INTENT, Project, Repo, World,
    bench::{self, median, time},
    sha256,
};
use serde_json::{Value, json};

const ROUNDS: usize = 31;
const COLD_ROUNDS: usize = 5;
const PLUGINS: usize = 5;

fn main() {
    // Cargo tells a benchmark so when it only builds and smoke-tests it.
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let cache = tempfile::tempdir().expect("a folder");
    println!("{:<14} {:<16} {:>7}  {:>12} {:>12} {:>12}", "plugin", "kind", "KiB", "cold compile", "warm load", "call");
    bundled::all().iter().for_each(|plugin| in_process(plugin, cache.path()));
    whole_command(bench::world());
}

/// Milliseconds of each, in this process: from nothing, from the store, and an instance with one small call.
fn in_process(plugin: &Bundled, cache: &Path) {
    let source = source(plugin);
    let mut cold: Vec<f64> = (0..COLD_ROUNDS).map(|_| timed(|| Sandbox::new(None).warm(&source).expect("loads"))).collect();
    let sandbox = || Sandbox::new(Some(cache.to_owned()));
    sandbox().warm(&source).expect("loads");
    let other = self::source(bundled::all().iter().find(|other| other.name != plugin.name).expect("several"));
    sandbox().warm(&other).expect("loads");
    let load = |_| {
        // The engine starts with the first plugin of a process.
        let sandbox = sandbox();
        sandbox.warm(&other).expect("loads");
        timed(|| sandbox.warm(&source).expect("loads"))
    };
    let mut warm: Vec<f64> = (0..ROUNDS).map(load).collect();
    let mut call = calls(&sandbox(), &source);
    let kib = plugin.bytes.len().div_ceil(1024);
    let [cold, warm, call] = [&mut cold, &mut warm, &mut call].map(|figures| median(figures));
    println!("{:<14} {:<16} {kib:>7}  {cold:>9.1} ms {warm:>9.3} ms {call:>9.3} ms", plugin.name, plugin.kind.name());
}

fn source(plugin: &Bundled) -> PluginSource {
    PluginSource { name: plugin.name.to_owned(), kind: plugin.kind, pinned: None, options: "{}".to_owned() }
}

/// Milliseconds of calls with next to no input, each in a fresh instance. A failure of the plugin's own is an answer too.
fn calls(sandbox: &Sandbox, source: &PluginSource) -> Vec<f64> {
    let rounds = |call: &dyn Fn()| (0..ROUNDS).map(|_| timed(call)).collect();
    match source.kind {
        PluginKind::PathRoles => {
            let (plugin, paths) = (sandbox.path_roles(source).expect("loads"), [path()]);
            rounds(&|| drop(plugin.classify(&paths)))
        }
        PluginKind::SuiteRunner => {
            let (plugin, suite, run) = (sandbox.suite_runner(source).expect("loads"), suite(), passed());
            rounds(&|| drop(plugin.judge(&suite, &run)))
        }
        PluginKind::ReportRenderer => {
            let plugin = sandbox.report_renderer(source).expect("loads");
            let report = r#"{"action":"merge-gate","diagnostics":[],"protocol":"code-polishy-report/v1","state":"passed"}"#;
            rounds(&|| drop(plugin.render(report)))
        }
        PluginKind::ReviewerAdapter => Vec::new(),
    }
}

fn path() -> PathFact {
    let head = b"fn main() {}\n".to_vec();
    PathFact { path: "src/main.rs".to_owned(), kind: PathKind::File, executable: false, size: 13, head, attributes: Vec::new() }
}

fn suite() -> SuiteFacts {
    SuiteFacts { name: "unit".to_owned(), kind: "unit".to_owned(), argv: vec!["make".to_owned()], cwd: ".".to_owned() }
}

fn passed() -> ExecutionFacts {
    ExecutionFacts { exit: ProcessExit::Code(0), output: StreamFacts::default(), errors: StreamFacts::default(), files: Vec::new() }
}

fn timed(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1000.0
}

/// `prepare` with five pinned classifiers beside itself without them, both with compiled code; each classifier has bytes of its own.
fn whole_command(world: World) {
    let (none, five) = (prepared(world, 0), prepared(world, PLUGINS));
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let pair = (time(prepare(&none)), time(prepare(&five)));
        // The first round compiles.
        if round > 0 {
            without.push(pair.0);
            with.push(pair.1);
        }
    }
    let (without, with) = (median(&mut without), median(&mut with));
    println!("prepare with {PLUGINS} more plugins, warm: +{:.1} ms   ({with:.1} ms - {without:.1} ms, median of {ROUNDS})", with - without);
}

fn prepare(flow: &Flow) -> Command {
    flow.repo.command(&["behavior-review", "prepare", "--base", "main"])
}

fn prepared(world: World, plugins: usize) -> Flow {
    let component = bundled::find(PluginKind::PathRoles, "attributes").expect("bundled").bytes;
    let repo = Repo::new_in_memory(world);
    let pin = |number: usize| -> Value {
        let (bytes, path) = (numbered(component, number), format!("tools/classifier-{number}.wasm"));
        repo.write(&path, &bytes);
        json!({"name": format!("classifier-{number}"), "kind": "path-roles", "source": path, "sha256": sha256(&bytes)})
    };
    let pins: Vec<Value> = (0..plugins).map(pin).collect();
    let flow = Flow::on(repo, Project::shop().with_policy(|policy| policy["plugins"] = json!(pins)));
    flow.capture(INTENT).exits(0);
    flow.change();
    flow
}

/// The same component with other bytes: a custom section at its end.
fn numbered(component: &[u8], number: usize) -> Vec<u8> {
    let name = format!("number-{number}");
    let length = u8::try_from(name.len()).expect("a short name");
    [component, &[0, length + 1, length], name.as_bytes()].concat()
}
