//! Which commands a gate runs, in which phases (contract 9.2).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    gate::level::GateLevel,
    policy::{
        model::{Check, CheckCategory, CheckRun, Policy, Suite, SuiteRun, SuiteScope},
        modules::{ChangedPath, Impact},
        paths::PathSet,
    },
    selection::Selection,
};

/// What a planned command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// A replay of a cited proof.
    BehaviorProofReplay,
    /// The Markdown contract.
    Documentation,
    /// An ordinary check.
    Check,
    /// A test suite.
    Test,
    /// A build.
    Build,
    /// A supply-chain check.
    SupplyChain,
}

/// An ordinary command of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Planned<'a> {
    /// Of `checks[]`.
    Check(&'a Check),
    /// Of `tests.suites[]`.
    Suite {
        /// The suite.
        suite: &'a Suite,
        /// A selected feature demands it.
        forced: bool,
    },
}

impl Planned<'_> {
    /// The name that people see.
    pub fn name(&self) -> &str {
        match self {
            Self::Check(check) => &check.name,
            Self::Suite { suite, .. } => &suite.name,
        }
    }

    /// Its place in a report.
    pub fn category(&self) -> Category {
        match self {
            Self::Check(check) => match check.category {
                CheckCategory::Check => Category::Check,
                CheckCategory::Build => Category::Build,
                CheckCategory::SupplyChain => Category::SupplyChain,
            },
            Self::Suite { .. } => Category::Test,
        }
    }
}

/// Commands that run together; the next phase starts only when all of them passed (BR-69).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase<'a> {
    /// What the phase holds.
    pub category: Category,
    /// In plan order; independent of each other only in the category `Test`.
    pub commands: Vec<Planned<'a>>,
}

/// What the plan is made from.
#[derive(Clone, Debug)]
pub struct PlanFacts<'a> {
    /// How much runs.
    pub level: GateLevel,
    /// The candidate's policy owns the commands.
    pub candidate: &'a Policy,
    /// The base's policy: its modules are impacted too.
    pub base: &'a Policy,
    /// Every governed changed path.
    pub paths: &'a [ChangedPath],
    /// What the review must cover.
    pub selection: &'a Selection,
}

/// The ordinary phases of a gate, without empty ones. Each suite is planned once (BR-40).
pub fn phases<'a>(facts: &PlanFacts<'a>) -> Vec<Phase<'a>> {
    let checks = |category: CheckCategory| -> Vec<Planned<'a>> {
        let Some(run) = check_run(facts.level) else { return Vec::new() };
        let chosen = facts.candidate.checks.iter().filter(|check| check.category == category && check.run_on.contains(&run));
        chosen.map(Planned::Check).collect()
    };
    let phases = [
        (Category::Check, checks(CheckCategory::Check)),
        (Category::Test, suites(facts)),
        (Category::Build, checks(CheckCategory::Build)),
        (Category::SupplyChain, checks(CheckCategory::SupplyChain)),
    ];
    phases.into_iter().filter(|(_, commands)| !commands.is_empty()).map(|(category, commands)| Phase { category, commands }).collect()
}

fn check_run(level: GateLevel) -> Option<CheckRun> {
    match level {
        GateLevel::Unchanged | GateLevel::Documentation => None,
        GateLevel::Checkpoint => Some(CheckRun::Checkpoint),
        GateLevel::Recommended => Some(CheckRun::Recommended),
        GateLevel::Full => Some(CheckRun::Full),
    }
}

fn suites<'a>(facts: &PlanFacts<'a>) -> Vec<Planned<'a>> {
    let forced = facts.selection.suites();
    let impacted = impacted_modules(facts);
    let planned = facts.candidate.suites.iter().filter_map(|suite| {
        let forced = forced.contains(suite.name.as_str());
        (forced || is_ordinary(suite, facts, &impacted)).then_some(Planned::Suite { suite, forced })
    });
    planned.collect()
}

/// Modules impacted under the base's or the candidate's policy: moving a path away hides nothing.
fn impacted_modules(facts: &PlanFacts<'_>) -> BTreeSet<String> {
    [facts.base, facts.candidate].into_iter().flat_map(|policy| Impact::of(policy, facts.paths).impacted).collect()
}

fn is_ordinary(suite: &Suite, facts: &PlanFacts<'_>, impacted: &BTreeSet<String>) -> bool {
    let of_impacted = || suite.scope == SuiteScope::Module && suite.modules.iter().any(|module| impacted.contains(module));
    match facts.level {
        GateLevel::Unchanged | GateLevel::Documentation => false,
        GateLevel::Checkpoint => suite.run_on.contains(&SuiteRun::Focused) && of_impacted(),
        GateLevel::Recommended => {
            suite.run_on.contains(&SuiteRun::Recommended)
                && (of_impacted() || suite.scope == SuiteScope::Repository && is_triggered(suite, facts.paths))
        }
        GateLevel::Full => suite.run_on.contains(&SuiteRun::Full),
    }
}

/// A repository suite without trigger patterns is triggered by every change.
pub fn is_triggered(suite: &Suite, paths: &[ChangedPath]) -> bool {
    let triggers = PathSet::of_policy(&suite.paths);
    suite.paths.is_empty() || paths.iter().any(|path| path.reaches(&triggers))
}
