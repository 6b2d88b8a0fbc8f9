//! `notes --draft`: writes what the run's data determine of `review-notes.md`, and says what is left to the author.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::digest_bytes,
    code_review::{
        codes,
        draft::{Draft, NoDraft, Open, Records, draft},
        image::MAX_FILE_BYTES,
        notes::NOTES_FILE,
        run::RunRecord,
        violation::Violation,
    },
    diagnostic::{Diagnostic, Failure, FailureKind},
};
use serde::Serialize;

use super::{
    around::Around,
    blocked, image,
    run::{CANDIDATE_FILE, RESULT_FILE, Run},
    usage,
};
use crate::workspace::Workspace;

/// What `notes` is asked for.
#[derive(Clone, Debug)]
pub struct NotesRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--metadata`: the metadata of a result that is not written yet.
    pub metadata: Option<PathBuf>,
}

/// The fields of the document.
#[derive(Clone, Debug, Serialize)]
pub struct Drafted {
    /// The notes, relative to the run.
    pub notes: &'static str,
    /// Digest of the notes as they are now.
    pub sha256: String,
    /// The notes are others than before.
    pub changed: bool,
    /// Gaps, in order.
    pub left: Vec<Open>,
}

/// Drafts the notes of a run, or fills what they lack; `cwd` is where the caller's paths start. The inner failure is about the run:
/// exit 1 `review-already-promoted`, `run-text-not-utf8`, a receipt of collection that does not hold, notes that cannot be added to.
///
/// # Errors
/// Exit 2 `usage-error` for metadata that are none; exit 3 `run-not-found`, `run-locked`; exit 130.
pub fn notes(workspace: &Workspace<'_>, cwd: &Path, request: &NotesRequest) -> Result<(Run, Result<Drafted, Failure>), Failure> {
    let run = Run::open(cwd, &request.run)?;
    let record = run.record()?;
    let _lock = run.lock(&record)?;
    match written(workspace, cwd, request, &run, &record) {
        Err(failure) if failure.kind == FailureKind::Blocked => Ok((run, Err(failure))),
        Err(failure) => Err(failure),
        Ok(drafted) => Ok((run, Ok(drafted))),
    }
}

fn written(workspace: &Workspace<'_>, cwd: &Path, request: &NotesRequest, run: &Run, record: &RunRecord) -> Result<Drafted, Failure> {
    let image = image::read(run, &workspace.interrupt)?;
    if image.has(RESULT_FILE) {
        let next = "leave its notes as they are, or start a new run";
        return Err(blocked(&codes::REVIEW_ALREADY_PROMOTED, "the run is promoted", next));
    }
    let before = existing(run)?;
    let metadata = request.metadata.as_ref().map(|file| read_metadata(&cwd.join(file))).transpose()?;
    let records = match (&metadata, image.bytes(CANDIDATE_FILE)) {
        (Some(metadata), _) => Records::Metadata(metadata),
        (None, Some(candidate)) => Records::Result(candidate),
        (None, None) => Records::None,
    };
    let around = Around::gather(record, &image, None)?;
    let run_path = run.text();
    let Draft { text, left } =
        draft(&around.facts(&image, &run_path, Some(&record.producer_id)), records, before.as_deref()).map_err(refusal)?;
    workspace.interrupt.check()?;
    let changed = before.as_deref() != Some(text.as_str());
    if changed {
        run.write(NOTES_FILE, text.as_bytes())?;
    }
    Ok(Drafted { notes: NOTES_FILE, sha256: digest_bytes(text.as_bytes()), changed, left })
}

fn existing(run: &Run) -> Result<Option<String>, Failure> {
    let bytes = run.read(NOTES_FILE)?;
    bytes.map(String::from_utf8).transpose().map_err(|_| {
        let message = "the notes are not UTF-8";
        blocked(&codes::RUN_TEXT_NOT_UTF8, message, "save them as UTF-8, then draft again").at_path(NOTES_FILE)
    })
}

fn read_metadata(place: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: io::Error| {
        let message = format!("cannot read {}: {error}", place.display());
        usage(&codes::USAGE_ERROR, message, "name the file of the metadata with --metadata")
    };
    let mut bytes = Vec::new();
    File::open(place).map_err(unreadable)?.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

fn refusal(reason: NoDraft) -> Failure {
    match reason {
        NoDraft::Receipts(violations) => Failure::new(FailureKind::Blocked, violations.into_iter().map(told).collect()),
        NoDraft::Snapshot(message) => {
            let next = "what the receipts say cannot be shown: start the review again";
            blocked(&codes::HANDOFF_SNAPSHOT_SOURCE_INVALID, message, next)
        }
        NoDraft::Records(diagnostic) => {
            let place = diagnostic.line.map(|line| format!(" (line {line})")).unwrap_or_default();
            usage(&codes::USAGE_ERROR, format!("{}{place}", diagnostic.message), diagnostic.next)
        }
        NoDraft::Unclosed => {
            let message = "the notes have a fence, a comment or an HTML block that does not end, and text behind it would be part of it";
            blocked(&codes::REVIEW_NOTES_SECTION_MISSING, message, "end it, then draft again").at_path(NOTES_FILE)
        }
    }
}

/// A violation as a refusal tells it.
fn told(violation: Violation) -> Diagnostic {
    let diagnostic = Diagnostic::new(violation.code, violation.message, violation.hint);
    let diagnostic = diagnostic.at_pointer(violation.pointer.unwrap_or_default());
    match violation.file {
        Some(file) => diagnostic.at_path(file),
        None => diagnostic,
    }
}
