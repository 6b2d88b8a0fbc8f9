//! `discard`: gives up the candidate of a run, and keeps it (CR-20).

use std::path::{Path, PathBuf};

use code_polishy_core::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{
        codes,
        discard::{DISCARD_FILE, DISCARDED_FOLDER, Discard, DiscardCategory},
        run_manifest::{CANDIDATE_FILE, RESULT_FILE},
    },
    diagnostic::Failure,
};
use serde::Serialize;

use super::{now, run::Run, usage};
use crate::store::Store;

/// What `discard` is asked for.
#[derive(Clone, Debug)]
pub struct DiscardRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--reason`.
    pub reason: String,
    /// `--category`.
    pub category: DiscardCategory,
}

/// The fields of the document.
#[derive(Clone, Debug, Serialize)]
pub struct Discarded {
    /// Where the candidate lies now, relative to the run.
    pub discarded: String,
    /// The record beside it, relative to the run.
    pub record: String,
}

/// Moves the candidate aside; `cwd` is where the caller's paths start.
///
/// # Errors
/// Exit 2 `discard-promoted-run`, `discard-no-candidate`, `usage-error` for a blank reason; exit 3 `run-not-found`, `run-locked`.
pub fn discard(cwd: &Path, request: &DiscardRequest) -> Result<(Run, Discarded), Failure> {
    let reason = request.reason.trim();
    if reason.is_empty() {
        return Err(usage(&codes::USAGE_ERROR, "the reason is blank", "say with --reason why the result is given up"));
    }
    let run = Run::open(cwd, &request.run)?;
    let record = run.record()?;
    let _lock = run.lock(&record)?;
    let store = run.store()?;
    if store.has(RESULT_FILE)? {
        let message = "the result of this run is its report, and stays";
        return Err(usage(&codes::DISCARD_PROMOTED_RUN, message, "start a new run to review the change again"));
    }
    let Some(candidate) = run.read(CANDIDATE_FILE)? else {
        let message = format!("the run has no `{CANDIDATE_FILE}`");
        return Err(usage(&codes::DISCARD_NO_CANDIDATE, message, "there is nothing to discard"));
    };
    let written = Discard {
        schema_version: 1,
        category: request.category,
        reason: reason.to_owned(),
        candidate_sha256: digest_bytes(&candidate),
        discarded_at: now(),
        producer_id: record.producer_id,
    };
    let folder = next_folder(&store)?;
    let target = store.child(DISCARDED_FOLDER, true)?.and_then(|all| all.child(&folder, true).transpose()).transpose()?;
    let target = target.expect("both folders are made when they are absent");
    // The record first: killed in between, the candidate is still where it was, and the next call takes the same folder.
    target.write(DISCARD_FILE, &artifact_bytes(&written))?;
    store.move_to(CANDIDATE_FILE, &target)?;
    let place = |file: &str| format!("{DISCARDED_FOLDER}/{folder}/{file}");
    Ok((run, Discarded { discarded: place(CANDIDATE_FILE), record: place(DISCARD_FILE) }))
}

/// The first number from 001 whose folder holds no candidate.
fn next_folder(store: &Store) -> Result<String, Failure> {
    let discarded = store.child(DISCARDED_FOLDER, false)?;
    for number in 1_u32.. {
        let name = format!("{number:03}");
        let folder = match &discarded {
            Some(discarded) => discarded.child(&name, false)?,
            None => None,
        };
        let is_taken = match folder {
            Some(folder) => folder.has(CANDIDATE_FILE)?,
            None => false,
        };
        if !is_taken {
            return Ok(name);
        }
    }
    unreachable!("a folder has fewer files than there are numbers")
}
