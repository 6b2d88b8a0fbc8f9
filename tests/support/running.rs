//! A command that runs beside the test.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStderr, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::{Output, Repo};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A started command. It is killed when the test ends before it.
#[derive(Debug)]
pub struct Running {
    child: Option<Child>,
    errors: BufReader<ChildStderr>,
    said: String,
}

impl Running {
    /// Starts a command whose streams are pipes.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the binary starts");
        let errors = BufReader::new(child.stderr.take().expect("a pipe"));
        Self { child: Some(child), errors, said: String::new() }
    }

    /// Starts the binary and waits until it has stopped at the failpoint `POINT` or `POINT:N`.
    pub fn stopped_at(repo: &Repo, arguments: &[&str], failpoint: &str) -> Self {
        let mut command = repo.command(arguments);
        command.env("CODE_POLISHY_STOP_AT", failpoint);
        let running = Self::start(command);
        let stat = format!("/proc/{}/stat", running.child().id());
        until(|| fs::read_to_string(&stat).expect("a process").rsplit_once(") ").expect("a state").1.starts_with('T'));
        running
    }

    /// Waits until the command has said one more line on standard error, and returns it.
    pub fn next_line(&mut self) -> &str {
        let before = self.said.len();
        self.errors.read_line(&mut self.said).expect("UTF-8");
        &self.said[before..]
    }

    /// Sends the command a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(self.child()), signal).expect("the command runs");
    }

    /// What the command said in the end.
    pub fn ends(mut self) -> Output {
        self.errors.read_to_string(&mut self.said).expect("UTF-8");
        let child = self.child.take().expect("it is taken here alone");
        let mut output = Output::new("a command beside the test".to_owned(), child.wait_with_output().expect("the command ends"));
        output.stderr = std::mem::take(&mut self.said);
        output
    }

    /// What the command said in the end, and the most memory that it had at once, in bytes.
    pub fn ends_with_peak(self) -> (Output, usize) {
        let (process, mut peak) = (self.child().id(), 0);
        let (ended, ending) = (std::sync::atomic::AtomicBool::new(false), std::sync::atomic::Ordering::Relaxed);
        let output = thread::scope(|scope| {
            let watch = scope.spawn(|| {
                let mut peak = 0;
                while !ended.load(ending) {
                    peak = resident_peak(process).unwrap_or(peak);
                    thread::sleep(Duration::from_millis(1));
                }
                peak
            });
            let output = self.ends();
            ended.store(true, ending);
            peak = watch.join().expect("a watch");
            output
        });
        (output, peak)
    }

    fn child(&self) -> &Child {
        self.child.as_ref().expect("it runs until it is asked for its end")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits for something that another process does.
#[track_caller]
pub fn until(mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < end, "nothing happens");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The living processes with this text in their command line or as their folder.
pub fn processes(text: &str) -> Vec<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| *id != std::process::id() && has(*id, text)).collect()
}

fn has(process: u32, text: &str) -> bool {
    let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    let folder = fs::read_link(format!("/proc/{process}/cwd")).unwrap_or_default();
    String::from_utf8_lossy(&line).contains(text) || folder.to_string_lossy().starts_with(text)
}

/// `VmHWM` of a process in bytes, once it runs the binary; `None` outside Linux and after the end.
fn resident_peak(process: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().next().filter(|line| line.contains("code-polishy"))?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?;
    kib.parse::<usize>().ok().map(|kib| kib * 1024)
}
