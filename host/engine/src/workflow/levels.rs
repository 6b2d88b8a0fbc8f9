//! `test-levels`: what is configured, or what a merge gate would run and why. Runs and writes nothing (contract 9.1, 9.2).

use std::collections::BTreeSet;

use code_polishy_core::{
    diagnostic::{Diagnostic, Failure, FailureKind},
    gate::{
        level::GateLevel,
        plan::{Category, PlanFacts, Planned, is_triggered, phases},
        report::{PROTOCOL, VERSION},
        state::{BehaviorState, FinalState},
    },
    patch::{Change, Entry, EntryMode},
    policy::{
        model::{Boundary, Check, CheckCategory, CheckRun, Cost, Policy, Suite, SuiteRun, SuiteScope},
        modules::Impact,
    },
    selection::{Selection, required_suites},
};
use serde::Serialize;

use crate::{
    git::Status,
    workflow::{
        change::ChangeSet,
        derive::Demand,
        gate,
        policies::working_policy,
        standing::{Standing, standing},
        status::{next_step, not_enforced},
        working,
    },
    workspace::Workspace,
};

/// The document of `test-levels`.
#[derive(Clone, Debug, Serialize)]
pub struct Levels {
    /// `code-polishy-report/v1`.
    pub protocol: &'static str,
    /// Always 1.
    pub version: u32,
    /// Always `test-levels`.
    pub command: &'static str,
    /// Configured suites, in file order: of the working file, or of the candidate when there is a plan.
    pub suites: Vec<ConfiguredSuite>,
    /// Configured checks, in file order.
    pub checks: Vec<ConfiguredCheck>,
    /// Policy sections that nothing enforces (BR-12).
    pub not_enforced: Vec<String>,
    /// What a merge gate would do; absent without `--base`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
}

/// A suite as people look for it.
#[derive(Clone, Debug, Serialize)]
pub struct ConfiguredSuite {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// What it covers.
    pub scope: SuiteScope,
    /// The module that it covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// What it costs.
    pub cost: Cost,
    /// When it runs.
    pub run_on: Vec<SuiteRun>,
    /// Who says what its result means.
    pub runner: String,
    /// Program and arguments.
    pub argv: Vec<String>,
}

/// A check as people look for it.
#[derive(Clone, Debug, Serialize)]
pub struct ConfiguredCheck {
    /// Its name.
    pub name: String,
    /// What it does.
    pub category: CheckCategory,
    /// When it runs.
    pub run_on: Vec<CheckRun>,
    /// Program and arguments.
    pub argv: Vec<String>,
}

/// What a merge gate would decide and run.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// The reference that the caller gave.
    pub base_requested: String,
    /// The merge base.
    pub base: String,
    /// HEAD.
    pub candidate: String,
    /// How much would run.
    pub level: GateLevel,
    /// Why.
    pub level_reasons: Vec<String>,
    /// The behavior review.
    pub state: BehaviorState,
    /// The final state.
    pub final_state: FinalState,
    /// What a review must cover.
    pub selection: Selection,
    /// In the order in which they would run.
    pub phases: Vec<PlannedPhase>,
    /// Uncommitted governed paths, which the plan counts as changed.
    pub uncommitted: Vec<String>,
    /// Why the gate would refuse before it runs a command; empty when it would run.
    pub refusals: Vec<Diagnostic>,
    /// The next step.
    pub next: String,
    /// The two state lines.
    #[serde(skip)]
    pub lines: [String; 2],
}

/// Commands that would run together.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedPhase {
    /// What they are.
    pub category: Category,
    /// At least one, in plan order.
    pub commands: Vec<PlannedCommand>,
}

/// A command that would run.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedCommand {
    /// The name that people see.
    pub name: String,
    /// Program and arguments; empty for what the engine does itself.
    pub argv: Vec<String>,
    /// A selected feature demands it.
    pub forced: bool,
    /// At least one.
    pub reasons: Vec<String>,
}

/// What is configured, and with a base what a merge gate would run. Uncommitted work is counted and named.
pub fn levels(workspace: &Workspace<'_>, base: Option<&str>) -> Result<Levels, Failure> {
    let Some(reference) = base else {
        let policy = working_policy(workspace.repository.root())?.unwrap_or_default();
        return Ok(Levels::of(&policy, policy.not_enforced.clone(), None));
    };
    let (change, tree) = ChangeSet::with_status(workspace, reference)?;
    let uncommitted: Vec<String> = tree.paths().into_iter().map(str::to_owned).collect();
    let change = as_committed(change, &tree);
    let plan = plan(workspace, reference, &change, uncommitted)?;
    Ok(Levels::of(&change.policies.candidate.policy, not_enforced(&change), Some(plan)))
}

fn plan(workspace: &Workspace<'_>, reference: &str, change: &ChangeSet, uncommitted: Vec<String>) -> Result<Plan, Failure> {
    let dirty = !uncommitted.is_empty();
    let demand = Demand::of(workspace, change, Boundary::Merge)?;
    let selection = &demand.selection;
    let standing = standing(workspace, change, selection, dirty)?;
    let (level, level_reasons) = gate::level(change, Boundary::Merge);
    let (refusals, next) = refusals(workspace, reference, change, selection, &standing, &uncommitted)?;
    Ok(Plan {
        base_requested: reference.to_owned(),
        base: change.base.clone(),
        candidate: change.candidate.clone(),
        level,
        level_reasons,
        state: standing.state.behavior,
        final_state: standing.state.final_state,
        phases: planned_phases(change, selection, &standing, level),
        uncommitted,
        refusals,
        next,
        lines: standing.state.lines(),
        selection: demand.selection,
    })
}

/// The change as it would be if the working tree were committed as it is.
fn as_committed(change: ChangeSet, tree: &Status) -> ChangeSet {
    let mut change = change.with_working_tree(tree);
    let tracked = tree.tracked_changes();
    let known: BTreeSet<&str> = tracked.iter().map(|change| change.path.as_str()).collect();
    let untracked = tree.paths().into_iter().filter(|path| !known.contains(path)).map(|path| Change {
        path: path.to_owned(),
        old: None,
        new: Some(Entry { mode: EntryMode::File, id: String::new() }),
    });
    let untracked: Vec<Change> = untracked.collect();
    for later in tracked.into_iter().chain(untracked) {
        match change.changes.iter_mut().find(|earlier| earlier.path == later.path) {
            Some(earlier) => earlier.new = later.new,
            None => change.changes.push(later),
        }
    }
    change.changes.sort_by(|one, two| one.path.cmp(&two.path));
    change
}

/// Everything that a gate would say before it runs a command, with the one next step.
fn refusals(
    workspace: &Workspace<'_>,
    reference: &str,
    change: &ChangeSet,
    selection: &Selection,
    standing: &Standing,
    uncommitted: &[String],
) -> Result<(Vec<Diagnostic>, String), Failure> {
    let dirty = !uncommitted.is_empty();
    let mut refusals = Vec::new();
    let mut collect = |outcome: Result<(), Failure>| match outcome {
        Err(failure) if matches!(failure.kind, FailureKind::Operational | FailureKind::Interrupted) => Err(failure),
        outcome => {
            refusals.extend(outcome.err().map(|failure| failure.diagnostics).unwrap_or_default());
            Ok(())
        }
    };
    if dirty {
        let paths: Vec<&str> = uncommitted.iter().map(String::as_str).collect();
        collect(Err(working::dirty(&paths)))?;
    }
    if !dirty || change.base != change.candidate {
        collect(gate::check_merge_base(workspace, change))?;
    }
    collect(required_suites(&change.policies.candidate.policy, selection).map(drop))?;
    let (reasons, mut next) = next_step(workspace, change, selection, standing, dirty, reference)?;
    if standing.state.blocks() {
        let message = standing.state.lines().join("; ");
        refusals.push(Diagnostic::new("policy.behaviorReview", message, next.clone()));
        refusals.extend(reasons);
    }
    if let Some(first) = refusals.first() {
        next.clone_from(&first.next);
    } else {
        next = format!("code-polishy merge-gate --base {reference}");
    }
    Ok((refusals, next))
}

fn planned_phases(change: &ChangeSet, selection: &Selection, standing: &Standing, level: GateLevel) -> Vec<PlannedPhase> {
    let [base, candidate] = [&change.policies.base.policy, &change.policies.candidate.policy];
    let facts = PlanFacts { level, candidate, base, paths: &change.paths, selection };
    let why = Why {
        level,
        change,
        selection,
        impacted: [base, candidate].into_iter().flat_map(|policy| Impact::of(policy, &change.paths).impacted).collect(),
    };
    let mut planned = Vec::new();
    let proofs = standing.accepted.as_ref().map(|judged| judged.references()).unwrap_or_default();
    if !proofs.is_empty() {
        let reason = "the accepted review cites the proof, and a replay is never reused".to_owned();
        let replay = |proof: code_polishy_core::receipt::ProofReference| PlannedCommand {
            name: proof.id,
            argv: Vec::new(),
            forced: true,
            reasons: vec![reason.clone()],
        };
        planned.push(PlannedPhase { category: Category::BehaviorProofReplay, commands: proofs.into_iter().map(replay).collect() });
    }
    if level == GateLevel::Documentation {
        let reasons = vec!["only documentation changed".to_owned()];
        let contract = PlannedCommand { name: gate::contract::NAME.to_owned(), argv: Vec::new(), forced: false, reasons };
        planned.push(PlannedPhase { category: Category::Documentation, commands: vec![contract] });
    }
    planned.extend(phases(&facts).into_iter().map(|phase| PlannedPhase {
        category: phase.category,
        commands: phase.commands.iter().map(|command| why.command(command)).collect(),
    }));
    planned
}

/// What the reasons of planned commands are made from.
struct Why<'a> {
    level: GateLevel,
    change: &'a ChangeSet,
    selection: &'a Selection,
    impacted: BTreeSet<String>,
}

impl Why<'_> {
    fn command(&self, planned: &Planned<'_>) -> PlannedCommand {
        let (name, level) = (planned.name().to_owned(), self.level.name());
        match planned {
            Planned::Check(check) => {
                PlannedCommand { name, argv: check.argv.clone(), forced: false, reasons: vec![format!("runs at level {level}")] }
            }
            Planned::Suite { suite, forced } => {
                let mut reasons: Vec<String> =
                    self.demanding(suite).map(|feature| format!("the selected feature `{feature}` demands it")).collect();
                reasons.extend(self.ordinary(suite));
                PlannedCommand { name, argv: suite.argv.clone(), forced: *forced, reasons }
            }
        }
    }

    fn demanding<'s>(&'s self, suite: &'s Suite) -> impl Iterator<Item = &'s str> {
        let features = self.selection.features.iter().filter(|feature| feature.suites.contains(&suite.name));
        features.map(|feature| feature.name.as_str())
    }

    /// Why the level alone plans it.
    fn ordinary(&self, suite: &Suite) -> Option<String> {
        match self.level {
            GateLevel::Full => suite.run_on.contains(&SuiteRun::Full).then(|| "runs at level full".to_owned()),
            GateLevel::Recommended if suite.run_on.contains(&SuiteRun::Recommended) => {
                let module = suite.modules.iter().find(|module| self.impacted.contains(*module));
                match (suite.scope, module) {
                    (SuiteScope::Module, module) => module.map(|module| format!("covers the impacted module `{module}`")),
                    (SuiteScope::Repository, _) if suite.paths.is_empty() => {
                        Some("covers the repository, and every change triggers it".to_owned())
                    }
                    (SuiteScope::Repository, _) => {
                        is_triggered(suite, &self.change.paths).then(|| "a changed path matches its `paths`".to_owned())
                    }
                }
            }
            _ => None,
        }
    }
}

impl Levels {
    fn of(policy: &Policy, not_enforced: Vec<String>, plan: Option<Plan>) -> Self {
        Self {
            protocol: PROTOCOL,
            version: VERSION,
            command: "test-levels",
            suites: policy.suites.iter().map(ConfiguredSuite::of).collect(),
            checks: policy.checks.iter().map(ConfiguredCheck::of).collect(),
            not_enforced,
            plan,
        }
    }
}

impl ConfiguredSuite {
    fn of(suite: &Suite) -> Self {
        Self {
            name: suite.name.clone(),
            kind: suite.kind.clone(),
            scope: suite.scope,
            module: suite.modules.first().cloned(),
            cost: suite.cost,
            run_on: suite.run_on.clone(),
            runner: suite.runner.clone(),
            argv: suite.argv.clone(),
        }
    }
}

impl ConfiguredCheck {
    fn of(check: &Check) -> Self {
        Self { name: check.name.clone(), category: check.category, run_on: check.run_on.clone(), argv: check.argv.clone() }
    }
}
