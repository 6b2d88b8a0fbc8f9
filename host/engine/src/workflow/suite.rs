//! Runs one suite in one folder and lets its runner say what it means (BR-20, BR-61, BR-75 to BR-77).

use std::{path::Path, time::Duration};

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::Failure,
    plugin::{CaseOutcome, CollectedFile, ExecutionFacts, ProcessExit, SuiteFacts, SuiteRunner, TestCase, Verdict},
    policy::model::Suite,
};

use crate::{
    environment::passed,
    event::Event,
    git::{Repository, Tree, Worktrees},
    input::{InputFault, read_contained_head},
    lease,
    process::{Command, Execution, log_bytes, run},
    store::remove_file_below,
    workspace::Workspace,
};

/// A finished run of a suite.
pub struct SuiteRun {
    /// What the process did.
    pub execution: Execution,
    /// The runner's judgement; `None` after a timeout or a signal, which only the host judges.
    pub verdict: Option<Verdict>,
    /// How long exclusive resources were waited for.
    pub waited: Duration,
}

impl SuiteRun {
    /// The log of the run.
    pub fn log(&self) -> Vec<u8> {
        log_bytes(&self.execution)
    }

    /// The tests that failed, in the runner's order; none when it knows no cases.
    pub fn failed(&self) -> Vec<TestCase> {
        let cases = self.verdict.iter().flat_map(|verdict| verdict.cases.as_deref().unwrap_or_default());
        cases.filter(|case| case.outcome == CaseOutcome::Failed).cloned().collect()
    }

    /// The log holds less than was printed.
    pub fn truncated(&self) -> bool {
        let cut = |stream: &code_polishy_core::plugin::StreamFacts| stream.total > (stream.head.len() + stream.tail.len()) as u64;
        cut(&self.execution.output) || cut(&self.execution.errors)
    }
}

/// Runs the suite with `root` as its repository root.
pub fn run_suite(workspace: &Workspace<'_>, suite: &Suite, runner: &dyn SuiteRunner, root: &Path) -> Result<SuiteRun, Failure> {
    let facts = SuiteFacts { name: suite.name.clone(), kind: suite.kind.clone(), argv: suite.argv.clone(), cwd: suite.cwd.clone() };
    let invocation = runner.plan(&facts)?;
    let argv: Vec<String> = suite.argv.iter().chain(&invocation.arguments).cloned().collect();
    let environment = passed(workspace.environment.iter().cloned(), &suite.environment, &invocation.variables);
    remove_reports(root, &suite.cwd, &invocation.reports)?;
    let leases = lease_resources(workspace, &suite.exclusive_resources)?;
    let command = Command {
        argv: &argv,
        worktree: root,
        cwd: &suite.cwd,
        environment: &environment,
        timeout: Duration::from_secs(u64::from(suite.timeout_seconds)),
    };
    let execution = run(&command, &workspace.interrupt)?;
    let waited = leases.as_ref().map_or(Duration::ZERO, |leases| leases.waited);
    drop(leases);
    let verdict = match execution.exit {
        ProcessExit::Code(_) => Some(runner.judge(&facts, &execution_facts(&execution, collect(root, &suite.cwd, &invocation.reports)?))?),
        ProcessExit::Signal(_) | ProcessExit::TimedOut => None,
    };
    Ok(SuiteRun { execution, verdict, waited })
}

/// Waits for exclusive resources; none are asked of the user's cache when the suite names none.
pub fn lease_resources(workspace: &Workspace<'_>, resources: &[String]) -> Result<Option<lease::Leases>, Failure> {
    if resources.is_empty() {
        return Ok(None);
    }
    let on_wait = |resource: &str| workspace.observer.on(&Event::Waiting { what: resource });
    lease::acquire(&workspace.places.cache()?, resources, &workspace.interrupt, on_wait).map(Some)
}

/// A timeout or a signal is operational and never proof (BR-61).
pub fn exit_status(run: &SuiteRun, suite: &str, place: &str) -> Result<i32, Failure> {
    let next = "make the suite end by itself, or raise its `timeoutSeconds`";
    match run.execution.exit {
        ProcessExit::Code(status) => Ok(status),
        ProcessExit::Signal(signal) => {
            Err(Failure::operational("suite.signal", format!("the suite `{suite}` was ended by signal {signal} at {place}"), next))
        }
        ProcessExit::TimedOut => {
            Err(Failure::operational("suite.timeout", format!("the suite `{suite}` ran out of time at {place}"), next))
        }
    }
}

/// Where disposable worktrees of this repository are made.
pub fn worktrees(workspace: &Workspace<'_>) -> Result<Worktrees, Failure> {
    let repository = &workspace.repository;
    let location = workspace.places.worktrees(&[repository.root(), repository.git_dir(), repository.common_dir()])?;
    Worktrees::new(repository, location)
}

/// Digest of the program that a command starts; empty when it is not found.
pub fn program_sha256(workspace: &Workspace<'_>, argv: &[String], cwd: &str, declared: &[String]) -> String {
    let environment = passed(workspace.environment.iter().cloned(), declared, &[]);
    let root = workspace.repository.root();
    let program = argv.first().and_then(|program| crate::process::resolve(program, root, &root.join(cwd), &environment));
    program.and_then(|path| std::fs::read(path).ok()).map(|bytes| digest_bytes(&bytes)).unwrap_or_default()
}

fn below(cwd: &str, path: &str) -> String {
    if cwd == "." { path.to_owned() } else { format!("{cwd}/{path}") }
}

/// Only what this run writes is collected (BR-20). A committed file is neither read nor removed.
pub(super) fn remove_reports(root: &Path, cwd: &str, reports: &[(String, u32)]) -> Result<(), Failure> {
    if reports.is_empty() {
        return Ok(());
    }
    let repository = Repository::open(root)?;
    let tree = Tree::of(&repository, &repository.head()?)?;
    for (report, _) in reports {
        let path = below(cwd, report);
        if tree.entry(&path)?.is_some() {
            let message = format!("the runner collects {}, which is committed", code_polishy_core::text::escape_line(&path));
            return Err(Failure::blocked("suite.report-committed", message, "remove it from the repository and have git ignore it"));
        }
        remove_file_below(root, &path)?;
    }
    Ok(())
}

/// What the suite wrote of its report files.
pub(super) fn collect(root: &Path, cwd: &str, reports: &[(String, u32)]) -> Result<Vec<CollectedFile>, Failure> {
    let mut files = Vec::new();
    for (path, limit) in reports {
        match read_contained_head(root, &below(cwd, path), u64::from(*limit)) {
            Ok((content, truncated)) => files.push(CollectedFile { path: path.clone(), content, truncated }),
            Err(InputFault::Absent) => {}
            Err(fault) => {
                let message = format!("the report file {} {fault}", code_polishy_core::text::escape_line(path));
                return Err(Failure::operational("suite.report", message, "make the suite write a regular file there"));
            }
        }
    }
    Ok(files)
}

/// The run as its runner sees it.
pub(super) fn execution_facts(execution: &Execution, files: Vec<CollectedFile>) -> ExecutionFacts {
    ExecutionFacts { exit: execution.exit, output: execution.output.clone(), errors: execution.errors.clone(), files }
}
