//! Classifiers that a policy names: the bundled `attributes`, and an organisation's own (S-49; BR-22, 3.5, 3.7).

use std::fs;
use std::path::{Path, PathBuf};

use code_polishy_tests::{Flow, INTENT, Output, Project, Repo, sha256};
use serde_json::{Value, json};

use crate::WORLD;

const ATTRIBUTES: &[u8] = include_bytes!("../../plugins/dist/attributes.wasm");
/// Another component that reads attributes, as an earlier release could have bundled.
const LABELS: &[u8] = include_bytes!("../fixtures/path-labels/dist/path-labels.wasm");

const TOTAL: &str = "checkout/total.sh";
const TEST: &str = "tests/checkout/three.sh";

fn pin(policy: &mut Value, options: &Value) {
    policy["plugins"] =
        json!([{"name": "attributes", "kind": "path-roles", "source": "attributes", "sha256": sha256(ATTRIBUTES), "options": options}]);
}

fn pinning(options: &Value) -> Project {
    Project::shop().with_policy(|policy| pin(policy, options))
}

/// The project's change, captured and committed after what a candidate does besides; the base has these attributes.
fn changed(project: Project, base_attributes: &str, also: impl FnOnce(&Flow)) -> Flow {
    let repo = Repo::new(WORLD);
    repo.write(".gitattributes", base_attributes);
    let flow = Flow::on(repo, project);
    flow.capture(INTENT).exits(0);
    also(&flow);
    flow.change();
    flow
}

fn prepared(project: Project, base_attributes: &str, also: impl FnOnce(&Flow)) -> Flow {
    let flow = changed(project, base_attributes, also);
    flow.prepare().exits(0);
    flow
}

fn role(flow: &Flow, path: &str) -> String {
    let packet = flow.packet();
    let mut entries = packet["final_state_evidence"]["paths"].as_array().unwrap().iter();
    let entry = entries.find(|entry| entry["path"] == path).unwrap_or_else(|| panic!("no evidence of {path}"));
    entry["role"].as_str().unwrap().to_owned()
}

#[test]
fn attributes_give_roles_where_a_policy_pins_their_classifier() {
    let attributes = "checkout/** linguist-generated\ntests/** linguist-vendored\nREADME.md linguist-documentation\n";
    let silent = prepared(Project::shop(), attributes, |_| {});
    assert_eq!([role(&silent, TOTAL), role(&silent, TEST)], ["production-source", "test"], "nobody asked for attributes");

    let asked = prepared(pinning(&json!({})), attributes, |_| {});
    assert_eq!([role(&asked, TOTAL), role(&asked, TEST)], ["generated", "production-source"]);
    asked.prove("three").exits(1).names(TEST).names("production-source");

    let mapped = prepared(pinning(&json!({"vendored": "development", "generated": "none"})), attributes, |_| {});
    assert_eq!([role(&mapped, TOTAL), role(&mapped, TEST)], ["production-source", "development"]);
    mapped.prove("three").exits(0);
}

#[test]
fn an_attribute_that_is_unset_leaves_the_path_to_the_conventions() {
    let attributes = "checkout/** linguist-generated\ntests/** linguist-vendored\n";
    let exceptions = "checkout/total.sh -linguist-generated\ntests/checkout/** linguist-vendored=false\n";
    let flow = prepared(pinning(&json!({})), &format!("{attributes}{exceptions}"), |_| {});
    assert_eq!([role(&flow, TOTAL), role(&flow, TEST)], ["production-source", "test"]);
}

#[test]
fn s_49_attributes_of_a_candidate_weaken_nothing() {
    let labelled = |attributes: &'static str| move |flow: &Flow| drop(flow.repo.write(".gitattributes", attributes).path(""));
    let weaker = prepared(pinning(&json!({})), "", labelled("* linguist-generated\n"));
    assert_eq!([role(&weaker, TOTAL), role(&weaker, TEST)], ["production-source", "test"]);

    let unlabelled = prepared(pinning(&json!({})), "tests/** linguist-vendored\n", labelled("tests/** -linguist-vendored\n"));
    assert_eq!(role(&unlabelled, TEST), "production-source");
    unlabelled.prove("three").exits(1).names("production-source");

    let deeper =
        prepared(pinning(&json!({})), "", |flow| drop(flow.repo.write("checkout/.gitattributes", "* linguist-generated\n").path("")));
    assert_eq!(role(&deeper, TOTAL), "production-source");

    let stricter = prepared(pinning(&json!({})), "", labelled("tests/** linguist-vendored\n"));
    assert_eq!(role(&stricter, TEST), "production-source", "a candidate may ask for more");
}

#[test]
fn s_49_a_candidate_that_pins_the_classifier_or_drops_it_weakens_nothing() {
    let attributes = "checkout/** linguist-generated\ntests/** linguist-vendored\n";
    let commit = |flow: &Flow, edit: &dyn Fn(&mut Value)| {
        let mut policy = flow.project.policy.clone();
        edit(&mut policy);
        flow.repo.policy(&policy).commit("Change the policy");
    };
    let pinned = prepared(Project::shop(), attributes, |flow| commit(flow, &|policy| pin(policy, &json!({"vendored": "test"}))));
    assert_eq!([role(&pinned, TOTAL), role(&pinned, TEST)], ["production-source", "test"]);
    let dropped = prepared(pinning(&json!({})), attributes, |flow| commit(flow, &|policy| policy["plugins"] = json!([])));
    assert_eq!([role(&dropped, TOTAL), role(&dropped, TEST)], ["production-source", "production-source"]);
}

#[test]
fn a_pin_of_a_bundled_component_names_its_bytes() {
    let other = |policy: &mut Value| {
        pin(policy, &json!({}));
        policy["plugins"][0]["sha256"] = json!(sha256(LABELS));
        policy["plugins"][0]["options"] = json!({"trustAttributes": true});
    };
    let flow = changed(Project::shop().with_policy(other), "checkout/** linguist-generated\n", |_| {});
    flow.prepare().exits(2).names(&sha256(ATTRIBUTES)).names(&sha256(LABELS));
    flow.repo.run(&["plugin", "list"]).exits(0).names("mismatch");

    let store = flow.repo.area("home").join(".local/share/code-polishy/plugins");
    fs::create_dir_all(&store).unwrap();
    fs::write(store.join("attributes.wasm"), LABELS).unwrap();
    flow.prepare().exits(0);
    assert_eq!(role(&flow, TOTAL), "generated", "the store has the component that the policy pins");

    let unknown = |policy: &mut Value| {
        pin(policy, &json!({}));
        policy["plugins"][0]["source"] = json!("nobody");
    };
    changed(Project::shop().with_policy(unknown), "", |_| {}).prepare().exits(2).names("nobody").names("not in your plugin store");
}

#[test]
fn options_that_the_classifier_does_not_know_are_refused() {
    for options in [json!({"vendored": "harmless"}), json!({"vendord": "test"})] {
        let flow = changed(pinning(&options), "* linguist-vendored\n", |_| {});
        flow.prepare().exits(3).names("attributes").names("options");
    }
}

fn built(repo: &Repo, folder: &Path, dist: &str) -> Output {
    let mut command = repo.command(&["plugin", "build", folder.to_str().unwrap(), "--dist", dist]);
    let home = PathBuf::from(std::env::var_os("HOME").unwrap());
    command.env("CARGO_HOME", std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from));
    command.env("CARGO_TARGET_DIR", Path::new(WORLD.scratch).join("built-plugins"));
    repo.run_command(command)
}

#[test]
fn the_example_of_an_organisation_builds_passes_its_cases_and_gives_roles() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/org-roles").canonicalize().unwrap();
    let flow = Flow::new(WORLD, Project::shop());
    built(&flow.repo, &example, "tools").exits(0);
    let component = "tools/org-roles.wasm";
    let cases = example.join("cases");
    flow.repo.run(&["plugin", "check", component, "--cases", cases.to_str().unwrap()]).exits(0).names("keeps the contract");

    let digest = sha256(flow.repo.read(component));
    let mut policy = flow.project.policy.clone();
    policy["plugins"] = json!([{
        "name": "org-roles", "kind": "path-roles", "source": component, "sha256": digest,
        "options": {"folders": {"checkout/": "development"}},
    }]);
    flow.repo.policy(&policy).commit("Take the house rules");
    flow.repo.git(&["branch", "--force", "main"]);
    flow.capture(INTENT).exits(0);
    flow.repo.write("ops/deploy.sh", "true\n").write("golden/total.txt", "9\n");
    flow.change();
    flow.prepare().exits(0);
    let roles = ["ops/deploy.sh", "golden/total.txt", TOTAL, TEST].map(|path| role(&flow, path));
    assert_eq!(roles, ["development", "fixture", "development", "test"]);
}
