//! `plugin add`: a component is kept and pinned, or nothing happens at all.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use code_polishy_tests::{Flow, Output, Project, Repo, Snapshot, policy, sha256};
use serde_json::{Value, json};

use crate::WORLD;

const JUNIT_LITE: &[u8] = include_bytes!("../fixtures/junit-lite/dist/junit-lite.wasm");
/// Where its component goes.
const COMPONENT: &str = ".code-polishy/plugins/junit-lite.wasm";

/// The built component of a plugin made for these tests.
pub fn fixture(name: &str) -> String {
    sources(name).join(format!("dist/{name}.wasm")).to_str().unwrap().to_owned()
}

fn sources(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(name)
}

/// The same component with this many bytes more, which mean nothing.
pub fn rebuilt(component: &[u8], bytes: usize) -> Vec<u8> {
    let section = [&b"\x04note"[..], &vec![b'.'; bytes]].concat();
    let mut size = Vec::new();
    let mut rest = section.len();
    while rest > 0x7f {
        size.push(0x80 | (rest & 0x7f) as u8);
        rest >>= 7;
    }
    size.push(rest as u8);
    [component, b"\0", &size, &section].concat()
}

/// A repository without a policy.
fn repo() -> Repo {
    let repo = Repo::new(WORLD);
    repo.write("README.md", "# Shop\n").commit("Open the shop");
    repo
}

fn add(repo: &Repo, arguments: &[&str]) -> Output {
    repo.run(&[&["plugin", "add"], arguments].concat())
}

/// Demands that the command fails so and leaves everything as it was.
#[track_caller]
fn refused(repo: &Repo, arguments: &[&str], status: i32) -> Output {
    let state = || [Snapshot::of(&repo.root()), Snapshot::of(&repo.area("home"))];
    let before = state();
    let output = add(repo, arguments).exits(status);
    assert_eq!(before, state(), "something was written by {output}");
    assert!(!output.next().is_empty());
    output
}

fn pins(repo: &Repo) -> Vec<Value> {
    repo.json(".code-polishy.json")["plugins"].as_array().unwrap().clone()
}

#[test]
fn a_plugin_may_be_named_before_it_is_pinned() {
    let repo = repo();
    let suites = json!([{"name": "unit", "kind": "unit", "scope": "repository", "argv": ["make", "test"], "runner": "junit-lite"}]);
    let policy = json!({"version": 4, "tests": {"suites": suites}, "reports": {"renderers": ["markdown", "not-there-yet"]}});
    repo.write(".code-polishy.json", policy.to_string());
    repo.run(&["test", "--all"]).exits(2);
    assert!(repo.run(&["plugin", "list"]).exits(0).stdout.contains("bundled"));
    add(&repo, &[&fixture("junit-lite")]).exits(0);
    assert_eq!(pins(&repo).len(), 1);
    let other = repo.run(&["test", "--all"]).exits(2);
    assert!(other.stderr.contains("not-there-yet") && !other.stderr.contains("junit-lite"), "{other}");
}

#[test]
fn a_file_is_kept_pinned_and_ready() {
    let repo = repo();
    let output = add(&repo, &[&fixture("junit-lite")]).exits(0);
    assert_eq!(repo.read(COMPONENT), JUNIT_LITE);
    let pin = json!({"name": "junit-lite", "kind": "suite-runner", "source": COMPONENT, "sha256": sha256(JUNIT_LITE)});
    assert_eq!(repo.json(".code-polishy.json"), json!({"version": 4, "plugins": [pin]}));
    assert!(output.next().contains(".code-polishy.json") && output.next().contains(COMPONENT), "{output}");
    repo.run(&["plugin", "list"]).exits(0).names(COMPONENT).names("ready");
    let committed = repo.commit("Pin the runner");
    let files = repo.git(&["ls-tree", "-r", &committed, COMPONENT]);
    assert!(files.starts_with("100644 blob"), "an ordinary file of the commit: {files}");
}

#[test]
fn adding_the_same_bytes_again_writes_nothing() {
    let repo = repo();
    add(&repo, &[&fixture("junit-lite")]).exits(0);
    let before = Snapshot::of(&repo.root());
    let again = add(&repo, &[&fixture("junit-lite"), "--format", "json"]).exits(0).json();
    assert_eq!(before, Snapshot::of(&repo.root()));
    assert_eq!((&again["state"], &again["plugin"]["written"]), (&json!("unchanged"), &json!([])));
    // From the place where it is kept, too.
    add(&repo, &[COMPONENT]).exits(0).names("UNCHANGED");
}

#[test]
fn a_policy_keeps_the_form_that_people_gave_it() {
    let repo = repo();
    let text = "{\r\n\t\"version\" : 4,\n\n\t\"scope\": { \"exclude\": [\"gen/**\"] }\n}";
    repo.write(".code-polishy.json", text);
    fs::set_permissions(repo.path(".code-polishy.json"), fs::Permissions::from_mode(0o640)).unwrap();
    add(&repo, &[&fixture("junit-lite")]).exits(0);
    let edited = String::from_utf8(repo.read(".code-polishy.json")).unwrap();
    assert!(edited.starts_with(text.strip_suffix("\n}").unwrap()) && edited.ends_with('}'), "{edited}");
    assert_eq!(fs::metadata(repo.path(".code-polishy.json")).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_new_component_takes_the_place_of_the_old_one_and_keeps_its_options_and_limits() {
    let repo = repo();
    let labels = fixture("path-labels");
    let options = r#"{"folders": {"gen/": "generated"}}"#;
    add(&repo, &[&labels, "--options", options, "--fuel", "900000000", "--memory-mib", "65"]).exits(0);
    let first = pins(&repo);
    repo.write("new.wasm", rebuilt(&fs::read(&labels).unwrap(), 9));
    let added = add(&repo, &["new.wasm", "--format", "json"]).exits(0).json();
    assert_eq!(added["plugin"]["replaced"], first[0]["sha256"]);
    let second = pins(&repo);
    assert_eq!(second.len(), 1);
    assert_eq!(second[0]["sha256"], json!(sha256(repo.read("new.wasm"))));
    for key in ["name", "source", "options", "limits"] {
        assert_eq!(second[0][key], first[0][key], "{key}");
    }
    assert_eq!(second[0]["limits"], json!({"fuel": 900_000_000, "memoryMiB": 65}));

    repo.write("options.json", r#"{"trustAttributes": true}"#);
    add(&repo, &["new.wasm", "--options", "options.json"]).exits(0);
    assert_eq!(pins(&repo)[0]["options"], json!({"trustAttributes": true}));
}

#[test]
fn what_is_no_usable_plugin_changes_nothing() {
    let repo = repo();
    repo.write("text.wasm", "no component").write("cut.wasm", &JUNIT_LITE[..JUNIT_LITE.len() - 9]);
    repo.write("folder/readme.md", "no plugin\n");
    refused(&repo, &["text.wasm"], 2).names("text");
    refused(&repo, &["cut.wasm"], 2).names("not a valid component");
    refused(&repo, &["folder"], 2).names("plugin.c");
    refused(&repo, &["absent.wasm"], 2).names("absent.wasm");
    refused(&repo, &[&fixture("junit-lite"), "--name", "Not A Name"], 2).names("Not A Name");
    refused(&repo, &[&fixture("junit-lite"), "--name", "x.wasm", "--to", "user"], 2).names("x.wasm");
}

#[test]
fn options_that_the_plugin_refuses_are_not_pinned() {
    let repo = repo();
    let labels = fixture("path-labels");
    refused(&repo, &[&labels, "--options", r#"{"folder": {}}"#], 2).names("folder");
    refused(&repo, &[&labels, "--options", "[]"], 2).names("--options");
    refused(&repo, &[&labels, "--options", "{"], 2).names("--options");
    repo.write("list.json", "[]");
    refused(&repo, &[&labels, "--options", "list.json"], 2).names("--options");
}

#[test]
fn a_large_component_needs_a_word() {
    let repo = repo();
    repo.write("large.wasm", rebuilt(JUNIT_LITE, 1 << 20));
    let asked = refused(&repo, &["large.wasm"], 2).names("1 MiB");
    assert!(asked.next().contains("--size-mib 2"), "{asked}");
    add(&repo, &["large.wasm", "--size-mib", "2"]).exits(0);
    assert_eq!(pins(&repo)[0]["limits"], json!({"sizeMiB": 2}));
    // The pin says so from now on.
    repo.write("larger.wasm", rebuilt(JUNIT_LITE, (1 << 20) + 1));
    add(&repo, &["larger.wasm"]).exits(0);
    assert_eq!(pins(&repo)[0]["limits"], json!({"sizeMiB": 2}));
}

#[test]
fn a_policy_that_does_not_load_is_left_alone() {
    let repo = repo();
    for policy in ["{\"version\": 3}", "{\"version\": 4, \"plugin\": []}", "{\"version\": 4,}", "no json"] {
        repo.write(".code-polishy.json", policy);
        refused(&repo, &[&fixture("junit-lite")], 2).names(".code-polishy.json");
    }
    repo.remove(".code-polishy.json").link(".code-polishy.json", "elsewhere.json");
    refused(&repo, &[&fixture("junit-lite")], 2).names(".code-polishy.json");
}

#[test]
fn no_link_leads_a_component_out_of_the_repository() {
    let repo = repo();
    let outside = repo.area("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, repo.path(".code-polishy")).unwrap();
    refused(&repo, &[&fixture("junit-lite")], 3).names(".code-polishy");
    repo.remove(".code-polishy");
    fs::create_dir(repo.path(".code-polishy")).unwrap();
    symlink(&outside, repo.path(".code-polishy/plugins")).unwrap();
    refused(&repo, &[&fixture("junit-lite")], 3).names(".code-polishy/plugins");
    repo.remove(".code-polishy/plugins");
    repo.link(COMPONENT, outside.join("x"));
    refused(&repo, &[&fixture("junit-lite")], 3).names(COMPONENT);
    assert!(Snapshot::of(&outside).paths().len() == 1, "nothing but the folder itself");
}

#[test]
fn a_kill_between_component_and_pin_is_mended_by_the_next_run() {
    let repo = repo();
    let mut command = repo.command(&["plugin", "add", &fixture("junit-lite")]);
    command.env("CODE_POLISHY_KILL_AT", "plugin-add.component");
    assert_eq!(repo.run_command(command).status, None, "killed");
    assert!(repo.path(COMPONENT).exists() && !repo.path(".code-polishy.json").exists());
    add(&repo, &[&fixture("junit-lite")]).exits(0);
    repo.run(&["plugin", "list"]).exits(0).names("ready");
}

#[test]
fn two_pins_do_not_share_a_component() {
    let repo = repo();
    add(&repo, &[&fixture("junit-lite"), "--name", "mine"]).exits(0);
    refused(&repo, &[&fixture("path-labels"), "--name", "mine"], 2).names("--name");
    add(&repo, &[&fixture("path-labels"), "--name", "labels"]).exits(0);
    assert_eq!(pins(&repo).len(), 2);
}

#[test]
fn an_ignored_component_is_told() {
    let repo = repo();
    repo.write(".gitignore", "*.wasm\n").commit("Ignore what is built");
    add(&repo, &[&fixture("junit-lite")]).exits(0).names("git add --force");
    repo.git(&["add", "--force", COMPONENT]);
    repo.git(&["commit", "--quiet", "--message", "Keep the runner"]);
    let again = add(&repo, &[&fixture("junit-lite"), "--fuel", "900000000"]).exits(0);
    assert!(!again.stdout.contains("--force"), "{again}");
}

#[test]
fn the_users_store_serves_who_has_it() {
    let flow = Flow::new(WORLD, Project::shop().with_policy(|policy| *policy = policy::without_review()));
    let repo = &flow.repo;
    add(repo, &[&fixture("junit-lite"), "--to", "user", "--name", "reports"]).exits(0).names("your plugin store");
    let kept = repo.area("home").join(".local/share/code-polishy/plugins/reports.wasm");
    assert_eq!(fs::read(&kept).unwrap(), JUNIT_LITE);
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(pins(repo)[0]["source"], "reports");
    assert!(!repo.path(".code-polishy").exists());

    repo.write("other.wasm", rebuilt(JUNIT_LITE, 9));
    refused(repo, &["other.wasm", "--to", "user", "--name", "reports"], 2).names("--replace");
    add(repo, &["other.wasm", "--to", "user", "--name", "reports", "--replace"]).exits(0);
    assert_eq!(fs::read(&kept).unwrap(), repo.read("other.wasm"));
    assert_eq!(pins(repo)[0]["sha256"], json!(sha256(repo.read("other.wasm"))));

    let mut policy = repo.json(".code-polishy.json");
    policy["tests"]["suites"][0]["runner"] = json!("reports");
    repo.policy(&policy).remove("other.wasm").commit("Use the runner");
    // The suite passes and writes no report, which this runner takes for broken.
    repo.run(&["test", "--suite", "checkout-contract"]).exits(1).names("status 0");
    let mut stranger = repo.command(&["test", "--suite", "checkout-contract"]);
    stranger.env("HOME", repo.area("tmp"));
    repo.run_command(stranger).exits(2).names("not in your plugin store");
}

#[test]
fn a_folder_is_built_and_its_component_pinned() {
    let repo = repo();
    let folder = sources("junit-lite");
    let mut command = repo.command(&["plugin", "add", folder.to_str().unwrap(), "--format", "json"]);
    command.env("CARGO_HOME", cargo_home()).env("CARGO_TARGET_DIR", Path::new(WORLD.scratch).join("built-plugins"));
    let added = repo.run_command(command).exits(0).json();
    assert_eq!((&added["plugin"]["name"], &added["plugin"]["kind"]), (&json!("junit-lite"), &json!("suite-runner")));
    assert_eq!(added["plugin"]["origin"], json!({"folder": folder}));
    assert_eq!(pins(&repo)[0]["sha256"], json!(sha256(repo.read(COMPONENT))));
    assert!(!folder.join("dist/new").exists());
    repo.run(&["plugin", "list"]).exits(0).names("ready");
}

/// Where cargo keeps what the build of a plugin needs from elsewhere.
fn cargo_home() -> PathBuf {
    std::env::var_os("CARGO_HOME").map_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cargo"), PathBuf::from)
}
