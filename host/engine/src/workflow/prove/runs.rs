//! The runs of a proof, each in a fresh disposable worktree (BR-57), and what they prove together.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use code_polishy_core::{
    diagnostic::{Diagnostic, Failure},
    gate::report::FailureCategory,
    patch::Change,
    plugin::Outcome,
    proof::{self, Expectation, RedGreen, Run},
};

use super::Plan;
use crate::{
    event::Event,
    git::{Worktree, Worktrees},
    workflow::{
        gate::execute::tail,
        guard::{Guard, changed},
        suite::{exit_status, run_suite, worktrees},
    },
    workspace::Workspace,
};

/// Where a suite runs for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The base without the evidence.
    Control,
    /// The base with the evidence.
    Baseline,
    /// The candidate.
    Candidate,
}

impl Place {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Baseline => "baseline",
            Self::Candidate => "candidate",
        }
    }

    /// The name that people know.
    pub fn words(self) -> &'static str {
        match self {
            Self::Control => "the base",
            Self::Baseline => "the base with the evidence",
            Self::Candidate => "the candidate",
        }
    }
}

/// One run with its log.
pub struct Finished {
    /// What the decision sees.
    pub run: Run,
    /// What people read.
    pub log: Vec<u8>,
    /// The log holds less than was printed.
    pub truncated: bool,
    /// How long exclusive resources were waited for.
    pub waited: Duration,
}

/// The runs of a proof and what they prove.
pub struct Runs {
    /// In order; a refusal ends them early, and there is no control when the evidence patch is empty.
    pub finished: Vec<(Place, Arc<Finished>)>,
    /// The judgement; `Err` is a refusal.
    pub outcome: Result<RedGreen, Box<Diagnostic>>,
}

impl Runs {
    /// The run at this place.
    pub fn at(&self, place: Place) -> Option<&Finished> {
        self.finished.iter().find(|(other, _)| *other == place).map(|(_, finished)| finished.as_ref())
    }
}

/// Makes runs, several at a time, and none for one who has not asked for it: only controls are shared (BR-63).
pub struct Bench<'a> {
    workspace: &'a Workspace<'a>,
    guard: &'a Guard,
    worktrees: Worktrees,
    controls: Controls,
    told: bool,
}

impl<'a> Bench<'a> {
    /// Removes what earlier runs left behind.
    pub fn new(workspace: &'a Workspace<'a>, guard: &'a Guard) -> Result<Self, Failure> {
        let worktrees = worktrees(workspace)?;
        worktrees.sweep()?;
        Ok(Self { workspace, guard, worktrees, controls: Controls::default(), told: false })
    }

    /// The same, and each run is told as it comes.
    pub fn telling(self) -> Self {
        Self { told: true, ..self }
    }

    /// Makes the runs of a proof.
    pub fn runs(&self, plan: &Plan) -> Result<Runs, Failure> {
        let mut finished = Vec::new();
        let outcome = self.judged(plan, &mut finished)?;
        if let (true, Err(refusal)) = (self.told, &outcome) {
            self.tell_refusal(plan, refusal, &finished);
        }
        Ok(Runs { finished, outcome })
    }

    fn judged(&self, plan: &Plan, finished: &mut Vec<(Place, Arc<Finished>)>) -> Result<Result<RedGreen, Box<Diagnostic>>, Failure> {
        self.guard.check(self.workspace)?;
        let mut keep = |place, run: Arc<Finished>| {
            finished.push((place, Arc::clone(&run)));
            run
        };
        let mut control = None;
        if !plan.changes.is_empty() {
            let run = keep(Place::Control, self.controls.of(plan, || self.run(plan, Place::Control))?);
            if let Err(refusal) = proof::judge_control(&run.run) {
                return Ok(Err(refusal));
            }
            control = Some(run);
        }
        let expectation = Expectation { red_exit_status: plan.red_exit, allowed_red_kinds: &plan.allowed_red_kinds };
        let baseline = keep(Place::Baseline, self.run(plan, Place::Baseline).map(Arc::new)?);
        if let Err(refusal) = proof::judge_red(&baseline.run, &expectation) {
            return Ok(Err(refusal));
        }
        let candidate = keep(Place::Candidate, self.run(plan, Place::Candidate).map(Arc::new)?);
        Ok(proof::judge(control.as_ref().map(|control| &control.run), &baseline.run, &candidate.run, &expectation))
    }

    fn run(&self, plan: &Plan, place: Place) -> Result<Finished, Failure> {
        let name = told_name(plan, place);
        let observer = self.workspace.observer;
        if self.told {
            observer.on(&Event::Started { name: &name });
        }
        let started = Instant::now();
        let finished = self.run_at(plan, place);
        if self.told {
            observer.on(&Event::Ended { name: &name });
            if let Ok(Finished { run, .. }) = &finished {
                let green = run.exit_status == 0 && run.verdict.outcome == Outcome::Passed;
                observer.on(&Event::Observed { name: &name, green, duration: started.elapsed() });
            }
        }
        finished
    }

    fn run_at(&self, plan: &Plan, place: Place) -> Result<Finished, Failure> {
        let commit = if place == Place::Candidate { &plan.candidate } else { &plan.base };
        let evidence: &[Change] = if place == Place::Baseline { &plan.changes } else { &[] };
        let mut worktree = self.worktrees.add(commit, place.name())?;
        let outcome = self.run_in(plan, place, &mut worktree, evidence);
        let removed = worktree.remove();
        let finished = outcome?;
        removed?;
        Ok(finished)
    }

    fn run_in(&self, plan: &Plan, place: Place, worktree: &mut Worktree, evidence: &[Change]) -> Result<Finished, Failure> {
        let overlay: Vec<_> = evidence.iter().map(|change| (change.path.clone(), change.new.clone())).collect();
        worktree.write_files(&overlay)?;
        let run = run_suite(self.workspace, &plan.suite, plan.loaded.as_ref(), worktree.path());
        self.guard.check(self.workspace)?;
        let run = run?;
        if worktree.tracked_changes()? {
            return Err(changed("the suite changed tracked files of its worktree"));
        }
        let exit_status = exit_status(&run, &plan.suite.name, place.words())?;
        let (log, truncated, waited) = (run.log(), run.truncated(), run.waited);
        let verdict = run.verdict.expect("an exit status is always judged");
        Ok(Finished { run: Run { exit_status, verdict }, log, truncated, waited })
    }

    /// Shows the end of the run that refused: the last one, or red when no case of it turned green.
    fn tell_refusal(&self, plan: &Plan, refusal: &Diagnostic, finished: &[(Place, Arc<Finished>)]) {
        let red_to_blame = matches!(refusal.code.as_str(), "proof.nothing-flipped" | "proof.case-missing");
        let blamed = |place: &Place| !red_to_blame || *place == Place::Baseline;
        if let Some((place, run)) = finished.iter().rfind(|(place, _)| blamed(place)) {
            let name = told_name(plan, *place);
            let (category, why) = (FailureCategory::CommandExit, run.run.verdict.summary.as_str());
            let failed = Event::Failed { name: &name, category, why, failed: &[], tail: &tail(&run.log), log_path: "" };
            self.workspace.observer.on(&failed);
        }
    }
}

/// `checkout-contract at the base with the evidence`.
fn told_name(plan: &Plan, place: Place) -> String {
    format!("{} at {}", plan.suite.name, place.words())
}

/// Control runs that proofs share: one for each base and suite.
#[derive(Default)]
struct Controls(Mutex<BTreeMap<(String, String), Control>>);

type Control = Arc<OnceLock<Result<Arc<Finished>, Failure>>>;

impl Controls {
    /// The first to ask runs it; who asks meanwhile waits.
    fn of(&self, plan: &Plan, run: impl FnOnce() -> Result<Finished, Failure>) -> Result<Arc<Finished>, Failure> {
        let key = (plan.base.clone(), plan.suite_sha256.clone());
        let control = Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        control.get_or_init(|| run().map(Arc::new)).clone()
    }
}
