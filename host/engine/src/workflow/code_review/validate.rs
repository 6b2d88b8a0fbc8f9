//! `validate`: reads a run once, gathers the facts around it, and lets the core judge (section 3.2).

use std::path::{Path, PathBuf};

use code_polishy_core::{
    code_review::{
        codes,
        image::RunImage,
        manifest::Mirror,
        validation::{self, Validation, ValidationStatus},
    },
    diagnostic::Failure,
};
use serde::Serialize;

use super::{
    around::Around,
    image, prior,
    render::rendered,
    run::{CANDIDATE_FILE, RESULT_FILE, Run},
    usage,
};
use crate::{input::contained_path, workspace::Workspace};

/// What `validate` is asked for.
#[derive(Clone, Debug)]
pub struct ValidateRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--producer-id`.
    pub producer_id: Option<String>,
    /// `--result`.
    pub result: Option<PathBuf>,
    /// `--manifest-only`.
    pub manifest_only: bool,
}

/// The fields of the document (CR-25).
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// What the result says about the review; only assessed results are judged.
    pub branch: &'static str,
    /// What was found.
    #[serde(flatten)]
    pub validation: Validation,
    /// Of receipts that hold: what the metadata of a result repeats (CR-27).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror: Option<Mirror>,
}

/// Judges a run; `cwd` is where the caller's paths start.
///
/// # Errors
/// Exit 2 `missing-producer-id`, `usage-error`; exit 3 `run-not-found`, `run-locked`, a renderer without an answer; exit 130.
pub fn validate(workspace: &Workspace<'_>, cwd: &Path, request: &ValidateRequest) -> Result<(Run, Judged), Failure> {
    let Some(producer_id) = &request.producer_id else {
        let next = "give the id that `code-review start` printed, with --producer-id or CODE_POLISHY_PRODUCER_ID";
        return Err(usage(&codes::MISSING_PRODUCER_ID, "a validation needs the id of who drives the review", next));
    };
    let run = Run::open(cwd, &request.run)?;
    // A record that cannot be read is the finding of a step; it names no lock either.
    let record = run.record().ok();
    let _lock = record.as_ref().map(|record| run.lock(record)).transpose()?;
    let image = image::read(&run, &workspace.interrupt)?;
    let result_file = result_file(&run, cwd, request, &image)?;
    let around = match (&record, &result_file) {
        (Some(record), Some(file)) => Around::gather_and_render(workspace.plugins, record, &image, file)?,
        (Some(record), None) => Around::gather(record, &image, None)?,
        (None, Some(_)) => Around::default().with_report(rendered(workspace.plugins, &image)?),
        (None, None) => Around::default(),
    };
    let around = around.with_prior(prior::resolutions(&run)?);
    workspace.interrupt.check()?;
    let run_path = run.text();
    let facts = around.facts(&image, &run_path, Some(producer_id));
    let (validation, context) = validation::validate(&facts, result_file.as_deref());
    let holds = request.manifest_only && validation.status == ValidationStatus::Pass;
    let mirror = if holds { context.mirror() } else { None };
    Ok((run, Judged { branch: "assessed", validation, mirror }))
}

/// The file to judge, relative to the run; `None` for the receipts alone.
fn result_file(run: &Run, cwd: &Path, request: &ValidateRequest, image: &RunImage) -> Result<Option<String>, Failure> {
    if request.manifest_only {
        return Ok(None);
    }
    let Some(file) = &request.result else {
        return match [CANDIDATE_FILE, RESULT_FILE].into_iter().find(|file| image.has(file)) {
            Some(file) => Ok(Some(file.to_owned())),
            None => {
                let next = "write `result.candidate.json`, or judge the receipts alone with --manifest-only";
                Err(usage(&codes::USAGE_ERROR, "the run has no result to judge", next))
            }
        };
    };
    match contained_path(&run.path(), cwd, file).filter(|path| image.has(path)) {
        Some(path) => Ok(Some(path)),
        None => {
            let message = format!("the run has no file {}", file.display());
            Err(usage(&codes::USAGE_ERROR, message, "name a result inside the run, such as `result.candidate.json`"))
        }
    }
}
