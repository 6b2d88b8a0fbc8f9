//! What a gate takes from earlier runs, and what it never takes: S-89, S-90 (BR-64, BR-72).

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use code_polishy_tests::{Flow, Output, Project, sha256};
use serde_json::{Value, json};

use crate::WORLD;

fn changed(project: Project) -> Flow {
    let flow = Flow::new(WORLD, project);
    flow.change();
    flow
}

fn report(flow: &Flow, gate: &Output) -> Value {
    flow.repo.json(&gate.after("GATE REPORT: "))
}

/// The commands that were reused, each with the run that passed it.
fn reused(report: &Value) -> Vec<(&str, &str)> {
    let commands = report["commands"].as_array().unwrap().iter();
    commands.filter_map(|command| Some((command["name"].as_str()?, command["reused_from"].as_str()?))).collect()
}

#[track_caller]
fn assert_all_reused(flow: &Flow, gate: Output) {
    let report = report(flow, &gate);
    assert_eq!(reused(&report).len(), report["commands"].as_array().unwrap().len(), "{gate}");
}

#[track_caller]
fn assert_none_reused(flow: &Flow, gate: Output) -> Value {
    let report = report(flow, &gate.exits(0).never_says("REUSE "));
    assert_eq!(reused(&report), []);
    report
}

/// Fails in the area that `$HOME/broken` names.
const MENDED_OUTSIDE: &str = r#"#!/bin/sh
set -e
echo "$PWD $1" >> "$HOME/runs.log"
[ "$(cat "$HOME/broken" 2>/dev/null)" != "$1" ]
for case in tests/"$1"/*.sh; do sh "$case"; done
"#;

#[test]
fn s_89_resume_takes_the_passed_commands_of_a_failed_run() {
    let flow = Flow::accepted(WORLD, Project::shop().with_file("run-tests.sh", MENDED_OUTSIDE));
    let broken = flow.repo.area("home").join("broken");
    fs::write(&broken, "search").unwrap();
    let nothing = flow.repo.read_only(|| flow.merge_gate(&["--resume"])).exits(2);
    assert!(nothing.next().starts_with("code-polishy merge-gate"));

    let failed = report(&flow, &flow.merge_gate(&["--jobs", "1"]).exits(1));
    let source = failed["execution_id"].as_str().unwrap();
    fs::remove_file(&broken).unwrap();
    let before = (flow.runs().len(), flow.ordinary_runs().len());
    let gate = flow.merge_gate(&["--resume"]).exits(0).says(&format!("REUSE syntax ({source})"));
    let resumed = report(&flow, &gate);
    assert_eq!(reused(&resumed), [("syntax", source), ("checkout-contract", source)]);
    assert_eq!(flow.ordinary_runs().len(), before.1 + 1, "the suite that failed ran");
    assert_eq!(flow.runs().len(), before.0 + 1 + 3, "and so did the replay");
    assert_eq!(resumed["identity_sha256"], failed["identity_sha256"]);
    assert_ne!(resumed["execution_id"], failed["execution_id"]);
    assert!(gate.stdout.lines().any(|line| line.starts_with("PASS (") && line.contains("2 reused")), "{gate}");

    // A command that was reused twice still names the run in which it ran.
    let again = report(&flow, &flow.merge_gate(&[]).exits(0));
    let ran = resumed["execution_id"].as_str().unwrap();
    assert_eq!(reused(&again), [("syntax", source), ("checkout-contract", source), ("search-contract", ran)]);
}

#[test]
fn s_89_a_failed_run_is_not_reused_unasked() {
    let flow = changed(Project::gated().with_file("run-tests.sh", MENDED_OUTSIDE));
    fs::write(flow.repo.area("home").join("broken"), "checkout").unwrap();
    flow.merge_gate(&[]).exits(1);
    fs::remove_file(flow.repo.area("home").join("broken")).unwrap();
    assert_none_reused(&flow, flow.merge_gate(&[]));
    flow.repo.read_only(|| flow.merge_gate(&["--resume", "--no-reuse"])).exits(2);
    flow.repo.read_only(|| flow.checkpoint_gate(&["--resume"])).exits(2);
}

#[test]
fn s_90_a_changed_policy_reuses_nothing() {
    let flow = changed(Project::gated());
    flow.merge_gate(&[]).exits(0);
    assert_all_reused(&flow, flow.merge_gate(&[]));
    let bytes = flow.repo.read(".code-polishy.json");
    flow.repo.write(".code-polishy.json", [&bytes[..], b"\n"].concat()).commit("Say the same with one more byte");
    assert_none_reused(&flow, flow.merge_gate(&[]));

    let mut other = flow.project.policy.clone();
    other["tests"]["suites"][0]["timeoutSeconds"] = json!(59);
    flow.repo.policy(&other).commit("Define a suite otherwise");
    assert_none_reused(&flow, flow.merge_gate(&[]));
}

#[test]
fn s_90_a_changed_plugin_reuses_nothing() {
    let flow = changed(Project::gated());
    let bundled = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins/dist/exec.wasm")).unwrap();
    // A custom section says nothing and makes another component.
    let rebuilt = [&bundled[..], b"\x00\x0e\x04notea rebuild"].concat();
    let mut digests = BTreeSet::new();
    for component in [bundled, rebuilt] {
        let mut policy = flow.project.policy.clone();
        let digest = sha256(&component);
        policy["plugins"] = json!([{"name": "mine", "kind": "suite-runner", "source": "plugins/mine.wasm", "sha256": digest}]);
        for suite in policy["tests"]["suites"].as_array_mut().unwrap() {
            suite["runner"] = json!("mine");
        }
        flow.repo.write("plugins/mine.wasm", component).policy(&policy).commit("Pin the runner");
        let report = assert_none_reused(&flow, flow.merge_gate(&[]));
        let plugins = report["identity"]["plugins"].as_array().unwrap();
        assert!(plugins.contains(&json!({"name": "mine", "sha256": digest})), "{plugins:?}");
        assert!(digests.insert(report["identity_sha256"].as_str().unwrap().to_owned()));
        assert_all_reused(&flow, flow.merge_gate(&[]));
    }
}

/// A gate whose check is a program on the search path, with a declared variable.
struct Outside {
    flow: Flow,
}

impl Outside {
    fn new() -> Self {
        let project = Project::gated().with_policy(|policy| {
            policy["checks"][0]["argv"] = json!(["shop-lint"]);
            policy["checks"][0]["environment"] = json!(["SHOP_REGION"]);
        });
        let outside = Self { flow: changed(project) };
        fs::create_dir(outside.flow.repo.area("bin")).unwrap();
        outside.program("#!/bin/sh\nexit 0\n");
        outside
    }

    fn program(&self, text: &str) {
        let program = self.flow.repo.area("bin").join("shop-lint");
        fs::write(&program, text).unwrap();
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn gate(&self, options: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = self.flow.repo.command(&[&["merge-gate"], options].concat());
        let path = command.get_envs().find_map(|(name, value)| (name == "PATH").then(|| value.unwrap().to_owned())).unwrap();
        let mut folders: Vec<_> = std::env::split_paths(&path).collect();
        folders.push(self.flow.repo.area("bin"));
        command.env("PATH", std::env::join_paths(folders).unwrap()).envs(variables.iter().copied());
        self.flow.repo.run_command(command)
    }
}

#[test]
fn s_90_a_changed_value_of_a_declared_variable_reuses_nothing() {
    let outside = Outside::new();
    let (flow, base) = (&outside.flow, &["--base", "main"][..]);
    outside.gate(base, &[("SHOP_REGION", "north")]).exits(0);
    assert_none_reused(flow, outside.gate(base, &[("SHOP_REGION", "south")]));
    assert_none_reused(flow, outside.gate(base, &[]));
    assert_none_reused(flow, outside.gate(base, &[("SHOP_REGION", "north"), ("LANG", "C")]));
    assert_all_reused(flow, outside.gate(base, &[("SHOP_REGION", "north"), ("SHOP_TOKEN", "of no concern")]));
    let reports = flow.repo.reports();
    let reports: Vec<_> = reports.paths().into_iter().filter(|path| path.ends_with("report.json")).collect();
    let holds = |path: &str, text: &str| String::from_utf8_lossy(&flow.repo.read(&format!(".code-polishy-reports/{path}"))).contains(text);
    assert!(reports.len() == 5 && !reports.iter().any(|path| holds(path, "north")), "values are kept as digests");
}

#[test]
fn each_other_part_of_the_identity_prevents_reuse() {
    let outside = Outside::new();
    let flow = &outside.flow;
    let gate = |options: &[&str]| outside.gate(options, &[]);
    let first = report(flow, &gate(&["--base", "main"]).exits(0));
    let named = |commands: &Value| commands.as_array().unwrap().iter().map(|command| command["name"].clone()).collect::<Vec<_>>();
    assert_eq!(named(&first["identity"]["commands"]), named(&first["commands"]));

    outside.program("#!/bin/sh\n# another build\nexit 0\n");
    assert_none_reused(flow, gate(&["--base", "main"]));
    assert_all_reused(flow, gate(&["--base", "main"]));
    assert_none_reused(flow, gate(&["--base", "main", "--no-reuse"]));

    flow.repo.write("search/items.txt", "apple\npear\nplum\n").commit("Another candidate");
    assert_none_reused(flow, gate(&["--base", "main"]));
    assert_none_reused(flow, gate(&["--base", "HEAD~1"]));
}

#[test]
fn an_edited_report_is_not_reused() {
    let flow = changed(Project::gated());
    let path = flow.merge_gate(&[]).exits(0).after("GATE REPORT: ");
    let text = String::from_utf8(flow.repo.read(&path)).unwrap();
    flow.repo.write(&path, text.replace("\"status\": \"passed\"", "\"status\": \"failed\""));
    flow.repo.read_only(|| flow.merge_gate(&["--resume"])).exits(2);
    flow.repo.write(&path, text.replacen("\"exit_status\": 0", "\"exit_status\": 1", 1));
    assert_none_reused(&flow, flow.merge_gate(&[]));
}
