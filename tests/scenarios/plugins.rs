//! Plugins of others at work: S-49, S-68, S-69, S-90 with what `plugin add` pinned, and runners that do not answer, which let nothing through.

use code_polishy_tests::{Flow, INTENT, Project, Repo, policy, sha256};
use serde_json::{Value, json};

use crate::WORLD;
use crate::plugin_add::{fixture, rebuilt};

/// Runners made for the test, each with a word of what is said about it; their text is in the sandbox's tests.
const RUNNERS: [(&str, &[u8], &str); 2] = [
    ("loops", include_bytes!("../fixtures/hostile/loops.wasm"), "fuel"),
    ("traps", include_bytes!("../fixtures/hostile/traps.wasm"), "unreachable"),
];

/// The shop whose first suite is judged by this runner, up to a committed candidate.
fn changed(mut policy: Value, name: &str, component: &[u8]) -> Flow {
    let source = format!("tools/{name}.wasm");
    let limits = json!({"fuel": 5_000_000});
    policy["plugins"] = json!([{"name": name, "kind": "suite-runner", "source": source, "sha256": sha256(component), "limits": limits}]);
    policy["tests"]["suites"][0]["runner"] = json!(name);
    let repo = Repo::new(WORLD);
    repo.write(&format!("tools/{name}.wasm"), component);
    let flow = Flow::on(repo, Project { policy, ..Project::shop() });
    flow.capture(INTENT).exits(0);
    flow.change();
    flow
}

#[test]
fn a_runner_that_loops_or_traps_proves_nothing() {
    for (name, component, why) in RUNNERS {
        let flow = changed(policy::shop(), name, component);
        flow.prepare().exits(0);
        flow.prove("three").exits(3).names(name).names(why);
        assert!(!flow.repo.has_evidence("proofs/three.json"));
        flow.repo.assert_no_worktree();
    }
}

#[test]
fn a_runner_that_loops_or_traps_passes_no_gate() {
    for (name, component, why) in RUNNERS {
        let flow = changed(policy::without_review(), name, component);
        let gate = flow.merge_gate(&[]).exits(3).names(name).names(why);
        let report = flow.repo.json(&gate.after("GATE REPORT: "));
        assert_eq!(report["status"], "operational");
        let suite = policy::without_review()["tests"]["suites"][0]["name"].clone();
        flow.repo.run(&["test", "--suite", suite.as_str().unwrap()]).exits(3).names(name);
    }
}

/// Writes a case a line, in the form that junit-lite reads; the candidate's `checkout/mode` says how it misbehaves.
const REPORTING: &str = r#"#!/bin/sh
: > junit.xml
mode="$(cat checkout/mode 2> /dev/null)"
[ "$mode" != none ] || exit 0
status=0
for case in tests/"$1"/*.sh; do
    name="$case" failure=""
    sh "$case" || { failure="<failure/>"; status=1; }
    case "$mode:$case" in
        vanishes:*three.sh) continue ;;
        renamed:*three.sh) name="$case again" ;;
        stays:*three.sh) failure="<failure/>" ;;
    esac
    echo "<testcase name=\"$name\">$failure</testcase>" >> junit.xml
done
exit "$status"
"#;

/// The project after `edit` has added plugins and used them, all of it in the base.
fn with_plugins(project: Project, edit: impl FnOnce(&Repo)) -> Flow {
    let flow = Flow::new(WORLD, project);
    edit(&flow.repo);
    flow.repo.commit("Use plugins");
    flow.repo.git(&["branch", "--force", "main"]);
    flow
}

fn add(repo: &Repo, arguments: &[&str]) {
    repo.run(&[&["plugin", "add"], arguments].concat()).exits(0);
}

/// Changes the policy of the working tree.
fn edit_policy(repo: &Repo, edit: impl FnOnce(&mut Value)) {
    let mut policy = repo.json(".code-polishy.json");
    edit(&mut policy);
    repo.policy(&policy);
}

/// The shop whose first suite is judged by what its `junit.xml` says.
fn reporting(project: Project) -> Flow {
    with_plugins(project.with_file("run-tests.sh", REPORTING), |repo| {
        repo.write(".gitignore", ".code-polishy-reports/\n/junit.xml\n");
        add(repo, &[&fixture("junit-lite")]);
        edit_policy(repo, |policy| policy["tests"]["suites"][0]["runner"] = json!("junit-lite"));
    })
}

/// The change, and whatever else the candidate does, up to a packet.
fn prepared(flow: Flow, candidate: impl FnOnce(&Repo)) -> Flow {
    flow.capture(INTENT).exits(0);
    candidate(&flow.repo);
    flow.change();
    flow.prepare().exits(0);
    flow
}

#[test]
fn s_49_an_added_classifier_answers_first() {
    let options = r#"{"folders": {"checkout/": "generated", "tests/": "development"}}"#;
    let flow = with_plugins(Project::shop(), |repo| add(repo, &[&fixture("path-labels"), "--options", options]));
    let flow = prepared(flow, |repo| drop(repo.write("x.md", "x\n").path("x.md")));
    assert_eq!(role(&flow, "checkout/total.sh"), "generated");
    assert_eq!(role(&flow, "tests/checkout/three.sh"), "development");
    assert_eq!(role(&flow, "x.md"), "current-state-documentation", "what it leaves goes to the next one");
}

#[test]
fn s_49_classifiers_are_asked_in_the_order_in_which_they_were_added() {
    let options = r#"{"folders": {"checkout/": "generated"}}"#;
    let orders: [(&[&str], &str); 2] = [(&["path-labels", "all-tests"], "generated"), (&["all-tests", "path-labels"], "test")];
    for (order, expected) in orders {
        let flow = with_plugins(Project::shop(), |repo| {
            for name in order {
                let source = fixture(name);
                let options = if *name == "path-labels" { vec![source.as_str(), "--options", options] } else { vec![source.as_str()] };
                add(repo, &options);
            }
        });
        assert_eq!(role(&prepared(flow, |_| {}), "checkout/total.sh"), expected, "{order:?}");
    }
}

#[test]
fn s_49_a_candidate_that_swaps_the_classifier_is_judged_by_both() {
    let strict = r#"{"folders": {"checkout/": "production-source"}}"#;
    let base = || with_plugins(Project::shop(), |repo| add(repo, &[&fixture("path-labels"), "--name", "house", "--options", strict]));
    let lenient: [&dyn Fn(&Repo); 4] = [
        &|repo| {
            // Other bytes under the name, pinned as they are.
            edit_policy(repo, |policy| policy["plugins"][0]["options"] = json!({}));
            add(repo, &[&fixture("all-tests"), "--name", "house"]);
        },
        &|repo| add(repo, &[&fixture("path-labels"), "--name", "house", "--options", r#"{"folders": {"checkout/": "test"}}"#]),
        &|repo| {
            // Another one, asked before the one that the base pins.
            add(repo, &[&fixture("all-tests")]);
            edit_policy(repo, |policy| policy["plugins"].as_array_mut().unwrap().reverse());
        },
        &|repo| edit_policy(repo, |policy| policy["plugins"] = json!([])),
    ];
    for swap in lenient {
        let flow = prepared(base(), |repo| {
            swap(repo);
            repo.write("checkout/spec.sh", "true\n");
        });
        assert_eq!(role(&flow, "checkout/total.sh"), "production-source");
        let evidence = ["--evidence", "tests/checkout/three.sh", "--evidence", "checkout/spec.sh"];
        let proof = [&["regression-proof", "--base", "main", "--suite", "checkout-contract", "--id", "three"], &evidence[..]].concat();
        flow.repo.run(&proof).exits(1).names("checkout/spec.sh").names("production-source");
    }

    // The other way round, the candidate's own classifier is the stricter one.
    let lenient = with_plugins(Project::shop(), |repo| add(repo, &[&fixture("all-tests"), "--name", "house"]));
    let flow = prepared(lenient, |repo| add(repo, &[&fixture("path-labels"), "--name", "house", "--options", strict]));
    assert_eq!(role(&flow, "checkout/total.sh"), "production-source");
}

#[test]
fn s_49_bytes_that_no_pin_names_stop_everything() {
    let flow = with_plugins(Project::shop(), |repo| add(repo, &[&fixture("path-labels"), "--name", "house"]));
    flow.capture(INTENT).exits(0);
    flow.repo.write(".code-polishy/plugins/house.wasm", std::fs::read(fixture("all-tests")).unwrap());
    flow.change();
    flow.repo.read_only(|| flow.prepare()).exits(2).names("house");
    for gate in [flow.merge_gate(&[]), flow.checkpoint_gate(&[])] {
        gate.exits(2).names("house");
    }
    assert_eq!(flow.runs(), [], "nothing ran");
}

#[test]
fn a_runner_that_no_pin_names_stops_a_gate_before_anything_runs() {
    let mut project = Project::shop();
    project.policy = policy::without_review();
    let flow = reporting(project);
    flow.change();
    flow.merge_gate(&[]).exits(0);
    let ran = std::fs::read(flow.repo.path("junit.xml")).unwrap();
    std::fs::write(flow.repo.path("junit.xml"), "untouched").unwrap();
    flow.repo.write(".code-polishy/plugins/junit-lite.wasm", rebuilt(&std::fs::read(fixture("junit-lite")).unwrap(), 9));
    flow.repo.commit("Swap the runner");
    for gate in [flow.merge_gate(&["--no-reuse"]), flow.checkpoint_gate(&["--no-reuse"]), flow.repo.run(&["test", "--all"])] {
        gate.exits(2).names("junit-lite");
    }
    assert_eq!(flow.repo.read("junit.xml"), b"untouched", "no suite ran");
    assert!(String::from_utf8(ran).unwrap().contains("testcase"));
}

#[test]
fn s_68_an_added_runner_that_saw_no_test_proves_nothing() {
    let flow = prepared(reporting(Project::shop()), |repo| drop(repo.write("checkout/mode", "none").path("")));
    flow.prove("three").exits(1).names("without tests");
    assert!(!flow.repo.has_evidence("proofs/three.json"));
    flow.repo.assert_no_worktree();
}

#[test]
fn s_69_an_added_runner_holds_a_proof_to_its_cases() {
    let honest = prepared(reporting(Project::shop()), |_| {});
    honest.prove("three").exits(0);
    let record = honest.repo.evidence("proofs/three.json");
    assert_eq!(record["flipped_cases"], json!(["tests/checkout/three.sh"]));
    assert_eq!(record["runner"], json!({"name": "junit-lite", "sha256": sha256(std::fs::read(fixture("junit-lite")).unwrap())}));
    for mode in ["stays", "vanishes", "renamed"] {
        let flow = prepared(reporting(Project::shop()), |repo| drop(repo.write("checkout/mode", mode).path("")));
        let output = flow.prove("three").exits(1);
        assert!(!flow.repo.has_evidence("proofs/three.json"), "{mode}: {output}");
        flow.repo.assert_no_worktree();
    }
}

#[test]
fn s_90_another_component_or_other_options_reuse_nothing() {
    let mut project = Project::shop();
    project.policy = policy::without_review();
    let flow = reporting(project);
    let repo = &flow.repo;
    flow.change();
    let gate = || repo.json(&flow.merge_gate(&[]).exits(0).after("GATE REPORT: "));
    let reused =
        |report: &Value| report["commands"].as_array().unwrap().iter().filter(|command| command["reused_from"].is_string()).count();
    let (first, second) = (gate(), gate());
    assert_eq!((reused(&first), reused(&second)), (0, second["commands"].as_array().unwrap().len()));

    repo.write("rebuilt.wasm", rebuilt(&std::fs::read(fixture("junit-lite")).unwrap(), 9));
    add(repo, &["rebuilt.wasm"]);
    let digest = sha256(repo.read("rebuilt.wasm"));
    repo.remove("rebuilt.wasm").commit("Take the runner's new build");
    let report = gate();
    assert_eq!(reused(&report), 0);
    assert!(report["identity"]["plugins"].as_array().unwrap().contains(&json!({"name": "junit-lite", "sha256": digest})));
    assert_ne!(report["identity_sha256"], second["identity_sha256"]);

    add(repo, &[&fixture("path-labels"), "--options", r#"{"trustAttributes": true}"#]);
    repo.commit("Ask a classifier");
    assert_eq!(reused(&gate()), 0);
    add(repo, &[&fixture("path-labels"), "--options", r#"{"trustAttributes": false}"#]);
    repo.commit("Ask it otherwise");
    assert_eq!(reused(&gate()), 0);
}

fn role(flow: &Flow, path: &str) -> String {
    let packet = flow.packet();
    let mut entries = packet["final_state_evidence"]["paths"].as_array().unwrap().iter();
    let entry = entries.find(|entry| entry["path"] == path).unwrap_or_else(|| panic!("no evidence of {path}"));
    entry["role"].as_str().unwrap().to_owned()
}
