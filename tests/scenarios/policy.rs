//! Policy: S-1 to S-12 (BR-11 to BR-18).

use code_polishy_tests::{EVIDENCE, Flow, INTENT, Output, Project, policy};
use serde_json::{Value, json};

use crate::{WORLD, names};

const REVIEW: &str = "/verification/behaviorReview";

/// The status, as a document, of a repository whose only commits carry this policy text.
fn status_under(text: impl AsRef<[u8]>) -> Output {
    let flow = Flow::new(WORLD, Project::shop());
    flow.repo.write(".code-polishy.json", text).commit("Change the policy");
    flow.status(&["--format", "json"])
}

fn status_with(policy: &Value) -> Output {
    status_under(policy.to_string())
}

fn review_pointer(rest: &str) -> String {
    format!("{REVIEW}{rest}")
}

#[test]
fn s_1_without_a_policy_on_either_side_review_is_optional() {
    let optional = Project { policy: policy::without_review(), ..Project::shop() };
    let flow = Flow::new(WORLD, optional);
    flow.change();
    flow.repo.write(&format!("{EVIDENCE}/intent-journal.json"), "{ no journal");

    let status = flow.status(&[]).exits(0);
    status.says("BEHAVIOR REVIEW: NOT RUN (optional)").says("FINAL STATE: NOT RUN (optional)").says("CONFIGURED FEATURES: none");
    let gate = flow.merge_gate(&[]).exits(0);
    gate.says("BEHAVIOR REVIEW: NOT RUN (optional)").says("FINAL STATE: NOT RUN (optional)");
    assert!(flow.ordinary_runs().contains(&"checkout".to_owned()), "the ordinary suites of the gate run");
}

#[test]
fn s_1_the_same_journal_is_an_error_under_a_policy() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.change();
    flow.repo.write(&format!("{EVIDENCE}/intent-journal.json"), "{ no journal");
    flow.status(&[]).exits(2).names("intent-journal.json");
}

#[test]
fn s_2_features_without_a_default_inherit_on_request() {
    let mut feature = policy::feature("checkout", "merge");
    feature.as_object_mut().unwrap().shift_remove("requiredAt");
    let flow = Flow::new(WORLD, Project { policy: policy::with_features(&[feature]), ..Project::shop() });
    flow.change();

    flow.status(&[])
        .exits(0)
        .says("BEHAVIOR REVIEW: NOT RUN (optional)")
        .says("AFFECTED FEATURES: checkout")
        .says("REQUIRED FEATURES: none");
}

#[test]
fn s_3_a_feature_may_strengthen_the_default() {
    let mut policy = policy::with_features(&[policy::feature("checkout", "checkpoint")]);
    policy["verification"]["behaviorReview"]["defaultRequiredAt"] = json!("merge");
    let flow = Flow::new(WORLD, Project { policy, ..Project::shop() });
    flow.change();

    let at_checkpoint = flow.status_json(&["--boundary", "checkpoint"]);
    assert_eq!(at_checkpoint["state"], "required");
    assert_eq!(names(&at_checkpoint["required"]), ["checkout"]);
    assert_eq!(at_checkpoint["full_candidate"], false, "the default is merge");
    assert_eq!(at_checkpoint["selection"]["features"][0]["required_at"], "checkpoint");
    flow.status(&["--boundary=merge"]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (all changes, checkout)");
}

#[test]
fn s_4_5_a_feature_cannot_weaken_the_default() {
    for (default, level, accepted) in
        [("checkpoint", "merge", false), ("merge", "on-request", false), ("on-request", "on-request", true), ("merge", "merge", true)]
    {
        let mut policy = policy::with_features(&[policy::feature("checkout", level)]);
        policy["verification"]["behaviorReview"]["defaultRequiredAt"] = json!(default);
        let status = status_with(&policy);
        if accepted {
            status.exits(0);
        } else {
            status.exits(2).points_at(&[&review_pointer("/features/0/requiredAt")]);
        }
    }
}

#[test]
fn s_6_every_violation_of_one_file_is_reported_with_its_pointer() {
    let mut policy = policy::with_features(&[
        json!({"name": "one", "description": "One.", "modules": ["nowhere"], "suites": ["no-suite"]}),
        json!({"name": "one", "description": "Again.", "suites": ["search-contract"]}),
        json!({"name": "three", "description": "Three.", "paths": ["../secret"], "suites": []}),
        json!({"name": "four", "description": "Four.", "modules": ["search"], "suites": ["search-contract"], "mystery": 1}),
        json!({"name": "five", "description": "Five.", "modules": ["search"], "suites": ["search-contract"], "requiredAt": "sometimes"}),
    ]);
    policy["unheardOf"] = json!(true);

    let status = status_with(&policy).exits(2).points_at(&[
        "/unheardOf",
        &review_pointer("/features/0/modules/0"),
        &review_pointer("/features/0/suites/0"),
        &review_pointer("/features/1/name"),
        &review_pointer("/features/2/paths/0"),
        &review_pointer("/features/2/suites"),
        &review_pointer("/features/3/mystery"),
        &review_pointer("/features/4/requiredAt"),
    ]);
    let scopeless = review_pointer("/features/1");
    let about_scope = |pointer: &String| pointer.starts_with(&scopeless) && !pointer.ends_with("/name");
    assert!(status.pointers().iter().any(about_scope), "a feature without module or path: {:?}", status.pointers());
    assert_eq!(status.pointers(), status_with(&policy).pointers(), "the order is stable");
}

#[test]
fn s_7_an_ineligible_suite_cannot_protect_a_feature() {
    let ineligible = [
        json!({"runOn": ["supplemental"], "cost": "expensive"}),
        json!({"kind": "mutation"}),
        json!({"hazards": ["credentialed"]}),
        json!({"hazards": ["destructive"]}),
        json!({"environment": ["SHOP_TOKEN"]}),
    ];
    let mut policy = policy::shop();
    let mut listed = Vec::new();
    for (index, difference) in ineligible.iter().enumerate() {
        let mut suite = policy::suite(&format!("suite-{index}"), "checkout");
        suite.as_object_mut().unwrap().extend(difference.as_object().unwrap().clone());
        policy["tests"]["suites"].as_array_mut().unwrap().push(suite);
        listed.push(format!("suite-{index}"));
    }
    policy["verification"]["behaviorReview"]["features"][0]["suites"] = json!(listed);

    let pointers: Vec<_> = (0..ineligible.len()).map(|index| review_pointer(&format!("/features/0/suites/{index}"))).collect();
    status_with(&policy).exits(2).points_at(&pointers.iter().map(String::as_str).collect::<Vec<_>>());
    policy["verification"]["behaviorReview"]["features"][0]["suites"] = json!(["checkout-contract"]);
    status_with(&policy).exits(0);
}

#[test]
fn s_8_and_s_10_names_and_aliases_share_one_identity_map() {
    for alias in ["ＣＨＥＣＫＯＵＴ", "purchase\u{a0}\u{2003}COMPLETION", "STRASSE"] {
        let mut policy = policy::shop();
        policy["verification"]["behaviorReview"]["features"][0]["aliases"] = json!(["Purchase completion", "Straße"]);
        policy["verification"]["behaviorReview"]["features"][1]["aliases"] = json!([alias]);
        status_with(&policy).exits(2).points_at(&[&review_pointer("/features/1/aliases/0")]);
    }
    let mut own = policy::shop();
    own["verification"]["behaviorReview"]["features"][0]["aliases"] = json!(["Checkout"]);
    status_with(&own).exits(2).points_at(&[&review_pointer("/features/0/aliases/0")]);
}

#[test]
fn s_9_limits_of_features() {
    let numbered = |count: usize| -> Vec<Value> {
        (0..count)
            .map(|index| json!({"name": format!("f{index}"), "description": "A.", "paths": ["a"], "suites": ["search-contract"]}))
            .collect()
    };
    let largest = |aliases: usize, description: usize, name: usize| {
        let mut feature = policy::feature("checkout", "merge");
        feature["aliases"] = json!((0..aliases).map(|index| format!("alias {index}")).collect::<Vec<_>>());
        feature["description"] = json!("d".repeat(description));
        feature["name"] = json!("n".repeat(name));
        policy::with_features(&[feature])
    };
    status_with(&policy::with_features(&numbered(128))).exits(0);
    status_with(&policy::with_features(&numbered(129))).exits(2).points_at(&[&review_pointer("/features")]);
    status_with(&largest(16, 512, 80)).exits(0);
    status_with(&largest(17, 513, 81)).exits(2).points_at(&[
        &review_pointer("/features/0/aliases"),
        &review_pointer("/features/0/description"),
        &review_pointer("/features/0/name"),
    ]);
}

#[test]
fn s_10_an_operand_is_the_alias_after_folding_and_collapsing_space() {
    let project = Project::shop().with_policy(|policy| {
        policy["verification"]["behaviorReview"]["features"][0]["aliases"] = json!(["Straße  bezahlen"]);
    });
    for operand in ["STRASSE\u{a0}Bezahlen", "straße bezahlen", "CHECKOUT"] {
        let flow = Flow::new(WORLD, project.clone());
        let capture = ["behavior-review", "capture-intent", "--intent-file", "-", "--feature", operand, "--format", "json"];
        let document = flow.repo.run_with_input(&capture, INTENT).exits(0).json();
        assert_eq!(names(&document["capture"]["features"]), ["checkout"], "{operand}");
    }
}

#[test]
fn s_11_sections_of_other_engines_are_accepted_and_listed() {
    let mut policy = policy::without_review();
    policy["architecture"] = json!({"layers": [{"name": "domain"}]});
    policy["supplyChain"] = json!({"sbom": true});
    let flow = Flow::new(WORLD, Project { policy, ..Project::shop() });
    flow.change();

    let verbose = flow.status(&["--verbose"]).exits(0);
    let line = "NOT ENFORCED: architecture, supplyChain";
    let printed = verbose.stdout.lines().chain(verbose.stderr.lines()).filter(|candidate| *candidate == line).count();
    assert_eq!(printed, 1, "listed once: {verbose}");
    let report = flow.merge_gate(&["--format", "json"]).exits(0).json();
    assert_eq!(names(&report["not_enforced"]), ["architecture", "supplyChain"]);
}

#[test]
fn s_12_a_duplicate_key_is_refused() {
    let text = policy::shop().to_string();
    let twice = text.replacen("\"version\":4,", "\"version\":4,\"version\":4,", 1);
    assert_ne!(text, twice);
    status_under(&twice).exits(2).names("version").names(".code-polishy.json");

    let nested = text.replacen("\"modules\":[\"checkout\"]", "\"modules\":[\"checkout\"],\"modules\":[\"search\"]", 1);
    assert_ne!(text, nested);
    status_under(&nested).exits(2).names("modules");
}

#[test]
fn other_input_that_is_not_strict_is_refused() {
    let text = policy::shop().to_string();
    for broken in
        [format!("{text} x"), format!("\u{feff}{text}"), text.replacen('4', "4.5", 1), text.replacen('4', "3", 1), "[]".to_owned()]
    {
        status_under(&broken).exits(2).names(".code-polishy.json");
    }
    status_under(b"{\"version\":4,\"modules\":[{\"name\":\"\xff\",\"paths\":[\"a\"]}]}").exits(2).names(".code-polishy.json");
}
