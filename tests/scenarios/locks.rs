//! Who waits for whom: S-102, S-120 (BR-29, BR-81).

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStderr};
use std::thread;
use std::time::{Duration, Instant};

use code_polishy_tests::{EVIDENCE, Flow, INTENT, Output, Project};
use rustix::process::{Pid, Signal, kill_process};

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

/// A command that runs beside the test.
struct Running {
    child: Child,
    errors: BufReader<ChildStderr>,
    said: String,
}

impl Running {
    /// Starts a command.
    fn start(flow: &Flow, arguments: &[&str]) -> Self {
        Self::of(flow.repo.command(arguments))
    }

    /// Starts a command and waits until it has the journal's lock, with which it stops.
    fn holding_the_lock(flow: &Flow, arguments: &[&str]) -> Self {
        let mut command = flow.repo.command(arguments);
        command.env("CODE_POLISHY_STOP_AT", "lock.held");
        let running = Self::of(command);
        let stat = format!("/proc/{}/stat", running.child.id());
        until(|| fs::read_to_string(&stat).unwrap().rsplit_once(") ").unwrap().1.starts_with('T'));
        running
    }

    fn of(mut command: std::process::Command) -> Self {
        let mut child = command.spawn().unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        Self { child, errors, said: String::new() }
    }

    /// Waits until the command says that it waits.
    fn waits(mut self) -> Self {
        let read = self.errors.read_line(&mut self.said).unwrap();
        assert!(read > 0 && self.said.contains("the journal lock"), "{:?}", self.said);
        self
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// What the command said in the end.
    fn ends(mut self) -> Output {
        self.errors.read_to_string(&mut self.said).unwrap();
        let mut output = Output::new("a command beside the test".to_owned(), self.child.wait_with_output().unwrap());
        output.stderr = self.said;
        output
    }
}

fn until(condition: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < end, "nothing happens");
        thread::sleep(Duration::from_millis(5));
    }
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
    let waiting = Running::start(&flow, &CAPTURE).waits();
    assert!(since.elapsed() >= Duration::from_secs(1));
    flow.status(&[]).exits(0);
    drop(lock);
    waiting.ends().exits(0);
    assert_eq!(intents(&flow), [INTENT, "A correction.\n"]);
}

#[test]
fn a_killed_holder_frees_the_lock() {
    let flow = shop();
    let holder = Running::holding_the_lock(&flow, &CAPTURE);
    let waiting = Running::start(&flow, &CAPTURE).waits();
    holder.signal(Signal::KILL);
    assert_eq!(holder.ends().status, None);
    waiting.ends().exits(0);
    assert_eq!(intents(&flow), [INTENT, "A correction.\n"], "what the killed one wanted was not yet written");
}

#[test]
fn a_waiter_can_be_interrupted() {
    let flow = shop();
    let holder = Running::holding_the_lock(&flow, &CAPTURE);
    let waiting = Running::start(&flow, &CAPTURE).waits();
    waiting.signal(Signal::INT);
    waiting.ends().exits(130);
    holder.signal(Signal::CONT);
    holder.ends().exits(0);
    assert_eq!(intents(&flow), [INTENT, "A correction.\n"]);
}

#[test]
fn s_102_cleanup_waits_for_a_capture() {
    let flow = shop();
    let capture = Running::holding_the_lock(&flow, &CAPTURE);
    let cleanup = Running::start(&flow, &CLEANUP).waits();
    assert_eq!(intents(&flow), [INTENT], "nothing is removed under a writer");
    capture.signal(Signal::CONT);
    capture.ends().exits(0);
    cleanup.ends().exits(0).says(&format!("Behavior review artifacts removed: {EVIDENCE}/"));
    assert!(!flow.repo.path(EVIDENCE).exists());
}

#[test]
fn s_120_a_capture_that_waited_for_cleanup_starts_a_new_journal() {
    let flow = shop();
    let cleanup = Running::holding_the_lock(&flow, &CLEANUP);
    let capture = Running::start(&flow, &CAPTURE).waits();
    cleanup.signal(Signal::CONT);
    cleanup.ends().exits(0).says(&format!("Behavior review artifacts removed: {EVIDENCE}/"));
    capture.ends().exits(0);
    assert_eq!(intents(&flow), ["A correction.\n"], "neither lost with the old folder nor behind what was removed");
    assert!(flow.repo.reports().paths().into_iter().all(|path| !path.contains("tmp")));
}
