//! What loading and calling costs. Prints figures and asserts none: `cargo test --release -p code-polishy-sandbox --test cost -- --ignored --nocapture`.
#![allow(clippy::print_stdout, reason = "figures for people")]

mod support;

use std::time::{Duration, Instant};

use code_polishy_core::plugin::{PluginHost, PluginKind};
use code_polishy_sandbox::{Sandbox, bundled};

fn median(runs: usize, mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[runs / 2]
}

#[test]
#[ignore = "prints figures"]
fn cold_warm_and_call() {
    let cache = tempfile::tempdir().expect("a folder");
    for plugin in bundled::all() {
        let source = support::bundled(plugin.kind, plugin.name);
        let cold = median(5, || Sandbox::new(None).warm(&source).expect("loads"));
        Sandbox::new(Some(cache.path().to_owned())).warm(&source).expect("loads");
        let warm = median(51, || Sandbox::new(Some(cache.path().to_owned())).warm(&source).expect("loads"));
        let sandbox = Sandbox::new(Some(cache.path().to_owned()));
        let call = match plugin.kind {
            PluginKind::PathRoles => {
                let (plugin, paths) = (sandbox.path_roles(&source).expect("loads"), vec![support::file("src/lib.rs"); 100]);
                median(51, || drop(plugin.classify(&paths).expect("answers")))
            }
            PluginKind::SuiteRunner => {
                let plugin = sandbox.suite_runner(&source).expect("loads");
                median(51, || drop(plugin.judge(&support::suite(), &support::exited(0)).expect("answers")))
            }
            _ => median(51, || sandbox.warm(&source).expect("loads")),
        };
        println!("{:<12} {:>7} bytes  cold {cold:>10.1?}  warm {warm:>8.1?}  call {call:>8.1?}", plugin.name, plugin.bytes.len());
    }
}
