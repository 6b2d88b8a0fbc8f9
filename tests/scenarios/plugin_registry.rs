//! `plugin add` from an OCI registry: by digest, every digest compared, every other artifact refused in words; and no network at a gate.

use std::fs;
use std::process::Command;

use code_polishy_tests::registry::{INDEX, LOGIN, MANIFEST, Registry};
use code_polishy_tests::{Flow, Output, Project, Repo, Snapshot, policy, sha256};
use serde_json::{Value, json};

use crate::WORLD;
use crate::plugin_add::rebuilt;

const JUNIT_LITE: &[u8] = include_bytes!("../fixtures/junit-lite/dist/junit-lite.wasm");
const COMPONENT: &str = ".code-polishy/plugins/junit-lite.wasm";
const REPOSITORY: &str = "acme/junit-lite";

fn repo() -> Repo {
    let repo = Repo::new(WORLD);
    repo.write("README.md", "# Shop\n").commit("Open the shop");
    repo
}

fn add(repo: &Repo, reference: &str) -> Output {
    repo.run(&["plugin", "add", reference])
}

/// Demands that nothing is added.
#[track_caller]
fn refused(repo: &Repo, reference: &str, status: i32) -> Output {
    let before = Snapshot::of(&repo.root());
    let output = add(repo, reference).exits(status);
    assert_eq!(before, Snapshot::of(&repo.root()), "something was written by {output}");
    output
}

/// `host/repository@digest`.
fn at(registry: &Registry, digest: &str) -> String {
    format!("{}/{REPOSITORY}@{digest}", registry.host())
}

#[test]
fn a_component_is_added_by_digest() {
    let registry = Registry::open();
    let digest = registry.push_component(REPOSITORY, "1.0", JUNIT_LITE);
    let repo = repo();
    let reference = at(&registry, &digest);
    let added = repo.run(&["plugin", "add", &format!("oci://{reference}"), "--format", "json"]).exits(0).json();
    assert_eq!(added["plugin"]["origin"], json!({"registry": reference}));
    assert_eq!(repo.read(COMPONENT), JUNIT_LITE);
    assert_eq!(repo.json(".code-polishy.json")["plugins"][0]["sha256"], json!(sha256(JUNIT_LITE)));
    add(&repo, &reference).exits(0).names("UNCHANGED");
    repo.run(&["plugin", "list"]).exits(0).names("ready");
}

#[test]
fn a_tag_is_refused_with_the_digest_that_it_names_today() {
    let registry = Registry::open();
    let digest = registry.push_component(REPOSITORY, "1.0", JUNIT_LITE);
    let repo = repo();
    let asked = refused(&repo, &format!("{}/{REPOSITORY}:1.0", registry.host()), 2).names(&digest);
    let next = asked.next();
    let reference = next.rsplit_once("plugin add ").expect("a command").1.trim_end_matches('`');
    add(&repo, reference).exits(0);
    refused(&repo, &format!("{}/{REPOSITORY}:2.0", registry.host()), 2).names("2.0");
    refused(&repo, &format!("{}/{REPOSITORY}", registry.host()), 2).names("no digest");
}

#[test]
fn what_the_registry_does_not_have_is_named() {
    let registry = Registry::open();
    registry.push_component(REPOSITORY, "1.0", JUNIT_LITE);
    let repo = repo();
    let other = format!("sha256:{}", sha256("another"));
    refused(&repo, &at(&registry, &other), 2).names("not found").names(&other);
    refused(&repo, &format!("{}/acme/nothing@{other}", registry.host()), 2).names("acme/nothing");
    refused(&repo, &format!("{}/acme/nothing@sha256:00", registry.host()), 2).names("sha256");
}

#[test]
fn a_registry_that_does_not_answer_is_named() {
    let registry = Registry::open();
    let digest = registry.push_component(REPOSITORY, "1.0", JUNIT_LITE);
    let (reference, host) = (at(&registry, &digest), registry.host());
    drop(registry);
    refused(&repo(), &reference, 3).names("unreachable").names(&host);
}

#[test]
fn bytes_that_are_not_the_named_ones_are_not_taken() {
    let registry = Registry::open();
    let digest = registry.push_component(REPOSITORY, "1.0", JUNIT_LITE);
    let repo = repo();
    let layer = registry.storage_of(&format!("sha256:{}", sha256(JUNIT_LITE)));
    let mut flipped = JUNIT_LITE.to_vec();
    flipped[JUNIT_LITE.len() / 2] ^= 1;
    let forgeries: [&[u8]; 4] = [&flipped, &JUNIT_LITE[..JUNIT_LITE.len() - 1], &rebuilt(JUNIT_LITE, 9), b""];
    for forged in forgeries {
        fs::write(&layer, forged).unwrap();
        refused(&repo, &at(&registry, &digest), 3).names("registry.");
    }
    fs::write(&layer, &flipped).unwrap();
    refused(&repo, &at(&registry, &digest), 3).names("digest mismatch");

    fs::write(&layer, JUNIT_LITE).unwrap();
    let manifest = registry.storage_of(&digest);
    let text = fs::read_to_string(&manifest).unwrap();
    // Another manifest that is sound by itself, in the place of the named one.
    let forged = registry.component_manifest(REPOSITORY, &rebuilt(JUNIT_LITE, 9)).to_string();
    fs::write(&manifest, forged).unwrap();
    refused(&repo, &at(&registry, &digest), 3).names("registry.");
    fs::write(&manifest, text).unwrap();
    add(&repo, &at(&registry, &digest)).exits(0);
}

#[test]
fn an_artifact_that_is_no_component_is_refused() {
    let registry = Registry::open();
    let manifest = registry.component_manifest(REPOSITORY, JUNIT_LITE);
    let repo = repo();
    let push = |edit: &dyn Fn(&mut Value)| {
        let mut manifest = manifest.clone();
        edit(&mut manifest);
        at(&registry, &registry.push_manifest(REPOSITORY, "other", MANIFEST, &manifest))
    };
    let image = push(&|manifest| {
        manifest["config"]["mediaType"] = json!("application/vnd.oci.image.config.v1+json");
        manifest["layers"][0]["mediaType"] = json!("application/vnd.oci.image.layer.v1.tar");
    });
    refused(&repo, &image, 2).names("application/vnd.oci.image.config.v1+json");
    let archive = push(&|manifest| manifest["layers"][0]["mediaType"] = json!("application/vnd.oci.image.layer.v1.tar"));
    refused(&repo, &archive, 2).names("application/vnd.oci.image.layer.v1.tar");
    let twice = push(&|manifest| manifest["layers"] = json!([manifest["layers"][0], manifest["layers"][0]]));
    refused(&repo, &twice, 2).names("2 layers");
    let words = registry.push_component(REPOSITORY, "words", b"words");
    refused(&repo, &at(&registry, &words), 2).names("not a valid component");
}

#[test]
fn an_index_names_what_can_be_added() {
    let registry = Registry::open();
    let digest = registry.push_component(REPOSITORY, "1.0", JUNIT_LITE);
    let size = registry.component_manifest(REPOSITORY, JUNIT_LITE).to_string().len();
    let platform = json!({"architecture": "wasm", "os": "wasip2"});
    let entry = json!({"mediaType": MANIFEST, "digest": digest, "size": size, "platform": platform});
    let index = json!({"schemaVersion": 2, "mediaType": INDEX, "manifests": [entry]});
    let reference = at(&registry, &registry.push_manifest(REPOSITORY, "all", INDEX, &index));
    let output = refused(&repo(), &reference, 2);
    assert!(output.next().contains(&digest), "{output}");
}

#[test]
fn a_large_component_is_fetched_and_then_asked_about() {
    let registry = Registry::open();
    let digest = registry.push_component(REPOSITORY, "1.0", &rebuilt(JUNIT_LITE, 1 << 20));
    let repo = repo();
    refused(&repo, &at(&registry, &digest), 2).names("--size-mib 2");
    repo.run(&["plugin", "add", &at(&registry, &digest), "--size-mib", "2"]).exits(0);

    // What no limit allows is refused by what the manifest says of it, before it is fetched.
    let mut manifest = registry.component_manifest(REPOSITORY, JUNIT_LITE);
    manifest["layers"][0]["size"] = json!((64 << 20) + 1);
    let digest = registry.push_manifest(REPOSITORY, "huge", MANIFEST, &manifest);
    refused(&repo, &at(&registry, &digest), 2).names("too large");
}

#[test]
fn credentials_are_those_of_docker() {
    let registry = Registry::closed();
    let digest = registry.push_component(REPOSITORY, "1.0", JUNIT_LITE);
    let (repo, reference) = (repo(), at(&registry, &digest));
    let host = registry.host();
    let asked = refused(&repo, &reference, 3).names("denied");
    assert_eq!(asked.next().rsplit_once("docker login ").map(|(_, rest)| rest.trim_end_matches('`')), Some(host.as_str()));
    let log_in = |login: &str| {
        fs::create_dir_all(repo.area("home").join(".docker")).unwrap();
        fs::write(repo.area("home").join(".docker/config.json"), json!({"auths": {&host: {"auth": login}}}).to_string()).unwrap();
    };
    log_in("cm9iaW46d3Jvbmc=");
    refused(&repo, &reference, 3).names("denied");
    log_in(LOGIN);
    let added = add(&repo, &reference).exits(0);
    assert!(!format!("{added}").contains("secret") && !format!("{added}").contains(LOGIN));
}

#[test]
fn a_gate_needs_no_network() {
    let registry = Registry::open();
    let digest = registry.push_component(REPOSITORY, "1.0", JUNIT_LITE);
    let flow =
        Flow::new(WORLD, Project::shop().with_policy(|policy| *policy = policy::without_review()).with_file("run-tests.sh", REPORTING));
    let repo = &flow.repo;
    add(repo, &at(&registry, &digest)).exits(0);
    let mut policy = repo.json(".code-polishy.json");
    policy["tests"]["suites"][0]["runner"] = json!("junit-lite");
    repo.write(".gitignore", ".code-polishy-reports/\n/junit.xml\n").policy(&policy).commit("Use the runner");
    flow.change();

    // The control: in there, the registry cannot be reached.
    let other = rebuilt(JUNIT_LITE, 9);
    let other = at(&registry, &registry.push_component(REPOSITORY, "2.0", &other));
    offline(repo, &["plugin", "add", &other]).exits(3).names("unreachable");

    for uncached in [false, true] {
        let mut gate = repo.command(&["merge-gate", "--base", "main", "--no-reuse"]);
        if uncached {
            // Nor is it fetched when it has to be compiled anew.
            gate.env("CODE_POLISHY_CACHE", repo.area("cache"));
        }
        let report = repo.json(&in_no_network(repo, &gate).exits(0).after("GATE REPORT: "));
        let plugins = report["identity"]["plugins"].as_array().unwrap();
        assert!(plugins.contains(&json!({"name": "junit-lite", "sha256": sha256(JUNIT_LITE)})), "{plugins:?}");
    }
    add(repo, &other).exits(0);
}

/// Writes one line a case, in the form that the runner reads.
const REPORTING: &str = r#"#!/bin/sh
: > junit.xml
for case in tests/"$1"/*.sh; do
    sh "$case" || exit 1
    echo "<testcase name=\"$case\"/>" >> junit.xml
done
"#;

fn offline(repo: &Repo, arguments: &[&str]) -> Output {
    in_no_network(repo, &repo.command(arguments))
}

/// Runs the command in a network of its own that has no connection to anything, this machine's other processes included.
fn in_no_network(repo: &Repo, command: &Command) -> Output {
    let works = |option: &&str| repo.program("unshare", &[option, "true"]).output().is_ok_and(|output| output.status.success());
    let option = ["-n", "-rn"].into_iter().find(works);
    let option = option.expect("this test takes the network away with unshare (util-linux): run it as root, or allow user namespaces");
    let mut apart = Command::new("unshare");
    apart.arg(option).arg(command.get_program()).args(command.get_args()).env_clear();
    apart.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(command.get_current_dir().unwrap());
    apart.stdin(std::process::Stdio::null());
    Output::new(format!("without a network: {command:?}"), apart.output().expect("unshare runs"))
}
