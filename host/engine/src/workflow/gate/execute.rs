//! Runs the ordinary phases (BR-69): a phase stops at its first failing command, and later phases do not start.

use std::time::Duration;

use code_polishy_core::{
    canonical::digest_json,
    diagnostic::{Diagnostic, Failure, FailureKind},
    gate::{
        identity::RunIdentity,
        plan::{Category, Planned},
        report::{Attempt, CommandStatus, FailureCategory, Finding},
    },
    plugin::{Outcome, ProcessExit, SuiteRunner, TestCase},
    proof::CaseCounts,
};

use crate::{
    environment::passed,
    event::Event,
    parallel::stream,
    process::{Command, Execution, log_bytes, run as run_process},
    workflow::{
        gate::{Course, Gate, finding, milliseconds, reuse::Earlier},
        suite::{SuiteRun, run_suite},
    },
    workspace::Workspace,
};

/// Lines and bytes of a failed command's output that people see (BR-74).
const TAIL_LINES: usize = 20;
const TAIL_BYTES: usize = 4096;

/// A command that is ready to start: everything that is not `Sync` is resolved.
pub(super) struct Ready<'a> {
    planned: &'a Planned<'a>,
    runner: Option<Box<dyn SuiteRunner + Send + Sync>>,
    /// The run whose passed command counts.
    earlier: Option<&'a str>,
}

/// Makes every phase ready, so that what cannot be loaded is refused before anything runs.
pub(super) fn prepare<'a>(gate: &'a Gate<'_>, identity: &RunIdentity, earlier: &'a Earlier) -> Result<Vec<Vec<Ready<'a>>>, Failure> {
    let plugins = gate.change.policies.candidate.plugins(gate.workspace);
    let ready = |planned: &'a Planned<'a>| {
        let command = identity.commands.iter().find(|command| (command.category, &*command.name) == (planned.category(), planned.name()));
        let earlier = command.and_then(|command| earlier.get(&digest_json(command))).map(String::as_str);
        let runner = match planned {
            Planned::Suite { suite, .. } if earlier.is_none() => Some(plugins.runner(suite)?),
            Planned::Suite { .. } | Planned::Check(_) => None,
        };
        Ok(Ready { planned, runner, earlier })
    };
    gate.phases.iter().map(|phase| phase.commands.iter().map(ready).collect()).collect()
}

/// Runs every phase in order; `first` is the report's first command of a phase.
pub(super) fn phases(gate: &Gate<'_>, mut first: usize, phases: &[Vec<Ready<'_>>], course: &mut Course<'_>) -> Result<(), Failure> {
    for (phase, ready) in gate.phases.iter().zip(phases) {
        if !course.is_clear() {
            break;
        }
        let jobs = if phase.category == Category::Test { gate.request.jobs } else { 1 };
        let workspace = gate.workspace;
        let work = |_: usize, ready: &Ready<'_>| start(workspace, ready);
        let go_on = |done: &Done| done.category.is_none();
        stream(jobs, ready, work, go_on, |index, done| settle(gate, first + index, done, course))?;
        first += ready.len();
    }
    Ok(())
}

/// What became of a command.
pub struct Done {
    /// The run whose passed command counts.
    pub reused_from: Option<String>,
    /// Why it is no pass.
    pub category: Option<FailureCategory>,
    /// Of the process; `None` when a signal or the host ended it.
    pub exit_status: Option<i32>,
    /// From start to end.
    pub duration: Duration,
    /// Before exclusive resources were free.
    pub waited: Duration,
    /// When the runner knows cases.
    pub cases: Option<CaseCounts>,
    /// Tests that failed, when the runner knows them.
    pub failed: Vec<TestCase>,
    /// What it printed.
    pub log: Vec<u8>,
    /// The log holds less than was printed.
    pub truncated: bool,
    /// Why it is no pass, in words.
    pub why: String,
    /// Something outside failed.
    pub fault: Option<Failure>,
}

fn start(workspace: &Workspace<'_>, ready: &Ready<'_>) -> Done {
    if let Some(run) = ready.earlier {
        return Done { reused_from: Some(run.to_owned()), ..Done::nothing() };
    }
    let name = ready.planned.name();
    workspace.observer.on(&Event::Started { name });
    let done = match (ready.planned, &ready.runner) {
        (Planned::Suite { suite, .. }, Some(runner)) => {
            run_suite(workspace, suite, runner.as_ref(), workspace.repository.root()).map(Done::of_suite)
        }
        (Planned::Check(check), _) => {
            let command = Command {
                argv: &check.argv,
                worktree: workspace.repository.root(),
                cwd: &check.cwd,
                environment: &passed(workspace.environment.iter().cloned(), &check.environment, &[]),
                timeout: Duration::from_secs(u64::from(check.timeout_seconds)),
            };
            run_process(&command, &workspace.interrupt).map(Done::of_check)
        }
        (Planned::Suite { .. }, None) => unreachable!("every suite was prepared with its runner"),
    };
    workspace.observer.on(&Event::Ended { name });
    done.unwrap_or_else(Done::of_fault)
}

impl Done {
    pub(super) fn nothing() -> Self {
        Self {
            reused_from: None,
            category: None,
            exit_status: None,
            duration: Duration::ZERO,
            waited: Duration::ZERO,
            cases: None,
            failed: Vec::new(),
            log: Vec::new(),
            truncated: false,
            why: String::new(),
            fault: None,
        }
    }

    fn of_check(execution: Execution) -> Self {
        let (category, why) = match execution.exit {
            ProcessExit::Code(0) => (None, String::new()),
            exit => (Some(exit_category(exit)), describe(exit)),
        };
        Self::of_execution(&execution, category, why)
    }

    /// Judges a finished suite.
    pub fn of_suite(run: SuiteRun) -> Self {
        let (category, why) = match (run.execution.exit, &run.verdict) {
            (ProcessExit::Code(0), Some(verdict)) if verdict.outcome == Outcome::Passed => (None, String::new()),
            (exit @ ProcessExit::Code(_), Some(verdict)) => {
                (Some(exit_category(exit)), format!("{} ({})", code_polishy_core::text::escape_line(&verdict.summary), describe(exit)))
            }
            (exit, _) => (Some(exit_category(exit)), describe(exit)),
        };
        Self {
            waited: run.waited,
            cases: run.verdict.as_ref().and_then(CaseCounts::of),
            failed: run.failed(),
            truncated: run.truncated(),
            ..Self::of_execution(&run.execution, category, why)
        }
    }

    /// Tells why it is no pass; what a fault says is its whole output.
    pub fn failure<'a>(&'a self, name: &'a str, category: FailureCategory, tail: &'a str, log_path: &'a str) -> Event<'a> {
        let why = if self.fault.is_some() { "" } else { self.why.as_str() };
        Event::Failed { name, category, why, failed: &self.failed, tail, log_path }
    }

    fn of_execution(execution: &Execution, category: Option<FailureCategory>, why: String) -> Self {
        Self {
            category,
            exit_status: match execution.exit {
                ProcessExit::Code(status) => Some(status),
                ProcessExit::Signal(_) | ProcessExit::TimedOut => None,
            },
            duration: execution.duration,
            log: log_bytes(execution),
            why,
            ..Self::nothing()
        }
    }

    /// A program that cannot start is the environment's fault, a lease that cannot be had the resource's; a plugin's or the disk's is
    /// operational.
    pub fn of_fault(failure: Failure) -> Self {
        let text: String = failure.diagnostics.iter().map(|diagnostic| format!("{}\n", diagnostic.message)).collect();
        let is = |code: &str| failure.diagnostics.iter().any(|diagnostic| diagnostic.code == code);
        let category = match failure.kind {
            FailureKind::Interrupted => FailureCategory::Canceled,
            _ if is("process.cannot-start") => FailureCategory::Environment,
            _ if is("lock.failed") => FailureCategory::Resource,
            _ => FailureCategory::Operational,
        };
        Self {
            category: Some(category),
            log: text.clone().into_bytes(),
            why: text.trim_end().to_owned(),
            fault: Some(failure),
            ..Self::nothing()
        }
    }
}

fn exit_category(exit: ProcessExit) -> FailureCategory {
    match exit {
        ProcessExit::TimedOut => FailureCategory::Timeout,
        ProcessExit::Code(_) | ProcessExit::Signal(_) => FailureCategory::CommandExit,
    }
}

fn describe(exit: ProcessExit) -> String {
    match exit {
        ProcessExit::Code(status) => format!("exit status {status}"),
        ProcessExit::Signal(signal) => format!("ended by signal {signal}"),
        ProcessExit::TimedOut => "out of time".to_owned(),
    }
}

/// Records what became of a command, with a finding when it did not pass.
pub(super) fn settle(gate: &Gate<'_>, index: usize, done: Done, course: &mut Course<'_>) -> Result<(), Failure> {
    let log_path = record(gate, index, &done, course)?;
    let Some(category) = done.category else { return Ok(()) };
    let name = &course.report.commands[index].name;
    let mend = || format!("read {log_path}, mend the candidate, commit, and run the gate again");
    let next = done.fault.as_ref().map_or_else(mend, |fault| fault.next_step().to_owned());
    let diagnostic = Diagnostic::new("gate.command", format!("`{name}` did not pass: {}", done.why), next);
    let finding = Finding { path: log_path, ..finding(&format!("gate.{}", category.name()), name, &diagnostic) };
    course.report.findings.push(finding);
    course.fault = course.fault.take().or(done.fault);
    Ok(())
}

/// Writes the log and the attempt, and tells how it ended. Returns the log's path, which is empty for a reused command.
pub(super) fn record(gate: &Gate<'_>, index: usize, done: &Done, course: &mut Course<'_>) -> Result<String, Failure> {
    let command = &mut course.report.commands[index];
    let observer = gate.workspace.observer;
    command.status = if done.category.is_none() { CommandStatus::Passed } else { CommandStatus::Failed };
    command.reused_from.clone_from(&done.reused_from);
    let name = command.name.as_str();
    if let Some(run) = &done.reused_from {
        observer.on(&Event::Reused { name, run });
        return Ok(String::new());
    }
    let (log_path, log_sha256) = course.run.write_log(&format!("{index:03}-{name}.log"), &done.log)?;
    command.attempts.push(Attempt {
        number: 1,
        status: command.status,
        failure_category: done.category,
        exit_status: done.exit_status,
        duration_ms: milliseconds(done.duration),
        resource_wait_ms: milliseconds(done.waited),
        cases: done.cases,
        log_path: log_path.clone(),
        log_sha256,
        truncated: done.truncated,
    });
    match done.category {
        None => observer.on(&Event::Passed { name, duration: done.duration }),
        Some(category) => observer.on(&done.failure(name, category, &tail(&done.log), &log_path)),
    }
    Ok(log_path)
}

/// At most 20 lines and 4 KiB from the end.
pub fn tail(log: &[u8]) -> String {
    let text = String::from_utf8_lossy(log);
    let from = text.ceil_char_boundary(text.len().saturating_sub(TAIL_BYTES));
    let lines: Vec<&str> = text[from..].lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}
