//! One gate from its plan to its record (CR-133, CR-136, CR-143).

use std::{collections::BTreeMap, ffi::OsString, time::Duration};

use code_polishy_core::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{
        codes,
        config::GateCommand,
        gates::{
            CHANGED_COMMAND, Ended, GateCheck, GateReason, GateSource, GateStatus, OVERLAY_FILE, Observation, PlannedGate, Way, refusal,
        },
        image::MAX_RAW_BYTES,
    },
    diagnostic::{Failure, FailureKind},
    gate::report::FailureCategory,
    plugin::{Invocation, ProcessExit, SuiteFacts, SuiteRunner, Verdict},
};

use super::{
    observe::Watch,
    overlay::Overlay,
    proof::{Proven, Prover, Ran},
};
use crate::{
    environment::passed,
    event::Event,
    process::{Command, Copy, Execution, resolve, run_copied},
    workflow::{
        code_review::{operational, run::Run},
        gate::execute::tail,
        suite::{collect, execution_facts, remove_reports},
    },
    workspace::Workspace,
};

/// Loaded suite runners by gate.
pub type Runners = BTreeMap<&'static str, Box<dyn SuiteRunner + Send + Sync>>;

/// Everything that every gate of a run has in common.
pub struct Ground<'a> {
    /// The means.
    pub workspace: &'a Workspace<'a>,
    /// Where logs are kept.
    pub run: &'a Run,
    /// The reviewed tree.
    pub watch: &'a Watch,
    /// The same, as the record tells it.
    pub source: &'a GateSource,
    /// Suite runners by gate.
    pub runners: &'a Runners,
    /// Green tests have to prove what they tested (CR-228).
    pub needs_proof: bool,
    /// What the tests may import from, beside their environment.
    pub overlay: Option<&'a Overlay>,
}

/// What was printed, whole or cut.
struct Logs {
    output: Vec<u8>,
    errors: Vec<u8>,
    truncated: bool,
}

/// A command that ended.
struct Done {
    execution: Execution,
    verdict: Option<Result<Verdict, String>>,
    proven: Option<Proven>,
    logs: Logs,
}

/// Why a command gave no end.
enum Stop {
    /// There is no such program; what was looked for.
    NoProgram(String),
    /// Its runner refused to plan it.
    Runner(String),
}

impl Ground<'_> {
    /// The record of the gate. `changed` is the reason of a command that replaces a failed one.
    ///
    /// # Errors
    /// Exit 3; exit 130. What the command does is never an error.
    pub fn gate(&self, gate: &PlannedGate, changed: Option<&str>) -> Result<GateCheck, Failure> {
        let unstarted = |status, reason, detail: Option<&String>| GateCheck::unstarted(gate.id, status, Some(reason), detail.cloned());
        let (command, runner) = match &gate.way {
            Way::NoCommand => return Ok(unstarted(GateStatus::MissingCommand, GateReason::NoCommandConfigured, None)),
            Way::Unavailable(reason) => {
                return Ok(unstarted(GateStatus::MissingCommand, GateReason::PrerequisiteUnavailable, Some(reason)));
            }
            Way::NotApplicable(reason) => return Ok(unstarted(GateStatus::NotApplicable, GateReason::Declared, Some(reason))),
            Way::Run { command, runner } => (command, runner),
        };
        let mut check = GateCheck {
            runner: runner.clone(),
            environment: gate.environment.clone(),
            ..GateCheck::unstarted(gate.id, GateStatus::Fail, None, None)
        };
        check.command_path = Some(self.keep(&mut check, "command", format!("{}\n", gate.text().unwrap_or_default()).as_bytes())?);
        if let Some(overlay) = self.overlay.filter(|_| gate.id == "tests") {
            self.bind(&mut check, OVERLAY_FILE, &artifact_bytes(&overlay.receipt))?;
        }
        self.attempt(gate, command, &mut check)?;
        if let Some(reason) = changed {
            check.detail = Some(format!("{CHANGED_COMMAND}{reason}"));
        }
        Ok(check)
    }

    /// Looks, runs, and looks again.
    fn attempt(&self, gate: &PlannedGate, command: &GateCommand, check: &mut GateCheck) -> Result<(), Failure> {
        let before = match self.watch.look(&self.workspace.interrupt)? {
            Ok(before) => before,
            Err(why) => {
                (check.reason, check.detail) = (Some(GateReason::SourceInspectionFailed), Some(why));
                return Ok(());
            }
        };
        check.before = Some(before.clone());
        let (mode, head, snapshot) = (self.source.mode, &self.source.expected_head, &self.source.snapshot_sha256);
        if let Some((reason, detail)) = refusal(mode, head.as_deref(), snapshot.as_deref(), &before) {
            (check.reason, check.detail) = (Some(reason), Some(detail));
            return Ok(());
        }
        self.workspace.observer.on(&Event::Started { name: gate.id });
        let done = self.command(gate, command);
        self.workspace.observer.on(&Event::Ended { name: gate.id });
        match done? {
            Ok(done) => {
                let after = self.watch.look(&self.workspace.interrupt)?;
                self.judged(&done, &before, after, check)
            }
            Err(Stop::NoProgram(detail)) => {
                (check.gate_status, check.reason) = (GateStatus::MissingCommand, Some(GateReason::ProgramNotFound));
                (check.detail, check.before) = (Some(detail), None);
                Ok(())
            }
            Err(Stop::Runner(detail)) => {
                (check.reason, check.detail, check.after) = (Some(GateReason::RunnerError), Some(detail), Some(before));
                self.logs(check, &Logs { output: Vec::new(), errors: Vec::new(), truncated: false })
            }
        }
    }

    /// Runs the command in the reviewed tree.
    fn command(&self, gate: &PlannedGate, command: &GateCommand) -> Result<Result<Done, Stop>, Failure> {
        let worktree = self.watch.worktree();
        let mut argv = match command {
            GateCommand::Shell(line) => ["sh", "-c", line].map(str::to_owned).to_vec(),
            GateCommand::Argv(words) => words.clone(),
        };
        let facts = SuiteFacts { name: gate.id.to_owned(), kind: gate.id.to_owned(), argv: argv.clone(), cwd: ".".to_owned() };
        let runner = self.runners.get(gate.id);
        let invocation = match runner.map(|runner| runner.plan(&facts)) {
            None => Invocation::default(),
            Some(Ok(invocation)) => invocation,
            Some(Err(fault)) => return Ok(Err(Stop::Runner(fault.to_string()))),
        };
        let prover = gate.proof.as_ref().map(|plan| Prover::prepare(plan, &argv)).transpose()?;
        let own = argv.clone();
        argv.extend(invocation.arguments.iter().cloned().chain(prover.iter().flat_map(Prover::arguments)));
        let environment = self.environment(gate, &invocation, prover.as_ref());
        let program = argv.first().map_or("", String::as_str);
        if resolve(program, worktree, worktree, &environment).is_none() {
            return Ok(Err(Stop::NoProgram(format!("there is no program `{program}`"))));
        }
        if let Err(failure) = remove_reports(worktree, ".", &invocation.reports) {
            return Ok(Err(Stop::Runner(told(&failure))));
        }
        let timeout = Duration::from_secs(u64::from(gate.timeout_seconds));
        let command = Command { argv: &argv, worktree, cwd: ".", environment: &environment, timeout };
        let mut copies = [self.copy()?, self.copy()?];
        let execution = match run_copied(&command, &mut copies, &self.workspace.interrupt) {
            Ok(execution) => execution,
            Err(failure) if cannot_start(&failure) => return Ok(Err(Stop::NoProgram(told(&failure)))),
            Err(failure) => return Err(failure),
        };
        let verdict = match (runner, execution.exit) {
            (Some(runner), ProcessExit::Code(_)) => Some(judge(runner.as_ref(), &facts, &execution, worktree, &invocation)),
            _ => None,
        };
        if let Err(failure) = remove_reports(worktree, ".", &unasked(&own, &invocation)) {
            return Ok(Err(Stop::Runner(told(&failure))));
        }
        let ran =
            Ran { workspace: self.workspace, gate: gate.id, watch: self.watch, environment: &environment, timeout, overlay: self.overlay };
        let prover = prover.filter(|_| matches!(execution.exit, ProcessExit::Code(_)));
        let proven = prover.map(|prover| prover.prove(ran)).transpose()?;
        let logs = logs(&copies, &execution)?;
        Ok(Ok(Done { execution, verdict, proven, logs }))
    }

    /// Only what a command may see, what its runner sets, what `--gate-env` gives, and what a recorder needs (CR-136, CR-202).
    fn environment(&self, gate: &PlannedGate, invocation: &Invocation, prover: Option<&Prover>) -> Vec<(OsString, OsString)> {
        let given = gate.environment.iter().map(|(name, value)| (name.clone(), value.clone()));
        let recorder = prover.into_iter().flat_map(|prover| prover.variables(&gate.environment));
        let set: Vec<(String, String)> = invocation.variables.iter().cloned().chain(given).chain(recorder).collect();
        passed(self.workspace.environment.iter().cloned(), &[], &set)
    }

    fn judged(&self, done: &Done, before: &Observation, after: Result<Observation, String>, check: &mut GateCheck) -> Result<(), Failure> {
        let is_tests = check.id == "tests";
        let ended = Ended {
            exit: done.execution.exit,
            verdict: done.verdict.as_ref(),
            before,
            after: &after,
            tells_proof: is_tests,
            proof: done.proven.as_ref().map(|proven| &proven.proof),
            needs_proof: is_tests && self.needs_proof,
        };
        let outcome = ended.outcome();
        (check.gate_status, check.reason, check.detail) = (outcome.status, outcome.reason, outcome.detail);
        (check.command_exit, check.signal) = (outcome.command_exit, outcome.signal);
        (check.tests, check.source_proof) = (outcome.tests, outcome.source_proof);
        check.duration_ms = u64::try_from(done.execution.duration.as_millis()).ok();
        check.after = Some(after.unwrap_or_else(|_| unseen(before)));
        for (path, bytes) in done.proven.iter().flat_map(|proven| &proven.kept) {
            self.bind(check, path, bytes)?;
        }
        self.logs(check, &done.logs)?;
        self.tell(check, done);
        Ok(())
    }

    fn logs(&self, check: &mut GateCheck, logs: &Logs) -> Result<(), Failure> {
        check.stdout = Some(self.keep(check, "stdout", &logs.output)?);
        check.stderr = Some(self.keep(check, "stderr", &logs.errors)?);
        check.truncated = logs.truncated;
        Ok(())
    }

    /// Writes a file of the check, and binds it into the record.
    fn keep(&self, check: &mut GateCheck, kind: &str, bytes: &[u8]) -> Result<String, Failure> {
        let path = format!("checks/{}.{kind}.txt", check.id);
        self.bind(check, &path, bytes)?;
        Ok(path)
    }

    fn bind(&self, check: &mut GateCheck, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.run.write(path, bytes)?;
        check.artifacts.insert(path.to_owned(), digest_bytes(bytes));
        Ok(())
    }

    /// A file without a name, which is gone with this process.
    fn copy(&self) -> Result<Copy, Failure> {
        let file = tempfile::tempfile_in(self.run.path()).map_err(|error| unkept(&error))?;
        Ok(Copy::new(file, MAX_RAW_BYTES))
    }

    fn tell(&self, check: &GateCheck, done: &Done) {
        let name = check.id.as_str();
        if check.gate_status == GateStatus::Pass {
            return self.workspace.observer.on(&Event::Passed { name, duration: done.execution.duration });
        }
        let category = match check.gate_status {
            GateStatus::Timeout => FailureCategory::Timeout,
            _ => FailureCategory::CommandExit,
        };
        let printed: &[u8] = match (done.execution.exit, done.logs.errors.is_empty()) {
            // What green commands print does not say why they do not count.
            (ProcessExit::Code(0), _) => &[],
            (_, true) => &done.logs.output,
            (_, false) => &done.logs.errors,
        };
        self.workspace.observer.on(&Event::Failed {
            name,
            category,
            why: check.detail.as_deref().unwrap_or_default(),
            failed: &[],
            tail: &tail(printed),
            log_path: check.stdout.as_deref().unwrap_or_default(),
        });
    }
}

fn judge(
    runner: &dyn SuiteRunner,
    facts: &SuiteFacts,
    execution: &Execution,
    worktree: &std::path::Path,
    invocation: &Invocation,
) -> Result<Verdict, String> {
    let files = collect(worktree, ".", &invocation.reports).map_err(|failure| told(&failure))?;
    runner.judge(facts, &execution_facts(execution, files)).map_err(|fault| fault.to_string())
}

/// Reports that the runner asked for and the command did not: they would be left in the reviewed tree.
fn unasked(argv: &[String], invocation: &Invocation) -> Vec<(String, u32)> {
    let is_asked = |path: &str| argv.iter().any(|word| word.contains(path));
    invocation.reports.iter().filter(|(path, _)| !is_asked(path)).cloned().collect()
}

fn logs(copies: &[Copy; 2], execution: &Execution) -> Result<Logs, Failure> {
    let [output, errors] = copies.each_ref().map(Copy::bytes);
    let (output, errors) = (output.map_err(|error| unkept(&error))?, errors.map_err(|error| unkept(&error))?);
    let truncated = output.len() as u64 != execution.output.total || errors.len() as u64 != execution.errors.total;
    Ok(Logs { output, errors, truncated })
}

/// What is recorded of a tree that can no longer be seen.
fn unseen(before: &Observation) -> Observation {
    Observation { head: None, dirty: Vec::new(), top_level: before.top_level.clone(), snapshot_sha256: None }
}

fn cannot_start(failure: &Failure) -> bool {
    failure.kind == FailureKind::Operational && failure.diagnostics.iter().any(|diagnostic| diagnostic.code == "process.cannot-start")
}

fn told(failure: &Failure) -> String {
    failure.diagnostics.first().map(|first| first.message.clone()).unwrap_or_default()
}

pub(super) fn unkept(error: &std::io::Error) -> Failure {
    operational(&codes::IO_ERROR, format!("cannot keep what a gate prints: {error}"), "make room in the run, then run the gates again")
}
