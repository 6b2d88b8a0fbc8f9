//! `finalize`: derives, renders, ties together and judges a result, and promotes it when it holds (section 13, CR-203).

mod draft;
mod drafts;
mod outcome;
mod renderers;

use std::path::{Path, PathBuf};

use code_polishy_core::{
    canonical::{artifact_bytes, canonical_json, digest_bytes},
    code_review::{
        blocked::Blocked,
        codes,
        context::Context,
        context::Facts,
        finalize::{Prepared, Rendered, Said, Sealed, attempts, prepare, prepare_closed, prepare_unavailable, provisional, seal},
        handoff::Branch,
        image::RunImage,
        notes::NOTES_FILE,
        run::RunRecord,
        run_manifest::{ATTEMPTS_FILE, CANDIDATE_FILE, PROMOTION_FILE, Promotion, RESULT_FILE, RUN_MANIFEST_FILE},
        terminal::CloseDecision,
        validation::{Validation, ValidationStatus, validate},
    },
    diagnostic::{Failure, FailureKind},
};

use serde::Deserialize;
use serde_json::Value;

use super::{around::Around, blocked, image, now, operational, prior, render::render, run::Run, usage};
use crate::{failpoint, workspace::Workspace};

use renderers::Others;

pub use draft::{DraftRequest, draft_handoff};
pub use outcome::{Finalized, Stage, StageOutcome};

/// What `finalize` is asked for.
#[derive(Clone, Debug)]
pub struct FinalizeRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--producer-id`.
    pub producer_id: Option<String>,
    /// `--branch`; the caller's contract is the run's.
    pub branch: Branch,
    /// `--close-decision`; else that of the candidate.
    pub close_decision: Option<PathBuf>,
    /// `--metadata`; else those of the candidate.
    pub metadata: Option<PathBuf>,
    /// `--handoff`; else the run's hand-off.
    pub handoff: Option<PathBuf>,
    /// What the command line says of the result.
    pub said: Said,
    /// `--renderer`: beside those of the configuration.
    pub renderers: Vec<String>,
    /// `--promote`.
    pub promote: bool,
}

/// Finalizes a run; `cwd` is where the caller's paths start. The inner failure is about the run: exit 1 `review-already-promoted`,
/// `review-producer-mismatch`.
///
/// # Errors
/// Exit 2 `missing-producer-id`, `missing-required`, `usage-error`; exit 3 `run-not-found`, `run-locked`, a renderer without an answer;
/// exit 130.
pub fn finalize(workspace: &Workspace<'_>, cwd: &Path, request: &FinalizeRequest) -> Result<(Run, Result<Finalized, Failure>), Failure> {
    let Some(producer_id) = &request.producer_id else {
        let next = "give the id that `code-review start` printed, with --producer-id or CODE_POLISHY_PRODUCER_ID";
        return Err(usage(&codes::MISSING_PRODUCER_ID, "finalizing needs the id of who drives the review", next));
    };
    let run = Run::open(cwd, &request.run)?;
    let record = run.record()?;
    let _lock = run.lock(&record)?;
    let command = Command { workspace, run: &run, record: &record, producer_id };
    match command.finalize(cwd, request) {
        Err(failure) if failure.kind == FailureKind::Blocked => Ok((run, Err(failure))),
        Err(failure) => Err(failure),
        Ok(finalized) => Ok((run, Ok(finalized))),
    }
}

struct Command<'c> {
    workspace: &'c Workspace<'c>,
    run: &'c Run,
    record: &'c RunRecord,
    producer_id: &'c str,
}

impl Command<'_> {
    fn finalize(&self, cwd: &Path, request: &FinalizeRequest) -> Result<Finalized, Failure> {
        let mut image = image::read(self.run, &self.workspace.interrupt)?;
        self.may_finalize(&image)?;
        let run_path = self.run.text();
        if request.branch.is_terminal() {
            let around = Around::gather(self.record, &image, None)?.with_prior(prior::resolutions(self.run)?);
            let prepared = self.ended(&around.facts(&image, &run_path, Some(self.producer_id)), cwd, request, &image)?;
            return self.drawn(around, &image, &prepared, request);
        }
        let authored = drafts::read(cwd, request, &image)?;
        let provisional = artifact_bytes(&provisional(self.record, &run_path, &authored));
        image.put(CANDIDATE_FILE, &provisional);
        let around = Around::gather(self.record, &image, Some(CANDIDATE_FILE))?.with_prior(prior::resolutions(self.run)?);
        let prepared = prepare(&around.facts(&image, &run_path, Some(self.producer_id)), self.record, &authored);
        self.drawn(around, &image, &prepared, request)
    }

    /// A review that ended before the source was judged (CR-186).
    fn ended(&self, facts: &Facts<'_>, cwd: &Path, request: &FinalizeRequest, image: &RunImage) -> Result<Prepared, Failure> {
        if request.branch == Branch::Unavailable {
            return prepare_unavailable(facts, self.record)
                .map_err(|violation| Failure::new(FailureKind::Blocked, vec![violation.diagnostic()]));
        }
        let decision = drafts::close_decision(cwd, request, image)?;
        let read = CloseDecision::deserialize(Value::Object(decision)).map_err(|error| {
            let message = format!("the close decision cannot be read: {error}");
            blocked(&codes::CLOSED_REVIEW_DECISION_INVALID, message, "write its nine fields; `code-polishy schema` shows them")
        })?;
        Ok(prepare_closed(facts, self.record, &read))
    }

    /// Renders the parts, ties them together, and judges them.
    fn drawn(&self, around: Around, image: &RunImage, prepared: &Prepared, request: &FinalizeRequest) -> Result<Finalized, Failure> {
        let handoff = canonical_json(&prepared.handoff);
        let rendered = render(self.workspace.plugins, &handoff)?;
        let others = match &prepared.t0 {
            Some(t0) => renderers::draw(self.workspace, t0, &request.renderers, &handoff)?,
            None => Others::default(),
        };
        self.workspace.interrupt.check()?;
        self.judge(around, image, prepared, rendered, others, request)
    }

    /// A promoted run is finished, and only who started a review finishes it (CR-19, CR-206).
    fn may_finalize(&self, image: &RunImage) -> Result<(), Failure> {
        if image.has(RESULT_FILE) {
            let next = "complete it with `code-polishy code-review complete`, or start a new run";
            return Err(blocked(&codes::REVIEW_ALREADY_PROMOTED, "the run is promoted", next));
        }
        if self.record.producer_id != self.producer_id {
            let message = format!("this review is driven by `{}`", self.record.producer_id);
            let next = "give the id that the run was started with, or start a run of your own";
            return Err(blocked(&codes::REVIEW_PRODUCER_MISMATCH, message, next));
        }
        Ok(())
    }

    fn judge(
        &self,
        around: Around,
        image: &RunImage,
        prepared: &Prepared,
        rendered: Result<Vec<u8>, String>,
        others: Others,
        request: &FinalizeRequest,
    ) -> Result<Finalized, Failure> {
        let run_path = self.run.text();
        let facts = around.facts(image, &run_path, Some(self.producer_id));
        let made = Rendered { report: rendered.as_deref().ok(), others: others.files };
        let sealed = seal(&facts, self.record, prepared, made);
        let around = around.with_report(Some(rendered));
        let facts = around.facts(&sealed.image, &run_path, Some(self.producer_id));
        let (mut validation, context) = validate(&facts, Some(CANDIDATE_FILE));
        validation.warnings.extend(others.warnings);
        let log = self.run.read(ATTEMPTS_FILE)?.unwrap_or_default();
        let attempt = attempts::next(attempts::last(&log).as_ref(), &mut validation);
        let written = self.write(&sealed, prepared, &validation)?;
        self.run.write(ATTEMPTS_FILE, &attempts::append(&log, &attempt))?;
        let promoted = request.promote && validation.status == ValidationStatus::Pass;
        if promoted {
            self.promote(&sealed)?;
        }
        Ok(self.outcome(validation, &context, prepared, written, promoted, request.promote))
    }

    /// A result that does not hold leaves only the cells that were written over, and itself; a conflict that somebody has to settle leaves
    /// nothing (CR-168, CR-203). Whether the result was written.
    fn write(&self, sealed: &Sealed, prepared: &Prepared, validation: &Validation) -> Result<bool, Failure> {
        if validation.status == ValidationStatus::Pass {
            for (path, bytes) in &sealed.files {
                self.run.write(path, bytes)?;
            }
        } else if outcome::is_conflicting(validation) {
            return Ok(false);
        } else if let Some(notes) = &prepared.notes {
            self.run.write(NOTES_FILE, notes.as_bytes())?;
        }
        self.run.write(CANDIDATE_FILE, &sealed.candidate)?;
        Ok(true)
    }

    /// The record first: a run is promoted when its result has its name (CR-169, CR-206).
    fn promote(&self, sealed: &Sealed) -> Result<(), Failure> {
        let manifest = sealed.image.sha256(RUN_MANIFEST_FILE).unwrap_or_default();
        let promotion = Promotion::of(&digest_bytes(&sealed.candidate), manifest, env!("CARGO_PKG_VERSION"), &now());
        self.run.write_json(PROMOTION_FILE, &promotion)?;
        failpoint::reached("finalize.promotion-written");
        let store = self.run.store()?;
        store.dir().rename(CANDIDATE_FILE, store.dir(), RESULT_FILE).map_err(|error| {
            let message = format!("cannot rename `{CANDIDATE_FILE}`: {error}");
            operational(&codes::IO_ERROR, message, "run the command again").at_path(CANDIDATE_FILE)
        })
    }

    fn outcome(
        &self,
        validation: Validation,
        context: &Context<'_>,
        prepared: &Prepared,
        written: bool,
        promoted: bool,
        asked: bool,
    ) -> Finalized {
        let place = |file: &str| format!("{}/{file}", self.run.text());
        let edits = if outcome::is_conflicting(&validation) { Vec::new() } else { prepared.edits.clone() };
        Finalized {
            branch: prepared.branch.as_str(),
            steps: outcome::stages(&validation, written, promoted, asked),
            edits,
            promoted,
            candidate: (written && !promoted).then(|| place(CANDIDATE_FILE)),
            result: promoted.then(|| place(RESULT_FILE)),
            review_status: if prepared.branch.is_terminal() { prepared.branch.as_str() } else { "assessed" },
            change_readiness: outcome::change_readiness(context),
            blocked: Blocked::of(&validation, context),
            validation: validation.into(),
        }
    }
}
