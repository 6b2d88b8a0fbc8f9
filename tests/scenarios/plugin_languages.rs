//! Plugins in JavaScript and Python: the templates of `plugin new`, built by what npm and pip install, and what their authors' mistakes look like
//! to users.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use code_polishy_tests::{Flow, Output, Project, Repo, policy, sha256};
use serde_json::{Value, json};

use crate::WORLD;

/// What the machine of these tests needs, as their failure says it.
const NEEDS: &str = "these tests need Node.js 18 with npm, Python 3.10 with venv and pip, and their registries or a cache of them";

/// What both of them carry is above the default size.
const SIZE: [&str; 2] = ["--size-mib", "20"];

/// A new project, relative to the repository.
fn project(repo: &Repo, kind: &str, language: &str) {
    repo.run(&["plugin", "new", "sample", "--kind", kind, "--lang", language, "--dir", kind]).exits(0);
}

/// Runs a tool with the caller's own settings: they say where its registry is.
#[track_caller]
fn tool(folder: &Path, program: impl AsRef<Path>, arguments: &[&str]) {
    let mut command = Command::new(program.as_ref());
    command.args(arguments).current_dir(folder).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("npm_config_cache", Path::new(WORLD.scratch).join("npm"));
    let output = command.output().unwrap_or_else(|error| panic!("{NEEDS}: {}: {error}", program.as_ref().display()));
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{NEEDS}: {} {arguments:?}: {}", program.as_ref().display(), String::from_utf8_lossy(&said));
}

/// A project in JavaScript as its README says to set it up.
fn javascript(repo: &Repo, kind: &str) -> PathBuf {
    project(repo, kind, "js");
    let folder = repo.path(kind);
    tool(&folder, "npm", &["install", "--no-audit", "--no-fund", "--prefer-offline"]);
    folder
}

/// The same in Python, with one environment for all of them.
fn python(repo: &Repo, kind: &str) -> PathBuf {
    project(repo, kind, "python");
    let (folder, environment) = (repo.path(kind), Path::new(WORLD.scratch).join("python"));
    let lock = File::create(environment.with_extension("lock")).unwrap();
    lock.lock().unwrap();
    if !environment.join("bin/pip").exists() {
        tool(&folder, "python3", &["-m", "venv", &environment.to_string_lossy()]);
    }
    tool(&folder, environment.join("bin/pip"), &["install", "--quiet", "--requirement", "requirements.txt"]);
    std::os::unix::fs::symlink(environment, folder.join(".venv")).unwrap();
    folder
}

/// Edits a file of the project, where the text stands once.
#[track_caller]
fn edit(folder: &Path, file: &str, from: &str, to: &str) {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from:?} in {file}");
    fs::write(folder.join(file), text.replace(from, to)).unwrap();
}

fn build(repo: &Repo, kind: &str) -> Output {
    repo.run(&["plugin", "build", kind, "--dist", &format!("{kind}/dist")])
}

/// Demands that the component needs nothing but `log`, and that only its size is above the usual.
#[track_caller]
fn stands_alone(repo: &Repo, component: &str) {
    repo.run(&["plugin", "check", component]).exits(1).names("limits.sizeMiB");
    let inspected = repo.run(&["plugin", "inspect", component, SIZE[0], SIZE[1], "--format", "json"]).exits(0).json();
    let imports = inspected["plugins"][0]["imports"].as_array().unwrap_or_else(|| panic!("{inspected}"));
    assert_eq!(imports, &[json!("code-polishy:plugin/log@1.1.0#write")]);
}

/// One call, as a document.
fn asked(repo: &Repo, kind: &str, input: &Value) -> Value {
    repo.write("input.json", input.to_string());
    let component = format!("{kind}/dist/sample.wasm");
    let said = repo.run(&["plugin", "run", kind, &component, "--input", "input.json", SIZE[0], SIZE[1], "--format", "json"]);
    let run = said.json()["run"].take();
    assert!(run.is_object(), "no call was made: {said}");
    run
}

/// A judgement about a suite that printed this.
fn judgement(output: &str, options: Value) -> Value {
    let suite = json!({"name": "unit", "kind": "unit", "argv": ["./test"], "cwd": "."});
    json!({"call": "judge", "input": {"suite": suite, "execution": {"exit": {"code": 0}, "output": output}, "options": options}})
}

#[test]
fn the_javascript_template_of_each_kind_builds_and_keeps_the_contract() {
    let repo = Repo::new(WORLD);
    for (kind, limits) in [("suite-runner", &[][..]), ("path-roles", &["--fuel", "20000000000"]), ("report-renderer", &[])] {
        let folder = javascript(&repo, kind);
        tool(&folder, "npm", &["test"]);
        build(&repo, kind).exits(0).names("--size-mib 2");
        let component = format!("{kind}/dist/sample.wasm");
        stands_alone(&repo, &component);
        let cases = format!("{kind}/cases");
        let check = ["plugin", "check", &component, "--cases", &cases, "--size-mib", "2"];
        repo.run(&[&check, limits].concat()).exits(0).names("keeps the contract and answers as 2 cases expect");
        let lock = repo.json(&format!("{kind}/dist/plugins.lock.json"));
        assert_eq!((&lock["toolchain"]["language"], &lock["toolchain"]["tools"]["componentize-qjs"]), (&json!("js"), &json!("0.4.5")));
        let left = fs::read_dir(folder.join("node_modules")).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(!left.into_iter().any(|name| name.to_string_lossy().starts_with(".code-polishy")), "the entry is gone");
    }
}

/// The example in JavaScript with this statement first in its judgement.
fn judging_javascript(repo: &Repo, statement: &str) {
    let folder = javascript(repo, "suite-runner");
    edit(&folder, "plugin.js", "import { suiteRunner", "import { Failure, suiteRunner");
    edit(&folder, "plugin.js", "judge(_suite, execution) {\n", &format!("judge(_suite, execution) {{\n{statement}\n"));
    build(repo, "suite-runner").exits(0);
}

#[test]
fn what_goes_wrong_in_javascript_is_a_failure_with_words() {
    let repo = Repo::new(WORLD);
    let statement = "
        const said = whole(execution.output) ?? '';
        console.log('heard', said.length);
        if (said.includes('type')) said.boom.boom();
        if (said.includes('clock')) Date.now();
        if (said.includes('answer')) return { outcome: 'fine', summary: '' };";
    judging_javascript(&repo, statement);
    let told = |output: &str, code: &str, message: &str| {
        let run = asked(&repo, "suite-runner", &judgement(output, json!({})));
        let failure = &run["answer"]["failure"];
        assert_eq!(failure["code"], code, "{output}: {run}");
        assert!(failure["message"].as_str().unwrap().contains(message), "{output}: {failure}");
        run
    };
    let run = told("type", "uncaught-exception", "TypeError");
    assert_eq!(run["log"][0], json!({"level": "info", "message": "heard 4"}));
    assert_eq!(run["log"][1]["level"], "error");
    assert!(run["log"][1]["message"].as_str().unwrap().contains("/plugin.js:"), "{run}");
    told("clock", "uncaught-exception", "a plugin has no clock");
    told("answer", "bad-answer", "`outcome` is \"fine\" and should be one of passed, failed");
    let run = asked(&repo, "suite-runner", &judgement("ok adds\n", json!({"depth": 1})));
    assert_eq!(
        (&run["answer"]["failure"]["code"], &run["answer"]["failure"]["message"]),
        (&json!("bad-options"), &json!("unknown option `depth`"))
    );
}

#[test]
fn a_suite_is_judged_by_a_plugin_in_javascript_when_its_pin_allows_the_size() {
    let tools = Repo::new(WORLD);
    judging_javascript(&tools, "throw new Failure('no-words', 'it said nothing', 'make it talk');");
    let component = tools.read("suite-runner/dist/sample.wasm");
    let judged = |limits: Value| {
        let mut policy = policy::without_review();
        let source = "tools/sample.wasm";
        policy["plugins"] =
            json!([{"name": "sample", "kind": "suite-runner", "source": source, "sha256": sha256(&component), "limits": limits}]);
        policy["tests"]["suites"][0]["runner"] = json!("sample");
        let repo = Repo::new(WORLD);
        repo.write(source, &component);
        Flow::on(repo, Project { policy, ..Project::shop() }).repo.run(&["test", "--suite", "checkout-contract"])
    };
    judged(json!({"sizeMiB": 2})).exits(3).names("it said nothing").names("make it talk");
    judged(json!({})).exits(2).names("limits.sizeMiB");
}

#[test]
fn a_javascript_plugin_takes_packages_in_and_its_mistakes_are_shown_with_their_place() {
    let repo = Repo::new(WORLD);
    let folder = javascript(&repo, "suite-runner");
    repo.write("suite-runner/node_modules/words/package.json", r#"{"name":"words","type":"module","exports":"./index.js"}"#);
    repo.write("suite-runner/node_modules/words/index.js", "export const word = 'from npm';\n");
    edit(&folder, "plugin.js", "import { suiteRunner", "import { word } from \"words\";\nimport { suiteRunner");
    edit(&folder, "plugin.js", "${ran}, ", "${word}, ");
    build(&repo, "suite-runner").exits(0);
    let run = asked(&repo, "suite-runner", &judgement("ok adds\n", json!({})));
    assert_eq!(run["answer"]["verdict"]["summary"], "from npm, 0 failed");
    edit(&folder, "plugin.js", "export default suiteRunner({", "export default suiteRunner({{");
    build(&repo, "suite-runner").exits(3).names("/plugin.js:");
}

/// The first block of code in this language on a page.
fn example<'a>(page: &'a str, language: &str) -> &'a str {
    page.split(&format!("```{language}\n")).nth(1).and_then(|rest| rest.split("```").next()).unwrap()
}

#[test]
fn the_examples_of_the_pages_are_plugins() {
    let repo = Repo::new(WORLD);
    let folder = javascript(&repo, "suite-runner");
    fs::write(folder.join("plugin.js"), example(include_str!("../../docs/plugins-js.md"), "js")).unwrap();
    build(&repo, "suite-runner").exits(0);
    let run = asked(&repo, "suite-runner", &judgement("bad one\n", json!({"mark": "bad"})));
    assert_eq!(run["answer"]["verdict"], json!({"outcome": "failed", "cases": null, "summary": "1 failed"}));

    let repo = Repo::new(WORLD);
    project(&repo, "suite-runner", "python");
    let folder = repo.path("suite-runner");
    fs::write(folder.join("plugin.py"), example(include_str!("../../docs/plugins-python.md"), "python")).unwrap();
    let ask = "from plugin import Plugin; from code_polishy import *; \
        verdict = Plugin().judge(None, Execution(ExitCode(1), Stream.of('bad one')), {'mark': 'bad'}); \
        assert verdict == Verdict(Outcome.FAILED, '1 failed'), verdict";
    tool(&folder, "python3", &["-c", ask]);
}

#[test]
fn a_machine_without_the_builder_is_told_how_to_get_it() {
    let repo = Repo::new(WORLD);
    project(&repo, "suite-runner", "js");
    build(&repo, "suite-runner").exits(2).names("componentize-qjs is not installed").names("npm install");
    project(&repo, "path-roles", "python");
    let mut command = repo.command(&["plugin", "build", "path-roles"]);
    command.env("PATH", repo.area("home"));
    repo.run_command(command).exits(2).names("componentize-py").names("pip install -r requirements.txt");
}

#[test]
fn a_manifest_that_is_none_is_refused_where_it_is_wrong() {
    let repo = Repo::new(WORLD);
    project(&repo, "suite-runner", "js");
    edit(&repo.path("suite-runner"), "package.json", "\"kind\": \"suite-runner\"", "\"kind\": \"runner\"");
    build(&repo, "suite-runner").exits(2).names("package.json").names("`runner`, which is no kind");
    project(&repo, "path-roles", "python");
    edit(&repo.path("path-roles"), "pyproject.toml", "version = \"0.1.0\"", "version = \"0.1\"");
    build(&repo, "path-roles").exits(2).names("pyproject.toml").names("`0.1` is no semantic version");
}

#[test]
fn the_sdks_keep_their_own_tests() {
    let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk");
    tool(&sdk.join("js"), "node", &["--test", "tests"]);
    tool(
        &sdk.join("python"),
        "python3",
        &["-c", "import sys, unittest; sys.path.insert(0, '.'); unittest.main(module=None, argv=['', 'discover', 'tests'])"],
    );
}

/// CPython takes a debug build about a minute to compile, so this is one test with one component.
#[test]
fn a_suite_runner_in_python_keeps_the_contract_and_its_mistakes_are_failures_with_words() {
    let repo = Repo::new(WORLD);
    let folder = python(&repo, "suite-runner");
    tool(&folder, "python3", &["-m", "unittest"]);
    let statement = "
        output = execution.output.whole() or ''
        if 'type' in output:
            print('heard', len(output))
            return output + 1
        if 'clock' in output:
            import time
            time.time()
        if 'file' in output:
            open('/etc/passwd')
        if 'leave' in output:
            raise SystemExit(3)
        if 'answer' in output:
            return Verdict('fine', '')";
    edit(&folder, "plugin.py", "        # Output that was cut", &format!("{statement}\n        # Output that was cut"));
    build(&repo, "suite-runner").exits(0).names("--size-mib 18");
    let component = "suite-runner/dist/sample.wasm";
    stands_alone(&repo, component);
    let check = ["plugin", "check", component, "--cases", "suite-runner/cases", SIZE[0], SIZE[1]];
    repo.run(&check).exits(0).names("keeps the contract and answers as 2 cases expect");
    let lock = repo.json("suite-runner/dist/plugins.lock.json");
    assert_eq!(lock["toolchain"], json!({"language": "python", "tools": {"componentize-py": "0.25.1"}}));

    let told = |output: &str, message: &str| {
        let run = asked(&repo, "suite-runner", &judgement(output, json!({})));
        let failure = &run["answer"]["failure"];
        assert_eq!(failure["code"], "uncaught-exception", "{output}: {run}");
        assert!(failure["message"].as_str().unwrap().contains(message), "{output}: {failure}");
        run
    };
    let run = told("type", "TypeError");
    assert_eq!(run["log"][0], json!({"level": "info", "message": "heard 4"}));
    assert!(run["log"][1]["message"].as_str().unwrap().contains("plugin.py:"), "{run}");
    told("clock", "a plugin has no clock");
    told("file", "a plugin has no files");
    told("leave", "SystemExit");
    told("answer", "'fine' is not a valid Outcome");
    let run = asked(&repo, "suite-runner", &judgement("ok adds\n", json!({"depth": 1})));
    assert_eq!(
        (&run["answer"]["failure"]["code"], &run["answer"]["failure"]["message"]),
        (&json!("bad-options"), &json!("unknown option `depth`"))
    );
}

#[test]
fn the_other_python_templates_build_and_stand_alone() {
    let repo = Repo::new(WORLD);
    for kind in ["path-roles", "report-renderer"] {
        let folder = python(&repo, kind);
        tool(&folder, "python3", &["-m", "unittest"]);
        build(&repo, kind).exits(0);
        stands_alone(&repo, &format!("{kind}/dist/sample.wasm"));
    }
    edit(&repo.path("path-roles"), "pyproject.toml", "kind = \"path-roles\"", "kind = \"report-renderer\"");
    build(&repo, "path-roles").exits(3).names("calls the plugin a report-renderer, the class `Plugin` is path-roles");
}
