//! The routing that facts and statements determine (CR-53, CR-55): made by `route`, made again by every validation.

use std::collections::BTreeMap;

use super::{
    Routing, Statements,
    production::is_production,
    signals::{ADVERSARIAL, TESTING, mandatory},
    statement::stated,
    tier::{Mechanical, mechanical},
};
use crate::{
    code_review::{
        config::CodeReview,
        run::RunRecord,
        t0::{PathRole, T0},
        vocabulary::{Role, Tier},
    },
    policy::path_set::PathSet,
};

/// What the author of a review says about the change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The tier; the mechanical one when absent.
    pub tier: Option<Tier>,
    /// The signals.
    pub statements: Statements,
    /// Roles that the user asked for, with the user's words.
    pub selections: BTreeMap<Role, String>,
}

/// What paths and sizes say, before anybody states anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutingFacts {
    /// The mechanical tier.
    pub mechanical: Mechanical,
    /// Signals that must be true, each with the first path that makes it so.
    pub mandatory: BTreeMap<&'static str, String>,
    /// Production sources that changed, in path order.
    pub production: Vec<String>,
}

impl RoutingFacts {
    /// Of a collected run. `roles` are those of `path-roles.json`.
    pub fn of(t0: &T0, roles: &[PathRole]) -> Self {
        let CodeReview { production_source, test_paths, high_risk_paths, .. } = &t0.config.code_review;
        let [configured, tests, risky] = [production_source, test_paths, high_risk_paths].map(PathSet::of_policy);
        let mechanical = mechanical(&t0.inspection_set, &t0.numstat, &risky);
        let by_path: BTreeMap<&str, &PathRole> = roles.iter().map(|role| (role.path.as_str(), role)).collect();
        let is_source = |path: &&String| is_production(path, by_path.get(path.as_str()).copied(), &configured, &tests);
        Self {
            mandatory: mandatory(&t0.inspection_set, &tests, mechanical.tier),
            production: t0.inspection_set.iter().filter(is_source).cloned().collect(),
            mechanical,
        }
    }

    /// The routing of what is declared; whether it may stand is for [`super::judge`] to say.
    pub fn routing(&self, run: &RunRecord, declared: Declared) -> Routing {
        let risk_tier = declared.tier.unwrap_or(self.mechanical.tier);
        let (signals, signal_evidence) = stated(declared.statements);
        let trigger_reasons = self.triggered(risk_tier, &signals, &declared.selections);
        Routing {
            schema_version: 1,
            risk_tier,
            mechanical_risk_tier: self.mechanical.tier,
            mechanical_risk_evidence: self.mechanical.evidence.clone(),
            signals,
            signal_evidence,
            triggered_roles: sorted(trigger_reasons.keys().copied()),
            trigger_reasons,
            explicit_selections: declared.selections,
            independent_review_required: run.independence_required,
            independence_requirement_evidence: run.independence_requirement_evidence.clone(),
        }
    }

    /// Roles that the tier, the signals, the sources and the user's selections call for, each with its reasons.
    pub fn triggered(
        &self,
        tier: Tier,
        signals: &BTreeMap<String, bool>,
        selections: &BTreeMap<Role, String>,
    ) -> BTreeMap<Role, Vec<String>> {
        let mut reasons: BTreeMap<Role, Vec<String>> = BTreeMap::new();
        let mut add = |role: Role, reason: String| reasons.entry(role).or_default().push(reason);
        let on = |signal: &str| signals.get(signal).copied().unwrap_or(false);
        if let Some(first) = self.production.first() {
            add(Role::SwEngineer, sources_changed(first, self.production.len()));
        }
        if tier >= Tier::Broad {
            add(Role::QaSpecialist, format!("risk tier {tier}"));
            add(Role::Challenger, format!("risk tier {tier}"));
        } else {
            for (role, wanted) in [(Role::QaSpecialist, TESTING), (Role::Challenger, ADVERSARIAL)] {
                for signal in wanted.into_iter().filter(|signal| on(signal)) {
                    add(role, format!("signal {signal}"));
                }
            }
        }
        for (word, role) in Role::WORDS {
            let axis = format!("axis_{}", word.replace('-', "_"));
            if on(&axis) {
                add(*role, format!("signal {axis}"));
            }
        }
        for (role, words) in selections {
            add(*role, format!("selected: {words}"));
        }
        reasons
    }
}

fn sources_changed(first: &str, count: usize) -> String {
    match count {
        1 => format!("the production source {first} changed"),
        more => format!("{more} production sources changed, such as {first}"),
    }
}

/// Roles in byte order of their ids.
pub(super) fn sorted(roles: impl Iterator<Item = Role>) -> Vec<Role> {
    let mut roles: Vec<Role> = roles.collect();
    roles.sort_by_key(|role| role.as_str());
    roles
}
