//! What a change selects, under both policies (BR-35 to BR-41).

use code_polishy_core::{
    diagnostic::FailureKind,
    plugin::PluginIdentity,
    policy::{
        load,
        model::{Boundary, Level, Policy},
        modules::ChangedPath,
    },
    selection::{Reason, Selection, SelectionFacts, affected, changed_suites, required_suites, select},
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn policy(features: Value, default: &str) -> Policy {
    let document = json!({
        "version": 4,
        "modules": [
            {"name": "foundation", "paths": ["src/foundation/**"]},
            {"name": "shop", "paths": ["src/shop/**"], "dependsOn": ["foundation"]},
            {"name": "auth", "paths": ["src/auth/**"]}
        ],
        "tests": {"suites": [
            {"name": "shop-contract", "kind": "contract", "scope": "module", "modules": ["shop"], "argv": ["./shop-tests"]},
            {"name": "all", "kind": "integration", "scope": "repository", "argv": ["./all-tests"]}
        ]},
        "verification": {"behaviorReview": {"defaultRequiredAt": default, "features": features}}
    });
    load(document.to_string().as_bytes()).expect("a valid policy")
}

fn checkout(level: &str) -> Value {
    json!({"name": "checkout", "description": "Checkout.", "modules": ["shop"], "suites": ["shop-contract"], "requiredAt": level})
}

fn shop(level: &str) -> Policy {
    policy(json!([checkout(level)]), "on-request")
}

fn paths(paths: &[&str]) -> Vec<ChangedPath> {
    paths.iter().map(|path| ChangedPath { path: (*path).to_owned(), below: false }).collect()
}

fn selected(base: &Policy, candidate: &Policy, changed: &[&str], boundary: Boundary, requested: &[&str]) -> Selection {
    let requested: Vec<String> = requested.iter().map(|name| (*name).to_owned()).collect();
    let changes = paths(changed);
    select(&SelectionFacts { boundary, base, candidate, changes: &changes, ordinary_documentation: false, requested: &requested })
        .expect("every requested feature is defined")
}

#[test]
fn a_change_in_a_foundation_selects_the_features_of_its_dependents() {
    let policy = shop("merge");
    let selection = selected(&policy, &policy, &["src/foundation/a"], Boundary::Merge, &[]);
    assert_eq!(selection.names(), ["checkout"]);
    assert_eq!(selection.features[0].reasons, [Reason::BaseRequired, Reason::CandidateRequired]);
    assert!(selected(&policy, &policy, &["src/auth/a"], Boundary::Merge, &[]).is_empty());
}

#[test]
fn levels_fire_at_their_boundary_and_requests_at_every_one() {
    let merge = shop("merge");
    assert!(selected(&merge, &merge, &["src/shop/a"], Boundary::Checkpoint, &[]).is_empty());
    let checkpoint = shop("checkpoint");
    assert_eq!(selected(&checkpoint, &checkpoint, &["src/shop/a"], Boundary::Merge, &[]).names(), ["checkout"]);
    let request = shop("on-request");
    let selection = selected(&request, &request, &["src/auth/a"], Boundary::Checkpoint, &["checkout"]);
    assert_eq!(selection.features[0].reasons, [Reason::TaskRequested]);
    assert_eq!(affected(&request, &paths(&["src/shop/a"]), false).into_iter().collect::<Vec<_>>(), ["checkout"]);
}

#[test]
fn what_the_candidate_weakens_or_deletes_still_counts() {
    let base = shop("merge");
    let weaker = policy(json!([{"name": "checkout", "description": "Less.", "paths": ["nowhere/**"], "suites": ["all"]}]), "on-request");
    let selection = selected(&base, &weaker, &["src/shop/a"], Boundary::Merge, &[]);
    let feature = selection.feature("checkout").expect("still selected");
    assert_eq!((feature.required_at, &*feature.description), (Level::Merge, "Less."));
    assert_eq!(feature.suites, ["all", "shop-contract"]);
    assert_eq!((&*feature.modules, &*feature.paths), (&["shop".to_owned()][..], &["nowhere/**".to_owned()][..]));
    assert_eq!(selected(&base, &Policy::default(), &["src/shop/a"], Boundary::Merge, &[]).names(), ["checkout"]);
}

#[test]
fn a_default_level_selects_the_full_candidate_unless_only_documents_changed() {
    let policy = policy(json!([]), "merge");
    let selection = selected(&policy, &policy, &["anything"], Boundary::Merge, &[]);
    assert!(selection.full_candidate && selection.features.is_empty());
    assert_eq!(selection.scope(), "all changes");
    assert!(selected(&policy, &policy, &["anything"], Boundary::Checkpoint, &[]).is_empty());
    let changes = paths(&["README.md"]);
    let facts = SelectionFacts {
        boundary: Boundary::Merge,
        base: &policy,
        candidate: &policy,
        changes: &changes,
        ordinary_documentation: true,
        requested: &[],
    };
    assert!(select(&facts).expect("nothing is requested").is_empty());
}

#[test]
fn documents_select_only_features_that_name_documents() {
    let by = |pattern: &str| {
        let feature = json!([{"name": "guide", "description": "Guide.", "paths": [pattern], "suites": ["all"], "requiredAt": "merge"}]);
        let policy = policy(feature, "on-request");
        affected(&policy, &paths(&["docs/guide.md"]), true).len()
    };
    assert_eq!((by("docs/**"), by("docs/*.md"), by("docs/guide.markdown")), (0, 1, 0));
    let shouted = json!([{"name": "guide", "description": "Guide.", "paths": ["*.MD"], "suites": ["all"], "requiredAt": "merge"}]);
    assert_eq!(affected(&policy(shouted, "on-request"), &paths(&["README.MD"]), true).len(), 1, "an ending counts in any case");
}

#[test]
fn a_requested_feature_that_nobody_defines_is_a_usage_failure() {
    let policy = shop("merge");
    let requested = vec!["gone".to_owned()];
    let facts = SelectionFacts {
        boundary: Boundary::Merge,
        base: &policy,
        candidate: &policy,
        changes: &[],
        ordinary_documentation: false,
        requested: &requested,
    };
    assert_eq!(select(&facts).expect_err("undefined").kind, FailureKind::Usage);
}

#[test]
fn suites_of_base_features_may_not_change() {
    let base = shop("merge");
    let mut candidate = base.clone();
    candidate.suites[0].argv.push("--quick".to_owned());
    let changes = paths(&["src/shop/a"]);
    let facts = SelectionFacts {
        boundary: Boundary::Merge,
        base: &base,
        candidate: &candidate,
        changes: &changes,
        ordinary_documentation: false,
        requested: &[],
    };
    let selection = select(&facts).expect("defined");
    let runner = |sha256: &str| PluginIdentity { name: "exec".into(), sha256: sha256.into() };
    let changed = |at_candidate: &str| {
        let digest = |sha256: &str| {
            let runner = runner(sha256);
            move |_: &_| Ok(runner.clone())
        };
        changed_suites(&facts, &selection, &["all".to_owned()], &digest("1"), &digest(at_candidate)).expect("digests")
    };
    let names = |changes: Vec<code_polishy_core::selection::SuiteChange>| changes.into_iter().map(|change| change.name).collect::<Vec<_>>();
    assert_eq!(names(changed("1")), ["shop-contract"]);
    let other = changed("2");
    assert!(other[0].candidate.as_ref().is_some_and(|now| *now != other[0].base), "the runner is part of what is shown");
    assert_eq!(names(other), ["all", "shop-contract"], "another runner is another suite");
    assert!(required_suites(&candidate, &selection).is_ok());
    candidate.suites.clear();
    assert_eq!(required_suites(&candidate, &selection).expect_err("gone").kind, FailureKind::Blocked);
}

#[test]
fn the_digest_ignores_the_boundary_and_nothing_else() {
    let policy = shop("checkpoint");
    let at = |boundary| selected(&policy, &policy, &["src/shop/a"], boundary, &[]);
    let (merge, checkpoint) = (at(Boundary::Merge), at(Boundary::Checkpoint));
    assert_eq!(merge.sha256(), checkpoint.sha256());
    assert_ne!(merge.sha256(), at_request(&policy).sha256());
}

fn at_request(policy: &Policy) -> Selection {
    selected(policy, policy, &["src/shop/a"], Boundary::Merge, &["checkout"])
}

const LEVELS: [&str; 3] = ["on-request", "merge", "checkpoint"];
const PATTERNS: [&str; 6] = ["src/shop/**", "src/foundation/*", "**/*.md", "docs/guide.md", "vendor/till/src/*", "**"];
const CHANGED: [(&str, bool); 6] =
    [("src/shop/a", false), ("src/foundation/b", false), ("docs/guide.md", false), ("vendor/till", true), ("src/shop", true), ("x", false)];

/// Modules, features, suites and levels drawn from small pools, so that two policies share names and differ in everything else.
fn any_policy() -> impl Strategy<Value = Policy> {
    let some = || proptest::sample::subsequence(&PATTERNS, 1..=3);
    let module = (some(), proptest::collection::vec(any::<bool>(), 3));
    let feature = (proptest::sample::subsequence(vec!["m0", "m1", "m2"], 0..=2), some(), 1..4_usize, 0..3_usize);
    let features = proptest::collection::btree_map("checkout|guide|till", feature, 0..=3);
    (proptest::collection::vec(module, 3), features, 0..3_usize, any::<bool>()).prop_map(|(modules, features, default, quick)| {
        let modules: Vec<Value> = modules
            .iter()
            .enumerate()
            .map(|(index, (paths, foundations))| {
                let foundations: Vec<String> = (0..index).filter(|other| foundations[*other]).map(|other| format!("m{other}")).collect();
                json!({"name": format!("m{index}"), "paths": paths, "dependsOn": foundations})
            })
            .collect();
        let features: Vec<Value> = features
            .into_iter()
            .map(|(name, (modules, paths, suites, level))| {
                let suites: Vec<&str> = ["one", "two"].into_iter().enumerate().filter(|(index, _)| suites >> index & 1 == 1).map(|(_, suite)| suite).collect();
                json!({"name": name, "description": "D.", "modules": modules, "paths": paths, "suites": suites, "requiredAt": LEVELS[level.max(default)]})
            })
            .collect();
        let suite = |name: &str| json!({"name": name, "kind": "contract", "scope": "repository", "argv": ["./tests", if quick { "quick" } else { "all" }]});
        let document = json!({
            "version": 4, "modules": modules, "tests": {"suites": [suite("one"), suite("two")]},
            "verification": {"behaviorReview": {"defaultRequiredAt": LEVELS[default], "features": features}}
        });
        load(document.to_string().as_bytes()).expect("a valid policy")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever the candidate's policy says, what the base alone selects stays selected, at no weaker level and with no less of a
    /// definition; and nothing is selected that neither policy asks for.
    #[test]
    fn no_candidate_edit_removes_what_the_base_selects(
        base in any_policy(),
        candidate in prop_oneof![9 => any_policy(), 1 => Just(Policy::default())],
        changed in proptest::sample::subsequence(&CHANGED, 1..=4),
        ordinary_documentation in any::<bool>(),
        at_checkpoint in any::<bool>(),
    ) {
        let boundary = if at_checkpoint { Boundary::Checkpoint } else { Boundary::Merge };
        let changes: Vec<ChangedPath> = changed.iter().map(|(path, below)| ChangedPath { path: (*path).to_owned(), below: *below }).collect();
        let under = |base: &Policy, candidate: &Policy| {
            select(&SelectionFacts { boundary, base, candidate, changes: &changes, ordinary_documentation, requested: &[] }).expect("nothing is requested")
        };
        let (alone, own, both) = (under(&base, &base), under(&candidate, &candidate), under(&base, &candidate));
        for feature in &alone.features {
            let kept = both.feature(&feature.name).expect("the base's rule still selects it");
            prop_assert!(kept.reasons.contains(&Reason::BaseRequired) && kept.required_at >= feature.required_at);
            for (kept, own) in [(&kept.suites, &feature.suites), (&kept.modules, &feature.modules), (&kept.paths, &feature.paths)] {
                prop_assert!(own.iter().all(|name| kept.contains(name)));
            }
        }
        prop_assert_eq!(both.full_candidate, alone.full_candidate || own.full_candidate);
        let mut either = [alone.names(), own.names()].concat();
        either.sort();
        either.dedup();
        prop_assert_eq!(both.names(), either);
        let changed = changed_suites(
            &SelectionFacts { boundary, base: &base, candidate: &candidate, changes: &changes, ordinary_documentation, requested: &[] },
            &both,
            &[],
            &|_| Ok(PluginIdentity { name: "exec".into(), sha256: "1".into() }),
            &|_| Ok(PluginIdentity { name: "exec".into(), sha256: "1".into() }),
        ).expect("digests");
        for suite in alone.suites() {
            let same = candidate.suite(suite) == base.suite(suite);
            prop_assert_eq!(!same, changed.iter().any(|change| change.name == suite), "{}", suite);
        }
    }
}
