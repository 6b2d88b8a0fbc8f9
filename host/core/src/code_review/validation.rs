//! One validation: every step over one image, all violations, and what was not run (CR-21 to CR-27).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    check,
    completion::Accepted,
    context::{Context, Facts},
    handoff::Branch,
    next_action::NextAction,
    run_manifest::RESULT_FILE,
    step::Step,
    violation::{Sink, Violation},
    vocabulary::Scope,
};
use crate::canonical::digest_bytes;

/// What one validation found (CR-25).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Validation {
    /// `pass` or `fail`.
    pub status: ValidationStatus,
    /// Every step, in order.
    pub steps: Vec<StepOutcome>,
    /// In step order, then file, place, code.
    pub violations: Vec<Violation>,
    /// The same for warnings.
    pub warnings: Vec<Violation>,
    /// Steps that could not run.
    pub not_run: Vec<NotRun>,
    /// The strongest action of the violations; null without one.
    pub next_action: Option<NextAction>,
    /// What was validated.
    pub image: ImageSummary,
}

/// Whether a run holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ValidationStatus {
    /// Every step passed or does not apply.
    Pass,
    /// Some violation, or some step that could not run.
    Fail,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StepOutcome {
    /// The step.
    pub step: Step,
    /// What became of it.
    pub status: StepStatus,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepStatus {
    /// It found nothing.
    Passed,
    /// It found something.
    Failed,
    /// A prerequisite failed or did not run.
    NotRun,
    /// It has no meaning for this run.
    NotApplicable,
}

/// A step that could not run, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotRun {
    /// The step.
    pub step: Step,
    /// Its prerequisites that failed or did not run.
    pub blocked_by: Vec<Step>,
}

/// The size and digest of an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImageSummary {
    /// Number of files.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// Digest of the lines `<sha256>  <path>`, in path order.
    pub sha256: String,
}

impl Validation {
    /// Nothing was refused, and every step ran.
    pub fn is_clean(&self) -> bool {
        self.status == ValidationStatus::Pass
    }

    /// Adds what a command found beside the steps, under the step that it belongs to.
    pub fn refuse(&mut self, step: Step, violation: Violation) {
        self.status = ValidationStatus::Fail;
        self.next_action = self.next_action.max(violation.next_action);
        self.violations.push(Violation { step, ..violation });
        self.violations.sort_by_key(|violation| violation.step);
    }
}

/// Validates a run: its receipts alone, or the result in this file too.
pub fn validate<'f>(facts: &'f Facts<'f>, result_file: Option<&'f str>) -> (Validation, Context<'f>) {
    judge(facts, result_file, Step::ALL.into_iter().filter(|step| result_file.is_some() || step.is_preflight()))
}

/// Judges what was collected, before it is routed: the receipts of the source and of the pull request.
pub fn collected<'f>(facts: &'f Facts<'f>) -> (Validation, Context<'f>) {
    judge(facts, None, [Step::Image, Step::T0, Step::PrScope, Step::PriorResolutions].into_iter())
}

/// Judges what an event of a reviewer goes on from: what was collected, the routing, and the log.
pub fn reviewing<'f>(facts: &'f Facts<'f>) -> (Validation, Context<'f>) {
    let steps = [Step::Image, Step::T0, Step::PrScope, Step::PriorResolutions, Step::Routing, Step::ReviewerEvents];
    judge(facts, None, steps.into_iter())
}

/// Judges a promoted run at its completion: the checkout's index counts too, as far as the user has not accepted its change (CR-172, CR-211).
pub fn completion<'f>(facts: &'f Facts<'f>, accepted: Accepted) -> (Validation, Context<'f>) {
    let mut context = Context::new(facts, Some(RESULT_FILE));
    context.accepted = Some(accepted);
    run(context, Step::ALL.into_iter())
}

/// Judges a promoted run as evidence, whatever became of the checkout since (CR-180).
pub fn evidence<'f>(facts: &'f Facts<'f>) -> (Validation, Context<'f>) {
    judge(facts, Some(RESULT_FILE), Step::ALL.into_iter().filter(|step| *step != Step::GitState))
}

/// Runs these steps, which are in order; one that is left out stops nothing.
pub(super) fn judge<'f>(
    facts: &'f Facts<'f>,
    result_file: Option<&'f str>,
    steps: impl Iterator<Item = Step>,
) -> (Validation, Context<'f>) {
    run(Context::new(facts, result_file), steps)
}

fn run<'f>(mut context: Context<'f>, steps: impl Iterator<Item = Step>) -> (Validation, Context<'f>) {
    let mut found = Found::default();
    for step in steps {
        found.take(step, &mut context);
    }
    (found.finish(context.facts), context)
}

#[derive(Default)]
struct Found {
    steps: Vec<StepOutcome>,
    violations: Vec<Violation>,
    warnings: Vec<Violation>,
    not_run: Vec<NotRun>,
}

impl Found {
    fn take(&mut self, step: Step, context: &mut Context<'_>) {
        let blocked_by: Vec<Step> = step.prerequisites().iter().copied().filter(|before| self.stops(*before)).collect();
        let status = if !applies(step, context) {
            StepStatus::NotApplicable
        } else if !blocked_by.is_empty() {
            self.not_run.push(NotRun { step, blocked_by });
            StepStatus::NotRun
        } else {
            let mut sink = Sink::new(step);
            check::run(step, context, &mut sink);
            let status = if sink.is_clean() { StepStatus::Passed } else { StepStatus::Failed };
            let (violations, warnings) = sink.finish();
            self.violations.extend(sorted(violations));
            self.warnings.extend(sorted(warnings));
            status
        };
        self.steps.push(StepOutcome { step, status });
    }

    fn stops(&self, step: Step) -> bool {
        self.steps.iter().any(|outcome| outcome.step == step && matches!(outcome.status, StepStatus::Failed | StepStatus::NotRun))
    }

    fn finish(self, facts: &Facts<'_>) -> Validation {
        let clean = self.violations.is_empty() && self.not_run.is_empty();
        Validation {
            status: if clean { ValidationStatus::Pass } else { ValidationStatus::Fail },
            next_action: self.violations.iter().filter_map(|violation| violation.next_action).max(),
            image: summary(facts),
            steps: self.steps,
            violations: self.violations,
            warnings: self.warnings,
            not_run: self.not_run,
        }
    }
}

/// The step has a meaning for this run; what is not known yet is decided by the step.
fn applies(step: Step, context: &Context<'_>) -> bool {
    if let Some(branch) = context.terminal()
        && !has_meaning(step, branch)
    {
        return false;
    }
    let is_pr = context.t0.as_ref().is_none_or(|t0| t0.run.scope == Scope::Pr);
    match step {
        Step::PrScope | Step::PriorResolutions => is_pr,
        Step::Terminal => context.terminal().is_some(),
        // A candidate has nothing to do with the promotion of another result (CR-205).
        Step::Promotion => context.facts.promoted && context.result_file == Some(RESULT_FILE),
        _ => true,
    }
}

/// A review that ended early has no assessment to judge; one that could not be collected has no receipts either (CR-186).
fn has_meaning(step: Step, branch: Branch) -> bool {
    match step {
        Step::Image
        | Step::Shape
        | Step::GitState
        | Step::Handoff
        | Step::Render
        | Step::Terminal
        | Step::RunManifest
        | Step::Promotion => true,
        Step::T0 | Step::PrScope | Step::PriorResolutions => branch == Branch::Closed,
        _ => false,
    }
}

fn sorted(mut violations: Vec<Violation>) -> Vec<Violation> {
    violations.sort_by(|one, other| {
        let key = |it: &Violation| (it.file.clone(), it.line, it.pointer.clone(), it.code, it.subject.clone());
        key(one).cmp(&key(other))
    });
    violations
}

fn summary(facts: &Facts<'_>) -> ImageSummary {
    let files = &facts.image.files;
    let lines: String = files.iter().map(|(path, file)| format!("{}  {path}\n", file.sha256)).collect();
    ImageSummary { files: files.len(), bytes: files.values().map(|file| file.size).sum(), sha256: digest_bytes(lines.as_bytes()) }
}
