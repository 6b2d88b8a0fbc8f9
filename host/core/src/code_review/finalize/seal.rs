//! Ties the parts together: hand-off and report, the evidence's index, the list of files, the result (CR-14, CR-84, CR-159).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Prepared;
use crate::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{
        context::Facts,
        evidence::{EVIDENCE_INDEX_FILE, cited, index},
        handoff::{FINAL_FILE, FinalHandoff, HANDOFF_FILE, HANDOFF_VALIDATION_FILE, HandoffValidation},
        image::RunImage,
        notes::NOTES_FILE,
        run::RunRecord,
        run_manifest::{CANDIDATE_FILE, RUN_MANIFEST_FILE, RunManifest},
        t0::GIT_STATE_FINALIZE_FILE,
    },
};

/// A review that is ready to be judged.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// The run with all of it.
    pub image: RunImage,
    /// What has to be written, by path: everything but the candidate.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The result.
    pub candidate: Vec<u8>,
}

/// What the renderers made of the hand-off.
#[derive(Clone, Debug)]
pub struct Rendered<'r> {
    /// What the built-in renderer made; nothing when it refused the hand-off.
    pub report: Option<&'r [u8]>,
    /// What the others made, by path.
    pub others: BTreeMap<String, Vec<u8>>,
}

/// Seals the parts; the state of the checkout is the one now.
pub fn seal(facts: &Facts<'_>, run: &RunRecord, prepared: &Prepared, rendered: Rendered<'_>) -> Sealed {
    let mut files = rendered.others;
    let mut file = |path: &str, bytes: Vec<u8>| drop(files.insert(path.to_owned(), bytes));
    let handoff = artifact_bytes(&prepared.handoff);
    let mut result = prepared.result.clone();
    result["metadata"]["final_handoff"] = Value::Null;
    if let Some(report) = rendered.report {
        let (handoff, rendered) = (digest_bytes(&handoff), digest_bytes(report));
        file(FINAL_FILE, report.to_vec());
        file(HANDOFF_VALIDATION_FILE, artifact_bytes(&HandoffValidation::of(prepared.branch, &handoff, &rendered)));
        result["metadata"]["final_handoff"] = json!(FinalHandoff::of(prepared.branch, &handoff, &rendered));
    }
    file(HANDOFF_FILE, handoff);
    if let Some(notes) = &prepared.notes {
        file(NOTES_FILE, notes.clone().into_bytes());
    }
    if !prepared.branch.is_terminal() {
        file(EVIDENCE_INDEX_FILE, artifact_bytes(&index(&cited(&result), facts.resolved)));
    }
    for (path, bytes) in &prepared.files {
        file(path, bytes.clone());
    }
    if let Some(state) = facts.git_state {
        file(GIT_STATE_FINALIZE_FILE, artifact_bytes(state));
    }
    let mut image = facts.image.clone();
    for (path, bytes) in &files {
        image.put(path, bytes);
    }
    let manifest = RunManifest::of(&run.run_id, &image);
    let bytes = artifact_bytes(&manifest);
    result["metadata"]["run_manifest"] = json!(manifest.binding(&digest_bytes(&bytes)));
    image.put(RUN_MANIFEST_FILE, &bytes);
    files.insert(RUN_MANIFEST_FILE.to_owned(), bytes);
    let candidate = artifact_bytes(&result);
    image.put(CANDIDATE_FILE, &candidate);
    Sealed { image, files, candidate }
}
