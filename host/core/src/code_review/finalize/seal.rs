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
        t0::{GIT_STATE_FINALIZE_FILE, GitState},
    },
};

/// A review that is ready to be judged.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// The run with all of it.
    pub image: RunImage,
    /// What has to be written, by path: everything but the candidate.
    pub files: BTreeMap<&'static str, Vec<u8>>,
    /// The result.
    pub candidate: Vec<u8>,
}

/// Seals the parts; `report` is what the hand-off renders to, and `git_state` the checkout now.
pub fn seal(facts: &Facts<'_>, run: &RunRecord, prepared: &Prepared, report: Option<&[u8]>, git_state: Option<&GitState>) -> Sealed {
    let mut files = BTreeMap::new();
    let handoff = artifact_bytes(&prepared.handoff);
    let mut result = prepared.result.clone();
    result["metadata"]["final_handoff"] = Value::Null;
    if let Some(report) = report {
        let (handoff, rendered) = (digest_bytes(&handoff), digest_bytes(report));
        files.insert(FINAL_FILE, report.to_vec());
        files.insert(HANDOFF_VALIDATION_FILE, artifact_bytes(&HandoffValidation::of(prepared.branch, &handoff, &rendered)));
        result["metadata"]["final_handoff"] = json!(FinalHandoff::of(prepared.branch, &handoff, &rendered));
    }
    files.insert(HANDOFF_FILE, handoff);
    files.extend(prepared.notes.as_ref().map(|notes| (NOTES_FILE, notes.clone().into_bytes())));
    files.insert(EVIDENCE_INDEX_FILE, artifact_bytes(&index(&cited(&result), facts.resolved)));
    files.extend(git_state.map(|state| (GIT_STATE_FINALIZE_FILE, artifact_bytes(state))));
    let mut image = facts.image.clone();
    for (path, bytes) in &files {
        image.put(path, bytes);
    }
    let manifest = RunManifest::of(&run.run_id, &image);
    let bytes = artifact_bytes(&manifest);
    result["metadata"]["run_manifest"] = json!(manifest.binding(&digest_bytes(&bytes)));
    image.put(RUN_MANIFEST_FILE, &bytes);
    files.insert(RUN_MANIFEST_FILE, bytes);
    let candidate = artifact_bytes(&result);
    image.put(CANDIDATE_FILE, &candidate);
    Sealed { image, files, candidate }
}
