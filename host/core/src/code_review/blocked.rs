//! What a review that cannot be completed leaves its reader with: why, what is known so far, and how to go on (CR-177, CR-212).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{
    codes,
    context::Context,
    next_action::NextAction,
    notes::{self, NOTES_FILE, snapshot::REVIEWERS},
    snapshot::{SUGGESTION, TYPE},
    validation::Validation,
    violation::Violation,
    vocabulary::Scope,
};

/// What a cell says that nothing was verified of.
const UNVERIFIED: &str = "unverified";

/// A blocked hand-off.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Blocked {
    /// `Review handoff blocked`.
    pub status_line: &'static str,
    /// The code of the strongest violation, with its subject after a colon.
    pub reason: String,
    /// The run; absolute.
    pub run: String,
    /// `Review not complete`.
    pub completeness: &'static str,
    /// What is known, unvalidated.
    pub preliminary: Preliminary,
    /// What to ask for to go on with this run.
    pub resume_request: String,
    /// What to ask for instead, when this run cannot be gone on with.
    pub fresh_request: Option<String>,
    /// The notes; absolute.
    pub notes_path: String,
    /// What the result says that it does not cover.
    pub limits: Vec<String>,
    /// What the result says that was tried.
    pub exhausted_recovery: Vec<String>,
    /// What it takes.
    pub needs: String,
}

/// What a run holds that nobody has validated: no verdict, and no claim of a promotion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Preliminary {
    /// `preliminary, unvalidated`.
    pub label: &'static str,
    /// `metadata.review_findings` as they stand.
    pub findings: Vec<Value>,
    /// The rows of the snapshot table; `unverified` where nothing is known.
    pub snapshot: Vec<[String; 2]>,
    /// The inspection set.
    pub inspected: Vec<String>,
}

impl Blocked {
    /// Of a failed validation; `None` when the run can be repaired without a person.
    pub fn of(validation: &Validation, context: &Context<'_>) -> Option<Self> {
        let action = validation.next_action.filter(|action| matches!(action, NextAction::Stop | NextAction::AskUser))?;
        let strongest = validation.violations.iter().find(|violation| violation.next_action == Some(action))?;
        let run = context.facts.run_path;
        let target = context.t0.as_ref().map_or("the change", |t0| t0.run.target_label.as_str());
        let confidence = context.confidence.as_ref();
        let fresh = action == NextAction::Stop && validation.violations.iter().any(is_moved_source);
        Some(Self {
            status_line: "Review handoff blocked",
            reason: strongest.token(),
            run: run.to_owned(),
            completeness: "Review not complete",
            preliminary: Preliminary::of(context),
            resume_request: format!("Resume the code review of {target} from {run} and finish the missing checks."),
            fresh_request: fresh.then(|| format!("Run a fresh code review of {target}.")),
            notes_path: format!("{run}/{NOTES_FILE}"),
            limits: confidence.map(|confidence| confidence.remaining_limits.clone()).unwrap_or_default(),
            exhausted_recovery: confidence.map(|confidence| confidence.recovery_actions.clone()).unwrap_or_default(),
            needs: strongest.hint.clone(),
        })
    }
}

impl Preliminary {
    fn of(context: &Context<'_>) -> Self {
        let findings = context.metadata().and_then(|metadata| metadata.get("review_findings"));
        Self {
            label: "preliminary, unvalidated",
            findings: findings.map(|node| node.elements().iter().map(|finding| finding.value()).collect()).unwrap_or_default(),
            snapshot: rows(context),
            inspected: context.t0.as_ref().map(|t0| t0.inspection_set.clone()).unwrap_or_default(),
        }
    }
}

/// The source is no longer what was collected.
fn is_moved_source(violation: &Violation) -> bool {
    let moved = [&codes::REVIEW_MIRROR_MISMATCH, &codes::REVIEW_DIFF_DIGEST_MISMATCH, &codes::LOCAL_GATE_SOURCE_CHANGED];
    moved.iter().any(|code| code.name == violation.code)
}

/// What the receipts say; what only a validated review could say is unverified.
fn rows(context: &Context<'_>) -> Vec<[String; 2]> {
    let unverified = |field: &str| [field.to_owned(), UNVERIFIED.to_owned()];
    let Ok(rows) = notes::snapshot::rows(context) else {
        let is_pr = context.t0.as_ref().is_some_and(|t0| t0.run.scope == Scope::Pr);
        let fields = if is_pr { ["PR", "Author"] } else { ["Scope", "Revision"] };
        return fields.into_iter().chain(["CI", TYPE, "Commit", SUGGESTION]).map(unverified).collect();
    };
    let judged = [TYPE, SUGGESTION, REVIEWERS];
    rows.into_iter()
        .map(|row| if judged.contains(&row.field) { unverified(row.field) } else { [row.field.to_owned(), row.value] })
        .collect()
}
