//! The command line: S-97, usage, references, documents (BR-6 to BR-10).

use code_polishy_tests::{Flow, INTENT, Output, Project, Repo, policy};
use serde_json::{Value, json};

use crate::WORLD;

fn as_json(repo: &Repo, arguments: &[&str]) -> Output {
    repo.run(&[arguments, &["--format", "json"]].concat())
}

/// Demands one document of the review protocol with exactly one typed member.
fn assert_review_document(output: &Output, action: &str, state: &str, member: &str) {
    let document = output.json();
    assert_eq!(crate::keys(&document), ["protocol", "action", "state", member], "{output}");
    assert_eq!(
        (&document["protocol"], &document["action"], &document["state"]),
        (&json!("behavior-review/v1"), &json!(action), &json!(state))
    );
}

#[test]
fn s_97_every_review_action_prints_one_document() {
    let flow = Flow::new(WORLD, Project::shop());
    let repo = &flow.repo;
    let capture = ["behavior-review", "capture-intent", "--intent-file", "-", "--format=json"];
    assert_review_document(&repo.run_with_input(&capture, INTENT).exits(0), "capture-intent", "captured", "capture");
    flow.change();
    let base = ["--base", "main"];
    let review = |action: &str, options: &[&str]| as_json(repo, &[&["behavior-review", action], &base[..], options].concat());
    assert_review_document(&review("require", &["--feature", "checkout"]).exits(0), "require", "required", "requirement");
    assert_review_document(&review("status", &[]).exits(0), "status", "required", "status");
    assert_review_document(&review("prepare", &[]).exits(0), "prepare", "prepared", "packet");
    assert_review_document(&as_json(repo, &flow.proof_arguments("three")).exits(0), "regression-proof", "proved", "proof");
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    assert_review_document(&review("finalize", &[]).exits(0), "finalize", "finalized", "receipt");
    assert_review_document(&review("status", &[]).exits(0), "status", "passed", "status");
    let gate = as_json(repo, &["merge-gate", "--base", "main"]).exits(0).json();
    assert_eq!((&gate["protocol"], &gate["status"]), (&json!("code-polishy-report/v1"), &json!("passed")));
    assert_review_document(&as_json(repo, &["behavior-review", "cleanup"]).exits(0), "cleanup", "removed", "cleanup");
}

#[test]
fn s_97_every_refusal_prints_one_document() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.change();
    let repo = &flow.repo;
    let refusals: [(&str, &[&str]); 6] = [
        ("capture-intent", &["behavior-review", "capture-intent", "--intent-file", "absent.txt"]),
        ("require", &["behavior-review", "require", "--base", "main", "--feature", "checkout"]),
        ("prepare", &["behavior-review", "prepare", "--base", "main"]),
        ("finalize", &["behavior-review", "finalize", "--base", "main"]),
        ("status", &["behavior-review", "status", "--base", "no-such-ref"]),
        (
            "regression-proof",
            &["regression-proof", "--base", "main", "--suite", "checkout-contract", "--id", "a", "--evidence", "tests/checkout/three.sh"],
        ),
    ];
    for (action, arguments) in refusals {
        let output = repo.read_only(|| as_json(repo, arguments)).refuses();
        assert_review_document(&output, action, "refused", "diagnostics");
        output.diagnostics();
    }
    let gate = as_json(repo, &["merge-gate", "--base", "main"]).exits(1).json();
    assert_eq!((&gate["protocol"], &gate["status"]), (&json!("code-polishy-report/v1"), &json!("failed")));
    let checkpoint = as_json(repo, &["checkpoint-gate", "--base", "no-such-ref"]).exits(2).json();
    assert!(checkpoint.to_string().contains("no-such-ref"));
}

#[test]
fn usage_errors_come_before_any_write() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.capture(INTENT).exits(0);
    flow.change();
    let wrong: [&[&str]; 12] = [
        &["behavior-review"],
        &["behavior-review", "approve"],
        &["behavior-review", "prepare"],
        &["behavior-review", "require", "--base", "main"],
        &["behavior-review", "status", "--base", "main", "--boundary", "on-request"],
        &["behavior-review", "status", "--base", "main", "--base", "main"],
        &["behavior-review", "cleanup", "--force"],
        &["behavior-review", "status", "--base", "main", "--format", "xml"],
        &["regression-proof", "--base", "main", "--suite", "checkout-contract", "--id", "a"],
        &["merge-gate"],
        &["checkpoint-gate", "--base", "main", "--jobs", "none"],
        &["schema", "poem"],
    ];
    for arguments in wrong {
        flow.repo.run_read_only(arguments).exits(2);
    }
}

#[test]
fn a_reference_is_never_guessed() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.capture(INTENT).exits(0);
    flow.change();
    flow.repo.git(&["tag", "notes", "HEAD:README.md"]);
    for reference in ["", " ", "ma in", "main ", "-main", "no-such-ref", "HEAD:README.md", "notes", "main..topic"] {
        for action in ["status", "prepare", "finalize"] {
            let base = format!("--base={reference}");
            flow.repo.run_read_only(&["behavior-review", action, &base]).exits(2);
        }
        flow.repo.run_read_only(&["merge-gate", &format!("--base={reference}")]).exits(2);
    }
    flow.repo.run(&["behavior-review", "status", &format!("--base={}", flow.base)]).exits(0);
    flow.repo.git(&["tag", "--annotate", "release", "--message", "One", "main"]);
    flow.repo.run(&["behavior-review", "status", "--base", "release"]).exits(0);
}

#[test]
fn a_repository_is_found_from_within_or_named() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.change();
    let required = "BEHAVIOR REVIEW: REQUIRED (checkout)";
    let mut within = flow.repo.command(&["behavior-review", "status", "--base", "main"]);
    within.current_dir(flow.repo.path("search"));
    Output::new("status".to_owned(), within.output().unwrap()).exits(0).says(required);
    let mut named = flow.repo.command(&["behavior-review", "status", "--base", "main", "--repo", flow.repo.root().to_str().unwrap()]);
    named.current_dir(flow.repo.area("home"));
    Output::new("status".to_owned(), named.output().unwrap()).exits(0).says(required);
    let mut nowhere = flow.repo.command(&["behavior-review", "status", "--base", "main"]);
    nowhere.current_dir(flow.repo.area("home"));
    let status = nowhere.output().unwrap().status.code();
    assert!(matches!(status, Some(2 | 3)), "{status:?}");
}

#[test]
fn git_variables_of_the_caller_have_no_effect() {
    let (flow, other) = (Flow::new(WORLD, Project::shop()), Flow::new(WORLD, Project::shop()));
    flow.change();
    let mut command = flow.repo.command(&["behavior-review", "status", "--base", "main"]);
    command.env("GIT_DIR", other.repo.path(".git")).env("GIT_WORK_TREE", other.repo.root()).env("GIT_INDEX_FILE", "/dev/null");
    Output::new("status".to_owned(), command.output().unwrap()).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)");
}

#[test]
fn schemas_are_json_schemas() {
    let repo = Repo::new(WORLD);
    for name in ["config", "journal", "packet", "result", "proof", "receipt", "report", "plugin-case"] {
        let schema = repo.run(&["schema", name]).exits(0).json();
        assert!(schema["$schema"].as_str().is_some_and(|dialect| dialect.contains("json-schema.org")), "{name}");
        assert_eq!(schema["type"], "object", "{name}");
    }
    let flow = Flow::prepared(WORLD, Project::shop());
    assert_eq!(flow.packet()["result_schema"], flow.repo.run(&["schema", "result"]).json(), "the reviewer gets the same schema");
}

#[test]
fn init_never_overwrites() {
    let repo = Repo::new(WORLD);
    repo.write("src/lib.rs", "").write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n").commit("Begin");
    repo.run(&["init"]).exits(0);
    let policy: Value = repo.json(".code-polishy.json");
    assert_eq!(policy["version"], 4);
    let ignored = String::from_utf8(repo.read(".gitignore")).unwrap();
    assert!(
        ignored.lines().any(|line| line == ".code-polishy-reports/") && ignored.lines().any(|line| line == ".code-polishy-artifacts/"),
        "{ignored}"
    );
    repo.commit("Adopt");
    repo.run(&["behavior-review", "status", "--base", "HEAD"]).exits(0).says("BEHAVIOR REVIEW: NOT RUN (optional)");

    repo.policy(&policy::shop()).commit("Write our own");
    let own = repo.read(".code-polishy.json");
    let _ = repo.run(&["init"]);
    assert_eq!(repo.read(".code-polishy.json"), own);
}

#[test]
fn a_plugin_that_is_not_the_pinned_one_is_named() {
    for (source, content) in [("roles.wasm", Some("no component")), ("absent.wasm", None)] {
        let flow = Flow::new(
            WORLD,
            Project::shop().with_policy(|policy| {
                policy["plugins"] = json!([{"name": "house-roles", "kind": "path-roles", "source": source, "sha256": "0".repeat(64)}]);
            }),
        );
        flow.capture(INTENT).exits(0);
        if let Some(content) = content {
            flow.repo.write(source, content);
        }
        flow.change();
        flow.repo.read_only(|| flow.prepare()).exits(2).names("house-roles");
    }
}

#[test]
fn test_runs_the_suites_that_are_named() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.repo.run(&["test", "--suite", "search-contract"]).exits(0);
    assert_eq!(flow.ordinary_runs(), ["search"]);
    flow.repo.write("tests/search/plain.sh", "exit 1\n");
    flow.repo.run(&["test", "--suite", "search-contract"]).exits(1).names("search-contract");
    flow.repo.run(&["test", "--suite", "no-such-suite"]).exits(2).names("no-such-suite");
}
