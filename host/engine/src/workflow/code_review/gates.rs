//! `gates`: runs the five gates on the reviewed tree and records what they gave (section 11).

mod archive;
mod execute;
mod observe;
mod overlay;
mod proof;
mod python;
mod reset;
mod runners;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::read_strict,
    code_review::{
        codes,
        context::Facts,
        gates::{
            Asked, CHECKS_LOG_FILE, FAILED_FILE, GATES_FILE, GateCheck, GateOptions, Gates, GatesStatus, LOCAL_SNAPSHOT_FILE, PlannedGate,
            ProofPlan, PytestOptions, Replacement, STATUS_FILE, WorktreeReset, changes_python, extended, plan,
        },
        image::RunImage,
        run::RunRecord,
        t0::{MIRROR_FILE, PATH_ROLES_FILE, SNAPSHOT_FILE, SourceSnapshot, T0},
        validation,
        vocabulary::Scope,
    },
    diagnostic::{Diagnostic, Failure, FailureKind},
    text::control_free,
};
use serde::Serialize;

use self::{
    archive::{Standing, archive, standing},
    execute::Ground,
    observe::Watch,
    overlay::Overlay,
    reset::Resets,
    runners::load_runners,
};
use super::{
    around::Around,
    blocked, image, refusal,
    run::{RESULT_FILE, Run},
    usage,
};
use crate::{failpoint, workspace::Workspace};

/// Where Python looks for modules.
const PYTHON_PATH: &str = "PYTHONPATH";

/// What `gates` is asked for.
#[derive(Clone, Debug)]
pub struct GatesRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--worktree`.
    pub worktree: Option<PathBuf>,
    /// `--expected-head`.
    pub expected_head: Option<String>,
    /// What is said of each gate, in their order.
    pub options: [GateOptions; 5],
    /// `--timeout-seconds`.
    pub timeout_seconds: Option<u32>,
    /// `--pytest-python`, `--pytest-import` and `--pytest-args-json`.
    pub pytest: PytestOptions,
    /// `--overlay`.
    pub overlay: Option<PathBuf>,
    /// `--changed-command`.
    pub changed_command: Option<String>,
    /// `--reset-worktree`.
    pub reset_worktree: bool,
}

/// What the gates gave: the fields of the document.
#[derive(Clone, Debug, Serialize)]
pub struct GatesRun {
    /// The overall status.
    #[serde(skip)]
    pub status: GatesStatus,
    /// One record for each gate.
    pub checks: Vec<GateCheck>,
    /// Relative to the run.
    pub gates: &'static str,
    /// Where the outputs of the run before were put, relative to the run.
    pub archived: Option<String>,
    /// What was undone in the worktree.
    pub resets: Vec<WorktreeReset>,
}

/// Runs the gates; `cwd` is where the caller's paths start. The inner failure is about the run: exit 1, it is promoted, or its receipts or its
/// mirror do not hold.
///
/// # Errors
/// Exit 2: usage, configuration, `gate-recovery-blocked`, and nothing was written; exit 3; exit 130.
pub fn gates(workspace: &Workspace<'_>, cwd: &Path, request: &GatesRequest) -> Result<(Run, Result<GatesRun, Failure>), Failure> {
    let run = Run::open(cwd, &request.run)?;
    match gates_of(workspace, &run, cwd, request) {
        Err(failure) if failure.kind != FailureKind::Blocked => Err(failure),
        ran => Ok((run, ran)),
    }
}

fn gates_of(workspace: &Workspace<'_>, run: &Run, cwd: &Path, request: &GatesRequest) -> Result<GatesRun, Failure> {
    let record = run.record()?;
    let _lock = run.lock(&record)?;
    let image = image::read(run, &workspace.interrupt)?;
    let t0 = receipts(run, &record, &image)?;
    let watch = watch(run, &t0, request)?;
    let overlay = request.overlay.as_deref().map(|asked| Overlay::find(run, &record, &image, cwd, asked)).transpose()?;
    Overlay::alone(overlay.as_ref(), run, &record, &request.options)?;
    let planned = planned(workspace, &t0, request, overlay.as_ref())?;
    let runners = load_runners(workspace, &t0, &planned)?;
    let changed = recovery(&standing(run)?, &planned, request.changed_command.as_deref())?;
    let mut resets = request.reset_worktree.then(|| Resets::of(run, &watch, &record)).transpose()?;
    let first = resets.as_ref().map(Resets::plan).transpose()?;

    let archived = archive(run)?;
    run.write(CHECKS_LOG_FILE, b"")?;
    failpoint::reached("gates.archived");
    if let (Some(resets), Some(plan)) = (&mut resets, first) {
        resets.apply(plan, None)?;
    }
    let (source, snapshot) = watch.source(image.sha256(MIRROR_FILE), &workspace.interrupt)?;
    if let Some(bytes) = snapshot {
        run.write(LOCAL_SNAPSHOT_FILE, &bytes)?;
    }
    let needs_proof = record.scope == Scope::Pr && changes_python(&t0, image.bytes(PATH_ROLES_FILE));
    let ground = Ground { workspace, run, watch: &watch, source: &source, runners: &runners, needs_proof, overlay: overlay.as_ref() };
    let checks = run_all(&ground, &planned, &changed, resets.as_mut())?;
    let gates = Gates::of(checks, source);
    record_all(run, &gates)?;
    let resets = resets.map(Resets::done).unwrap_or_default();
    Ok(GatesRun { status: gates.status, checks: gates.checks, gates: GATES_FILE, archived, resets })
}

/// The collected facts, when they hold. That a gate changed the mirror is for the gates to see.
fn receipts(run: &Run, record: &RunRecord, image: &RunImage) -> Result<T0, Failure> {
    if image.has(RESULT_FILE) {
        let next = "start a new run for another review";
        return Err(blocked(&codes::REVIEW_ALREADY_PROMOTED, "the run is promoted, and nothing is written into it", next));
    }
    if matches!(record.scope, Scope::WorkingTree | Scope::Path) && image.has("pr-routing.json") {
        let message = "receipts of a pull request stand beside a mirror of working files";
        return Err(blocked(&codes::LOCAL_GATE_SOURCE_RECEIPT_AMBIGUOUS, message, "start a new run").at_path("pr-routing.json"));
    }
    let (around, run_path) = (Around::gather(record, image, None)?, run.text());
    let snapshot: Option<SourceSnapshot> = image.bytes(SNAPSHOT_FILE).and_then(|bytes| read_strict(bytes, "snapshot", "").ok());
    let facts = Facts { mirror: snapshot.as_ref(), ..around.facts(image, &run_path, Some(&record.producer_id)) };
    let (found, context) = validation::collected(&facts);
    context.t0.ok_or_else(|| refusal(&found.violations))
}

/// The reviewed tree, which is the one that the receipts name (CR-131, CR-214).
fn watch(run: &Run, t0: &T0, request: &GatesRequest) -> Result<Watch, Failure> {
    let wrong = |message: &str, next: &str| Err(usage(&codes::USAGE_ERROR, message, next));
    let recorded = t0.run.review_worktree.as_deref().map(PathBuf::from);
    let worktree = match (recorded, &request.worktree) {
        (Some(recorded), Some(asked)) if !is_same(&recorded, asked) => {
            return wrong("--worktree is not the review worktree of the run", "leave it out: the run names its worktree");
        }
        (Some(recorded), _) => recorded,
        (None, Some(asked)) if asked.is_absolute() => asked.clone(),
        (None, Some(_)) => return wrong("--worktree is no absolute path", "name the checkout by its absolute path"),
        (None, None) => {
            let message = "the run has no review worktree";
            return Err(usage(&codes::MISSING_REQUIRED, message, "name a checkout of the reviewed commit with --worktree"));
        }
    };
    let head = t0.run.head_oid.as_ref();
    match (&t0.snapshot, &request.expected_head, head) {
        (Some(_), Some(_), _) => wrong("a mirror of working files has no expected head", "leave --expected-head out"),
        (Some(_), None, _) if run.path().starts_with(&worktree) => {
            let message = "the run lies inside its own mirror";
            Err(blocked(&codes::LOCAL_GATE_ARTIFACTS_OVERLAP_SOURCE, message, "start a new run whose mirror is elsewhere"))
        }
        (Some(recorded), None, _) => Ok(Watch::Mirror { worktree, recorded: recorded.clone() }),
        (None, Some(asked), Some(head)) if asked != head => {
            wrong("--expected-head is not the reviewed commit of the run", "leave it out: the run names its commit")
        }
        (None, _, Some(head)) => Ok(Watch::Clean { worktree, expected_head: head.clone() }),
        (None, _, None) => {
            let message = "the reviewed commit is not known yet";
            Err(usage(&codes::MISSING_REQUIRED, message, "collect the pull request with import-pr first"))
        }
    }
}

fn is_same(recorded: &Path, asked: &Path) -> bool {
    recorded == asked || recorded.canonicalize().is_ok_and(|real| asked.canonicalize().is_ok_and(|asked| asked == real))
}

fn planned(workspace: &Workspace<'_>, t0: &T0, request: &GatesRequest, overlay: Option<&Overlay>) -> Result<Vec<PlannedGate>, Failure> {
    let variable = |name: &str| {
        let found = workspace.environment.iter().find(|(known, _)| known == name);
        found.and_then(|(_, value)| value.to_str().map(str::to_owned))
    };
    let mut options = request.options.clone();
    for (name, value) in options.iter_mut().flat_map(|options| &mut options.environment) {
        *value = extended(name, value, variable(name).as_deref());
    }
    if let Some(Overlay { receipt }) = overlay {
        // Its packages come first, and whatever was on the path stays there.
        let environment = &mut options[3].environment;
        let rest = environment.get(PYTHON_PATH).cloned().or_else(|| variable(PYTHON_PATH));
        environment.insert(PYTHON_PATH.to_owned(), extended(PYTHON_PATH, &receipt.folder, rest.as_deref()));
    }
    let planned = plan(Asked {
        options: &options,
        timeout_seconds: request.timeout_seconds,
        variable: &variable,
        configured: &t0.config.code_review.gates,
        run: &t0.run,
        pytest: &PytestOptions { found: python::find(workspace, &t0.run), ..request.pytest.clone() },
    })?;
    if overlay.is_some() && !matches!(planned[3].proof, Some(ProofPlan::PytestImport { .. })) {
        let message = "--overlay is for tests that pytest runs";
        return Err(usage(&codes::USAGE_ERROR, message, "say how with --pytest-import and --pytest-python, or leave --overlay out"));
    }
    Ok(planned)
}

/// The gates that replace a failure with another command, each with its reason; a replaced command stays told (CR-227).
fn recovery(
    standing: &BTreeMap<String, Standing>,
    planned: &[PlannedGate],
    reason: Option<&str>,
) -> Result<BTreeMap<&'static str, String>, Failure> {
    let reason = reason.map(changed_reason).transpose()?;
    let (mut changed, mut refused) = (BTreeMap::new(), Vec::new());
    for (gate, Standing { check, command }) in planned.iter().filter_map(|gate| Some((gate, standing.get(gate.id)?))) {
        let told = check.changed_command().map(str::to_owned);
        let replaces = |explained| Replacement::planned(check, command.as_deref(), gate, explained).refusal(check);
        match (replaces(false), replaces(reason.is_some())) {
            (None, _) => drop(told.map(|told| changed.insert(gate.id, told))),
            (Some(_), None) => drop(reason.map(|reason| changed.insert(gate.id, reason.to_owned()))),
            (Some(_), Some(message)) => {
                let next = "run the recorded command again, or give the reason of the change with --changed-command";
                refused.push(Diagnostic::new(codes::GATE_RECOVERY_BLOCKED.name, message, next).at_path(gate.id));
            }
        }
    }
    if refused.is_empty() { Ok(changed) } else { Err(Failure::new(FailureKind::Usage, refused)) }
}

fn changed_reason(reason: &str) -> Result<&str, Failure> {
    if reason.trim().is_empty() || !control_free(reason, false) {
        return Err(usage(&codes::USAGE_ERROR, "--changed-command needs a reason in one line", "say in one line why"));
    }
    Ok(reason)
}

/// Runs them in order; each record is kept as soon as there is one, and what a gate left is undone if that was asked for.
fn run_all(
    ground: &Ground<'_>,
    planned: &[PlannedGate],
    changed: &BTreeMap<&'static str, String>,
    mut resets: Option<&mut Resets<'_>>,
) -> Result<Vec<GateCheck>, Failure> {
    let (mut checks, mut log) = (Vec::new(), String::new());
    for gate in planned {
        ground.workspace.interrupt.check()?;
        let check = ground.gate(gate, changed.get(gate.id).map(String::as_str))?;
        log.push_str(&check.log_line());
        ground.run.write(CHECKS_LOG_FILE, log.as_bytes())?;
        failpoint::reached("gates.check-recorded");
        if let (Some(resets), true) = (&mut resets, check.ran() && check.after != check.before) {
            // A tree that cannot be reset stops the gates that follow, and they say so.
            if let Ok(plan) = resets.plan() {
                resets.apply(plan, Some(gate.id))?;
            }
        }
        checks.push(check);
    }
    Ok(checks)
}

/// `gates.json` comes last: where it is, everything is.
fn record_all(run: &Run, gates: &Gates) -> Result<(), Failure> {
    run.write(STATUS_FILE, gates.status_lines().as_bytes())?;
    run.write(FAILED_FILE, gates.failed_lines().as_bytes())?;
    run.write_json(GATES_FILE, gates).map(drop)
}
