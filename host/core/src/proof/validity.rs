//! When a recorded proof may be cited (BR-62).

use std::collections::BTreeMap;

use super::{Execution, Proof, RECORD_AGAIN, id_fault};
use crate::{
    canonical::digest_bytes,
    diagnostic::Diagnostic,
    plugin::{Outcome, PluginIdentity},
    policy::model::RedKind,
};

/// What a cited proof is held against: recomputed facts, never the record's own words.
#[derive(Clone, Debug)]
pub struct ProofContext<'a> {
    /// The packet's review.
    pub review_id: &'a str,
    /// The packet's base.
    pub review_base: &'a str,
    /// The packet's candidate.
    pub candidate: &'a str,
    /// The packet's selection.
    pub selection_sha256: &'a str,
    /// The packet's decision.
    pub decision_sha256: &'a str,
    /// Selected features, sorted.
    pub selected_features: Vec<String>,
    /// The full candidate is selected.
    pub full_candidate: bool,
    /// Kinds of red that are allowed.
    pub allowed_red_kinds: &'a [RedKind],
    /// Digest and runner of the suite in the candidate policy; `None` when it is gone or not eligible, with the reason.
    pub suite: Result<(String, PluginIdentity), String>,
    /// The proof's base is a proper ancestor of the candidate and at or after the review base.
    pub base_in_range: bool,
    /// Why each evidence path is no evidence any more.
    pub evidence_faults: Vec<String>,
    /// Digest of the evidence patch, recomputed.
    pub evidence_patch_sha256: String,
    /// Digest of each log by path; `None` for a missing one.
    pub logs: BTreeMap<String, Option<String>>,
}

/// Every way in which the proof is not valid (BR-62).
pub fn faults(proof: &Proof, context: &ProofContext<'_>) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut refuse =
        |code: &str, message: String| faults.push(Diagnostic::new(code, format!("proof `{}`: {message}", proof.id), RECORD_AGAIN));
    let bindings = [
        (&*proof.review_id, context.review_id, "review"),
        (&proof.review_base, context.review_base, "review base"),
        (&proof.candidate, context.candidate, "candidate"),
        (&proof.selection_sha256, context.selection_sha256, "selection"),
        (&proof.decision_sha256, context.decision_sha256, "decision"),
    ];
    for (recorded, current, what) in bindings {
        if recorded != current {
            refuse("proof.stale", format!("it belongs to another {what}"));
        }
    }
    if proof.selected_features != context.selected_features || proof.full_candidate != context.full_candidate {
        refuse("proof.stale", "it belongs to another selection".into());
    }
    if !context.base_in_range {
        refuse("proof.base", "its base is not a proper ancestor of the candidate at or after the review base".into());
    }
    match &context.suite {
        Err(reason) => refuse("proof.suite", reason.clone()),
        Ok((digest, runner)) => {
            if *digest != proof.suite_sha256 || *runner != proof.runner {
                refuse("proof.suite", format!("the suite `{}` or its runner has changed since", proof.suite));
            }
        }
    }
    for reason in &context.evidence_faults {
        refuse("proof.evidence", reason.clone());
    }
    if context.evidence_patch_sha256 != proof.evidence_patch_sha256 {
        refuse("proof.evidence", "its evidence patch is not the recorded one".into());
    }
    if !context.allowed_red_kinds.contains(&proof.red_kind) {
        refuse("proof.red-kind", "its kind of red is not allowed".into());
    }
    if let Some(reason) = inconsistency(proof) {
        refuse("proof.inconsistent", reason.into());
    }
    for log in proof.logs() {
        match context.logs.get(&log.path) {
            Some(Some(digest)) if *digest == log.sha256 => {}
            Some(Some(_)) => refuse("proof.log", format!("the log {} was edited", log.path)),
            _ => refuse("proof.log", format!("the log {} is missing", log.path)),
        }
    }
    faults
}

/// What the record says of its own runs must be a red and a green.
fn inconsistency(proof: &Proof) -> Option<&'static str> {
    let red = match proof.red_kind {
        RedKind::Failed => Outcome::Failed,
        RedKind::Broken => Outcome::Broken,
    };
    let green = |execution: &Execution| execution.exit_status == 0 && execution.outcome == Outcome::Passed;
    if id_fault(&proof.id).is_some() {
        Some("its id is malformed")
    } else if proof.control.is_none() != (proof.evidence_patch_sha256 == digest_bytes(b"")) {
        Some("a control belongs to evidence that the base lacks, and to no other")
    } else if proof.control.as_ref().is_some_and(|control| !green(control)) {
        Some("its control is not green")
    } else if proof.baseline.outcome != red || proof.baseline.exit_status != proof.expected_red_exit_status || red_exit_fault(proof) {
        Some("its red is not the expected one")
    } else if !green(&proof.candidate_execution) {
        Some("its candidate is not green")
    } else if proof.flipped_cases.is_empty() == proof.candidate_execution.cases.is_some() {
        Some("its cases and those that turned green do not agree")
    } else if proof.evidence.is_empty() || !is_set(&proof.evidence) || !is_set(&proof.flipped_cases) {
        Some("its evidence or its cases are not sorted and unique")
    } else {
        None
    }
}

fn is_set(names: &[String]) -> bool {
    names.is_sorted_by(|one, two| one < two)
}

fn red_exit_fault(proof: &Proof) -> bool {
    !(1..=255).contains(&proof.expected_red_exit_status)
}
