//! Writes a draft of the hand-off for its author, and nothing into the run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::artifact_bytes,
    code_review::{
        codes,
        finalize::{Authored, Said, draft, provisional},
        run_manifest::CANDIDATE_FILE,
    },
    diagnostic::Failure,
};
use serde_json::Map;

use super::drafts;
use crate::{
    input::contained_path,
    workflow::code_review::{around::Around, blocked, image, operational, prior, run::Run, usage},
    workspace::Workspace,
};

/// What the draft is made of, and where it goes.
#[derive(Clone, Debug)]
pub struct DraftRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--metadata`; else those of the candidate.
    pub metadata: Option<PathBuf>,
    /// `--draft-handoff`.
    pub file: PathBuf,
}

/// Writes the draft; `cwd` is where the caller's paths start. The file that it wrote.
///
/// # Errors
/// Exit 1 `handoff-fields-mismatch`: some record cannot be read yet; exit 2 `missing-required`, `usage-error`; exit 3 `run-not-found`,
/// `run-locked`, `io-error`; exit 130.
pub fn draft_handoff(workspace: &Workspace<'_>, cwd: &Path, request: &DraftRequest) -> Result<(Run, PathBuf), Failure> {
    let run = Run::open(cwd, &request.run)?;
    if contained_path(&run.path(), cwd, &request.file).is_some() {
        return Err(usage(&codes::USAGE_ERROR, "the draft would change the run", "name a file outside the run with --draft-handoff"));
    }
    let record = run.record()?;
    let _lock = run.lock(&record)?;
    let mut image = image::read(&run, &workspace.interrupt)?;
    let metadata = drafts::metadata(cwd, request.metadata.as_deref(), &image)?;
    let run_path = run.text();
    let authored = Authored { metadata, handoff: Map::new(), said: Said::default() };
    image.put(CANDIDATE_FILE, &artifact_bytes(&provisional(&record, &run_path, &authored)));
    let around = Around::gather(&record, &image, Some(CANDIDATE_FILE))?.with_prior(prior::resolutions(&run)?);
    let facts = around.facts(&image, &run_path, Some(&record.producer_id));
    let Some(draft) = draft(&facts, &record, &authored.metadata) else {
        let message = "some record that the hand-off repeats cannot be read yet";
        return Err(blocked(&codes::HANDOFF_FIELDS_MISMATCH, message, "validate the run, repair what it names, and draft again"));
    };
    let place = cwd.join(&request.file);
    fs::write(&place, artifact_bytes(&draft)).map_err(|error| {
        let message = format!("cannot write {}: {error}", place.display());
        operational(&codes::IO_ERROR, message, "name a file that can be written with --draft-handoff")
    })?;
    Ok((run, place))
}
