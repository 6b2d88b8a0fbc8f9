//! `test`: runs suites of the working policy in the working tree. It is no gate: nothing is stored, and dirty trees are fine.

use std::time::Duration;

use code_polishy_core::{
    diagnostic::{Failure, FailureKind},
    gate::report::{FailureCategory, PROTOCOL, VERSION},
    plugin::{Outcome, SuiteRunner, TestCase},
    policy::model::{Policy, Suite},
    proof::CaseCounts,
};
use serde::Serialize;

use crate::{
    event::Event,
    parallel::in_order,
    plugins::{Origin, PluginSet},
    workflow::{
        gate::execute::{Done, tail},
        policies::working_policy,
        suite::run_suite,
    },
    workspace::Workspace,
};

mod choose;

/// What the caller asks for; the parts add up.
#[derive(Clone, Debug, Default)]
pub struct TestRequest {
    /// `--suite`: these, supplemental or not.
    pub suites: Vec<String>,
    /// `--module`: the suites of this module.
    pub module: Option<String>,
    /// `--changed`: the `focused` suites of modules that the change reaches.
    pub changed: bool,
    /// `--recommended`: what a `recommended` gate would run.
    pub recommended: bool,
    /// `--all`: everything that is not supplemental.
    pub all: bool,
    /// `--supplemental`: the supplemental suites too, of the module when one is named.
    pub supplemental: bool,
    /// `--base`: the change starts at the merge base with it; absent, at HEAD.
    pub base: Option<String>,
    /// Suites at a time, at least 1.
    pub jobs: usize,
}

/// How the suites ended together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestStatus {
    /// Every suite passed.
    Passed,
    /// A suite did not pass.
    Failed,
    /// Something outside failed.
    Operational,
    /// The change reaches no suite.
    NothingSelected,
}

/// The document of `test`.
#[derive(Clone, Debug, Serialize)]
pub struct TestRun {
    /// `code-polishy-report/v1`.
    pub protocol: &'static str,
    /// Always 1.
    pub version: u32,
    /// Always `test`.
    pub command: &'static str,
    /// How they ended.
    pub status: TestStatus,
    /// Every selected suite, in file order.
    pub suites: Vec<SuiteResult>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// Policy sections that nothing enforces (BR-12).
    pub not_enforced: Vec<String>,
    /// The first thing outside that failed; its kind decides the exit status.
    #[serde(skip)]
    pub fault: Option<Failure>,
}

/// What a suite did.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteResult {
    /// Its name.
    pub name: String,
    /// The runner's judgement; absent when the host ended the suite or it never started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// It counts as passed: the judgement and an exit status of 0.
    pub passed: bool,
    /// Of the process; absent when a signal or the host ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_status: Option<i32>,
    /// Milliseconds.
    pub duration_ms: u64,
    /// Counts, when the runner knows cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<CaseCounts>,
    /// The first 100 tests that failed, when the runner knows cases: foreign texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed_cases: Vec<FailedCase>,
    /// One line: foreign text.
    pub summary: String,
    /// Why it is no pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_category: Option<FailureCategory>,
}

/// A test that failed.
#[derive(Clone, Debug, Serialize)]
pub struct FailedCase {
    /// The same in every run.
    pub name: String,
    /// Repository-relative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Failed tests that a document lists of one suite.
const LISTED_CASES: usize = 100;

fn listed(failed: Vec<TestCase>) -> Vec<FailedCase> {
    let cases = failed.into_iter().take(LISTED_CASES);
    cases.map(|TestCase { name, path, line, message, .. }| FailedCase { name, path, line, message }).collect()
}

impl TestRun {
    /// The exit status of BR-6.
    pub fn exit_status(&self) -> u8 {
        match (&self.fault, self.status) {
            (Some(fault), _) => fault.kind.exit_status(),
            (None, TestStatus::Passed | TestStatus::NothingSelected) => 0,
            (None, TestStatus::Failed) => FailureKind::Blocked.exit_status(),
            (None, TestStatus::Operational) => FailureKind::Operational.exit_status(),
        }
    }
}

/// Selects and runs. A failing suite does not stop the others.
pub fn test(workspace: &Workspace<'_>, request: &TestRequest) -> Result<TestRun, Failure> {
    let root = workspace.repository.root();
    let policy = working_policy(root)?.ok_or_else(no_policy)?;
    let suites = choose::suites(workspace, &policy, request)?;
    let plugins = PluginSet { host: workspace.plugins, policy: &policy, origin: Origin::Files(root), places: &workspace.places };
    let ready = suites.iter().map(|suite| Ok(Ready { suite, runner: plugins.runner(suite)? })).collect::<Result<Vec<_>, Failure>>()?;
    let finished = in_order(request.jobs, &ready, |_, ready| run(workspace, ready), |finished: &Finished| !finished.ends_everything());
    let mut fault = None;
    let mut results = Vec::new();
    for finished in finished.into_iter().flatten() {
        fault = fault.or(finished.fault);
        results.push(finished.result);
    }
    if let Some(interrupted) = fault.take_if(|fault| fault.kind == FailureKind::Interrupted) {
        return Err(interrupted);
    }
    Ok(TestRun {
        protocol: PROTOCOL,
        version: VERSION,
        command: "test",
        status: status(&results, fault.is_some()),
        notes: if results.is_empty() { vec!["the change reaches no suite".to_owned()] } else { Vec::new() },
        suites: results,
        not_enforced: policy.not_enforced,
        fault,
    })
}

fn status(results: &[SuiteResult], fault: bool) -> TestStatus {
    if fault {
        TestStatus::Operational
    } else if results.is_empty() {
        TestStatus::NothingSelected
    } else if results.iter().all(|result| result.passed) {
        TestStatus::Passed
    } else {
        TestStatus::Failed
    }
}

struct Ready<'a> {
    suite: &'a Suite,
    runner: Box<dyn SuiteRunner + Send + Sync>,
}

struct Finished {
    result: SuiteResult,
    fault: Option<Failure>,
}

impl Finished {
    fn ends_everything(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| fault.kind == FailureKind::Interrupted)
    }
}

fn run(workspace: &Workspace<'_>, ready: &Ready<'_>) -> Finished {
    let name = ready.suite.name.as_str();
    workspace.observer.on(&Event::Started { name });
    let run = run_suite(workspace, ready.suite, ready.runner.as_ref(), workspace.repository.root());
    workspace.observer.on(&Event::Ended { name });
    let verdict = run.as_ref().ok().and_then(|run| run.verdict.as_ref());
    let (outcome, summary) = verdict.map_or((None, String::new()), |verdict| (Some(verdict.outcome), verdict.summary.clone()));
    let done = run.map_or_else(Done::of_fault, Done::of_suite);
    match done.category {
        None => workspace.observer.on(&Event::Passed { name, duration: done.duration }),
        Some(category) => workspace.observer.on(&done.failure(name, category, &tail(&done.log), "")),
    }
    let result = SuiteResult {
        name: name.to_owned(),
        outcome,
        passed: done.category.is_none(),
        exit_status: done.exit_status,
        duration_ms: milliseconds(done.duration),
        cases: done.cases,
        failed_cases: listed(done.failed),
        summary: if summary.is_empty() { done.why } else { summary },
        failure_category: done.category,
    };
    Finished { result, fault: done.fault }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn no_policy() -> Failure {
    Failure::usage("policy.none", "the repository has no `.code-polishy.json`", "code-polishy init")
}

/// Names of all suites, for messages.
fn names(policy: &Policy) -> String {
    let names: Vec<String> = policy.suites.iter().map(|suite| format!("`{}`", suite.name)).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
