//! Which features a review must cover, and why (contract 4.6).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    canonical::{canonical_json, digest_json},
    diagnostic::Failure,
    journal::Requirement,
    plugin::PluginIdentity,
    policy::{
        documentation::is_document_pattern,
        model::{Boundary, Feature, Level, Policy, Suite},
        modules::{ChangedPath, Impact},
        paths::PathPattern,
    },
};

/// The features and the full-candidate flag that a review must cover (BR-41). Arrays are sorted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Where it was asked.
    pub boundary: Boundary,
    /// Merged definitions of base and candidate (BR-38), by name.
    pub features: Vec<SelectedFeature>,
    /// The whole change must be reviewed.
    pub full_candidate: bool,
    /// `default-required`, or nothing.
    pub full_candidate_reasons: Vec<Reason>,
}

/// A selected feature with the definition that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectedFeature {
    /// Canonical name.
    pub name: String,
    /// The candidate's, or the base's when it is gone.
    pub description: String,
    /// Union of both sides.
    pub modules: Vec<String>,
    /// Union of both sides.
    pub paths: Vec<String>,
    /// Union of both sides.
    pub suites: Vec<String>,
    /// The stronger of both sides.
    pub required_at: Level,
    /// At least one.
    pub reasons: Vec<Reason>,
}

/// Why something is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The base policy's rule fires.
    BaseRequired,
    /// The candidate policy's rule fires.
    CandidateRequired,
    /// A side's default reaches the boundary.
    DefaultRequired,
    /// A task asked for it.
    TaskRequested,
}

impl Selection {
    /// Nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty() && !self.full_candidate
    }

    /// Names of the selected features, sorted.
    pub fn names(&self) -> Vec<String> {
        self.features.iter().map(|feature| feature.name.clone()).collect()
    }

    /// The selected feature of this name.
    pub fn feature(&self, name: &str) -> Option<&SelectedFeature> {
        self.features.iter().find(|feature| feature.name == name)
    }

    /// The scope of state lines (8.2): `all changes` first, then feature names.
    pub fn scope(&self) -> String {
        let all = self.full_candidate.then(|| "all changes".to_owned());
        all.into_iter().chain(self.names()).collect::<Vec<_>>().join(", ")
    }

    /// Every suite that the selected features name, once, sorted (BR-40).
    pub fn suites(&self) -> BTreeSet<&str> {
        self.features.iter().flat_map(|feature| feature.suites.iter().map(String::as_str)).collect()
    }

    /// Digest of the document without its boundary.
    pub fn sha256(&self) -> String {
        digest_json(&serde_json::json!({
            "features": self.features,
            "full_candidate": self.full_candidate,
            "full_candidate_reasons": self.full_candidate_reasons,
        }))
    }
}

/// Digest of the requirements that apply; of an empty array when there are none.
pub fn requirement_sha256(requirements: &[Requirement]) -> String {
    digest_json(&requirements)
}

/// Digest that joins selection and requirements.
pub fn decision_sha256(selection_sha256: &str, requirement_sha256: &str) -> String {
    digest_json(&serde_json::json!({"selection_sha256": selection_sha256, "requirement_sha256": requirement_sha256}))
}

/// What the selection is made from.
#[derive(Clone, Debug)]
pub struct SelectionFacts<'a> {
    /// Where it is asked.
    pub boundary: Boundary,
    /// The base commit's policy.
    pub base: &'a Policy,
    /// The candidate commit's policy.
    pub candidate: &'a Policy,
    /// Every governed changed path.
    pub changes: &'a [ChangedPath],
    /// BR-21 holds for the whole change.
    pub ordinary_documentation: bool,
    /// Canonical names that tasks asked for.
    pub requested: &'a [String],
}

/// Selects (BR-36 to BR-39). A requested feature that neither side defines is a usage failure.
pub fn select(facts: &SelectionFacts<'_>) -> Result<Selection, Failure> {
    let base = fired(facts, facts.base);
    let candidate = fired(facts, facts.candidate);
    let requested: BTreeSet<&str> = facts.requested.iter().map(String::as_str).collect();
    let names: BTreeSet<&str> = base.iter().chain(&candidate).chain(&requested).copied().collect();
    let features = names
        .into_iter()
        .map(|name| {
            let sources = [(Reason::BaseRequired, &base), (Reason::CandidateRequired, &candidate), (Reason::TaskRequested, &requested)];
            let reasons = sources.into_iter().filter(|(_, set)| set.contains(name)).map(|(reason, _)| reason).collect();
            merged(facts, name, reasons)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let full_candidate = !facts.ordinary_documentation
        && !facts.changes.is_empty()
        && [facts.base, facts.candidate].into_iter().any(|policy| default_level(policy).reaches(facts.boundary));
    let full_candidate_reasons = if full_candidate { vec![Reason::DefaultRequired] } else { Vec::new() };
    Ok(Selection { boundary: facts.boundary, features, full_candidate, full_candidate_reasons })
}

/// Features that the changed paths affect under this policy, whatever their level (BR-36), sorted.
pub fn affected<'a>(policy: &'a Policy, changes: &[ChangedPath], ordinary_documentation: bool) -> BTreeSet<&'a str> {
    let impact = (!ordinary_documentation).then(|| Impact::of(policy, changes));
    let is_affected = |feature: &&Feature| {
        let by_module = impact.as_ref().is_some_and(|impact| feature.modules.iter().any(|module| impact.impacted.contains(module)));
        by_module || by_path(feature, changes, ordinary_documentation)
    };
    policy.features().iter().filter(is_affected).map(|feature| feature.name.as_str()).collect()
}

/// In the documentation lane only a pattern that itself ends in a Markdown ending selects (BR-21).
fn by_path(feature: &Feature, changes: &[ChangedPath], markdown_only: bool) -> bool {
    feature.paths.iter().filter(|pattern| !markdown_only || is_document_pattern(pattern)).any(|pattern| {
        let Ok(pattern) = PathPattern::parse(pattern) else { return false };
        changes.iter().any(|change| pattern.matches(&change.path) || (change.below && pattern.matches_below(&change.path)))
    })
}

fn fired<'a>(facts: &SelectionFacts<'_>, policy: &'a Policy) -> BTreeSet<&'a str> {
    affected(policy, facts.changes, facts.ordinary_documentation)
        .into_iter()
        .filter(|name| policy.feature(name).is_some_and(|feature| feature.required_at.reaches(facts.boundary)))
        .collect()
}

fn default_level(policy: &Policy) -> Level {
    policy.verification.behavior_review.as_ref().map_or(Level::OnRequest, |review| review.default_required_at)
}

fn merged(facts: &SelectionFacts<'_>, name: &str, reasons: Vec<Reason>) -> Result<SelectedFeature, Failure> {
    let sides: Vec<&Feature> = [facts.candidate, facts.base].into_iter().filter_map(|policy| policy.feature(name)).collect();
    let Some(first) = sides.first() else {
        return Err(Failure::usage(
            "selection.feature-gone",
            format!("the requested feature `{name}` is defined neither at the base nor at the candidate"),
            "define the feature again, or run `code-polishy behavior-review cleanup` when its task is over",
        ));
    };
    let union = |pick: fn(&Feature) -> &Vec<String>| {
        let all: BTreeSet<String> = sides.iter().flat_map(|feature| pick(feature).iter().cloned()).collect();
        all.into_iter().collect::<Vec<_>>()
    };
    Ok(SelectedFeature {
        name: name.to_owned(),
        description: first.description.clone(),
        modules: union(|feature| &feature.modules),
        paths: union(|feature| &feature.paths),
        suites: union(|feature| &feature.suites),
        required_at: sides.iter().map(|feature| feature.required_at).max().unwrap_or_default(),
        reasons,
    })
}

/// Digest of a suite with every default resolved, and of the runner that judges it (BR-40).
pub fn suite_sha256(suite: &Suite, runner: &PluginIdentity) -> String {
    digest_json(&definition(suite, runner))
}

fn definition(suite: &Suite, runner: &PluginIdentity) -> serde_json::Value {
    serde_json::json!({"suite": suite, "runner": runner})
}

/// A suite of a selected base feature that is not what it was at the base (BR-40).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteChange {
    /// The suite's name.
    pub name: String,
    /// Canonical text of its definition and its runner at the base.
    pub base: String,
    /// The same at the candidate; `None` when it was removed.
    pub candidate: Option<String>,
}

/// Suites that selected features of the base name, or `cited` proofs use, and that the candidate changed or removed.
///
/// `runner_at_base` and `runner_at_candidate` say which component judges a suite on that side.
pub fn changed_suites(
    facts: &SelectionFacts<'_>,
    selection: &Selection,
    cited: &[String],
    runner_at_base: &dyn Fn(&Suite) -> Result<PluginIdentity, Failure>,
    runner_at_candidate: &dyn Fn(&Suite) -> Result<PluginIdentity, Failure>,
) -> Result<Vec<SuiteChange>, Failure> {
    let of_base_features =
        selection.features.iter().filter_map(|feature| facts.base.feature(&feature.name)).flat_map(|feature| feature.suites.iter());
    let names: BTreeSet<&String> = of_base_features.chain(cited).collect();
    let mut changes = Vec::new();
    for name in names {
        let Some(suite) = facts.base.suite(name) else { continue };
        let base = canonical_json(&definition(suite, &runner_at_base(suite)?));
        let candidate = match facts.candidate.suite(name) {
            Some(suite) => Some(canonical_json(&definition(suite, &runner_at_candidate(suite)?))),
            None => None,
        };
        if candidate.as_ref() != Some(&base) {
            changes.push(SuiteChange { name: name.clone(), base, candidate });
        }
    }
    Ok(changes)
}

/// Suites that must run, and why one of them cannot (BR-40): each must exist and be eligible in the candidate policy.
pub fn required_suites<'a>(candidate: &'a Policy, selection: &Selection) -> Result<Vec<&'a Suite>, Failure> {
    let mut faults = Vec::new();
    let mut suites = Vec::new();
    for name in selection.suites() {
        match candidate.suite(name) {
            None => faults.push(format!("the suite `{name}` of a selected feature is not in the candidate's policy")),
            Some(suite) => match suite.ineligible_because() {
                Some(reason) => faults.push(format!("the suite `{name}` may not serve a review: {reason}")),
                None => suites.push(suite),
            },
        }
    }
    if faults.is_empty() {
        return Ok(suites);
    }
    let next = "restore the suite in `.code-polishy.json` and commit";
    let diagnostics = faults.into_iter().map(|message| crate::diagnostic::Diagnostic::new("selection.suite", message, next)).collect();
    Err(Failure::new(crate::diagnostic::FailureKind::Blocked, diagnostics))
}
