//! What an author of a plugin works with: a new project, its check with cases, one call, a look from outside, and warm code.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use code_polishy_tests::{Output, Repo, sha256};
use serde_json::{Value, json};

use crate::WORLD;

const PATH_LABELS: &[u8] = include_bytes!("../fixtures/path-labels/dist/path-labels.wasm");
const JUNIT_LITE: &[u8] = include_bytes!("../fixtures/junit-lite/dist/junit-lite.wasm");
const LOOPS: &[u8] = include_bytes!("../fixtures/hostile/loops.wasm");
const TRAPS: &[u8] = include_bytes!("../fixtures/hostile/traps.wasm");
const EXEC: &[u8] = include_bytes!("../../plugins/dist/exec.wasm");

/// A repository with these components in its root.
fn with(components: &[(&str, &[u8])]) -> Repo {
    let repo = Repo::new(WORLD);
    for (name, component) in components {
        repo.write(name, component);
    }
    repo
}

/// A case of `path-labels`: the folder `gen` is labelled.
fn labelled(role: &str) -> Value {
    json!({
        "call": "classify",
        "input": {
            "paths": [{"path": "gen/a.rs"}, {"path": "src/a.rs"}],
            "options": {"folders": {"gen/": "generated"}},
        },
        "expect": {"roles": {"gen/a.rs": role, "src/a.rs": null}},
    })
}

/// A call of `junit-lite` with this report.
fn judged(report: &str) -> Value {
    json!({
        "suite": {"name": "unit", "kind": "unit", "argv": ["make"], "cwd": "."},
        "execution": {"exit": {"code": 0}, "files": [{"path": "junit.xml", "content": report}]},
    })
}

fn write_json(repo: &Repo, path: &str, value: &Value) {
    repo.write(path, serde_json::to_vec(value).unwrap());
}

fn check(repo: &Repo, more: &[&str]) -> Output {
    repo.run(&[&["plugin", "check", "path-labels.wasm", "--cases", "cases"], more].concat())
}

/// Where cargo of whoever runs the tests keeps the crates that it has.
fn cargo_home() -> PathBuf {
    env::var_os("CARGO_HOME").map_or_else(|| Path::new(&env::var_os("HOME").unwrap()).join(".cargo"), PathBuf::from)
}

#[test]
fn a_new_rust_plugin_builds_and_passes_its_check() {
    let repo = Repo::new(WORLD);
    for kind in ["suite-runner", "path-roles", "report-renderer"] {
        let name = format!("new-{kind}");
        repo.run(&["plugin", "new", &name, "--kind", kind, "--lang", "rust"]).exits(0).names(kind);
        let mut build = repo.command(&["plugin", "build", &name, "--dist", &format!("{name}/dist")]);
        // The standard library is built once for all of them.
        build.env("CARGO_HOME", cargo_home()).env("CARGO_TARGET_DIR", Path::new(WORLD.scratch).join("new-plugins"));
        repo.run_command(build).exits(0);
        let component = format!("{name}/dist/{name}.wasm");
        assert!(repo.read(&component).len() <= 100 << 10, "{kind}: a small plugin");
        repo.run(&["plugin", "check", &component, "--cases", &format!("{name}/cases")]).exits(0).names("as 2 cases expect");
        let readme = String::from_utf8(repo.read(&format!("{name}/README.md"))).unwrap();
        assert_eq!(readme.lines().filter(|line| line.starts_with("code-polishy plugin ")).count(), 3, "the three next commands:\n{readme}");
    }
}

#[test]
fn a_new_plugin_needs_a_plain_name_and_a_free_folder() {
    let repo = with(&[("taken/notes.txt", b"mine")]);
    let new = |name: &str, more: &[&str]| {
        repo.run(&[&["plugin", "new", name, "--kind", "path-roles", "--lang", "rust", "--format", "json"], more].concat())
    };
    for name in ["Roles", "a_b", "../up", "test", "a.b"] {
        assert_eq!(new(name, &[]).exits(2).diagnostics()[0]["code"], "plugin-new.name", "{name}");
    }
    assert_eq!(new("roles", &["--dir", "taken"]).exits(2).diagnostics()[0]["code"], "plugin-new.not-empty");
    assert_eq!(fs::read_dir(repo.path("taken")).unwrap().count(), 1);
    let written = new("roles", &["--dir", "a/b"]).exits(0).json();
    assert_eq!((&written["state"], &written["project"]["kind"]), (&json!("written"), &json!("path-roles")));
    for file in written["project"]["files"].as_array().unwrap() {
        assert!(repo.path("a/b").join(file.as_str().unwrap()).is_file(), "{file}");
    }
}

#[test]
fn a_case_that_differs_is_shown_and_accepted() {
    let repo = with(&[("path-labels.wasm", PATH_LABELS)]);
    write_json(&repo, "cases/labels.json", &labelled("test"));
    let refused = check(&repo, &[]).exits(1);
    assert_eq!(refused.next(), "mend the plugin, or run it again with --accept when the new answers are the right ones");
    refused.says("  /roles/gen~1a.rs").says("    - \"test\"").says("    + \"generated\"");
    let document = check(&repo, &["--format", "json"]).exits(1).json();
    let expected = json!([{
        "case": "labels", "state": "differs",
        "differences": [{"pointer": "/roles/gen~1a.rs", "expected": "\"test\"", "actual": "\"generated\""}],
    }]);
    assert_eq!((&document["state"], &document["check"]["cases"]), (&json!("refused"), &expected));

    check(&repo, &["--accept"]).exits(0).says("ACCEPTED case labels: the answer is written as the expected one");
    assert_eq!(repo.json("cases/labels.json"), labelled("generated"));
    let accepted = repo.read("cases/labels.json");
    check(&repo, &[]).exits(0).says("PASS case labels").names("as 1 case expect");
    check(&repo, &["--accept"]).exits(0).says("PASS case labels");
    assert_eq!(repo.read("cases/labels.json"), accepted, "what is right is not written again");
}

#[test]
fn a_case_without_an_expectation_passes_once_it_is_accepted() {
    let repo = with(&[("path-labels.wasm", PATH_LABELS)]);
    let mut case = labelled("test");
    case.as_object_mut().unwrap().remove("expect");
    write_json(&repo, "cases/labels.json", &case);
    check(&repo, &[]).exits(1).names("does not say what it expects");
    check(&repo, &["--accept"]).exits(0);
    check(&repo, &[]).exits(0);
}

#[test]
fn a_case_may_expect_the_plugins_own_failure() {
    let repo = with(&[("path-labels.wasm", PATH_LABELS)]);
    let failure =
        json!({"code": "bad-options", "message": "unknown option `folder`", "hint": "correct the plugin's options in the policy"});
    let case = json!({"call": "classify", "input": {"paths": [], "options": {"folder": {}}}, "expect": {"failure": failure}});
    write_json(&repo, "cases/unknown-option.json", &case);
    check(&repo, &[]).exits(0).says("PASS case unknown-option");
    write_json(&repo, "cases/unknown-option.json", &json!({"call": "classify", "input": {"paths": []}, "expect": {"failure": failure}}));
    check(&repo, &[]).exits(1).names("differs in 2 places");
}

#[test]
fn every_malformed_case_is_refused_at_its_place() {
    let repo = with(&[("path-labels.wasm", PATH_LABELS)]);
    fs::create_dir(repo.path("cases")).unwrap();
    check(&repo, &[]).exits(2).names("has no `.json` file");
    repo.write("cases/notes.txt", "no case");
    let mut unknown = labelled("test");
    unknown["input"]["paths"][1]["sise"] = json!(3);
    write_json(&repo, "cases/unknown.json", &unknown);
    write_json(&repo, "cases/runner.json", &json!({"call": "judge", "input": judged("")}));
    repo.write("cases/cut.json", "{\"call\": ");
    let refused = check(&repo, &["--accept", "--format", "json"]).exits(2);
    let places: Vec<(String, String)> = refused
        .diagnostics()
        .iter()
        .map(|found| (found["path"].as_str().unwrap().to_owned(), found["pointer"].as_str().unwrap().to_owned()))
        .collect();
    let expected = [("cases/cut.json", "/call"), ("cases/runner.json", "/call"), ("cases/unknown.json", "/input/paths/1/sise")];
    assert_eq!(places, expected.map(|(path, pointer)| (path.to_owned(), pointer.to_owned())));
    assert_eq!(repo.json("cases/unknown.json"), unknown, "nothing is written by a command that refuses");
}

#[test]
fn a_check_shows_what_each_call_costs() {
    let repo = with(&[("junit-lite.wasm", JUNIT_LITE)]);
    let report = repo.run(&["plugin", "check", "junit-lite.wasm", "--format", "json"]).exits(0).json();
    let calls = report["check"]["calls"].as_array().unwrap();
    for call in ["describe", "plan", "judge: empty reports", "judge: bytes that are no text", "judge: 100,000 tests"] {
        let found = calls.iter().find(|found| found["call"] == call).unwrap_or_else(|| panic!("no {call} in {report}"));
        assert_eq!((&found["passed"], &found["repeats"]), (&json!(true), &json!(true)), "{found}");
        for (used, limit) in [("fuel", "fuel_limit"), ("memory", "memory_limit")] {
            let (used, limit) = (found[used].as_u64().unwrap(), found[limit].as_u64().unwrap());
            assert!(0 < used && used <= limit, "{found}");
        }
    }
    repo.run(&["plugin", "check", "junit-lite.wasm"]).exits(0).names("OF LIMIT").names("PASS the plugin keeps the contract");
}

#[test]
fn a_plugin_that_traps_fails_its_check_and_its_case() {
    let repo = with(&[("traps.wasm", TRAPS)]);
    write_json(&repo, "cases/any.json", &json!({"call": "judge", "input": judged("")}));
    let refused = repo.run(&["plugin", "check", "traps.wasm", "--cases", "cases", "--accept"]).exits(1);
    refused.next();
    let refused = refused.names("FAIL judge: all tests pass").names("FAIL case any").names("unreachable");
    refused.says("FAILED the plugin breaks the contract");
    assert_eq!(repo.json("cases/any.json").get("expect"), None, "a fault is nothing to expect");
}

#[test]
fn a_call_shows_its_answer_and_its_cost() {
    let repo = with(&[("junit-lite.wasm", JUNIT_LITE)]);
    write_json(&repo, "input.json", &judged("<testcase name=\"adds\"/>\n<testcase name=\"divides\"><failure/>"));
    let run = ["plugin", "run", "suite-runner", "junit-lite.wasm", "--input"];
    repo.run(&[&run[..], &["input.json"]].concat()).exits(0).says("    \"summary\": \"1 of 2 failed\"").names("of the limit");

    let asked = repo.run(&[&run[..], &["input.json", "--format", "json"]].concat()).exits(0).json();
    let cases = json!([{"name": "adds", "outcome": "passed"}, {"name": "divides", "outcome": "failed"}]);
    assert_eq!(asked["run"]["answer"], json!({"verdict": {"outcome": "failed", "cases": cases, "summary": "1 of 2 failed"}}));
    assert!(asked["run"]["fuel"].as_u64().unwrap() > 0, "{asked}");

    let plan = json!({"suite": judged("")["suite"]}).to_string();
    let planned = repo.run_with_input(&[&run[..], &["-", "--call", "plan", "--format", "json"]].concat(), &plan).exits(0).json();
    assert_eq!(planned["run"]["answer"]["invocation"]["reports"], json!([{"path": "junit.xml", "max_bytes": 1 << 20}]));
    let case = json!({"call": "judge", "input": judged("")}).to_string();
    repo.run_with_input(&[&run[..], &["-"]].concat(), &case).exits(0).names("no-tests");
    repo.run_with_input(&[&run[..], &["-", "--call", "plan"]].concat(), &case).exits(2).names("`judge`");
    repo.run_with_input(&[&run[..], &["-"]].concat(), "{\"suite\": 1}").exits(2).names("(/suite)");
}

#[test]
fn a_bundled_renderer_writes_its_files_where_it_is_told() {
    let repo = Repo::new(WORLD);
    let input = json!({"report": {"protocol": "code-polishy-report/v1", "gate": "merge", "status": "passed"}}).to_string();
    let run = ["plugin", "run", "report-renderer", "markdown", "--input", "-"];
    repo.run_with_input(&run, &input).exits(0).names("report.md (text/markdown");
    assert!(!repo.path("report.md").exists());
    let written = repo.run_with_input(&[&run[..], &["--out", "drawn", "--format", "json"]].concat(), &input).exits(0).json();
    let page = String::from_utf8(repo.read("drawn/report.md")).unwrap();
    assert!(page.starts_with("# Merge gate"), "{page}");
    assert_eq!(written["run"]["answer"]["artifacts"][0]["content"], page);
    repo.run_with_input(&["plugin", "run", "path-roles", "markdown", "--input", "-"], "{\"paths\": []}").exits(2).names("path-roles");
}

#[test]
fn a_call_without_an_answer_ends_like_every_fault_and_tells_its_cost() {
    let repo = with(&[("loops.wasm", LOOPS), ("traps.wasm", TRAPS), ("path-labels.wasm", PATH_LABELS)]);
    let ask = |kind: &str, file: &str, input: &Value| {
        repo.run_with_input(&["plugin", "run", kind, file, "--input", "-", "--format", "json"], input.to_string()).exits(3)
    };
    for (file, code) in [("loops.wasm", "plugin.out-of-fuel"), ("traps.wasm", "plugin.trapped")] {
        let fault = ask("suite-runner", file, &judged(""));
        assert_eq!(fault.diagnostics()[0]["code"], code);
        assert!(fault.json()["run"]["fuel"].as_u64().unwrap() > 0 && fault.json()["run"]["answer"].is_null(), "{fault}");
    }
    let refused = ask("path-roles", "path-labels.wasm", &json!({"paths": [], "options": {"folder": 1}}));
    assert_eq!(refused.diagnostics()[0]["code"], "plugin.refused");
    assert_eq!(refused.json()["run"]["answer"]["failure"]["code"], "bad-options");
}

#[test]
fn a_component_is_inspected_without_running_it() {
    let repo = with(&[
        ("traps.wasm", TRAPS),
        ("module.wasm", b"\0asm\x01\0\0\0"),
        ("cut.wasm", &EXEC[..EXEC.len() / 2]),
        ("empty.wasm", b""),
        ("large.wasm", &[0; (1 << 20) + 1]),
    ]);
    let inspect = |word: &str| repo.run(&["plugin", "inspect", word, "--format", "json"]);
    let exec = inspect("exec").exits(0).json()["plugins"][0].clone();
    assert_eq!((&exec["kind"], &exec["wit_version"], &exec["source"]), (&json!("suite-runner"), &json!("1.1.0"), &json!("bundled")));
    assert_eq!((&exec["imports"], &exec["sha256"]), (&json!(["code-polishy:plugin/log@1.1.0#write"]), &json!(sha256(EXEC))));
    assert!(exec["description"].is_null(), "nothing ran");
    inspect("traps.wasm").exits(0);
    for (file, why) in [
        ("module.wasm", "core module"),
        ("cut.wasm", "not a valid component"),
        ("empty.wasm", "not a valid component"),
        ("large.wasm", "may have 1 MiB"),
    ] {
        let refused = inspect(file).exits(1).json();
        let refusal = &refused["plugins"][0]["refusal"];
        assert!(refusal["message"].as_str().is_some_and(|message| message.contains(why)), "{file}: {refusal}");
        assert!(refusal["code"] == "plugin.unreadable" && !refusal["next"].as_str().unwrap().is_empty(), "{refusal}");
        repo.run(&["plugin", "inspect", file]).exits(1).names("REFUSED").next();
    }
    repo.run(&["plugin", "inspect", "exec", "--describe"]).exits(0).names("Judges a suite by its exit status alone");
    repo.run(&["plugin", "inspect", "nobody"]).exits(2).names("nobody");
}

#[test]
fn warm_compiles_what_is_bundled_and_pinned_and_does_so_once() {
    let repo = with(&[("tools/path-labels.wasm", PATH_LABELS)]);
    let pin = json!({"name": "path-labels", "kind": "path-roles", "source": "tools/path-labels.wasm", "sha256": sha256(PATH_LABELS)});
    repo.policy(&json!({"version": 4, "plugins": [pin]}));
    let warm = || {
        let mut command = repo.command(&["plugin", "warm", "--format", "json"]);
        command.env("CODE_POLISHY_CACHE", repo.area("cache"));
        let plugins = repo.run_command(command).exits(0).json()["plugins"].as_array().unwrap().clone();
        let state = |plugin: &Value| (plugin["name"].as_str().unwrap().to_owned(), plugin["state"].as_str().unwrap().to_owned());
        plugins.iter().map(state).collect::<Vec<_>>()
    };
    let first = warm();
    assert!(first.contains(&("exec".to_owned(), "compiled".to_owned())), "{first:?}");
    assert!(first.contains(&("path-labels".to_owned(), "compiled".to_owned())), "{first:?}");
    let second = warm();
    assert!(second.len() == first.len() && second.iter().all(|(_, state)| state == "stored"), "{second:?}");
    repo.write("tools/path-labels.wasm", JUNIT_LITE);
    repo.run(&["plugin", "warm"]).exits(2).names("path-labels");
}

#[test]
fn the_list_has_the_users_own_store() {
    let repo = Repo::new(WORLD);
    let store = repo.area("home/.local/share/code-polishy/plugins");
    let names = |output: &Output| {
        let plugins = output.json()["plugins"].as_array().unwrap().clone();
        plugins.into_iter().filter(|plugin| plugin["source"] == "your store").collect::<Vec<_>>()
    };
    assert!(names(&repo.run(&["plugin", "list", "--format", "json"]).exits(0)).is_empty());
    fs::create_dir_all(&store).unwrap();
    fs::write(store.join("path-labels.wasm"), PATH_LABELS).unwrap();
    fs::write(store.join("broken.wasm"), b"no component").unwrap();
    fs::write(store.join("notes.txt"), b"").unwrap();
    let stored = names(&repo.run(&["plugin", "list", "--format", "json"]).exits(0));
    assert_eq!(stored.len(), 2, "{stored:?}");
    assert_eq!((&stored[0]["name"], &stored[0]["state"], &stored[0]["kind"]), (&json!("broken"), &json!("unreadable"), &json!(null)));
    assert_eq!(
        (&stored[1]["name"], &stored[1]["state"], &stored[1]["kind"]),
        (&json!("path-labels"), &json!("ready"), &json!("path-roles"))
    );
    assert_eq!(stored[1]["sha256"], sha256(PATH_LABELS));
    repo.run(&["plugin", "inspect", "path-labels"]).exits(0).names("your store");
}
