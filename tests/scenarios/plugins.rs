//! Runners that do not answer: each is named, fails its command, and lets nothing through.

use code_polishy_tests::{Flow, INTENT, Project, Repo, policy, sha256};
use serde_json::{Value, json};

use crate::WORLD;

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
