//! What became of an attempt to finalize, stage by stage (CR-168, CR-170).

use code_polishy_core::code_review::{
    blocked::Blocked,
    codes,
    completion::ChangeReadiness,
    context::Context,
    finalize::Edit,
    next_action::NextAction,
    step::Step,
    validation::{ImageSummary, NotRun, StepStatus, Validation, ValidationStatus},
    violation::Violation,
};
use serde::Serialize;

/// The fields of the document.
#[derive(Clone, Debug, Serialize)]
pub struct Finalized {
    /// How the review ended.
    pub branch: &'static str,
    /// Every stage, in order.
    pub steps: Vec<StageOutcome>,
    /// What the validation found.
    #[serde(flatten)]
    pub validation: Judged,
    /// What was written over.
    pub edits: Vec<Edit>,
    /// The result is promoted.
    pub promoted: bool,
    /// Where the candidate is; absolute. Null when it was not written, or is promoted.
    pub candidate: Option<String>,
    /// Where the result is; absolute. Null until it is promoted.
    pub result: Option<String>,
    /// The source was judged.
    pub review_status: &'static str,
    /// Whether the change may proceed; null when that cannot be known.
    pub change_readiness: Option<ChangeReadiness>,
    /// How its reader goes on, when a person has to decide or the run cannot be repaired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
}

/// A validation without its steps, which stand for themselves in `validate`.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// Whether the result holds.
    #[serde(skip)]
    pub status: ValidationStatus,
    /// Every violation; `recurring` when the previous attempt had it too.
    pub violations: Vec<Violation>,
    /// The same for warnings.
    pub warnings: Vec<Violation>,
    /// Steps that could not run.
    pub not_run: Vec<NotRun>,
    /// What was judged.
    pub image: ImageSummary,
    /// The strongest action of the violations; null without one.
    pub next_action: Option<NextAction>,
}

impl From<Validation> for Judged {
    fn from(validation: Validation) -> Self {
        let Validation { status, violations, warnings, not_run, next_action, image, .. } = validation;
        Self { status, violations, warnings, not_run, image, next_action }
    }
}

/// A stage and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct StageOutcome {
    /// The stage.
    pub step: Stage,
    /// What became of it.
    pub status: StepStatus,
    /// The first code that it failed with.
    pub code: Option<&'static str>,
}

/// The stages, in order (CR-168).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The receipts hold.
    Preflight,
    /// Copied presentation is made again.
    Derive,
    /// The hand-off becomes the report.
    Render,
    /// The run's files are listed.
    RunManifest,
    /// The result is written.
    WriteResult,
    /// The result holds.
    Validate,
    /// The result becomes final.
    Promote,
}

/// Notes and draft disagree on a status: somebody has to say which one holds (CR-168).
pub(super) fn is_conflicting(validation: &Validation) -> bool {
    validation.violations.iter().any(is_conflict)
}

fn is_conflict(violation: &Violation) -> bool {
    violation.code == codes::HANDOFF_NOTES_STATUS_CONFLICT.name
}

/// The stages of an attempt.
pub(super) fn stages(validation: &Validation, written: bool, promoted: bool, asked: bool) -> Vec<StageOutcome> {
    let first = |is: &dyn Fn(&Violation) -> bool| validation.violations.iter().find(|violation| is(violation)).map(|it| it.code);
    let judged = |step, code: Option<&'static str>| {
        let status = if code.is_some() { StepStatus::Failed } else { StepStatus::Passed };
        StageOutcome { step, status, code }
    };
    let held = validation.status == ValidationStatus::Pass;
    let done = |step, done: bool| StageOutcome { step, status: if done { StepStatus::Passed } else { StepStatus::NotRun }, code: None };
    let validate =
        StageOutcome { step: Stage::Validate, status: if held { StepStatus::Passed } else { StepStatus::Failed }, code: first(&|_| true) };
    let promote = if asked {
        done(Stage::Promote, promoted)
    } else {
        StageOutcome { status: StepStatus::NotApplicable, ..done(Stage::Promote, false) }
    };
    vec![
        judged(Stage::Preflight, first(&|violation| violation.step.is_preflight())),
        judged(Stage::Derive, first(&is_conflict)),
        judged(Stage::Render, first(&|violation| violation.code == codes::RENDERER_FAILED.name)),
        judged(Stage::RunManifest, first(&|violation| violation.step == Step::RunManifest)),
        done(Stage::WriteResult, written),
        validate,
        promote,
    ]
}

/// Of what the result says, when all of it could be read.
pub(super) fn change_readiness(context: &Context<'_>) -> Option<ChangeReadiness> {
    if context.is_terminal() {
        return Some(ChangeReadiness::NotReady);
    }
    let verdict = context.decision.as_ref()?.recommendation;
    Some(ChangeReadiness::of(verdict, context.status?, context.readiness?, !context.blockers.is_empty()))
}
