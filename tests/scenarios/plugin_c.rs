//! Plugins in C: the templates of `plugin new`, built by clang and by zig, and what their authors' mistakes look like to users.

use std::fs;
use std::path::Path;
use std::process::Command;

use code_polishy_tests::{Flow, Output, Project, Repo, policy, sha256};
use serde_json::json;

use crate::WORLD;

const KINDS: [&str; 3] = ["suite-runner", "path-roles", "report-renderer"];

/// What the machine of these tests needs, as their failure says it.
const NEEDS: &str = "these tests need clang for WebAssembly (`apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32`) and zig \
                     (`pip install ziglang`)";

/// A new project in this folder, relative to the repository.
fn project(repo: &Repo, kind: &str, folder: &str) {
    repo.run(&["plugin", "new", "sample", "--kind", kind, "--lang", "c", "--dir", folder]).exits(0);
}

#[track_caller]
fn built(output: Output) -> String {
    assert_eq!(output.status, Some(0), "{NEEDS}: {output}");
    output.stdout.split("sha256 ").nth(1).and_then(|rest| rest.get(..64)).unwrap_or_else(|| panic!("no digest in {output}")).to_owned()
}

fn build(repo: &Repo, folder: &str) -> String {
    built(repo.run(&["plugin", "build", folder, "--dist", &format!("{folder}/dist")]))
}

/// The same with a path that has zig alone.
fn build_with_zig(repo: &Repo, folder: &str) -> String {
    let tools = repo.area("tools");
    fs::create_dir_all(&tools).unwrap();
    let python = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().expect(NEEDS);
    let python = String::from_utf8(python.stdout).unwrap();
    let script = format!("#!/bin/sh\nexec {} \"$@\"\n", python.trim());
    repo.write("../tools/python3", script);
    let mut command = repo.command(&["plugin", "build", folder, "--dist", &format!("{folder}/dist")]);
    // zig builds its C library once, and looks for it in the home folder.
    command.env("PATH", &tools).env("ZIG_GLOBAL_CACHE_DIR", Path::new(WORLD.scratch).join("zig"));
    built(repo.run_command(command))
}

#[test]
fn the_template_of_each_kind_builds_and_keeps_the_contract() {
    let repo = Repo::new(WORLD);
    for kind in KINDS {
        project(&repo, kind, kind);
        build(&repo, kind);
        let (component, cases) = (format!("{kind}/dist/sample.wasm"), format!("{kind}/cases"));
        repo.run(&["plugin", "check", &component, "--cases", &cases]).exits(0).names("keeps the contract");
        assert!(repo.read(&component).len() <= 100 << 10, "{kind}: a small plugin");
    }
}

#[test]
fn the_example_of_the_page_builds_and_keeps_the_contract() {
    let page = include_str!("../../docs/plugins-c.md");
    let example = page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let repo = Repo::new(WORLD);
    project(&repo, "suite-runner", "runner");
    repo.write("runner/plugin.c", example);
    build(&repo, "runner");
    repo.run(&["plugin", "check", "runner/dist/sample.wasm"]).exits(0);
}

#[test]
fn zig_builds_what_clang_builds() {
    let repo = Repo::new(WORLD);
    project(&repo, "suite-runner", "runner");
    assert_ne!(build_with_zig(&repo, "runner"), build(&repo, "runner"), "each compiler makes its own code");
    let elsewhere = "some where else/é";
    project(&repo, "suite-runner", elsewhere);
    assert_eq!(build_with_zig(&repo, "runner"), build_with_zig(&repo, elsewhere));
    repo.run(&["plugin", "check", "runner/dist/sample.wasm", "--cases", "runner/cases"]).exits(0);
    let lock = repo.json("runner/dist/plugins.lock.json");
    assert_eq!((&lock["toolchain"]["language"], lock["toolchain"]["tools"]["zig"].is_string()), (&json!("c"), true));
}

#[test]
fn equal_sources_give_equal_bytes_in_every_folder() {
    let repo = Repo::new(WORLD);
    let noisy =
        "#include <assert.h>\n#include <stdio.h>\nvoid noise(int number) { assert(number); printf(\"%s %d\", __FILE__, number); }\n";
    for folder in ["here", "in a/longer folder"] {
        project(&repo, "path-roles", folder);
        repo.write(&format!("{folder}/noise.c"), noisy).write(&format!("{folder}/tests/main.c"), "int main(void) { return nothing; }\n");
    }
    assert_eq!(build(&repo, "here"), build(&repo, "in a/longer folder"));
    assert_eq!(repo.read("here/dist/sample.wasm"), repo.read("in a/longer folder/dist/sample.wasm"));
}

/// A shop whose suites are judged by the example, with this statement first in its judgement.
fn judged_by(statement: &str, options: serde_json::Value) -> Output {
    let tools = Repo::new(WORLD);
    project(&tools, "suite-runner", "runner");
    let plugin = String::from_utf8(tools.read("runner/plugin.c")).unwrap();
    let start = "    size_t failures = 0;\n    cp_string_t output;\n";
    assert!(plugin.contains(start));
    let headers = "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n";
    tools.write("runner/plugin.c", format!("{headers}{}", plugin.replace(start, &format!("    {statement}\n{start}"))));
    build(&tools, "runner");
    let component = tools.read("runner/dist/sample.wasm");

    let mut policy = policy::without_review();
    policy["plugins"] = json!([{"name": "sample", "kind": "suite-runner", "source": "tools/sample.wasm", "sha256": sha256(&component)}]);
    policy["tests"]["suites"][0]["runner"] = json!("sample");
    policy["tests"]["suites"][0]["runnerOptions"] = options;
    let repo = Repo::new(WORLD);
    repo.write("tools/sample.wasm", &component);
    let flow = Flow::on(repo, Project { policy, ..Project::shop() });
    flow.repo.run(&["test", "--suite", "checkout-contract"])
}

#[test]
fn a_failure_is_passed_on() {
    let refused = r#"return cp_fail(failure, "no-words", "make it talk", "`%.*s` said \"%s\"", CP_SHOW(suite->name), "nothing");"#;
    judged_by(refused, json!({})).exits(3).names(r#"`checkout-contract` said "nothing""#).names("make it talk");
    judged_by("", json!({"depth": 1})).exits(3).names("unknown option `depth`");
}

#[test]
fn what_ends_a_call_reaches_the_user() {
    judged_by("assert(suite->argv.len == 7);", json!({})).exits(3).names("plugin.c:").names("assertion failed: suite->argv.len == 7");
    judged_by("abort();", json!({})).exits(3).names("abort was called");
    judged_by("exit(4);", json!({})).exits(3).names("exit was called with status 4");
    judged_by("cp_panic(\"%d is odd\", 3);", json!({})).exits(3).names("3 is odd");
}

#[test]
fn what_is_printed_is_a_message() {
    judged_by("fprintf(stderr, \"odd: %.1f\\n\", 1.5); abort();", json!({})).exits(3).names("odd: 1.5");
}

#[test]
fn a_machine_without_a_compiler_is_told_what_to_install() {
    let repo = Repo::new(WORLD);
    project(&repo, "suite-runner", "runner");
    let mut command = repo.command(&["plugin", "build", "runner"]);
    command.env("PATH", repo.area("home"));
    repo.run_command(command).exits(2).names("clang").names("wasi-libc").names("ziglang");
}

#[test]
fn a_mistake_in_the_source_is_shown_as_the_compiler_tells_it() {
    let repo = Repo::new(WORLD);
    project(&repo, "suite-runner", "runner");
    repo.write("runner/plugin.c", "#include \"code_polishy/suite_runner.h\"\nCP_NO_OPTIONS\nint x = y;\n");
    repo.run(&["plugin", "build", "runner"]).exits(3).names("plugin.c:3").names("undeclared identifier 'y'");
}

#[test]
fn what_needs_a_system_is_refused() {
    let repo = Repo::new(WORLD);
    project(&repo, "path-roles", "roles");
    let clock = "#include <time.h>\n#include \"code_polishy/path_roles.h\"\nCP_NO_OPTIONS\n\
                 cp_role_t plugin_role(const cp_path_fact_t *fact, const cp_json_t *options) { return time(NULL) % 2 ? CP_TEST : CP_NO_ROLE; }\n";
    repo.write("roles/plugin.c", clock);
    repo.run(&["plugin", "build", "roles"]).exits(2).names("clock_time_get");
}
