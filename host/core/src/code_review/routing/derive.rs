//! The routing that facts and statements determine (CR-53, CR-55): made by `route`, made again by every validation.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    production::is_production,
    signals::{ADVERSARIAL, TESTING, mandatory},
    tier::{Mechanical, mechanical},
};
use crate::{
    code_review::{
        config::CodeReview,
        t0::{PathRole, T0},
        vocabulary::{Role, Tier},
    },
    policy::path_set::PathSet,
};

/// What paths and sizes say, before anybody states anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutingFacts {
    /// The mechanical tier.
    pub mechanical: Mechanical,
    /// Signals that must be true.
    pub mandatory: BTreeSet<&'static str>,
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
            add(Role::SwEngineer, format!("{} production sources changed, such as {first}", self.production.len()));
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
