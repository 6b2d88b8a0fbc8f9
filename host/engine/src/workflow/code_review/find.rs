//! `find`: which report counts, and what it holds; nothing is written (section 15).

mod runs;

use std::path::{Path, PathBuf};

use code_polishy_core::{
    code_review::{
        codes::{self, Code},
        completion::ChangeReadiness,
        context::Context,
        finder,
        finding_evidence::FindingEvidence,
        prior::PriorRecord,
        pull_request::identity::PullTarget,
        run_manifest::RESULT_FILE,
        validation,
        violation::Violation,
        vocabulary::Scope,
    },
    diagnostic::{Failure, FailureKind},
};
use serde::Serialize;
use serde_json::Value;

use self::runs::Candidates;
use super::{around::Around, blocked, image, prior, run::Run, usage};
use crate::workspace::Workspace;

/// The newest family of results.
const CURRENT_SCHEMA: u64 = 3;
/// The oldest one that an archive may have.
const OLDEST_SCHEMA: u64 = 2;

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// The report of a pull request.
    Target {
        /// A number, with or without `#`, or an address.
        target: String,
        /// `--reports-dir`.
        reports_dir: Option<PathBuf>,
    },
    /// This report, if it counts.
    Result(PathBuf),
    /// A report of an earlier family, as it lies there.
    Archive(PathBuf),
    /// What a report holds about one id.
    FindingEvidence {
        /// The finding or the claim.
        id: String,
        /// The run.
        run: PathBuf,
    },
    /// What became of the findings of earlier runs.
    PriorResolutions(PathBuf),
}

/// What was found.
#[derive(Clone, Debug)]
pub enum Found {
    /// A report that counts.
    Report(Run, Report),
    /// A report that nobody can certify.
    Archive(Archive),
    /// What there is about an id.
    Evidence(Run, Box<FindingEvidence>),
    /// The merged ledgers; none when no earlier run has one.
    Resolutions(Run, Option<PriorRecord>),
}

/// A report that counts.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// `result.json`; absolute.
    pub result: String,
    /// What was reviewed.
    pub scope: Scope,
    /// `assessed`, `closed` or `unavailable`.
    pub review_status: String,
    /// Whether the change may proceed.
    pub change_readiness: ChangeReadiness,
}

/// An archived report: read, and neither validated nor certified (CR-198).
#[derive(Clone, Debug, Serialize)]
pub struct Archive {
    /// The file; absolute.
    pub path: String,
    /// 2 or 3.
    pub schema_version: u64,
    /// As it says; null when it does not.
    pub scope: Option<String>,
}

/// Finds it; `cwd` is where the caller's paths start.
///
/// # Errors
/// Exit 1: a code of CR-180 to CR-185 or CR-198; exit 2 `usage-error`; exit 3; exit 130.
pub fn find(workspace: &Workspace<'_>, cwd: &Path, wanted: &Wanted) -> Result<Found, Failure> {
    match wanted {
        Wanted::Target { target, reports_dir } => {
            let Some(target) = PullTarget::read(target) else {
                let message = format!("`{target}` is no pull request");
                return Err(usage(&codes::USAGE_ERROR, message, "give its number, or its whole address"));
            };
            let run = Candidates::of_target(workspace, cwd, reports_dir.as_deref(), &target)?.chosen()?;
            report(workspace, run)
        }
        Wanted::Result(file) => of_result(workspace, cwd, file),
        Wanted::Archive(file) => archive(cwd, file).map(Found::Archive),
        Wanted::FindingEvidence { id, run } => evidence(workspace, Run::open(cwd, run)?, id),
        Wanted::PriorResolutions(run) => {
            let run = Run::open(cwd, run)?;
            if run.pull_request().is_none() {
                let message = format!("{} is no run of a pull request", run.text());
                return Err(refuse(&codes::PRIOR_RESOLUTIONS_RUN_INVALID, message));
            }
            let resolutions = prior::resolutions(&run)?;
            Ok(Found::Resolutions(run, resolutions))
        }
    }
}

fn refuse(code: &Code, message: impl Into<String>) -> Failure {
    blocked(code, message, code.remedy)
}

fn report(workspace: &Workspace<'_>, run: Run) -> Result<Found, Failure> {
    let report = judged(workspace, &run, |context| {
        let (review_status, change_readiness) = context.told();
        let scope = context.t0.as_ref().map_or(Scope::Pr, |t0| t0.run.scope);
        Report { result: run.path().join(RESULT_FILE).display().to_string(), scope, review_status, change_readiness }
    })?;
    Ok(Found::Report(run, report))
}

fn evidence(workspace: &Workspace<'_>, run: Run, id: &str) -> Result<Found, Failure> {
    let found = judged(workspace, &run, |context| FindingEvidence::of(context, id))?;
    match found {
        Some(found) => Ok(Found::Evidence(run, Box::new(found))),
        None => Err(refuse(&codes::FINDING_ID_UNKNOWN, format!("the report has neither a finding nor a claim `{id}`"))),
    }
}

/// Judges a promoted run as a completion does, but for the state of the checkout, and tells of it.
fn judged<T>(workspace: &Workspace<'_>, run: &Run, tell: impl FnOnce(&Context<'_>) -> T) -> Result<T, Failure> {
    let record = run.record().map_err(|failure| {
        let mut invalid = refuse(&codes::INVALID_REVIEW_REPORT_RERUN_CODE_REVIEW, format!("{} has no record of its own", run.text()));
        invalid.diagnostics.extend(failure.diagnostics);
        invalid
    })?;
    let image = image::read(run, &workspace.interrupt)?;
    if !image.has(RESULT_FILE) {
        return Err(refuse(&codes::REVIEW_RESULT_NOT_PROMOTED, format!("{} has no promoted result", run.text())));
    }
    let around = Around::gather_and_render(workspace.plugins, &record, &image, RESULT_FILE)?;
    workspace.interrupt.check()?;
    let run_path = run.text();
    let facts = around.facts(&image, &run_path, Some(&record.producer_id));
    let (validation, context) = validation::evidence(&facts);
    if validation.is_clean() {
        return Ok(tell(&context));
    }
    let why = validation.violations.first().map(Violation::token).unwrap_or_default();
    let message = format!("{} does not hold: {why}, and {} violations in all", run.text(), validation.violations.len());
    let mut failure = refuse(&codes::INVALID_REVIEW_REPORT_RERUN_CODE_REVIEW, message);
    failure.diagnostics.extend(validation.violations.iter().map(Violation::diagnostic));
    Err(Failure { kind: FailureKind::Blocked, ..failure })
}

/// The run of a result file that is the newest of its pull request, if it has one (CR-182).
fn of_result(workspace: &Workspace<'_>, cwd: &Path, file: &Path) -> Result<Found, Failure> {
    let invalid = || {
        let message = format!("{} is not the `{RESULT_FILE}` of a run", file.display());
        refuse(&codes::INVALID_REVIEW_RESULT_PATH, message)
    };
    let place = cwd.join(file);
    let is_result =
        place.file_name().is_some_and(|name| name == RESULT_FILE) && place.symlink_metadata().is_ok_and(|found| found.is_file());
    let folder = place.parent().filter(|_| is_result).ok_or_else(invalid)?;
    let run = Run::open(cwd, folder).map_err(|_| invalid())?;
    if schema_version(&run.read(RESULT_FILE)?.unwrap_or_default()).is_some_and(|version| version != CURRENT_SCHEMA) {
        let message = format!("{} is of an earlier family", place.display());
        return Err(refuse(&codes::HISTORICAL_REVIEW_UNVERIFIED_ARCHIVE, message));
    }
    if let Some((number, _)) = run.pull_request() {
        let newest = Candidates::of_folder(workspace, run.reports(), &PullTarget::Number(number))?.chosen();
        if newest.as_ref().ok() != Some(&run) {
            let newer = newest.map_or_else(|failure| failure.diagnostics[0].code.clone(), |newest| newest.text());
            let message = format!("{} is not the newest review of the pull request: {newer}", place.display());
            return Err(refuse(&codes::MATCHING_REVIEW_NOT_CURRENT, message));
        }
    }
    report(workspace, run)
}

fn archive(cwd: &Path, file: &Path) -> Result<Archive, Failure> {
    let place = cwd.join(file);
    let is_regular = place.symlink_metadata().is_ok_and(|found| found.is_file());
    if !is_regular || place.file_name().is_none_or(|name| name != RESULT_FILE) {
        let message = format!("{} is no file named `{RESULT_FILE}`", place.display());
        return Err(refuse(&codes::HISTORICAL_REVIEW_ARCHIVE_PATH_INVALID, message));
    }
    let invalid = |why: String| refuse(&codes::HISTORICAL_REVIEW_ARCHIVE_SCHEMA_INVALID, format!("{}: {why}", place.display()));
    let bytes = crate::input::read_contained(place.parent().unwrap_or(cwd), RESULT_FILE, MAX_ARCHIVE_BYTES);
    let bytes = bytes.map_err(|fault| invalid(fault.to_string()))?;
    let version = schema_version(&bytes).filter(|version| (OLDEST_SCHEMA..=CURRENT_SCHEMA).contains(version));
    let schema_version = version.ok_or_else(|| invalid("it is no result of schema 2 or 3".to_owned()))?;
    let result: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let scope = result.pointer("/metadata/scope").and_then(Value::as_str).map(str::to_owned);
    Ok(Archive { path: place.display().to_string(), schema_version, scope })
}

/// Bytes of an archived result.
const MAX_ARCHIVE_BYTES: u64 = 16 << 20;

fn schema_version(bytes: &[u8]) -> Option<u64> {
    serde_json::from_slice::<Value>(bytes).ok()?.get("schema_version")?.as_u64()
}

impl Candidates {
    /// The newest assessed run.
    fn chosen(self) -> Result<Run, Failure> {
        match finder::find(&self.facts()) {
            Ok(index) => Ok(self.run(index)),
            Err(code) => Err(refuse(code, code.meaning)),
        }
    }
}
