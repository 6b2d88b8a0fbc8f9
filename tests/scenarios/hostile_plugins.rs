//! Components that do harm or nonsense, each with the words in which commands refuse it; their text is in the sandbox's tests.

use std::fs;
use std::path::PathBuf;

use code_polishy_tests::{Flow, Project, Repo, policy, sha256};
use serde_json::{Value, json};

use crate::WORLD;

/// Each with the exit status of a gate whose suite it judges, and a word of what is said about it.
const HOSTILE: [(&str, i32, &str); 27] = [
    ("core-module", 2, "a core module"),
    ("doubling", 2, "instantiations of components"),
    ("foreign-import", 2, "acme:net/http@1.0.0#get"),
    ("gigabyte", 3, "too much data"),
    ("grows", 3, "MiB of memory"),
    ("huge-memory", 3, "4096 MiB of memory"),
    ("huge-table", 3, "a table of 10000000 elements"),
    ("long-answer", 3, "the summary has"),
    ("loops", 3, "fuel"),
    ("loops-at-start", 3, "fuel"),
    ("lying-length", 3, "out of bounds"),
    ("many-cases", 3, "200001 cases"),
    ("many-tables", 2, "table"),
    ("newer", 2, "upgrade code-polishy"),
    ("newer-minor", 2, "upgrade code-polishy"),
    ("no-judge", 2, "judge"),
    ("no-kind", 2, "none of the contract's interfaces"),
    ("no-such-outcome", 3, "discriminant"),
    ("not-text", 3, "utf-8"),
    ("not-wasm", 2, "not a valid component"),
    ("older", 2, "rebuild the plugin"),
    ("recurses", 3, "call stack exhausted"),
    ("resource", 2, "acme:io/streams"),
    ("traps", 3, "unreachable"),
    ("traps-at-start", 3, "unreachable"),
    ("truncated", 2, "not a valid component"),
    ("wasi", 2, "--stub-wasi"),
];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/fixtures/hostile/{name}.wasm"))
}

/// The shop whose first suite is judged by this component, with a committed candidate.
fn judged_by(name: &str, component: &[u8], limits: &Value) -> Flow {
    let mut policy = policy::without_review();
    policy["plugins"] = json!([{
        "name": name, "kind": "suite-runner", "source": "tools/runner.wasm", "sha256": sha256(component), "limits": limits,
    }]);
    policy["tests"]["suites"][0]["runner"] = json!(name);
    let repo = Repo::new(WORLD);
    repo.write("tools/runner.wasm", component);
    let flow = Flow::on(repo, Project { policy, ..Project::shop() });
    flow.change();
    flow
}

#[test]
fn every_hostile_component_is_tried() {
    let files = fs::read_dir(file("loops").parent().unwrap()).unwrap();
    let mut names: Vec<String> = files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, HOSTILE.map(|(name, ..)| name));
}

#[test]
fn no_gate_passes_with_a_hostile_runner() {
    for (name, status, says) in HOSTILE {
        let flow = judged_by(name, &fs::read(file(name)).unwrap(), &json!({"fuel": 50_000_000}));
        let gate = flow.merge_gate(&[]).exits(status).names(name).names(says);
        gate.next();
        flow.repo.assert_no_worktree();
    }
}

#[test]
fn a_check_says_the_same_to_the_author() {
    let repo = Repo::new(WORLD);
    for (name, _, says) in HOSTILE {
        repo.run(&["plugin", "check", file(name).to_str().unwrap(), "--fuel", "50000000"]).exits(1).names(says).next();
    }
}

#[test]
fn a_component_of_twenty_megabytes_is_refused_by_its_size() {
    let flow = judged_by("huge", &vec![0; 20_000_000], &json!({}));
    flow.merge_gate(&[]).exits(2).names("20000000 bytes").names("`limits.sizeMiB` of its pin to 20");
}

#[test]
fn the_watchdog_ends_the_command_and_is_no_result() {
    let flow = judged_by("loops", &fs::read(file("loops")).unwrap(), &json!({"fuel": 1_000_000_000_000_u64}));
    let mut gate = flow.repo.command(&["merge-gate", "--base", "main"]);
    gate.env("CODE_POLISHY_WALL_CLOCK_MS", "300");
    let output = flow.repo.run_command(gate).exits(3).names("still running after 0.3 s");
    let report = flow.repo.json(&output.after("GATE REPORT: "));
    assert_eq!(report["status"], "operational");
}
