//! `complete`: judges a promoted run once more, all of it, and hands over its report (section 14).

use std::{
    fs,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::{artifact_bytes, read_strict},
    code_review::{
        blocked::Blocked,
        codes,
        completion::{Accepted, ChangeReadiness, Completion},
        context::Context,
        handoff::FINAL_FILE,
        image::RunImage,
        run_manifest::{COMPLETION_FILE, RESULT_FILE, RUN_MANIFEST_FILE},
        step::Step,
        t0::GitState,
        validation::{self, Validation},
        violation::Violation,
    },
    diagnostic::Failure,
};
use serde::Serialize;

use super::{around::Around, image, now, operational, run::Run, usage};
use crate::{input::contained_path, workspace::Workspace};

/// What `complete` is asked for.
#[derive(Clone, Debug)]
pub struct CompleteRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--producer-id`; the run's own when absent (CR-19).
    pub producer_id: Option<String>,
    /// `--accept-index-change` and `--accept-operation-change`.
    pub accepted: Accepted,
    /// `--report`.
    pub report: Option<PathBuf>,
}

/// How it ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The report is handed over.
    Complete(Box<Delivered>),
    /// It is not.
    Refused(Box<Refused>),
}

/// A report that is handed over.
#[derive(Clone, Debug, Serialize)]
pub struct Delivered {
    /// `result.json`; absolute.
    pub result: String,
    /// `final.md`; absolute.
    #[serde(rename = "final")]
    pub final_path: String,
    /// Digest of its bytes.
    pub final_sha256: String,
    /// `assessed`, `closed` or `unavailable`.
    pub review_status: String,
    /// Whether the change may proceed.
    pub change_readiness: ChangeReadiness,
    /// The bytes of the report.
    #[serde(skip)]
    pub report: Vec<u8>,
}

/// Why a report is not handed over.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    /// Everything that was found.
    #[serde(flatten)]
    pub validation: Validation,
    /// How its reader goes on, when a person has to decide or the run cannot be repaired.
    pub blocked: Option<Blocked>,
}

/// Judges a promoted run and hands over its report; `cwd` is where the caller's paths start. Newer runs do not matter (CR-172).
///
/// # Errors
/// Exit 2 `usage-error`: a blank reason, a report inside the run; exit 3 `run-not-found`, `run-locked`, `io-error`, a
/// renderer without an answer; exit 130.
pub fn complete(workspace: &Workspace<'_>, cwd: &Path, request: &CompleteRequest) -> Result<(Run, Outcome), Failure> {
    check_reasons(&request.accepted)?;
    let run = Run::open(cwd, &request.run)?;
    let report = request.report.as_deref().map(|file| outside(&run, cwd, file)).transpose()?;
    let record = run.record()?;
    let _lock = run.lock(&record)?;
    let image = image::read(&run, &workspace.interrupt)?;
    let around = Around::gather_and_render(workspace.plugins, &record, &image, RESULT_FILE)?;
    workspace.interrupt.check()?;
    let run_path = run.text();
    let facts = around.facts(&image, &run_path, Some(request.producer_id.as_deref().unwrap_or(&record.producer_id)));
    let earlier: Option<Completion> = image.bytes(COMPLETION_FILE).and_then(|bytes| read_strict(bytes, "completion", "").ok());
    let result_sha256 = image.sha256(RESULT_FILE).unwrap_or_default();
    let accepted = match facts.git_state {
        Some(live) => request.accepted.clone().or_earlier(earlier.as_ref(), result_sha256, live),
        None => request.accepted.clone(),
    };
    let (mut validation, context) = match image.has(RESULT_FILE) {
        true => validation::completion(&facts, accepted.clone()),
        false => {
            let (mut validation, context) = validation::collected(&facts);
            validation.refuse(Step::Promotion, not_promoted());
            (validation, context)
        }
    };
    let earlier = earlier.filter(|earlier| earlier.result_sha256 == result_sha256);
    if let Some(earlier) = &earlier
        && image.sha256(FINAL_FILE) != Some(&earlier.final_sha256)
    {
        let message = format!("`{FINAL_FILE}` is not the report that was handed over before");
        validation.refuse(Step::Promotion, Violation::of(&codes::REVIEW_COMPLETION_FINAL_CHANGED, message).file(FINAL_FILE));
    }
    let (Some(live), true) = (facts.git_state, validation.is_clean()) else {
        let refused = Refused { blocked: Blocked::of(&validation, &context), validation };
        if let Some(report) = report {
            write_report(&report, &run_path, &refused)?;
        }
        return Ok((run, Outcome::Refused(Box::new(refused))));
    };
    let delivered = delivered(&run, &image, &context);
    let completion = completion(&image, live, accepted, delivered.change_readiness);
    if earlier.is_none_or(|earlier| !earlier.is_same(&completion)) {
        run.write_json(COMPLETION_FILE, &completion)?;
    }
    Ok((run, Outcome::Complete(Box::new(delivered))))
}

fn check_reasons(accepted: &Accepted) -> Result<(), Failure> {
    match [&accepted.index, &accepted.operation].into_iter().flatten().any(|reason| reason.trim().is_empty()) {
        true => Err(usage(&codes::USAGE_ERROR, "the reason of an accepted change is blank", "give the user's own words")),
        false => Ok(()),
    }
}

fn not_promoted() -> Violation {
    Violation::of(&codes::REVIEW_RESULT_NOT_PROMOTED, "the run has no promoted result").file(RESULT_FILE)
}

/// The place of a report, which would be an additional file inside the run.
fn outside(run: &Run, cwd: &Path, file: &Path) -> Result<PathBuf, Failure> {
    match contained_path(&run.path(), cwd, file) {
        Some(_) => Err(usage(&codes::USAGE_ERROR, "the report would change the run", "name a file outside the run with --report")),
        None => Ok(cwd.join(file)),
    }
}

fn write_report(place: &Path, run: &str, refused: &Refused) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Report<'a> {
        run: &'a str,
        #[serde(flatten)]
        refused: &'a Refused,
    }
    let bytes = artifact_bytes(&Report { run, refused });
    fs::write(place, bytes).map_err(|error| {
        operational(&codes::IO_ERROR, format!("cannot write {}: {error}", place.display()), "name a file that can be written with --report")
    })
}

fn delivered(run: &Run, image: &RunImage, context: &Context<'_>) -> Delivered {
    let place = |file: &str| run.path().join(file).display().to_string();
    let (review_status, change_readiness) = context.told();
    Delivered {
        result: place(RESULT_FILE),
        final_path: place(FINAL_FILE),
        final_sha256: image.sha256(FINAL_FILE).unwrap_or_default().to_owned(),
        review_status,
        change_readiness,
        report: image.bytes(FINAL_FILE).unwrap_or_default().to_vec(),
    }
}

fn completion(image: &RunImage, live: &GitState, accepted: Accepted, change_readiness: ChangeReadiness) -> Completion {
    let digest = |file: &str| image.sha256(file).unwrap_or_default().to_owned();
    Completion {
        schema_version: 1,
        result_sha256: digest(RESULT_FILE),
        run_manifest_sha256: digest(RUN_MANIFEST_FILE),
        final_sha256: digest(FINAL_FILE),
        git_state: live.clone(),
        index_change_accepted: accepted.index,
        operation_change_accepted: accepted.operation,
        change_readiness,
        completed_at: now(),
    }
}
