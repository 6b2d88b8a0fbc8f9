//! Levels and plans of gates (contract 9.1, 9.2).

use code_polishy_core::{
    gate::{
        level::{GateLevel, LevelFacts, merge_level},
        plan::{Category, PlanFacts, Planned, phases},
    },
    patch::{Change, Entry, EntryMode},
    policy::{
        load,
        model::{Boundary, Policy},
        modules::ChangedPath,
    },
    selection::{Selection, SelectionFacts, select},
};
use serde_json::{Value, json};

fn policy(edit: impl FnOnce(&mut Value)) -> Policy {
    let mut document = json!({
        "version": 4,
        "modules": [
            {"name": "a", "paths": ["a/**"]}, {"name": "b", "paths": ["b/**"], "dependsOn": ["a"]},
            {"name": "c", "paths": ["c/**"]}, {"name": "d", "paths": ["d/**"]}, {"name": "e", "paths": ["e/**"]},
            {"name": "f", "paths": ["f/**"]}, {"name": "g", "paths": ["g/**"]}
        ],
        "tests": {"suites": [
            {"name": "b-unit", "kind": "unit", "scope": "module", "modules": ["b"], "argv": ["./b"]},
            {"name": "c-unit", "kind": "unit", "scope": "module", "modules": ["c"], "argv": ["./c"]},
            {"name": "whole", "kind": "integration", "scope": "repository", "argv": ["./whole"]},
            {"name": "seldom", "kind": "e2e", "scope": "repository", "argv": ["./seldom"], "runOn": ["supplemental"]}
        ]},
        "checks": [
            {"name": "licences", "category": "supply-chain", "argv": ["./licences"], "runOn": ["full"]},
            {"name": "build", "category": "build", "argv": ["./build"], "runOn": ["recommended", "full"]},
            {"name": "lint", "category": "check", "argv": ["./lint"], "runOn": ["checkpoint", "recommended", "full"]}
        ],
        "verification": {
            "mergeGate": {},
            "behaviorReview": {"features": [{
                "name": "c", "description": "C.", "modules": ["c"], "suites": ["whole"], "requiredAt": "merge"
            }]}
        }
    });
    edit(&mut document);
    load(document.to_string().as_bytes()).expect("a valid policy")
}

fn edited(path: &str) -> Change {
    let entry = |id: &str| Some(Entry { mode: EntryMode::File, id: id.repeat(40) });
    Change { path: path.to_owned(), old: entry("1"), new: entry("2") }
}

fn level(base: Option<&Policy>, candidate: &Policy, changes: &[Change]) -> (GateLevel, Vec<String>) {
    let paths: Vec<ChangedPath> = changes.iter().map(ChangedPath::from).collect();
    merge_level(&LevelFacts { base, candidate, changes, paths: &paths, ordinary_documentation: false })
}

#[test]
fn each_rule_of_the_merge_level() {
    let plain = policy(|_| ());
    let one = [edited("a/x")];
    assert_eq!(level(Some(&plain), &plain, &one).0, GateLevel::Recommended);
    assert_eq!(level(None, &plain, &one).1, ["the base has no policy"]);
    let without = policy(|document| drop(document["verification"].as_object_mut().expect("object").remove("mergeGate")));
    assert_eq!(level(Some(&without), &plain, &one).0, GateLevel::Full);
    assert_eq!(level(Some(&plain), &without, &one).0, GateLevel::Full, "the candidate cannot drop it either");
    let limited = policy(|document| document["verification"]["mergeGate"] = json!({"recommendedModules": ["b"]}));
    let full = |base: &Policy, changes: &[Change], reason: &str| {
        let (level, reasons) = level(Some(base), &plain, changes);
        assert_eq!(level, GateLevel::Full, "{reason}");
        assert!(reasons.iter().any(|given| given.contains(reason)), "{reason}: {reasons:?}");
    };
    full(&limited, &one, "not in `recommendedModules`");
    full(&plain, &[edited("nowhere")], "owned by no module");
    full(&plain, &[edited("Cargo.lock")], "policy input");
    full(&plain, &[Change { new: None, ..edited("a/x") }], "deleted");
    let link = Some(Entry { mode: EntryMode::Link, id: "3".repeat(40) });
    full(&plain, &[Change { new: link, ..edited("a/x") }], "link or submodule");
    full(&plain, &[edited("c/x"), edited("d/x"), edited("e/x")], "3 modules changed directly");
    full(&plain, &(0..20).map(|number| edited(&format!("a/{number}"))).collect::<Vec<_>>(), "20 paths changed");
    let overlapping = policy(|document| document["modules"][2]["paths"] = json!(["a/**"]));
    full(&overlapping, &one, "owned by several modules");
    let small = policy(|document| {
        document["modules"].as_array_mut().expect("array").truncate(3);
        document["modules"][2]["dependsOn"] = json!(["b"]);
    });
    full(&small, &one, "two thirds");
}

fn names(level: GateLevel, changed: &str, selection: &Selection, policy: &Policy) -> Vec<(Category, Vec<(String, bool)>)> {
    let paths = [ChangedPath { path: changed.to_owned(), below: false }];
    phases(&PlanFacts { level, candidate: policy, base: policy, paths: &paths, selection })
        .into_iter()
        .map(|phase| {
            let commands =
                phase.commands.iter().map(|command| (command.name().to_owned(), matches!(command, Planned::Suite { forced: true, .. })));
            (phase.category, commands.collect())
        })
        .collect()
}

fn selection(policy: &Policy, changed: &str) -> Selection {
    let changes = [ChangedPath { path: changed.to_owned(), below: false }];
    let facts = SelectionFacts {
        boundary: Boundary::Merge,
        base: policy,
        candidate: policy,
        changes: &changes,
        ordinary_documentation: false,
        requested: &[],
    };
    select(&facts).expect("defined")
}

#[test]
fn phases_stand_in_their_order_and_suites_once() {
    let policy = policy(|_| ());
    let plan = |level, changed: &str| names(level, changed, &selection(&policy, changed), &policy);
    let one = |name: &str| vec![(name.to_owned(), false)];
    assert_eq!(
        plan(GateLevel::Recommended, "a/x"),
        [(Category::Check, one("lint")), (Category::Test, one("b-unit")), (Category::Build, one("build"))]
    );
    let forced = (Category::Test, vec![("c-unit".to_owned(), false), ("whole".to_owned(), true)]);
    assert_eq!(plan(GateLevel::Recommended, "c/x"), [(Category::Check, one("lint")), forced.clone(), (Category::Build, one("build"))]);
    assert_eq!(plan(GateLevel::Checkpoint, "c/x"), [(Category::Check, one("lint")), forced]);
    assert_eq!(plan(GateLevel::Documentation, "c/x"), [(Category::Test, vec![("whole".to_owned(), true)])]);
    let full = plan(GateLevel::Full, "c/x");
    assert_eq!(full.len(), 4);
    assert_eq!(full[1].1, [("b-unit".to_owned(), false), ("c-unit".to_owned(), false), ("whole".to_owned(), true)]);
    assert_eq!(full[3], (Category::SupplyChain, one("licences")));
    assert!(plan(GateLevel::Unchanged, "a/x").is_empty());
}
