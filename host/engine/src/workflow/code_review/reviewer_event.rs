//! `reviewer-event`: appends to the log what a reviewer did, and derives the manifest again (section 6).

mod attest;
mod files;
mod stated;

use std::path::{Path, PathBuf};

use code_polishy_core::{
    canonical::artifact_bytes,
    code_review::{
        codes,
        context::Context,
        events::{AdapterAnswer, EVENTS_FILE, Event, EventFault, EventKind, EventLog, ResponseFormat},
        image::{RunImage, max_bytes},
        manifest::{Derived, EvidenceLevel, MANIFEST_FILE, Pass, Sources, derive, read},
        validation,
        violation::Violation,
        vocabulary::Role,
    },
    diagnostic::Failure,
};
use serde::Serialize;

use super::{
    around::Around,
    blocked, image, refusal,
    run::{RESULT_FILE, Run},
};
use crate::workspace::Workspace;
use attest::attest;
use files::{Files, insert};
use stated::Stated;

/// What `reviewer-event` is asked for; words as they were written.
#[derive(Clone, Debug, Default)]
pub struct EventRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--event`.
    pub event: String,
    /// `--role`.
    pub role: String,
    /// `--attempt`; the one that was dispatched last, or the next one of a dispatch.
    pub attempt: Option<u32>,
    /// `--mode`; that of the attempt's dispatch.
    pub mode: Option<String>,
    /// `--reviewer-id`; that of the attempt's dispatch.
    pub reviewer_id: Option<String>,
    /// `--at`; now.
    pub at: Option<String>,
    /// `--context`; the frozen one of the role.
    pub context: Option<PathBuf>,
    /// `--output`; for `joined` the completed one.
    pub output: Option<PathBuf>,
    /// `--receipt`.
    pub receipt: Option<PathBuf>,
    /// `--adapter`: who judges the receipt.
    pub adapter: Option<String>,
    /// `--claimed`: JSON.
    pub claimed: Option<String>,
    /// `--observed`: JSON.
    pub observed: Option<String>,
    /// `--retry-reason`.
    pub retry_reason: Option<String>,
    /// `--reason`.
    pub reason: Option<String>,
}

/// The fields of the document.
#[derive(Clone, Debug, Serialize)]
pub struct Appended {
    /// The line of the log, from 1.
    pub seq: u64,
    /// What happened.
    pub event: EventKind,
    /// Whose work it is.
    pub role: Role,
    /// Null for a substitute.
    pub attempt: Option<u32>,
    /// The hash that the next line continues.
    pub hash: String,
    /// What shows the event.
    pub evidence: EvidenceLevel,
    /// What the adapter said of the receipt; null when none was asked.
    pub adapter: Option<AdapterAnswer>,
    /// Why, in the adapter's words.
    pub adapter_reason: Option<String>,
    /// Whether the response parses; of `completed`.
    pub format: Option<ResponseFormat>,
    /// Why it does not.
    pub faults: Vec<ResponseFault>,
    /// The pass of the role, as the manifest has it now; null until a response that parses is joined.
    pub pass: Option<Pass>,
}

/// What is wrong with a response.
#[derive(Clone, Debug, Serialize)]
pub struct ResponseFault {
    /// In one sentence without the final full stop.
    pub message: String,
    /// Line of the response, from 1; null for JSON.
    pub line: Option<u32>,
}

/// Appends an event; `cwd` is where the caller's paths start. The inner failure is about the run (exit 1): the event does not follow
/// its log, or the run does not hold; nothing was written.
///
/// # Errors
/// Exit 2 `usage-error`, `missing-required`, `plugin.*` of an adapter's pin; exit 3 `run-not-found`, `run-locked`, an adapter without an answer;
/// exit 130. Nothing was written.
pub fn reviewer_event(
    workspace: &Workspace<'_>,
    cwd: &Path,
    request: &EventRequest,
) -> Result<(Run, Result<Box<Appended>, Failure>), Failure> {
    let stated = Stated::read(request)?;
    let run = Run::open(cwd, &request.run)?;
    let record = run.record()?;
    let _lock = run.lock(&record)?;
    let image = image::read(&run, &workspace.interrupt)?;
    if image.has(RESULT_FILE) {
        let next = "start a new run for another review";
        let failure = blocked(&codes::REVIEW_ALREADY_PROMOTED, "the run is promoted, and nothing is written into it", next);
        return Ok((run, Err(failure)));
    }
    let around = Around::gather(&record, &image, None)?;
    let run_path = run.text();
    let before = around.facts(&image, &run_path, Some(&record.producer_id));
    let (found, known) = validation::reviewing(&before);
    let (true, Some(log), Some(t0)) = (found.violations.is_empty(), &known.events, &known.t0) else {
        return Ok((run, Err(refusal(&found.violations))));
    };
    if known.routing.as_ref().is_some_and(|routing| !routing.triggered_roles.contains(&stated.role)) {
        let message = format!("the routing does not trigger `{}`", stated.role);
        let violation = Violation::of(&codes::REVIEWER_ROLE_NOT_TRIGGERED, message).subject(stated.role.as_str());
        return Ok((run, Err(refusal(&[violation]))));
    }
    let mut files = Files { run: &run, cwd, image: &image, retained: Vec::new() };
    let Drafted { mut event, faults } = draft(&stated, &known, log, &mut files)?;
    let asked = request.adapter.as_deref();
    let reason = asked.map(|adapter| attest(workspace, t0, adapter, (log, &files), &mut event)).transpose()?;
    let event = match log.next(event) {
        Ok(event) => event,
        Err(faults) => return Ok((run, Err(refused(faults, reason.as_deref())))),
    };
    let log = log.clone().with(event.clone());
    let after = with_log(&image, &files, &log);
    let facts = around.facts(&after, &run_path, Some(&record.producer_id));
    let (found, known) = validation::reviewing(&facts);
    let (true, Some(sources)) = (found.violations.is_empty(), sources(&known)) else {
        return Ok((run, Err(refusal(&found.violations))));
    };
    if log.text().len() as u64 > max_bytes(EVENTS_FILE) {
        let message = format!("the log would be larger than {} bytes", max_bytes(EVENTS_FILE));
        let next = "keep `claimed` and `observed` short, or start a new run";
        return Ok((run, Err(blocked(&codes::LIMIT_EXCEEDED, message, next).at_path(EVENTS_FILE))));
    }
    let Derived { manifest, gaps, .. } = derive(sources);
    // What an attempt joins parses; a substitute's response is judged here, before it is joined for good.
    let gap = gaps.iter().find(|(role, _)| *role == event.role && event.event == EventKind::Joined);
    if let Some((role, gap)) = gap {
        return Ok((run, Err(refusal(&gap.violations(*role)))));
    }
    workspace.interrupt.check()?;
    // The log last: killed before it, the run is where it was, and the same event makes the manifest whole.
    files.write()?;
    run.write(MANIFEST_FILE, &artifact_bytes(&manifest))?;
    run.write(EVENTS_FILE, log.text().as_bytes())?;
    let pass = manifest.passes.into_iter().find(|pass| pass.role == event.role);
    Ok((run, Ok(Box::new(Appended { adapter_reason: reason, ..appended(event, faults, pass) }))))
}

fn sources<'c>(known: &'c Context<'_>) -> Option<Sources<'c>> {
    let t0 = known.t0.as_ref()?;
    Some(Sources {
        run: &t0.run,
        review_input_sha256: &t0.review_input_sha256,
        routing: known.routing.as_ref()?,
        plan: known.plan.as_ref()?,
        log: known.events.as_ref()?,
        image: known.facts.image,
    })
}

fn with_log(image: &RunImage, files: &Files<'_>, log: &EventLog) -> RunImage {
    let mut after = image.clone();
    for (path, bytes) in &files.retained {
        insert(&mut after, path, bytes);
    }
    insert(&mut after, EVENTS_FILE, log.text().as_bytes());
    after
}

struct Drafted {
    event: Event,
    /// Of a response that does not parse.
    faults: Vec<ResponseFault>,
}

/// The event as it is stated, with what follows from log, briefs and files.
fn draft(stated: &Stated<'_>, known: &Context<'_>, log: &EventLog, files: &mut Files<'_>) -> Result<Drafted, Failure> {
    let mut event = stated.event(log)?;
    files.context(stated.request.context.as_deref(), &mut event)?;
    files.output(stated.request.output.as_deref(), log, &mut event)?;
    files.receipt(stated.request.receipt.as_deref(), &mut event)?;
    let mut faults = Vec::new();
    if let (EventKind::Completed, Some(path), Some(plan)) = (event.event, &event.output_path, &known.plan) {
        let parsed = read(&files.bytes(path)?, path, event.role, event.mode, plan);
        event.format = Some(if parsed.is_ok() { ResponseFormat::Valid } else { ResponseFormat::Invalid });
        let told = parsed.err().unwrap_or_default().into_iter();
        faults = told.map(|fault| ResponseFault { message: fault.message, line: fault.line }).collect();
    }
    Ok(Drafted { event, faults })
}

/// The faults as a refusal, with the adapter's reason where it rejects.
fn refused(mut faults: Vec<EventFault>, reason: Option<&str>) -> Failure {
    let rejections = faults.iter_mut().filter(|fault| fault.code == &codes::REVIEWER_ATTESTATION_REJECTED);
    for (rejection, reason) in rejections.zip(reason.filter(|reason| !reason.is_empty())) {
        rejection.message += &format!(": {reason}");
    }
    let violations: Vec<Violation> = faults.iter().map(EventFault::violation).collect();
    refusal(&violations)
}

fn appended(event: Event, faults: Vec<ResponseFault>, pass: Option<Pass>) -> Appended {
    let Event { seq, event, role, attempt, hash, evidence, adapter, format, .. } = event;
    Appended { seq, event, role, attempt, hash, evidence, adapter, adapter_reason: None, format, faults, pass }
}
