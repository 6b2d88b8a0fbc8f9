//! What the renderers for other tools make of real gates: SARIF, JUnit XML and GitLab's Code Quality.

use std::collections::{BTreeMap, BTreeSet};

use code_polishy_tests::{Flow, Output, Project, Repo};
use serde_json::{Value, json};

use crate::WORLD;

/// Every renderer that comes with the program, with the files that it writes.
const RENDERERS: [(&str, &[&str]); 6] = [
    ("markdown", &["report.md"]),
    ("html", &["report.html"]),
    ("github", &["annotations.txt", "summary.md"]),
    ("sarif", &["report.sarif"]),
    ("junit", &["junit.xml"]),
    ("gitlab", &["gl-code-quality-report.json"]),
];

/// The shop without a review under this script, and all renderers.
fn rendered_by_all(script: &'static str, edit: impl FnOnce(&mut Value)) -> Flow {
    let project = Project::gated().with_file("run-tests.sh", script).with_policy(|policy| {
        policy["verification"] = json!({});
        policy["reports"] = json!({"renderers": RENDERERS.map(|(name, _)| name), "strict": true});
        edit(policy);
    });
    let flow = Flow::new(WORLD, project);
    flow.change();
    flow
}

/// The paths that a gate names, by their ends: `RENDERER/FILE`.
fn renders(gate: &Output) -> BTreeMap<String, String> {
    let paths = gate.stdout.lines().filter_map(|line| line.strip_prefix("RENDER: "));
    paths.map(|path| (path.split("/renders/").nth(1).expect("in the folder of renders").to_owned(), path.to_owned())).collect()
}

fn text(repo: &Repo, gate: &Output, end: &str) -> String {
    let renders = renders(gate);
    let path = renders.get(end).unwrap_or_else(|| panic!("{end} is not among {renders:?}"));
    String::from_utf8(repo.read(path)).expect("text")
}

fn results(flow: &Flow, gate: &Output) -> Vec<Value> {
    let log: Value = serde_json::from_str(&text(&flow.repo, gate, "sarif/report.sarif")).expect("JSON");
    log["runs"][0]["results"].as_array().expect("results").clone()
}

fn issues(flow: &Flow, gate: &Output) -> Vec<Value> {
    serde_json::from_str(&text(&flow.repo, gate, "gitlab/gl-code-quality-report.json")).expect("a list")
}

#[test]
fn a_gate_writes_the_files_of_every_bundled_renderer() {
    let flow = rendered_by_all("#!/bin/sh\nexit 0\n", |_| ());
    let listed = flow.repo.run(&["plugin", "list", "--format", "json"]).exits(0).json().to_string();
    let gate = flow.merge_gate(&[]).exits(0);
    let expected: BTreeSet<String> =
        RENDERERS.iter().flat_map(|(name, files)| files.iter().map(move |file| format!("{name}/{file}"))).collect();
    let found = renders(&gate);
    assert_eq!(found.keys().cloned().collect::<BTreeSet<_>>(), expected);
    assert_eq!(found.values().collect::<BTreeSet<_>>().len(), expected.len(), "no file takes another's place");
    for (end, path) in found {
        assert!(!flow.repo.read(&path).is_empty(), "{end}");
    }
    assert!(RENDERERS.iter().all(|(name, _)| listed.contains(&format!("\"{name}\""))), "each is listed: {listed}");
    assert_eq!((results(&flow, &gate), issues(&flow, &gate)), (vec![], vec![]), "a passed gate has nothing to mend");
}

#[test]
fn a_failed_suite_is_told_to_every_tool() {
    let flow = rendered_by_all("#!/bin/sh\n[ \"$1\" != search ]\n", |_| ());
    let gate = flow.merge_gate(&[]).exits(1);
    let report = flow.repo.json(&gate.after("GATE REPORT: "));
    let log = report["findings"][0]["path"].as_str().expect("the log").to_owned();

    let results = results(&flow, &gate);
    assert_eq!((results.len(), &results[0]["ruleId"]), (1, &json!("gate.command-exit")));
    assert_eq!(results[0]["attachments"][0]["artifactLocation"]["uri"], json!(log));
    let place = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    let issues = issues(&flow, &gate);
    assert_eq!((issues.len(), &issues[0]["location"]["path"]), (1, place), "a failed suite is at no file of the candidate");
    assert!(flow.repo.path(place.as_str().expect("a path")).is_file());
    assert_eq!(results[0]["partialFingerprints"]["codePolishyFinding/v1"], issues[0]["fingerprint"]);

    let junit = text(&flow.repo, &gate, "junit/junit.xml");
    assert!(junit.contains("name=\"search-contract\"") && junit.matches("<failure ").count() == 1 && !junit.contains("<error "), "{junit}");

    let again = flow.merge_gate(&["--no-reuse"]).exits(1);
    let fingerprint = |gate: &Output| self::issues(&flow, gate)[0]["fingerprint"].clone();
    assert_eq!(fingerprint(&again), fingerprint(&gate), "another run has another log, and the same finding");
}

#[test]
fn a_document_is_told_at_its_line() {
    let flow = rendered_by_all("#!/bin/sh\nexit 0\n", |_| ());
    let base = flow.repo.head();
    flow.repo.write("docs/guide.md", "# Guide\n\nSee [more](missing.md).\n").commit("Write a guide");
    let gate = flow.repo.run(&["checkpoint-gate", "--base", &base]).exits(1);
    let results = results(&flow, &gate);
    let physical = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!((&physical["artifactLocation"]["uri"], &physical["region"]["startLine"]), (&json!("docs/guide.md"), &json!(3)));
    let issues = issues(&flow, &gate);
    assert_eq!(issues[0]["location"], json!({"path": "docs/guide.md", "lines": {"begin": 3}}));
    assert!(text(&flow.repo, &gate, "junit/junit.xml").contains("docs/guide.md:3: "));
}
