//! What a review must cover: S-32 to S-41 (BR-35 to BR-41).

use code_polishy_tests::{Flow, INTENT, Project, digest, digest_without, policy};
use serde_json::{Value, json};

use crate::{WORLD, names};

fn shop() -> Flow {
    Flow::new(WORLD, Project::shop())
}

fn edited(edit: impl FnOnce(&mut Value)) -> Flow {
    Flow::new(WORLD, Project::shop().with_policy(edit))
}

/// Commits another policy on top of the flow's own.
fn commit_policy(flow: &Flow, edit: impl FnOnce(&mut Value)) {
    let mut policy = flow.project.policy.clone();
    edit(&mut policy);
    flow.repo.policy(&policy).commit("Change the policy");
}

fn checkout(policy: &mut Value) -> &mut Value {
    &mut policy["verification"]["behaviorReview"]["features"][0]
}

fn required(flow: &Flow) -> Vec<String> {
    names(&flow.status_json(&[])["required"]).into_iter().map(str::to_owned).collect()
}

#[test]
fn s_32_a_deleted_file_keeps_its_owner() {
    let by_module = shop();
    by_module.repo.remove("checkout/receipt.sh").commit("Drop the receipt");
    let status = by_module.status(&[]).exits(0);
    status.says("BEHAVIOR REVIEW: REQUIRED (checkout)").says("FINAL STATE: NOT RUN (required)").says("AFFECTED FEATURES: checkout");

    let by_path = edited(|policy| {
        *checkout(policy) = json!({
            "name": "checkout", "description": "A.", "paths": ["search/*.txt"], "suites": ["checkout-contract"], "requiredAt": "merge"
        })
    });
    by_path.repo.remove("search/items.txt").commit("Sell out");
    assert_eq!(required(&by_path), ["checkout"]);
}

#[test]
fn s_33_a_change_of_a_foundation_selects_its_dependents() {
    let flow = shop();
    flow.repo.write("money/add.sh", "add() { expr \"$1\" + \"$2\"; }\n").commit("Add with expr");
    let status = flow.status_json(&[]);
    assert_eq!((&status["state"], &status["boundary"]), (&json!("required"), &json!("merge")));
    assert!(status["final_state"].as_str().unwrap().starts_with("not-run"), "{status}");
    assert_eq!((&status["base"], &status["candidate"]), (&json!(flow.base), &json!(flow.repo.head())));
    assert_eq!((names(&status["configured"]), names(&status["affected"])), (vec!["checkout", "search"], vec!["checkout"]));
    assert_eq!((names(&status["completed"]), names(&status["missing"])), (vec![], vec!["checkout"]));

    let selection = &status["selection"];
    let expected = json!({
        "boundary": "merge",
        "features": [{
            "name": "checkout",
            "description": "What the shop promises about checkout.",
            "modules": ["checkout"],
            "paths": [],
            "suites": ["checkout-contract"],
            "required_at": "merge",
            "reasons": selection["features"][0]["reasons"],
        }],
        "full_candidate": false,
        "full_candidate_reasons": [],
    });
    assert_eq!(*selection, expected);
    let mut reasons = names(&selection["features"][0]["reasons"]);
    reasons.sort_unstable();
    assert_eq!(reasons, ["base-required", "candidate-required"]);

    let nothing = digest(&json!([]));
    assert_eq!(status["selection_sha256"], digest_without(selection, &["boundary"]));
    assert_eq!(status["requirement_sha256"], nothing.as_str());
    let decision = json!({"selection_sha256": status["selection_sha256"], "requirement_sha256": nothing});
    assert_eq!(status["decision_sha256"], digest(&decision));
}

#[test]
fn the_lines_of_a_status_stand_in_order() {
    let flow = shop();
    flow.change();
    let status = flow.status(&[]).exits(0);
    let lines: Vec<&str> = status.stdout.lines().collect();
    let expected = [
        "BEHAVIOR REVIEW: REQUIRED (checkout)",
        "FINAL STATE: NOT RUN (required)",
        "CONFIGURED FEATURES: checkout, search",
        "AFFECTED FEATURES: checkout",
        "TASK-REQUESTED FEATURES: none",
        "REQUIRED FEATURES: checkout",
        "COMPLETED FEATURES: none",
        "MISSING FEATURES: checkout",
    ];
    assert_eq!(lines[..expected.len()], expected);
    assert!(status.next().contains("code-polishy behavior-review capture-intent "), "{status}");
    flow.repo.git(&["checkout", "--quiet", "main"]);
    flow.capture("Add every price.\n").exits(0);
    flow.repo.git(&["checkout", "--quiet", "-"]);
    assert_eq!(flow.status(&[]).next(), "code-polishy behavior-review prepare --base main");
}

#[test]
fn s_33_a_change_beside_every_feature_selects_none() {
    let flow = shop();
    flow.repo.write("LICENSE", "As is.\n").commit("State the licence");
    let status = flow.status(&[]).exits(0);
    status.says("BEHAVIOR REVIEW: NOT RUN (optional)").says("AFFECTED FEATURES: none").says("MISSING FEATURES: none");
}

#[test]
fn s_34_a_candidate_cannot_weaken_or_delete_a_base_rule() {
    let weakened = shop();
    weakened.change();
    commit_policy(&weakened, |policy| {
        checkout(policy)["requiredAt"] = json!("on-request");
        checkout(policy)["modules"] = json!([]);
        checkout(policy)["paths"] = json!(["web/**"]);
    });
    let feature = weakened.status_json(&[])["selection"]["features"][0].clone();
    assert_eq!((&feature["required_at"], &feature["reasons"]), (&json!("merge"), &json!(["base-required"])));
    assert_eq!((&feature["modules"], &feature["paths"]), (&json!(["checkout"]), &json!(["web/**"])));

    let deleted = shop();
    deleted.change();
    commit_policy(&deleted, |policy| drop(policy["verification"]["behaviorReview"]["features"].as_array_mut().unwrap().remove(0)));
    assert_eq!(deleted.status_json(&[])["selection"]["features"][0]["reasons"], json!(["base-required"]));

    let strengthened = shop();
    strengthened.change();
    commit_policy(&strengthened, |policy| checkout(policy)["requiredAt"] = json!("checkpoint"));
    let at_checkpoint = strengthened.status_json(&["--boundary", "checkpoint"]);
    assert_eq!(at_checkpoint["selection"]["features"][0]["reasons"], json!(["candidate-required"]));
}

#[test]
fn s_35_ownership_at_the_base_counts_after_a_move() {
    let flow = shop();
    flow.change();
    commit_policy(&flow, |policy| policy["modules"][1]["paths"] = json!(["elsewhere/**"]));
    let feature = flow.status_json(&[])["selection"]["features"][0].clone();
    assert_eq!((&feature["name"], &feature["reasons"]), (&json!("checkout"), &json!(["base-required"])));
}

#[test]
fn s_38_a_default_without_features_selects_the_full_candidate() {
    let flow = edited(|policy| policy["verification"]["behaviorReview"] = json!({"defaultRequiredAt": "merge", "features": []}));
    flow.capture(INTENT).exits(0);
    flow.change();
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (all changes)").says("REQUIRED FEATURES: all changes");
    let status = flow.status_json(&[]);
    assert_eq!(status["selection"]["full_candidate_reasons"], json!(["default-required"]));
    assert_eq!((&status["full_candidate"], &status["selection"]["features"]), (&json!(true), &json!([])));
    assert_eq!(flow.status_json(&["--boundary", "checkpoint"])["state"], "not-run", "merge does not reach a checkpoint");

    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    flow.review(flow.reviewer().whole("requested", &["three"]));
    flow.finalize().exits(0);
    let gate = flow.merge_gate(&[]).exits(0);
    gate.says("BEHAVIOR REVIEW: PASSED (all changes)").says("FINAL STATE: PASSED (all changes)");
}

#[test]
fn s_39_a_first_policy_counts_from_the_candidate() {
    let flow = shop();
    flow.repo.git(&["switch", "--quiet", "--orphan", "fresh"]);
    for (path, content) in &flow.project.base {
        flow.repo.write(path, content);
    }
    flow.repo.commit("Open without a policy");
    flow.repo.git(&["branch", "--force", "main"]);
    flow.repo.policy(&flow.project.policy);
    flow.change();

    let status = flow.status_json(&[]);
    assert_eq!(status["selection"]["features"][0]["reasons"], json!(["candidate-required"]));
    let report = flow.merge_gate(&["--format", "json"]).exits(1).json();
    assert_eq!(report["level"], "full");
}

#[test]
fn s_40_ordinary_documentation_is_not_reviewed_unless_asked() {
    let full = |policy: &mut Value| policy["verification"]["behaviorReview"] = json!({"defaultRequiredAt": "merge", "features": []});
    let by_module = |policy: &mut Value| policy["modules"][1]["paths"] = json!(["**"]);
    for edit in [full as fn(&mut Value), by_module] {
        let flow = edited(edit);
        flow.repo.write("README.md", "# Shop\n\nOpen daily.\n").commit("Say when");
        flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: NOT RUN (optional)");
    }

    let by_pattern = edited(|policy| checkout(policy)["paths"] = json!(["*.md"]));
    by_pattern.repo.write("README.md", "# Shop\n\nOpen daily.\n").commit("Say when");
    assert_eq!(required(&by_pattern), ["checkout"]);
    assert_eq!(by_pattern.merge_gate(&["--format", "json"]).exits(1).json()["level"], "documentation");

    let by_task = shop();
    let arguments = ["behavior-review", "capture-intent", "--intent-file", "-", "--feature", "search"];
    by_task.repo.run_with_input(&arguments, INTENT).exits(0);
    by_task.repo.write("README.md", "# Shop\n\nOpen daily.\n").commit("Say when");
    let status = by_task.status_json(&[]);
    assert_eq!(status["selection"]["features"][0]["reasons"], json!(["task-requested"]));
    assert_ne!(status["requirement_sha256"], digest(&json!([])).as_str());
}

#[test]
fn s_41_a_rename_into_and_out_of_a_feature_selects_it() {
    for (from, to) in [("search/find.sh", "checkout/find.sh"), ("checkout/receipt.sh", "search/receipt.sh")] {
        let flow = shop();
        flow.repo.git(&["mv", from, to]);
        flow.repo.commit("Move a script");
        assert_eq!(required(&flow), ["checkout"], "{from} to {to}");
    }
}

#[test]
fn s_91_a_policy_removed_by_the_candidate_still_holds() {
    let flow = shop();
    flow.change();
    flow.repo.remove(".code-polishy.json").commit("Drop the policy");
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)");
    let gate = flow.merge_gate(&[]).exits(1);
    gate.says("BEHAVIOR REVIEW: REQUIRED (checkout)").names("policy.behaviorReview");
    assert!(flow.runs().is_empty());

    flow.repo.policy(&policy::without_review()).commit("Bring back half of it");
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)");
}
