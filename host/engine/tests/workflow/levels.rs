//! `test-levels`: the gate's decision, seen before.

use code_polishy_core::gate::{level::GateLevel, plan::Category};
use code_polishy_engine::{
    event::Silent,
    workflow::levels::{Levels, levels},
};

use crate::{Host, git_support::Sample, workspace};

const POLICY: &str = r#"{
  "version": 4,
  "verification": {
    "mergeGate": {},
    "behaviorReview": {"features": [
      {"name": "prices", "description": "Prices", "paths": ["a/price.txt"], "suites": ["whole"], "requiredAt": "merge"}
    ]}
  },
  "modules": [{"name": "a", "paths": ["a/**"]}, {"name": "b", "paths": ["b/**"]}],
  "tests": {"suites": [
    {"name": "of-a", "kind": "unit", "scope": "module", "modules": ["a"], "argv": ["./test"]},
    {"name": "of-b", "kind": "unit", "scope": "module", "modules": ["b"], "argv": ["./test"]},
    {"name": "docs", "kind": "unit", "scope": "repository", "argv": ["./test"], "paths": ["docs/**"], "runOn": ["recommended"]},
    {"name": "whole", "kind": "unit", "scope": "repository", "argv": ["./test"]}
  ]},
  "checks": [{"name": "lint", "category": "check", "argv": ["./lint"]}]
}"#;

fn sample() -> (Sample, String) {
    let sample = Sample::new();
    sample.write(".code-polishy.json", POLICY).write("a/x.txt", "1\n").write("a/price.txt", "1\n").write("b/x.txt", "1\n");
    let base = sample.commit("base");
    (sample, base)
}

fn levels_of(sample: &Sample, base: Option<&str>) -> Levels {
    let host = Host::new();
    levels(&workspace(sample, &host, &Silent), base).unwrap()
}

/// Each planned command with its reasons.
fn commands(levels: &Levels) -> Vec<String> {
    let phases = levels.plan.as_ref().unwrap().phases.iter();
    phases.flat_map(|phase| &phase.commands).map(|command| format!("{}: {}", command.name, command.reasons.join(", "))).collect()
}

fn refusals(levels: &Levels) -> Vec<&str> {
    levels.plan.as_ref().unwrap().refusals.iter().map(|refusal| refusal.code.as_str()).collect()
}

#[test]
fn without_a_base_the_working_policy_is_listed() {
    let sample = Sample::new();
    assert!(levels_of(&sample, None).suites.is_empty());
    sample.write(".code-polishy.json", POLICY);
    let levels = levels_of(&sample, None);
    assert!(levels.plan.is_none());
    assert_eq!((levels.suites.len(), levels.checks.len()), (4, 1));
    assert_eq!(levels.suites[0].module.as_deref(), Some("a"));
}

#[test]
fn a_plan_says_why_each_command_would_run() {
    let (sample, base) = sample();
    sample.write("a/x.txt", "2\n");
    sample.commit("change");
    let levels = levels_of(&sample, Some(&base));
    let plan = levels.plan.as_ref().unwrap();
    assert_eq!(plan.level, GateLevel::Recommended, "{:?}", plan.level_reasons);
    assert_eq!(commands(&levels), ["lint: runs at level recommended", "of-a: covers the impacted module `a`"]);
    assert_eq!(plan.lines[0], "BEHAVIOR REVIEW: NOT RUN (optional)");
    assert_eq!((refusals(&levels), plan.next.clone()), (vec![], format!("code-polishy merge-gate --base {base}")));
}

#[test]
fn a_selected_feature_forces_its_suite_and_its_review() {
    let (sample, base) = sample();
    sample.write("a/price.txt", "2\n");
    sample.commit("change");
    let levels = levels_of(&sample, Some(&base));
    assert!(commands(&levels).contains(&"whole: the selected feature `prices` demands it".to_owned()), "{:?}", commands(&levels));
    assert_eq!(refusals(&levels), ["policy.behaviorReview"]);
    assert!(levels.plan.unwrap().next.contains("capture-intent"), "nothing was requested yet");
}

#[test]
fn uncommitted_work_is_planned_and_refused() {
    let (sample, base) = sample();
    sample.write("b/x.txt", "2\n").write("Cargo.toml", "");
    let levels = levels_of(&sample, Some(&base));
    let plan = levels.plan.as_ref().unwrap();
    assert_eq!(plan.uncommitted, ["Cargo.toml", "b/x.txt"]);
    assert_eq!((plan.level, refusals(&levels)), (GateLevel::Full, vec!["candidate.dirty"]), "{:?}", plan.level_reasons);
    assert_eq!(plan.next, "commit or remove them");
}

#[test]
fn documents_alone_are_the_contract() {
    let (sample, base) = sample();
    sample.write("README.md", "# Read\n");
    sample.commit("document");
    let levels = levels_of(&sample, Some(&base));
    let plan = levels.plan.as_ref().unwrap();
    assert_eq!((plan.level, plan.phases[0].category), (GateLevel::Documentation, Category::Documentation));
    assert_eq!(refusals(&levels_of(&sample, Some("HEAD"))), ["gate.nothing-to-merge"]);
}
