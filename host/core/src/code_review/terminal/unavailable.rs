//! A pull request that could not be collected: no source review, no merge decision, and what is known of the cause (CR-188 to CR-192).

use serde_json::{Value, json};

use super::{Ended, Parts, Told, gates, paragraphs};
use crate::{
    canonical::read_strict,
    code_review::{
        codes,
        confidence::ClosureStatus,
        handoff::{Artifact, Branch, COLLECTION, Outcome, Remaining, Terminal},
        image::RunImage,
        pull_request::{
            export::{CollectorError, is_token},
            fault::{COMMAND_FAILURE_FILE, ERROR_FILE, Family, family},
            receipt::PREFLIGHT_FILE,
        },
        run::{RunRecord, is_object_id},
        violation::Violation,
        vocabulary::{Status, Tier},
    },
};

const GAP: &str = "Core PR source verification did not complete; no source review or merge decision was made.";

/// In hundredths.
const CONFIDENCE: u8 = 90;

/// What a run says of the failure.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// The content of [`ERROR_FILE`].
    pub code: String,
    family: &'static Family,
    failure: Option<CollectorError>,
    /// What is known of the checkout, in closed words.
    checkout: Vec<String>,
}

impl Unavailable {
    /// Reads what was kept of the failed collection.
    ///
    /// # Errors
    /// `unavailable-review-failure-artifact-mismatch`, `unavailable-review-diagnostic-invalid`: a word that does not fit its closed form may be
    /// a secret, and is not shown (CR-190).
    pub fn of(image: &RunImage) -> Result<Self, Box<Violation>> {
        let unreadable =
            |message: &str| Box::new(Violation::of(&codes::UNAVAILABLE_REVIEW_FAILURE_ARTIFACT_MISMATCH, message).file(ERROR_FILE));
        let Some(text) = image.text(ERROR_FILE) else {
            return Err(unreadable("the run does not say why the pull request could not be collected"));
        };
        let code = text.strip_suffix('\n').unwrap_or(text).to_owned();
        let family = family(&code).ok_or_else(|| unreadable("the file is not one code of a collection"))?;
        let failure = match image.bytes(COMMAND_FAILURE_FILE) {
            Some(bytes) => {
                let read: Option<CollectorError> = read_strict(bytes, "failure", "").ok();
                let message = "a field of the failed command is no closed word";
                let unsafe_field =
                    || Box::new(Violation::of(&codes::UNAVAILABLE_REVIEW_DIAGNOSTIC_INVALID, message).file(COMMAND_FAILURE_FILE));
                Some(read.filter(CollectorError::is_safe).ok_or_else(unsafe_field)?)
            }
            None => None,
        };
        Ok(Self { code, family, failure, checkout: checkout(image) })
    }

    /// The stage, then the safe facts about the command that failed and about the checkout.
    fn diagnostic(&self) -> String {
        let mut facts = Vec::new();
        if let Some(CollectorError { command_id, exit, stage, .. }) = &self.failure {
            let exit = exit.map_or_else(|| "none".to_owned(), |exit| exit.to_string());
            facts.extend([format!("command_id: {command_id}"), format!("stage: {stage}"), format!("exit: {exit}")]);
        }
        facts.extend(self.checkout.iter().cloned());
        if facts.is_empty() {
            return "No more specific cause was retained.".to_owned();
        }
        format!("{} {}.", self.family.stage, facts.join("; "))
    }

    /// `metadata.collection_failure`.
    pub fn record(&self) -> Value {
        json!({"code": self.code, "artifact": ERROR_FILE})
    }
}

/// State and heads of a checkout that was not made, as far as they are closed words.
fn checkout(image: &RunImage) -> Vec<String> {
    let Some(bytes) = image.bytes(PREFLIGHT_FILE) else { return Vec::new() };
    let record: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let closed = |key: &str, is_closed: fn(&str) -> bool| record[key].as_str().filter(|word| is_closed(word)).map(str::to_owned);
    let shown = |label: &str, word: Option<String>| word.map(|word| format!("{label}: {word}"));
    [
        shown("checkout", closed("status", is_token)),
        shown("current head", closed("current_head", is_object_id)),
        shown("expected head", closed("expected_head", is_object_id)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The review that follows from it.
pub fn unavailable(run: &RunRecord, run_path: &str, known: &Unavailable) -> Ended {
    let diagnostic = known.diagnostic();
    let recovery = known.family.recovery;
    let stopped = format!("Collection stopped with {}.", known.code);
    let notes = [
        "# PR Review Availability: unavailable".to_owned(),
        "Source findings: not assessed".to_owned(),
        "Merge decision: not made".to_owned(),
        format!("Process diagnostic: {diagnostic}"),
        format!("Recovery: {recovery}"),
        format!("Evidence: {ERROR_FILE}"),
    ];
    let file = |label: &str, path: &str| Artifact { label: label.to_owned(), path: path.to_owned() };
    let mut artifacts = vec![file("Diagnostic", ERROR_FILE)];
    artifacts.extend(known.failure.as_ref().map(|_| file("Failed command", COMMAND_FAILURE_FILE)));
    let remaining = Remaining {
        row_id: COLLECTION.to_owned(),
        item: stopped.clone(),
        owner: "code-review".to_owned(),
        next_action: recovery.to_owned(),
    };
    let parts = Parts {
        branch: Branch::Unavailable,
        run,
        run_path,
        // Without a diff nothing says more.
        tier: Tier::Local,
        status: Status::Fail,
        hundredths: CONFIDENCE,
        own: known.record(),
        confidence: Told {
            gap: GAP,
            status: ClosureStatus::Unresolved,
            rationale: format!("(-0.10) {stopped}"),
            evidence: ERROR_FILE,
            action: "Recollect the PR evidence.",
        },
        gates: gates(run, "PR collection failed", None),
        notes: paragraphs(&notes),
        outcome: Outcome { title: "PR Review Availability: unavailable".to_owned(), summary: format!("Reason: {}.", known.code) },
        remaining: vec![remaining],
        artifacts,
        terminal: Terminal::Unavailable { code: known.code.clone(), explanation: known.family.stage.to_owned(), diagnostic },
    };
    parts.ended()
}
