//! Runs the ordinary phases (BR-69): a phase stops at its first failing command, and later phases do not start.

use std::time::Duration;

use code_polishy_core::{
    canonical::digest_json,
    diagnostic::{Diagnostic, Failure, FailureKind},
    gate::{
        plan::{Category, Phase, Planned},
        report::{Attempt, CommandReport, CommandStatus, FailureCategory, Finding, Report},
    },
    plugin::{Outcome, ProcessExit, SuiteRunner},
    proof::CaseCounts,
};

use crate::{
    environment::passed,
    event::Event,
    parallel::in_order,
    process::{Command, Execution, log_bytes, run as run_process},
    workflow::{
        gate::{Gate, finding, identity::command_identity, not_started, reuse::Earlier, runs::Run},
        suite::{SuiteRun, run_suite},
    },
    workspace::Workspace,
};

/// Lines and bytes of a failed command's output that people see (BR-74).
const TAIL_LINES: usize = 20;
const TAIL_BYTES: usize = 4096;

/// A command that is ready to start: everything that is not `Sync` is resolved.
struct Ready<'a> {
    planned: &'a Planned<'a>,
    runner: Option<Box<dyn SuiteRunner + Send + Sync>>,
    report: CommandReport,
}

/// Runs every phase in order, and records every planned command.
pub(super) fn phases(gate: &Gate<'_>, report: &mut Report, run: &Run, earlier: &Earlier) -> Result<(), Failure> {
    let mut fault = None;
    for phase in &gate.phases {
        let ready = prepare(gate, phase, report.commands.len())?;
        if !report.findings.is_empty() || fault.is_some() {
            report.commands.extend(ready.into_iter().map(|ready| ready.report));
            continue;
        }
        let jobs = if phase.category == Category::Test { gate.request.jobs } else { 1 };
        let workspace = gate.workspace;
        let work = |_: usize, ready: &Ready<'_>| start(workspace, ready, earlier);
        let results = in_order(jobs, &ready, work, |done: &Done| done.category.is_none());
        for (mut ready, done) in ready.into_iter().zip(results) {
            if let Some(done) = done {
                let settled = settle(gate, &mut ready.report, done, run)?;
                report.findings.extend(settled.finding);
                fault = fault.or(settled.fault);
            }
            report.commands.push(ready.report);
        }
    }
    fault.map_or(Ok(()), Err)
}

fn prepare<'a>(gate: &'a Gate<'_>, phase: &'a Phase<'_>, first: usize) -> Result<Vec<Ready<'a>>, Failure> {
    let plugins = gate.change.policies.candidate.plugins(gate.workspace);
    let ready = phase.commands.iter().enumerate().map(|(index, planned)| {
        let runner = match planned {
            Planned::Check(_) => None,
            Planned::Suite { suite, .. } => Some(plugins.runner(suite)?),
        };
        let sha256 = digest_json(&command_identity(gate, planned)?);
        Ok(Ready { planned, runner, report: not_started(first + index, planned.name(), planned.category(), sha256) })
    });
    ready.collect()
}

/// What became of a command.
pub struct Done {
    reused_from: Option<String>,
    /// Why it is no pass.
    pub category: Option<FailureCategory>,
    /// Of the process; `None` when a signal or the host ended it.
    pub exit_status: Option<i32>,
    /// From start to end.
    pub duration: Duration,
    waited: Duration,
    /// When the runner knows cases.
    pub cases: Option<CaseCounts>,
    /// What it printed.
    pub log: Vec<u8>,
    truncated: bool,
    /// Why it is no pass, in words.
    pub why: String,
    /// Something outside failed.
    pub fault: Option<Failure>,
}

fn start(workspace: &Workspace<'_>, ready: &Ready<'_>, earlier: &Earlier) -> Done {
    let name = ready.planned.name();
    if let Some(run) = earlier.get(&ready.report.sha256) {
        workspace.observer.on(&Event::Reused { name, run });
        return Done { reused_from: Some(run.clone()), ..Done::nothing() };
    }
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
    done.unwrap_or_else(Done::of_fault)
}

impl Done {
    fn nothing() -> Self {
        Self {
            reused_from: None,
            category: None,
            exit_status: None,
            duration: Duration::ZERO,
            waited: Duration::ZERO,
            cases: None,
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
            truncated: run.truncated(),
            ..Self::of_execution(&run.execution, category, why)
        }
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

    /// A program that cannot start is the environment's fault; a plugin's or the disk's is operational.
    pub fn of_fault(failure: Failure) -> Self {
        let text: String = failure.diagnostics.iter().map(|diagnostic| format!("{}\n", diagnostic.message)).collect();
        let category = match failure.kind {
            FailureKind::Interrupted => FailureCategory::Canceled,
            _ if failure.diagnostics.iter().any(|diagnostic| diagnostic.code == "process.cannot-start") => FailureCategory::Environment,
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

struct Settled {
    finding: Option<Finding>,
    fault: Option<Failure>,
}

fn settle(gate: &Gate<'_>, command: &mut CommandReport, done: Done, run: &Run) -> Result<Settled, Failure> {
    command.status = if done.category.is_none() { CommandStatus::Passed } else { CommandStatus::Failed };
    command.reused_from = done.reused_from;
    if command.reused_from.is_some() {
        return Ok(Settled { finding: None, fault: None });
    }
    let (log_path, log_sha256) = run.write_log(&format!("{:03}-{}.log", command.index, command.name), &done.log)?;
    let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    command.attempts.push(Attempt {
        number: 1,
        status: command.status,
        failure_category: done.category,
        exit_status: done.exit_status,
        duration_ms: millis(done.duration),
        resource_wait_ms: millis(done.waited),
        cases: done.cases,
        log_path: log_path.clone(),
        log_sha256,
        truncated: done.truncated,
    });
    let name = command.name.as_str();
    let Some(category) = done.category else {
        gate.workspace.observer.on(&Event::Passed { name, duration: done.duration });
        return Ok(Settled { finding: None, fault: None });
    };
    gate.workspace.observer.on(&Event::Failed { name, category, tail: &tail(&done.log), log_path: &log_path });
    let next = format!("read {log_path}, mend the candidate, commit, and run the gate again");
    let diagnostic = Diagnostic::new("gate.command", format!("`{name}` did not pass: {}", done.why), next);
    let finding =
        done.fault.is_none().then(|| Finding { path: log_path, ..finding(&format!("gate.{}", category.name()), name, &diagnostic) });
    Ok(Settled { finding, fault: done.fault })
}

/// At most 20 lines and 4 KiB from the end.
pub fn tail(log: &[u8]) -> String {
    let text = String::from_utf8_lossy(log);
    let from = text.ceil_char_boundary(text.len().saturating_sub(TAIL_BYTES));
    let lines: Vec<&str> = text[from..].lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}
