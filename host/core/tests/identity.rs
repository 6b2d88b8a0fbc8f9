//! Every component of a run's identity counts (BR-72).

use code_polishy_core::{
    gate::{
        identity::{CommandIdentity, RunIdentity},
        plan::Category,
        state::BehaviorReviewReport,
        state::{BehaviorState, FinalState},
    },
    plugin::PluginIdentity,
    policy::model::Boundary,
};
use serde_json::{Value, json};

/// Nothing in it is absent or empty.
fn identity() -> RunIdentity {
    let command = |name: &str, category| CommandIdentity {
        name: name.to_owned(),
        category,
        definition_sha256: "1".repeat(64),
        program_sha256: "2".repeat(64),
    };
    let plugin = |name: &str| PluginIdentity { name: name.to_owned(), sha256: "3".repeat(64) };
    RunIdentity {
        gate: "merge".to_owned(),
        base: "4".repeat(40),
        candidate: "5".repeat(40),
        level: "full".to_owned(),
        engine_version: "0.1.0".to_owned(),
        policy_sha256: ["6".repeat(64), "7".repeat(64)],
        plugins: vec![plugin("conventions"), plugin("exec")],
        platform: "linux/x86_64".to_owned(),
        commands: vec![command("lint", Category::Check), command("unit", Category::Test)],
        environment: [("PATH".to_owned(), "8".repeat(64)), ("TZ".to_owned(), "9".repeat(64))].into(),
        behavior_review: BehaviorReviewReport {
            state: BehaviorState::Passed,
            final_state: FinalState::Passed,
            boundary: Boundary::Merge,
            selected: vec!["checkout".to_owned(), "search".to_owned()],
            selection_sha256: "a".repeat(64),
            full_candidate: true,
            review_id: Some("review-1".to_owned()),
            receipt_path: Some("receipt.json".to_owned()),
        },
    }
}

/// Pointers to everything in the value, itself included.
fn pointers(value: &Value, at: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    let below = below.into_iter().flat_map(|(key, value)| pointers(value, &format!("{at}/{key}")));
    std::iter::once(at.to_owned()).chain(below).collect()
}

/// Other values for this one; one of them at least is lawful where any other is.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(value) => vec![json!(!value)],
        Value::String(text) => {
            let words = ["test", "build", "required", "not-run-required", "checkpoint"].into_iter().filter(|word| word != text);
            std::iter::once(json!(format!("{text}x"))).chain(words.map(|word| json!(word))).collect()
        }
        Value::Array(items) => vec![json!(items.iter().rev().collect::<Vec<_>>()), json!(items[1..])],
        Value::Object(members) => {
            let mut more = members.clone();
            more.insert("MORE".to_owned(), json!("b".repeat(64)));
            let less = members.keys().map(|key| {
                let mut less = members.clone();
                less.remove(key);
                Value::Object(less)
            });
            std::iter::once(Value::Object(more)).chain(less).collect()
        }
        other => panic!("{other} has no other value yet"),
    }
}

#[test]
fn every_change_of_any_component_is_another_run() {
    let (own, whole) = (identity(), serde_json::to_value(identity()).unwrap());
    for pointer in pointers(&whole, "") {
        let value = whole.pointer(&pointer).unwrap();
        let mut lawful = 0;
        for other in others(value) {
            let mut changed = whole.clone();
            *changed.pointer_mut(&pointer).unwrap() = other;
            let Ok(changed) = serde_json::from_value::<RunIdentity>(changed) else { continue };
            assert_ne!(changed.sha256(), own.sha256(), "{pointer}");
            lawful += 1;
        }
        // A struct has exactly its members, and each of them is looked at by itself.
        assert!(lawful > 0 || value.is_object(), "nothing else is lawful at {pointer}");
    }
}

#[test]
fn equal_identities_are_one_run() {
    assert_eq!(identity().sha256(), identity().sha256());
    let again: RunIdentity = serde_json::from_value(serde_json::to_value(identity()).unwrap()).unwrap();
    assert_eq!((&again, again.sha256()), (&identity(), identity().sha256()));
}
