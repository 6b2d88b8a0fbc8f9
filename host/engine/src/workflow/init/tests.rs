use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let place = folder.path().join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }
    folder
}

/// The policy that these files give; the core's loader must take it.
fn policy(files: &[(&str, &str)]) -> (Value, Vec<String>) {
    let folder = folder(files);
    let proposal = propose::propose(&facts::read(folder.path()).unwrap());
    load(&artifact_bytes(&proposal.policy)).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{:#}", proposal.policy));
    (proposal.policy, proposal.notes)
}

fn commands(policy: &Value) -> Vec<String> {
    let suites = policy["tests"]["suites"].as_array().unwrap();
    let words = |suite: &Value| {
        suite["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    suites.iter().map(|suite| format!("{}: {}", suite["name"].as_str().unwrap(), words(suite))).collect()
}

fn modules(policy: &Value) -> Vec<(String, Value)> {
    let modules = policy["modules"].as_array().unwrap();
    modules.iter().map(|module| (module["name"].as_str().unwrap().to_owned(), module["paths"].clone())).collect()
}

#[test]
fn an_empty_repository_gets_an_empty_policy() {
    let (policy, notes) = policy(&[]);
    assert_eq!(policy["verification"]["behaviorReview"], json!({"defaultRequiredAt": "on-request"}));
    assert_eq!(policy["tests"]["suites"], json!([]));
    assert_eq!(notes, ["no test command was recognised"]);
}

#[test]
fn cargo_members_are_modules_with_what_they_build_on() {
    let (policy, _) = policy(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\", \"cli\"]\nexclude = [\"crates/old\"]\n"),
        ("Cargo.lock", ""),
        ("crates/core/Cargo.toml", "[package]\nname = \"my-core\"\n"),
        ("crates/core/src/lib.rs", ""),
        ("crates/Web_UI/Cargo.toml", "[package]\nname = \"web\"\n[dependencies]\ncore = { package = \"my-core\", path = \"../core\" }\n"),
        ("crates/old/Cargo.toml", "[package]\nname = \"old\"\n"),
        ("cli/Cargo.toml", "[package]\nname = \"cli\"\n[dependencies]\nweb.path = \"../crates/Web_UI\"\n[dev-dependencies]\nx = \"1\"\n"),
        ("cli/src/main.rs", ""),
        ("scripts/release.sh", ""),
        ("docs/guide.md", ""),
        ("target/debug/a.rs", ""),
    ]);
    assert_eq!(commands(&policy), ["cargo-test: cargo test --workspace --locked"]);
    assert_eq!(policy["tests"]["suites"][0]["runner"], "cargo");
    assert_eq!(
        modules(&policy),
        [
            ("cli".to_owned(), json!(["cli/**"])),
            ("web-ui".to_owned(), json!(["crates/Web_UI/**"])),
            ("core".to_owned(), json!(["crates/core/**"])),
            ("scripts".to_owned(), json!(["scripts/**"])),
        ]
    );
    assert_eq!(policy["modules"][0]["dependsOn"], json!(["web-ui"]));
    assert_eq!(policy["modules"][1]["dependsOn"], json!(["core"]));
    assert_eq!(policy["verification"]["behaviorReview"]["features"][0]["suites"], json!(["cargo-test"]));
}

#[test]
fn each_ecosystem_has_its_command() {
    let npm = "{\"scripts\":{\"test\":\"jest\"}}";
    for (files, expected) in [
        (&[("package.json", npm)][..], "npm-test: npm test"),
        (&[("package.json", npm), ("pnpm-lock.yaml", "")], "node-test: pnpm run test"),
        (&[("pyproject.toml", "[tool.pytest.ini_options]\n")], "pytest: python3 -m pytest"),
        (&[("tests/test_a.py", "def test_a(): pass\n")], "pytest: python3 -m pytest"),
        (&[("tests/test_a.py", "import unittest\n")], "unittest: python3 -m unittest discover -s tests"),
        (&[("go.mod", "module x\n"), ("Makefile", "test:\n\tgo test\n")], "go-test: go test ./..."),
        (&[("pom.xml", ""), ("mvnw", "")], "maven-test: ./mvnw --batch-mode test"),
        (&[("build.gradle.kts", "")], "gradle-test: gradle --console=plain test"),
        (&[("Makefile", ".PHONY: test\ntest: build\n\t./run\n")], "make-test: make test"),
    ] {
        assert_eq!(commands(&policy(files).0), [expected]);
    }
}

#[test]
fn what_is_no_test_command_is_left_out() {
    let npm_init = "{\"scripts\":{\"test\":\"echo \\\"Error: no test specified\\\" && exit 1\"}}";
    for files in [
        &[("package.json", npm_init)][..],
        &[("package.json", "{ no json")],
        &[("Makefile", "test := 1\ntests: x\n")],
        &[("tests/test_a.txt", "")],
        &[("node_modules/x/package.json", "{\"scripts\":{\"test\":\"jest\"}}")],
    ] {
        assert_eq!(commands(&policy(files).0), Vec::<String>::new(), "{files:?}");
    }
}

#[test]
fn folders_have_their_own_suites_and_modules() {
    let (policy, notes) = policy(&[
        ("main.py", ""),
        ("setup.cfg", "[tool:pytest]\n"),
        ("Front End/package.json", "{\"scripts\":{\"test\":\"jest --passWithNoTests\"}}"),
        ("Front End/src/a.ts", ""),
        ("front-end/a.ts", ""),
        ("2nd/tests/conftest.py", ""),
        ("2nd/tests/test_a.py", ""),
        ("notes/a.txt", ""),
    ]);
    assert_eq!(commands(&policy), ["pytest: python3 -m pytest", "front-end-npm-test: npm test"]);
    assert_eq!(policy["tests"]["suites"][1]["cwd"], json!("Front End"));
    let names: Vec<String> = modules(&policy).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["m-2nd", "front-end", "front-end-2", "root"]);
    assert_eq!(notes.len(), 1, "{notes:?}");
}

#[test]
fn the_ignore_file_is_only_added_to() {
    let both = ".code-polishy-reports/\n.code-polishy-artifacts/\n";
    assert_eq!(with_report_folders("").as_deref(), Some(both));
    assert_eq!(with_report_folders("a"), Some(format!("a\n{both}")));
    assert_eq!(
        with_report_folders("/.code-polishy-reports\nx\n").as_deref(),
        Some("/.code-polishy-reports\nx\n.code-polishy-artifacts/\n")
    );
    assert_eq!(with_report_folders(both), None);
}

#[test]
fn an_existing_policy_is_never_touched() {
    let sample = folder(&[(POLICY_FILE, "anything")]);
    let failure = refuse_existing(sample.path()).unwrap_err();
    assert_eq!((failure.kind, failure.diagnostics[0].code.as_str()), (FailureKind::Blocked, "init.exists"));
    let dangling = folder(&[]);
    std::os::unix::fs::symlink("nowhere", dangling.path().join(POLICY_FILE)).unwrap();
    assert!(refuse_existing(dangling.path()).is_err());
    assert!(refuse_existing(folder(&[]).path()).is_ok());
}

#[test]
fn files_are_written_whole_and_for_everybody() {
    let sample = folder(&[(IGNORE_FILE, "a\n")]);
    let place = sample.path().join(IGNORE_FILE);
    fs::set_permissions(&place, Permissions::from_mode(0o640)).unwrap();
    write(sample.path(), IGNORE_FILE, b"b\n", Existing::Replace).unwrap();
    assert_eq!((fs::read(&place).unwrap(), place.metadata().unwrap().permissions().mode() & 0o777), (b"b\n".to_vec(), 0o640));
    write(sample.path(), POLICY_FILE, b"{}\n", Existing::Keep).unwrap();
    let failure = write(sample.path(), POLICY_FILE, b"other", Existing::Keep).unwrap_err();
    assert_eq!(failure.diagnostics[0].code, "init.exists");
    assert_eq!(fs::read(sample.path().join(POLICY_FILE)).unwrap(), b"{}\n");
    assert_eq!(fs::read_dir(sample.path()).unwrap().count(), 2);
}

#[test]
fn the_example_feature_is_about_what_ships() {
    let crate_ = "[package]\nname = \"x\"\nversion = \"0.1.0\"\n";
    let (policy, _) = policy(&[("Cargo.toml", crate_), ("benches/b.rs", "x"), ("src/lib.rs", "x"), ("tests/t.rs", "x")]);
    assert_eq!(policy["verification"]["behaviorReview"]["features"][0]["modules"], json!(["src"]));
}
