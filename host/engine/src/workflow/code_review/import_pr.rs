//! `import-pr`: turns an export and what was fetched before into the run of a pull request (section 4.2). It asks no network.
//!
//! Everything is looked at first; then the run is written, its checkout made, and `local-checkout.json` last (CR-216).

mod checkout;
mod exports;
mod fetched;
mod observe;
mod write;

use std::path::{Path, PathBuf};

use code_polishy_core::{
    code_review::{
        codes,
        prior::PriorRecord,
        pull_request::{
            export::{PR_FILE, ThreadsStatus, Transport},
            fault::{CollectionFault, ERROR_FILE, family},
            intake::{self, Intake, take},
            online::Online,
            receipt::{CHECKOUT_FILE, Location, Relation, TARGET_FILE},
        },
        run::RunRecord,
        vocabulary::Scope,
    },
    diagnostic::{Failure, FailureKind},
};
use serde::Serialize;

use super::{
    blocked,
    config::Effective,
    pull_request::{begin, target_of},
    reports::Reports,
    run::Run,
    start::{refuse_visible, write_scope_error},
    terms::Terms,
    usage,
};
use crate::{lock::Lock, workspace::Workspace};

use fetched::Fetched;
use write::Writing;

/// What `import-pr` is asked for.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// `--exports`.
    pub exports: PathBuf,
    /// `--run`: a run that `start --scope pr` made.
    pub run: Option<PathBuf>,
    /// `--target`, as written.
    pub target: Option<String>,
    /// `--remote`.
    pub remote: Option<String>,
    /// `--head-ref`.
    pub head_ref: Option<String>,
    /// `--target-ref`.
    pub target_ref: Option<String>,
    /// `--review-worktree`: `auto` or an absolute path.
    pub review_worktree: String,
    /// `--reports-dir`.
    pub reports_dir: Option<PathBuf>,
    /// Of a new run.
    pub terms: Terms,
}

/// An imported pull request: the fields of the document (section 3.1).
#[derive(Clone, Debug, Serialize)]
pub struct Imported {
    /// The run's id.
    pub run_id: String,
    /// Who drives it.
    pub producer_id: String,
    /// The number; null when the export does not say which pull request it is.
    pub pr: Option<u64>,
    /// The verified base.
    pub base_oid: Option<String>,
    /// The verified head.
    pub head_oid: Option<String>,
    /// How the target branch is related to the base.
    pub relation: Option<Relation>,
    /// Where the source is read; absolute.
    pub review_worktree: Option<String>,
    /// How the forge was asked.
    pub transport: Option<Transport>,
    /// What is known of the review threads.
    pub threads: Option<Threads>,
    /// What earlier runs settled; null when they settled nothing.
    pub prior_resolutions: Option<PriorSummary>,
    /// The content of `pr-error.txt`; null when everything was collected.
    pub failure: Option<String>,
}

/// What is known of the review threads.
#[derive(Clone, Debug, Serialize)]
pub struct Threads {
    /// Whether they could be read.
    pub status: ThreadsStatus,
    /// How many there are.
    pub count: usize,
    /// How many are not resolved.
    pub unresolved: usize,
}

/// What earlier runs settled.
#[derive(Clone, Debug, Serialize)]
pub struct PriorSummary {
    /// The newest run with a ledger.
    pub source_run: String,
    /// How many findings have a resolution.
    pub resolutions: usize,
    /// How many lines are none.
    pub invalid_lines: u64,
}

/// How `import-pr` ended once its run existed.
pub enum ImportOutcome {
    /// The pull request can be reviewed.
    Collected(Imported),
    /// It cannot: `pr-error.txt` says why, and the run ends `unavailable` (exit 1).
    Unavailable(Imported, Failure),
    /// Its change cannot be reviewed; `scope-error.txt` says why (exit 1).
    Refused(Failure),
}

/// Why a collection ends early.
enum Stop {
    /// The pull request is not available.
    Unavailable(CollectionFault),
    /// The command fails, or the change is none to review.
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<CollectionFault> for Stop {
    fn from(fault: CollectionFault) -> Self {
        Self::Unavailable(fault)
    }
}

/// A run that is filled, with its lock.
struct Opened {
    run: Run,
    record: RunRecord,
    _lock: Lock,
}

/// What an export and a checkout give, and what ends it early.
struct Looked {
    intake: Intake,
    fetched: Fetched,
    stop: Option<Stop>,
}

/// A collected pull request.
struct Collected {
    worktree: String,
    prior: Option<PriorRecord>,
}

/// Imports a pull request; `cwd` is where the caller's paths start.
///
/// # Errors
/// Exit 2, and nothing was written; exit 3; exit 130.
pub fn import(workspace: &Workspace<'_>, cwd: &Path, request: &ImportRequest) -> Result<(Run, ImportOutcome), Failure> {
    check_place(workspace, cwd, &request.review_worktree)?;
    let files = exports::read(cwd, &request.exports);
    let opened = request.run.as_deref().map(|run| open(cwd, request, run)).transpose()?;
    let target = match (&opened, &request.target) {
        (Some(opened), given) => recorded_target(&opened.run, given.as_deref())?,
        (None, Some(target)) => target.clone(),
        (None, None) => intake::number(&files).map(|number| number.to_string()).ok_or_else(nameless)?,
    };
    let looked = look(workspace, request, take(&files, &target_of(&target)?))?;
    let opened = opened.map_or_else(|| new_run(workspace, cwd, request, &target), Ok)?;
    let imported = Imported::of(&opened.record, &looked);
    let (run, ended) = fill(workspace, cwd, request, opened, looked)?;
    let outcome = match ended {
        Ok(Collected { worktree, prior }) => {
            let prior_resolutions = prior.map(PriorSummary::of);
            ImportOutcome::Collected(Imported { review_worktree: Some(worktree), prior_resolutions, ..imported })
        }
        Err(Stop::Unavailable(fault)) => {
            write::fault(&run, &fault)?;
            let failure = Some(fault.token());
            ImportOutcome::Unavailable(Imported { failure, base_oid: None, head_oid: None, ..imported }, unavailable(fault))
        }
        Err(Stop::Failed(failure)) if failure.kind == FailureKind::Blocked => {
            write_scope_error(&run, &failure)?;
            ImportOutcome::Refused(failure)
        }
        Err(Stop::Failed(failure)) => return Err(failure),
    };
    Ok((run, outcome))
}

/// Looks at everything before anything is written: what fails here leaves nothing behind.
fn look(workspace: &Workspace<'_>, request: &ImportRequest, mut intake: Intake) -> Result<Looked, Failure> {
    let mut fetched = Fetched::default();
    let ended = match intake.fault.take() {
        Some(fault) => Err(fault.into()),
        None => fetched.look(workspace, request, &intake),
    };
    match ended {
        Err(Stop::Failed(failure)) if failure.kind != FailureKind::Blocked => Err(failure),
        ended => Ok(Looked { intake, fetched, stop: ended.err() }),
    }
}

/// Writes what was looked at into the run, at the place that is its last one; what is collected, or why it is not.
fn fill(
    workspace: &Workspace<'_>,
    cwd: &Path,
    request: &ImportRequest,
    opened: Opened,
    looked: Looked,
) -> Result<(Run, Result<Collected, Stop>), Failure> {
    workspace.interrupt.check()?;
    let Opened { run, record, _lock } = opened;
    let Looked { intake, fetched, stop } = looked;
    let (adjacent, collected_as) = (run.review_worktree(), run.text());
    let run = match &intake.metadata {
        Some(metadata) => run.move_to(metadata.number)?,
        None => run,
    };
    let writing = Writing { workspace, cwd, request, run: &run, intake: &intake, fetched: &fetched };
    let prior = writing.collected()?;
    let ended = match stop {
        Some(stop) => Err(stop),
        None => writing.check_out(&record, &adjacent, &collected_as).map(|worktree| Collected { worktree, prior }),
    };
    Ok((run, ended))
}

fn check_place(workspace: &Workspace<'_>, cwd: &Path, place: &str) -> Result<(), Failure> {
    if place != "auto" && !Location::ReportAdjacent.fits(place) {
        let next = "name an absolute path that ends in `-review-worktree`, or leave --review-worktree out";
        return Err(usage(&codes::USAGE_ERROR, format!("`{place}` is no place of a review worktree"), next));
    }
    refuse_visible(workspace, cwd, place)
}

/// The run that `start --scope pr` made, with its lock: a pull request is imported into it once.
fn open(cwd: &Path, request: &ImportRequest, path: &Path) -> Result<Opened, Failure> {
    const NEXT: &str = "start a new run, or import without --run";
    if request.terms.beside_the_producer() {
        let message = "the terms of a run are fixed when it is started";
        return Err(usage(&codes::USAGE_ERROR, message, "leave them out, or import without --run"));
    }
    let run = Run::open(cwd, path)?;
    let record = run.record()?;
    let lock = run.lock(&record)?;
    if record.scope != Scope::Pr {
        return Err(usage(&codes::USAGE_ERROR, format!("the run {} is of the scope {}", run.name(), record.scope), NEXT));
    }
    if request.terms.producer_id.as_ref().is_some_and(|id| *id != record.producer_id) {
        let message = "the run is driven by somebody else";
        return Err(usage(&codes::REVIEW_PRODUCER_MISMATCH, message, "give the id that `code-review start` printed"));
    }
    for file in [PR_FILE, ERROR_FILE, CHECKOUT_FILE] {
        if run.pull_request().is_some() || run.read(file)?.is_some() {
            return Err(usage(&codes::USAGE_ERROR, format!("the run {} was imported before", run.name()), NEXT));
        }
    }
    Ok(Opened { run, record, _lock: lock })
}

fn recorded_target(run: &Run, given: Option<&str>) -> Result<String, Failure> {
    let text = String::from_utf8(run.read(TARGET_FILE)?.unwrap_or_default()).unwrap_or_default();
    let recorded = text.strip_suffix('\n').unwrap_or(&text).to_owned();
    match given {
        Some(given) if given != recorded => {
            let message = format!("the run was started for `{recorded}`, not for `{given}`");
            Err(usage(&codes::USAGE_ERROR, message, "leave --target out, or import without --run"))
        }
        _ => Ok(recorded),
    }
}

fn nameless() -> Failure {
    let message = "the export does not say which pull request it is of";
    usage(&codes::MISSING_REQUIRED, message, "name the pull request with --target, or the folder of its export with --exports")
}

fn new_run(workspace: &Workspace<'_>, cwd: &Path, request: &ImportRequest, target: &str) -> Result<Opened, Failure> {
    let terms = request.terms.resolve(cwd)?;
    let effective = Effective::of_worktree(&workspace.repository)?;
    let configured = effective.config.code_review.reports_dir.as_deref();
    let reports = Reports::of(workspace, cwd, request.reports_dir.as_deref(), configured)?;
    let (run, record) = begin(workspace, target, &terms, &effective, &reports)?;
    let lock = run.lock(&record)?;
    Ok(Opened { run, record, _lock: lock })
}

impl Imported {
    /// What is known before the checkout.
    fn of(record: &RunRecord, looked: &Looked) -> Self {
        let Looked { intake, fetched, .. } = looked;
        let metadata = intake.metadata.as_ref();
        let read = intake.online.as_ref().zip(intake.export.as_ref());
        Self {
            run_id: record.run_id.clone(),
            producer_id: record.producer_id.clone(),
            pr: metadata.map(|metadata| metadata.number),
            base_oid: metadata.map(|metadata| metadata.base_ref_oid.clone()),
            head_oid: metadata.map(|metadata| metadata.head_ref_oid.clone()),
            relation: fetched.target.as_ref().map(|target| target.relation),
            review_worktree: None,
            transport: intake.export.as_ref().map(|export| export.transport),
            threads: read.map(|(online, export)| Threads::of(online, export.review_threads_status)),
            prior_resolutions: None,
            failure: None,
        }
    }
}

impl Threads {
    fn of(online: &Online, status: ThreadsStatus) -> Self {
        let counts = online.counts();
        Self { status, count: counts.review_threads, unresolved: counts.unresolved_review_threads }
    }
}

impl PriorSummary {
    fn of(prior: PriorRecord) -> Self {
        Self { source_run: prior.source_run, resolutions: prior.resolutions.len(), invalid_lines: prior.invalid_lines }
    }
}

fn unavailable(fault: CollectionFault) -> Failure {
    let next = family(&fault.token()).map_or("Import the PR again.", |family| family.recovery);
    let failure = blocked(fault.code, fault.message, next);
    match fault.subject {
        Some(subject) => failure.at_path(&subject),
        None => failure,
    }
}
