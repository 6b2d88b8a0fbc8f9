//! Who waits for whom: S-102, S-120 (BR-29, BR-81).

use std::fs::File;
use std::time::{Duration, Instant};

use code_polishy_tests::{EVIDENCE, Flow, INTENT, Project, Running};
use rustix::process::Signal;

use crate::WORLD;
use crate::journal::{JOURNAL, assert_valid_chains};

const CAPTURE: [&str; 4] = ["behavior-review", "capture-intent", "--intent-file", "request.ignored"];
const CLEANUP: [&str; 2] = ["behavior-review", "cleanup"];

fn shop() -> Flow {
    let flow = Flow::new(WORLD, Project::shop());
    flow.repo.write("request.ignored", "A correction.\n");
    flow.capture(INTENT).exits(0);
    flow
}

/// Starts a command and waits until it says that it waits.
fn waiting(flow: &Flow, arguments: &[&str]) -> Running {
    let mut running = Running::start(flow.repo.command(arguments));
    let line = running.next_line();
    assert!(line.contains("the journal lock"), "{line:?}");
    running
}

/// Starts a command and waits until it has the journal's lock, with which it stops.
fn holding_the_lock(flow: &Flow, arguments: &[&str]) -> Running {
    Running::stopped_at(&flow.repo, arguments, "lock.held")
}

fn intents(flow: &Flow) -> Vec<String> {
    let journal = flow.repo.json(JOURNAL);
    assert_valid_chains(&journal);
    journal["entries"].as_array().unwrap().iter().map(|entry| entry["intent"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_waiter_says_so_after_a_second_and_readers_need_no_lock() {
    let flow = shop();
    let lock = File::open(flow.repo.path(EVIDENCE).join(".intent-journal.lock")).unwrap();
    lock.lock().unwrap();
    let since = Instant::now();
    let waiter = waiting(&flow, &CAPTURE);
    assert!(since.elapsed() >= Duration::from_secs(1));
    flow.status(&[]).exits(0);
    drop(lock);
    waiter.ends().exits(0);
    assert_eq!(intents(&flow), [INTENT, "A correction.\n"]);
}

#[test]
fn a_killed_holder_frees_the_lock() {
    let flow = shop();
    let holder = holding_the_lock(&flow, &CAPTURE);
    let waiter = waiting(&flow, &CAPTURE);
    holder.signal(Signal::KILL);
    assert_eq!(holder.ends().status, None);
    waiter.ends().exits(0);
    assert_eq!(intents(&flow), [INTENT, "A correction.\n"], "what the killed one wanted was not yet written");
}

#[test]
fn a_waiter_can_be_interrupted() {
    let flow = shop();
    let holder = holding_the_lock(&flow, &CAPTURE);
    let waiter = waiting(&flow, &CAPTURE);
    waiter.signal(Signal::INT);
    waiter.ends().exits(130);
    holder.signal(Signal::CONT);
    holder.ends().exits(0);
    assert_eq!(intents(&flow), [INTENT, "A correction.\n"]);
}

#[test]
fn s_102_cleanup_waits_for_a_capture() {
    let flow = shop();
    let capture = holding_the_lock(&flow, &CAPTURE);
    let cleanup = waiting(&flow, &CLEANUP);
    assert_eq!(intents(&flow), [INTENT], "nothing is removed under a writer");
    capture.signal(Signal::CONT);
    capture.ends().exits(0);
    cleanup.ends().exits(0).says(&format!("Behavior review artifacts removed: {EVIDENCE}/"));
    assert!(!flow.repo.path(EVIDENCE).exists());
}

#[test]
fn s_120_a_capture_that_waited_for_cleanup_starts_a_new_journal() {
    let flow = shop();
    let cleanup = holding_the_lock(&flow, &CLEANUP);
    let capture = waiting(&flow, &CAPTURE);
    cleanup.signal(Signal::CONT);
    cleanup.ends().exits(0).says(&format!("Behavior review artifacts removed: {EVIDENCE}/"));
    capture.ends().exits(0);
    assert_eq!(intents(&flow), ["A correction.\n"], "neither lost with the old folder nor behind what was removed");
    assert!(flow.repo.reports().paths().into_iter().all(|path| !path.contains("tmp")));
}
