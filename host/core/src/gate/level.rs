//! How much a merge gate runs (contract 9.1). The caller cannot choose.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    patch::{Change, EntryMode},
    policy::{
        documentation::is_markdown,
        model::{MergeGate, Policy},
        modules::{ChangedPath, Impact},
        scope::PolicyInputs,
    },
    text::escape_line,
};

/// How much runs, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GateLevel {
    /// Nothing changed since the checkpoint.
    Unchanged,
    /// The Markdown contract and forced suites.
    Documentation,
    /// What a checkpoint asks.
    Checkpoint,
    /// What the changed modules ask.
    Recommended,
    /// Everything.
    Full,
}

impl GateLevel {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Documentation => "documentation",
            Self::Checkpoint => "checkpoint",
            Self::Recommended => "recommended",
            Self::Full => "full",
        }
    }
}

/// What the level is decided from.
#[derive(Clone, Debug)]
pub struct LevelFacts<'a> {
    /// The base commit's policy; `None` when it has none.
    pub base: Option<&'a Policy>,
    /// The candidate commit's policy.
    pub candidate: &'a Policy,
    /// Every governed change.
    pub changes: &'a [Change],
    /// The same paths, for ownership.
    pub paths: &'a [ChangedPath],
    /// BR-21 holds for the whole change.
    pub ordinary_documentation: bool,
}

/// The level of a merge gate with its reasons, in the order of 9.1; every rule that asks for `full` gives its own.
pub fn merge_level(facts: &LevelFacts<'_>) -> (GateLevel, Vec<String>) {
    let Some(base) = facts.base else {
        return (GateLevel::Full, vec!["the base has no policy".to_owned()]);
    };
    if facts.ordinary_documentation {
        return (GateLevel::Documentation, vec!["only ordinary documentation changed".to_owned()]);
    }
    let gates = [("base", &base.verification.merge_gate), ("candidate", &facts.candidate.verification.merge_gate)];
    if let Some((side, _)) = gates.iter().find(|(_, gate)| gate.is_none()) {
        return (GateLevel::Full, vec![format!("the {side} policy has no `mergeGate`")]);
    }
    let mut reasons = Vec::new();
    let inputs = PolicyInputs::new(Some(base), Some(facts.candidate));
    reasons.extend(facts.changes.iter().filter_map(|change| change_asks_full(change, &inputs)));
    for (policy, (_, gate)) in [base, facts.candidate].into_iter().zip(gates) {
        reasons.extend(ownership_asks_full(policy, gate.as_ref(), facts.paths));
    }
    if facts.changes.len() >= 20 {
        reasons.push(format!("{} paths changed, 20 or more", facts.changes.len()));
    }
    dedup(&mut reasons);
    if reasons.is_empty() {
        (GateLevel::Recommended, vec!["every changed path belongs to one recommended module".to_owned()])
    } else {
        (GateLevel::Full, reasons)
    }
}

fn change_asks_full(change: &Change, inputs: &PolicyInputs) -> Option<String> {
    let shown = escape_line(&change.path);
    let irregular = |entry: &Option<crate::patch::Entry>| {
        entry.as_ref().is_some_and(|entry| matches!(entry.mode, EntryMode::Link | EntryMode::Gitlink))
    };
    if inputs.contains(&change.path) {
        Some(format!("policy input changed: {shown}"))
    } else if irregular(&change.old) || irregular(&change.new) {
        Some(format!("link or submodule changed: {shown}"))
    } else if change.new.is_none() && !is_markdown(&change.path) {
        Some(format!("deleted: {shown}"))
    } else {
        None
    }
}

fn ownership_asks_full(policy: &Policy, gate: Option<&MergeGate>, paths: &[ChangedPath]) -> Vec<String> {
    let impact = Impact::of(policy, paths);
    let allowed = gate.and_then(|gate| gate.recommended_modules.as_ref());
    let mut reasons = Vec::new();
    for (path, owners) in &impact.owners {
        let shown = escape_line(path);
        let owner = owners.first();
        match (owners.len(), owner) {
            (0, _) => reasons.push(format!("owned by no module: {shown}")),
            (1, Some(owner)) if allowed.is_some_and(|allowed| !allowed.contains(owner)) => {
                reasons.push(format!("owned by `{owner}`, which is not in `recommendedModules`: {shown}"));
            }
            (1, _) => {}
            _ => reasons.push(format!("owned by several modules: {shown}")),
        }
    }
    if impact.direct.len() >= 3 {
        reasons.push(format!("{} modules changed directly, 3 or more", impact.direct.len()));
    }
    let modules = policy.modules.len();
    if modules >= 3 && impact.impacted.len() * 3 >= modules * 2 {
        reasons.push(format!("{} of {modules} modules are impacted, two thirds or more", impact.impacted.len()));
    }
    reasons
}

/// Keeps the first of equal reasons: both policies often say the same.
fn dedup(reasons: &mut Vec<String>) {
    let mut seen = std::collections::BTreeSet::new();
    reasons.retain(|reason| seen.insert(reason.clone()));
}
