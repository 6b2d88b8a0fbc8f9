//! What suites do to those who run them (BR-75 to BR-77).

use std::fs;
use std::process::Stdio;
use std::time::Instant;

use code_polishy_tests::{EVIDENCE, Flow, Project, Running, processes};
use serde_json::json;

use crate::WORLD;

const TEST: [&str; 3] = ["test", "--suite", "checkout-contract"];

/// Leaves its parent, its session, its folder and its streams behind, and does not want to go. Its argument is how tests find it.
const DAEMON: &str = "\
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if 'deaf' in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.chdir('/')
        for stream in range(3):
            os.close(stream)
        time.sleep(600)
    os._exit(0)
os.wait()
";

/// A suite with these lines before its cases.
fn suite(lines: &str) -> Project {
    let script = format!("#!/bin/sh\n{lines}\nfor case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 1; done\n");
    Project::shop().with_file("daemon.py", DAEMON).with_file("run-tests.sh", script.leak())
}

/// The processes that carry the test's own folder in their command line, or work in it.
#[track_caller]
fn assert_no_orphan(flow: &Flow) {
    assert_eq!(processes(flow.repo.area("").to_str().unwrap()), [0; 0]);
}

#[test]
fn daemons_are_ended_and_the_verdict_is_the_suites() {
    let project = suite("for each in 1 2 3; do python3 daemon.py \"$HOME\"; done\n(cd / && exec sleep 600) &");
    let flow = Flow::accepted(WORLD, project);
    assert_no_orphan(&flow);
    flow.repo.run(&TEST).exits(0);
    assert_no_orphan(&flow);
    flow.merge_gate(&[]).exits(0);
    assert_no_orphan(&flow);
    flow.repo.write("tests/checkout/two.sh", "exit 1\n").commit("Break a case");
    flow.repo.run(&TEST).exits(1);
    assert_no_orphan(&flow);
}

#[test]
fn a_daemon_that_ignores_term_is_killed_after_its_grace() {
    let flow = Flow::changed(WORLD, suite("trap '' TERM\npython3 daemon.py \"$HOME\" deaf\n(trap '' TERM; exec sleep 600) &"));
    let since = Instant::now();
    flow.repo.run(&TEST).exits(0);
    assert!((4..30).contains(&since.elapsed().as_secs()), "{:?}", since.elapsed());
    assert_no_orphan(&flow);
}

#[test]
fn a_suite_that_ignores_term_does_not_outlive_its_time() {
    let mut project = suite("trap '' TERM\npython3 daemon.py \"$HOME\" deaf\nwhile :; do sleep 1; done");
    project.policy["tests"]["suites"][0]["timeoutSeconds"] = json!(1);
    let flow = Flow::changed(WORLD, project);
    flow.repo.run(&TEST).exits(1).says("FAIL checkout-contract [timeout]");
    assert_no_orphan(&flow);
}

#[test]
fn a_suite_that_closes_its_streams_is_waited_for() {
    let flow = Flow::accepted(WORLD, suite("echo heard\nexec 1>&- 2>&-\nsleep 1"));
    let log = String::from_utf8(flow.repo.read(&format!("{EVIDENCE}/proofs/three.candidate.log"))).unwrap();
    assert!(log.starts_with("exit: status 0\n") && log.contains("\nheard\n"), "{log}");
    flow.repo.write("tests/checkout/two.sh", "exit 1\n").commit("Break a case");
    flow.repo.run(&TEST).exits(1);
}

#[test]
fn a_hundred_megabytes_on_both_streams_are_kept_in_part() {
    const MOST: usize = 100_000_000;
    let loud = "head -c 100000000 /dev/zero | tr '\\0' x & head -c 100000000 /dev/zero | tr '\\0' y >&2; wait\necho the end";
    let flow = Flow::prepared(WORLD, suite(loud));
    let (output, peak) = Running::start(flow.repo.command(&flow.proof_arguments("three"))).ends_with_peak();
    output.exits(0);
    assert!((1..MOST).contains(&peak), "{peak} bytes for what is printed six times");
    let log = flow.repo.read(&format!("{EVIDENCE}/proofs/three.candidate.log"));
    assert!(log.len() < 2 * 1024 * 1024 + 4096, "{}", log.len());
    assert!(log.windows(8).any(|text| text == b"the end\n"));
    assert!(String::from_utf8_lossy(&log).contains("--- standard error: 100000000 bytes, 98951424 of them cut\n"));
}

#[test]
fn a_suite_reads_nothing_from_the_callers_input() {
    let flow = Flow::changed(WORLD, suite("[ \"$(wc -c)\" -eq 0 ] || exit 9"));
    flow.repo.run_with_input(&TEST, "an answer\n").exits(0);
    let mut open = flow.repo.command(&TEST);
    open.stdin(Stdio::piped());
    // Nobody ever writes to it or closes it.
    let mut child = open.spawn().unwrap();
    let input = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(input);
}

#[test]
fn no_open_file_or_lock_of_the_caller_reaches_a_suite() {
    let mut project = suite("for each in /proc/$$/fd/*; do readlink \"$each\"; done >> \"$HOME/open\"");
    project.policy["tests"]["suites"][0]["exclusiveResources"] = json!(["port.8080"]);
    let flow = Flow::accepted(WORLD, project);
    flow.merge_gate(&["--jobs", "4"]).exits(0);
    let listed = fs::read_to_string(flow.repo.area("home").join("open")).unwrap();
    let home = flow.repo.area("home").to_string_lossy().into_owned();
    let own = |name: &str| name == "/dev/null" || name.starts_with("pipe:") || name.ends_with("/run-tests.sh") || name.starts_with(&home);
    let foreign: Vec<&str> = listed.lines().filter(|name| !own(name)).collect();
    assert!(foreign.is_empty() && listed.lines().count() >= 3 * 7, "{foreign:?} of {listed}");
}

#[test]
fn a_suite_that_changes_its_folder_is_judged_in_its_own() {
    let flow = Flow::accepted(WORLD, suite("here=$PWD\ncd / && cd \"$HOME\"\n[ \"$PWD\" != \"$here\" ] || exit 9\ncd \"$here\""));
    flow.merge_gate(&[]).exits(0);
    assert_no_orphan(&flow);
}
