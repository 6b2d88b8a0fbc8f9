//! The author's drafts: files of the caller, or what an earlier attempt left in the run (CR-171).

use std::{fs::File, io::Read, path::Path};

use code_polishy_core::{
    canonical::read_strict,
    code_review::{
        codes,
        finalize::Authored,
        handoff::HANDOFF_FILE,
        image::{MAX_FILE_BYTES, RunImage},
        run_manifest::CANDIDATE_FILE,
    },
    diagnostic::Failure,
};
use serde_json::{Map, Value};

use super::FinalizeRequest;
use crate::workflow::code_review::usage;

/// Metadata and hand-off.
///
/// # Errors
/// Exit 2 `missing-required`, `usage-error`.
pub(super) fn read(cwd: &Path, request: &FinalizeRequest, image: &RunImage) -> Result<Authored, Failure> {
    let metadata = metadata(cwd, request.metadata.as_deref(), image)?;
    let handoff = match &request.handoff {
        Some(file) => from_file(&cwd.join(file), "--handoff")?,
        None => left(image, HANDOFF_FILE, "--handoff", Some)?,
    };
    Ok(Authored { metadata, handoff, said: request.said.clone() })
}

/// The metadata of this file, else of the candidate.
///
/// # Errors
/// As [`read`].
pub(super) fn metadata(cwd: &Path, file: Option<&Path>, image: &RunImage) -> Result<Map<String, Value>, Failure> {
    match file {
        Some(file) => from_file(&cwd.join(file), "--metadata"),
        None => left(image, CANDIDATE_FILE, "--metadata", |candidate| candidate.get("metadata").cloned()),
    }
}

/// The close decision of the file, else of the candidate.
///
/// # Errors
/// As [`read`].
pub(super) fn close_decision(cwd: &Path, request: &FinalizeRequest, image: &RunImage) -> Result<Map<String, Value>, Failure> {
    match &request.close_decision {
        Some(file) => from_file(&cwd.join(file), "--close-decision"),
        None => left(image, CANDIDATE_FILE, "--close-decision", |candidate| candidate.pointer("/metadata/close_decision").cloned()),
    }
}

fn from_file(place: &Path, flag: &str) -> Result<Map<String, Value>, Failure> {
    let unreadable = |reason: String| {
        let message = format!("cannot read {}: {reason}", place.display());
        usage(&codes::USAGE_ERROR, message, format!("name with {flag} a file with one JSON object"))
    };
    let mut bytes = Vec::new();
    let read = File::open(place).and_then(|file| file.take(MAX_FILE_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| unreadable(error.to_string()))?;
    match read_strict(&bytes, codes::USAGE_ERROR.name, "") {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(unreadable("it is no object".to_owned())),
        Err(diagnostic) => Err(unreadable(diagnostic.message)),
    }
}

/// What an earlier attempt left.
fn left(image: &RunImage, file: &str, flag: &str, part: impl Fn(Value) -> Option<Value>) -> Result<Map<String, Value>, Failure> {
    let value = image.bytes(file).and_then(|bytes| read_strict(bytes, file, "").ok()).and_then(part);
    match value {
        Some(Value::Object(object)) => Ok(object),
        _ => {
            let message = format!("{flag} is missing, and no earlier attempt left `{file}`");
            let next = match file {
                HANDOFF_FILE => "let one be written with --draft-handoff FILE, and name it with --handoff".to_owned(),
                _ => format!("name the draft with {flag}"),
            };
            Err(usage(&codes::MISSING_REQUIRED, message, next))
        }
    }
}
