//! One command from its start to the end of everything that it started.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, ExitStatus, Stdio};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use code_polishy_core::diagnostic::Failure;
use code_polishy_core::plugin::{ProcessExit, StreamFacts};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};

use super::capture::{Copy, Streams, fault};
use super::family::{Family, Mark};
use super::resolve;
use crate::interrupt::Interrupt;

/// Time between TERM and KILL (contract 3.8).
pub const GRACE: Duration = Duration::from_secs(5);

/// How long those whom a program leaves behind may finish by themselves: a `tee` that still copies its last lines is no daemon.
const SETTLE: Duration = Duration::from_millis(200);

/// How long a killed process may take to go, and a stream to end after everybody known has gone.
const PARTING: Duration = Duration::from_secs(2);

/// The longest wait between two looks at the process, the clock and the interrupt.
const LOOK: Duration = Duration::from_millis(20);

/// A command to run.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// The program and its arguments, as the policy and the suite's runner word them.
    pub argv: &'a [String],
    /// The root of the worktree that the command is about; absolute.
    pub worktree: &'a Path,
    /// The folder to start in, relative to `worktree`; `.` for the root.
    pub cwd: &'a str,
    /// The whole environment, as made by [`crate::environment::passed`].
    pub environment: &'a [(OsString, OsString)],
    /// How long it may run.
    pub timeout: Duration,
}

/// A finished command, of which nothing runs any more.
#[derive(Clone, Debug)]
pub struct Execution {
    /// How it ended.
    pub exit: ProcessExit,
    /// Standard output.
    pub output: StreamFacts,
    /// Standard error.
    pub errors: StreamFacts,
    /// From the start to the exit of the program itself.
    pub duration: Duration,
    /// The program had exited and left processes behind, which were ended.
    pub leftovers: bool,
    /// Somebody out of reach held a stream open: what came later is not in it.
    pub abandoned: bool,
}

/// Runs a command to its end: exit, timeout, or interrupt. Then nothing that it started runs any more (BR-76).
///
/// Standard input is empty, both streams are kept in part ([`super::KEPT`]), and no descriptor that this process opened
/// reaches the command. It leads a process group of its own. At the end the whole group, and on Linux whoever left it, gets TERM,
/// and KILL after [`GRACE`]; the same goes for what a program leaves behind after its exit.
///
/// # Errors
/// `process.cannot-start` (the program is absent, is not executable, or `cwd` is not inside the worktree) and `process.lost` (the system
/// hides how it ended), both exit 3; the interrupt, exit 130.
pub fn run(command: &Command<'_>, interrupt: &Interrupt) -> Result<Execution, Failure> {
    execute(command, None, interrupt)
}

/// The same, with a copy of standard output and one of standard error that grow while it runs.
///
/// # Errors
/// As [`run`], and `process.not-copied` (a copy cannot be written), exit 3.
pub fn run_copied(command: &Command<'_>, copies: &mut [Copy; 2], interrupt: &Interrupt) -> Result<Execution, Failure> {
    let execution = execute(command, Some(copies), interrupt)?;
    match fault(copies) {
        None => Ok(execution),
        Some(error) => Err(not_copied(command, &error)),
    }
}

fn execute(command: &Command<'_>, copies: Option<&mut [Copy; 2]>, interrupt: &Interrupt) -> Result<Execution, Failure> {
    interrupt.check()?;
    hear_of_children();
    let mut running = Running::start(command, copies).map_err(|error| cannot_start(command, &error))?;
    let reason = running.watch(command.timeout, interrupt);
    let duration = running.started.elapsed();
    let leftovers = reason == Reason::Exited && !running.wait_for_all(SETTLE);
    running.end();
    running.drain();
    let status = running.reap().map_err(|error| lost(command, &error))?;
    let exit = match reason {
        Reason::Interrupted => return Err(Failure::interrupted()),
        Reason::TimedOut => ProcessExit::TimedOut,
        Reason::Exited => exit_of(status),
    };
    let abandoned = !running.streams.are_closed();
    let (output, errors) = running.streams.into_facts();
    Ok(Execution { exit, output, errors, duration, leftovers, abandoned })
}

/// Why the watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    Exited,
    TimedOut,
    Interrupted,
}

struct Running<'c> {
    child: Child,
    family: Family,
    streams: Streams<'c, ChildStdout, ChildStderr>,
    started: Instant,
}

impl<'c> Running<'c> {
    fn start(command: &Command<'_>, copies: Option<&'c mut [Copy; 2]>) -> io::Result<Self> {
        let (program, arguments) = command.argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let cwd = folder(command)?;
        let path = resolve(program, command.worktree, &cwd, command.environment)
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such executable file"))?;
        let mark = Mark::new();
        let mut process = std::process::Command::new(path);
        process.arg0(program).args(arguments).current_dir(cwd).process_group(0);
        process.env_clear().envs(command.environment.iter().cloned()).envs([mark.variable()]);
        process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = spawn(&mut process)?;
        let output = child.stdout.take().expect("standard output is piped");
        let errors = child.stderr.take().expect("standard error is piped");
        let family = Family::new(Pid::from_child(&child), mark);
        let streams = Streams::new(output, errors, copies).inspect_err(|_| family.signal(Signal::KILL))?;
        Ok(Self { child, family, streams, started })
    }

    /// Reads until the program exits or has to end.
    fn watch(&mut self, timeout: Duration, interrupt: &Interrupt) -> Reason {
        let mut pause = Pause::default();
        loop {
            if self.has_exited() {
                return Reason::Exited;
            }
            if interrupt.is_set() {
                return Reason::Interrupted;
            }
            let left = timeout.saturating_sub(self.started.elapsed());
            if left.is_zero() {
                return Reason::TimedOut;
            }
            self.streams.pump(pause.next().min(left));
        }
    }

    /// Ends whatever runs, and waits for it.
    fn end(&mut self) {
        if self.is_over() {
            return;
        }
        self.family.signal(Signal::TERM);
        if self.wait_for_all(GRACE) {
            return;
        }
        let since = Instant::now();
        // Who is just being forked gets away from one signal, but not from the next.
        while since.elapsed() < PARTING {
            self.family.signal(Signal::KILL);
            if self.wait_for_all(LOOK) {
                return;
            }
        }
    }

    fn wait_for_all(&mut self, limit: Duration) -> bool {
        let (since, mut pause) = (Instant::now(), Pause::default());
        while !self.is_over() {
            if since.elapsed() >= limit {
                return false;
            }
            self.streams.pump(pause.next());
        }
        true
    }

    /// Whether nobody runs. Where the system does not say, an exited program's group is killed unseen.
    fn is_over(&self) -> bool {
        if !self.has_exited() {
            return false;
        }
        let alive = self.family.is_alive();
        if alive.is_none() {
            self.family.signal(Signal::KILL);
        }
        alive != Some(true)
    }

    /// Reads what is still in the pipes, but does not wait for somebody who holds them open.
    fn drain(&mut self) {
        let since = Instant::now();
        while !self.streams.are_closed() && since.elapsed() < PARTING {
            self.streams.pump(LOOK);
            // Who was just being started during the last look can be seen by now.
            self.end();
        }
    }

    /// Without reaping it: its number must stay taken as long as signals go to its group.
    fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None) | Err(rustix::io::Errno::INTR))
    }

    /// The exit status. A process that even KILL did not end is not waited for.
    fn reap(&mut self) -> io::Result<ExitStatus> {
        self.child.try_wait()?.ok_or_else(|| io::Error::other("it does not end, even when killed"))
    }
}

/// Takes back an ignored SIGCHLD, which a careless parent hands down and which makes the system forget how children end. The
/// signal also cuts a wait short when a child ends.
fn hear_of_children() {
    static ONCE: Once = Once::new();
    // Without it a status may be lost, which is told then.
    ONCE.call_once(|| drop(signal_hook::flag::register(signal_hook::consts::SIGCHLD, Arc::default())));
}

/// Short waits at first, for commands that end at once.
#[derive(Default)]
struct Pause(Duration);

impl Pause {
    fn next(&mut self) -> Duration {
        self.0 = (self.0 * 2).clamp(Duration::from_millis(1), LOOK);
        self.0
    }
}

/// The folder to start in, which must be inside the worktree, links followed.
fn folder(command: &Command<'_>) -> io::Result<PathBuf> {
    let cwd = command.worktree.join(command.cwd).canonicalize()?;
    let inside = cwd.starts_with(command.worktree.canonicalize()?);
    if inside { Ok(cwd) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "its folder is outside the worktree")) }
}

/// Starts the process. A script that was just written may be busy: another thread, forking meanwhile, holds it open for writing
/// until its own child has started.
fn spawn(process: &mut std::process::Command) -> io::Result<Child> {
    for _ in 0..50 {
        match process.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => std::thread::sleep(LOOK / 4),
            other => return other,
        }
    }
    process.spawn()
}

fn exit_of(status: ExitStatus) -> ProcessExit {
    match (status.code(), status.signal()) {
        (Some(code), _) => ProcessExit::Code(code),
        (None, Some(signal)) => ProcessExit::Signal(signal),
        (None, None) => unreachable!("a process that was waited for has exited or was ended by a signal"),
    }
}

fn cannot_start(command: &Command<'_>, error: &io::Error) -> Failure {
    let program = command.argv.first().map_or("", String::as_str);
    let message = format!("cannot start `{program}` in `{}`: {error}", command.cwd);
    let next = if program.contains('/') {
        format!("commit an executable file `{program}`, or correct the command in the policy")
    } else {
        format!("install `{program}` on the PATH, or correct the command in the policy")
    };
    Failure::operational("process.cannot-start", message, next)
}

fn not_copied(command: &Command<'_>, error: &io::Error) -> Failure {
    let program = command.argv.first().map_or("", String::as_str);
    let message = format!("cannot keep what `{program}` prints: {error}");
    Failure::operational("process.not-copied", message, "make room on the disk, then run the command again")
}

fn lost(command: &Command<'_>, error: &io::Error) -> Failure {
    let program = command.argv.first().map_or("", String::as_str);
    Failure::operational(
        "process.lost",
        format!("cannot learn how `{program}` ended: {error}"),
        "look at the process, then run the command again",
    )
}
