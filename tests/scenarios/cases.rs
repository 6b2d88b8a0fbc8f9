//! Runners that know cases: S-67 to S-69 (BR-20, BR-59, BR-60), and what a suite or its runner may not do: S-107, S-112, S-113.

use code_polishy_tests::{EVIDENCE, File, Flow, Output, Project, Repo, policy, sha256};
use serde_json::{Value, json};

use crate::{
    WORLD, names,
    proofs::{assert_found_out, meddled},
};

/// The component of `tests/fixtures/junit-lite`, which collects the `junit.xml` that a suite writes.
const JUNIT_LITE: &[u8] = include_bytes!("../fixtures/junit-lite/dist/junit-lite.wasm");

const COMPONENT: &str = "tools/junit-lite.wasm";

/// The crate of the shop under the runner that knows its cases.
fn crate_with(change: &[File]) -> Project {
    let mut project = Project::cargo().with_policy(|policy| {
        policy["tests"]["suites"][0]["runner"] = json!("cargo");
        policy["tests"]["suites"][0]["argv"] = json!(["cargo", "test", "--offline"]);
    });
    if !change.is_empty() {
        project.change = change.to_vec();
    }
    project
}

fn refused(flow: &Flow) -> Output {
    let output = flow.prove("three").exits(1);
    assert!(!flow.repo.has_evidence("proofs/three.json"));
    flow.repo.assert_no_worktree();
    output
}

const TOTAL: File = ("checkout/lib.rs", "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n");

/// Two cases of which the first is red at the base.
const THREE: &str = "\
#[test]
fn adds_three() {
    assert_eq!(shop::total(&[2, 3, 4]), 9);
}

#[test]
fn adds_two_of_two() {
    assert_eq!(shop::total(&[2, 3]), 5);
}
";

#[test]
fn a_flipped_case_is_recorded_by_name() {
    let flow = Flow::accepted(WORLD, crate_with(&[TOTAL, ("tests/three.rs", THREE)]));
    let record = flow.repo.evidence("proofs/three.json");
    assert_eq!((&record["red_kind"], &record["runner"]["name"]), (&json!("failed"), &json!("cargo")));
    assert_eq!(names(&record["flipped_cases"]), ["tests/three.rs (shop)::adds_three"]);
    assert_eq!(record["control"]["cases"], json!({"passed": 1, "failed": 0, "skipped": 0}));
    assert_eq!(record["candidate_execution"]["cases"], json!({"passed": 3, "failed": 0, "skipped": 0}));
    flow.merge_gate(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");
}

#[test]
fn a_proof_tells_red_and_green_as_they_come() {
    let flow = Flow::prepared(WORLD, crate_with(&[TOTAL, ("tests/three.rs", THREE)]));
    let output = flow.prove("three").exits(0);
    let told: Vec<String> = output.stdout.lines().filter_map(|line| Some(line.split_once(" (")?.0.to_owned())).collect();
    let expected = [
        "GREEN checkout-contract at the base",
        "RED checkout-contract at the base with the evidence",
        "GREEN checkout-contract at the candidate",
    ];
    assert_eq!(told[..3], expected, "{output}");
    assert!(output.stderr.lines().any(|line| line == "RUN checkout-contract at the candidate"), "{output}");
}

#[test]
fn a_refused_proof_shows_the_end_of_the_run_that_refused_it() {
    let flow = Flow::prepared(WORLD, crate_with(&[TOTAL, ("tests/three.rs", "#[test]\nfn red() {\n    panic!(\"never\");\n}\n")]));
    let output = refused(&flow);
    let failed = output.stdout.lines().position(|line| line == "FAIL checkout-contract at the candidate [command-exit]");
    let after = output.stdout.lines().skip(failed.expect("a failure") + 1);
    let (why, tail): (Vec<&str>, Vec<&str>) = after.take_while(|line| line.starts_with("  ")).partition(|line| !line.starts_with("  | "));
    assert_eq!(why.len(), 1, "the runner's summary: {output}");
    assert!((1..=20).contains(&tail.len()) && tail.iter().any(|line| line.contains("never")), "{output}");
    assert!(!output.stderr.contains("never"), "the diagnostic says why, and the output of the run is shown once: {output}");
}

#[test]
fn s_67_a_base_that_does_not_compile_is_broken_and_flips_what_control_did_not_have() {
    let change: [File; 2] = [
        (
            "checkout/lib.rs",
            "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n\npub fn least(prices: &[u32]) -> u32 {\n    prices.iter().copied().min().unwrap_or(0)\n}\n",
        ),
        ("tests/three.rs", "#[test]\nfn least_of_three() {\n    assert_eq!(shop::least(&[2, 3, 4]), 2);\n}\n"),
    ];
    let flow = Flow::accepted(WORLD, crate_with(&change));
    let record = flow.repo.evidence("proofs/three.json");
    assert_eq!((&record["red_kind"], &record["baseline"]["outcome"]), (&json!("broken"), &json!("broken")));
    assert_eq!(names(&record["flipped_cases"]), ["tests/three.rs (shop)::least_of_three"]);
    assert_eq!(record["baseline"]["cases"], Value::Null);
    flow.merge_gate(&[]).exits(0);

    let failed_only = crate_with(&change).with_policy(|policy| {
        policy["verification"]["behaviorReview"]["allowedRedKinds"] = json!(["failed"]);
    });
    let flow = Flow::prepared(WORLD, failed_only);
    refused(&flow).names("allowedRedKinds");
}

#[test]
fn s_68_a_green_without_tests_proves_nothing() {
    let ignored = "#[test]\n#[ignore]\nfn adds_three() {}\n";
    let argv = json!(["cargo", "test", "--offline", "--test", "three"]);
    let project = crate_with(&[TOTAL, ("tests/helper.rs", "\n"), ("tests/three.rs", ignored)])
        .with_file("tests/three.rs", THREE)
        .with_policy(|policy| policy["tests"]["suites"][0]["argv"] = argv);
    // The base is red by itself, so nothing is put on it.
    let mut project = project;
    project.evidence = "tests/helper.rs";
    let flow = Flow::prepared(WORLD, project);
    refused(&flow);

    let nothing = Project::shop().with_policy(|policy| {
        let suite = &mut policy["tests"]["suites"][0];
        suite["runner"] = json!("cargo");
    });
    refused(&Flow::prepared(WORLD, nothing));
}

#[test]
fn s_69_the_failing_case_must_pass_under_its_name() {
    let red = "#[test]\nfn adds_three() {\n    assert_eq!(shop::total(&[2, 3, 4]), 9);\n}\n";
    let stays = "#[test]\nfn adds_three() {\n    panic!(\"stays red\");\n}\n";
    let renamed = "#[test]\nfn adds_all() {\n    assert_eq!(shop::total(&[2, 3, 4]), 9);\n}\n";
    let ignored = "#[test]\n#[ignore]\nfn adds_three() {}\n\n#[test]\nfn other() {}\n";
    for green in [stays, renamed, ignored, "#[test]\nfn other() {}\n"] {
        // The reproducer is in the base; the candidate changes it beside the evidence.
        let mut project =
            crate_with(&[TOTAL, ("tests/three.rs", green), ("tests/fixtures/note.txt", "three\n")]).with_file("tests/three.rs", red);
        project.base.push(("tests/fixtures/note.txt", "three\n"));
        project.evidence = "tests/fixtures/note.txt";
        let output = refused(&Flow::prepared(WORLD, project));
        if green != stays {
            output.names("adds_three");
        }
    }
}

#[test]
fn s_107_a_suite_that_writes_a_receipt_or_the_reviewed_files_is_found_out() {
    let meddling: [fn(&Repo) -> String; 4] = [
        |repo| format!("echo '{{}}' > '{}'", repo.path(EVIDENCE).join("receipt.json").display()),
        |repo| format!("echo '{{}}' > '{}'", repo.path(EVIDENCE).join("result.json").display()),
        |repo| format!("git -C '{}' checkout --quiet --detach main", repo.root().display()),
        |repo| format!("git -C '{}' config --worktree core.abbrev 9", repo.root().display()),
    ];
    for meddle in meddling {
        let flow = meddled(meddle);
        flow.repo.git(&["config", "extensions.worktreeConfig", "true"]);
        flow.prepare().exits(0);
        assert_found_out(&flow);
    }
}

#[test]
fn s_112_a_red_control_proves_nothing() {
    let flow = Flow::prepared(WORLD, Project::shop().with_file("tests/checkout/two.sh", "test -f tests/checkout/three.sh\n"));
    refused(&flow).names("the base");
    assert_eq!(flow.runs().len(), 1, "nothing runs after a control that refuses");
}

#[test]
fn s_112_a_suite_that_the_candidate_added_does_not_speak_for_a_feature_of_the_base() {
    let mut project = Project::shop();
    let mut candidate = project.policy.clone();
    candidate["tests"]["suites"].as_array_mut().unwrap().push(policy::suite("easy", "checkout"));
    candidate["verification"]["behaviorReview"]["features"][0]["suites"].as_array_mut().unwrap().push(json!("easy"));
    let text: &'static str = serde_json::to_string_pretty(&candidate).unwrap().leak();
    project.change.push((".code-polishy.json", text));
    let flow = Flow::prepared(WORLD, project);
    let mut arguments = flow.proof_arguments("three");
    arguments[4] = "easy";
    flow.repo.run(&arguments).exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    flow.finalize().exits(1).names("checkout");
    assert!(!flow.repo.has_evidence("receipt.json"));
}

#[test]
fn s_112_a_changed_runner_pin_is_refused() {
    // The same component with an empty section at its end: other bytes, the same answers.
    let other = [JUNIT_LITE, b"\x00\x02\x01x"].concat();
    let flow = collecting(
        |_| {},
        |repo| {
            repo.write(COMPONENT, &other);
            repo.policy(&collecting_policy(&other));
        },
    );
    flow.prepare().exits(1).names("checkout-contract");
    flow.repo.read_only(|| flow.prove("three")).refuses();
}

#[test]
fn a_runner_that_collects_a_report_proves_by_its_cases() {
    let flow = collecting(|_| {}, |_| {});
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    assert_eq!(names(&flow.repo.evidence("proofs/three.json")["flipped_cases"]), ["tests/checkout/three.sh"]);
}

#[test]
fn s_113_a_report_file_of_the_commit_is_not_read() {
    let forged = "<testcase name=\"forged\"/>\n";
    let silent = "#!/bin/sh\nfor case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 1; done\n";
    let flow = collecting(
        |repo| {
            repo.write("junit.xml", forged)
                .write("run-tests.sh", silent)
                .write(".gitignore", ".code-polishy-reports/\n.code-polishy-artifacts/\n");
        },
        |_| {},
    );
    flow.prepare().exits(0);
    flow.prove("three").exits(1).names("junit.xml");
    assert!(!flow.repo.has_evidence("proofs/three.json"));
    let output = flow.repo.run(&["test", "--suite", "checkout-contract"]);
    assert_ne!(output.status, Some(0), "the forged report says that it passed: {output}");
    assert_eq!((flow.repo.git(&["status", "--porcelain"]), flow.repo.read("junit.xml")), (String::new(), forged.into()), "nor removed");
}

/// Writes one line a case, in the form that junit-lite reads.
const REPORTING: &str = r#"#!/bin/sh
status=0
: > junit.xml
for case in tests/"$1"/*.sh; do
    if sh "$case"; then
        echo "<testcase name=\"$case\"/>" >> junit.xml
    else
        echo "<testcase name=\"$case\"><failure/></testcase>" >> junit.xml
        status=1
    fi
done
exit "$status"
"#;

fn collecting_policy(component: &[u8]) -> Value {
    let mut policy = policy::shop();
    policy["plugins"] = json!([{"name": "junit-lite", "kind": "suite-runner", "source": COMPONENT, "sha256": sha256(component)}]);
    policy["tests"]["suites"][0]["runner"] = json!("junit-lite");
    policy
}

/// The shop under a runner that collects `junit.xml`, up to a committed candidate; `base` and `candidate` add to the commits.
fn collecting(base: impl FnOnce(&Repo), candidate: impl FnOnce(&Repo)) -> Flow {
    let mut project = Project::shop().with_file("run-tests.sh", REPORTING);
    project.policy = collecting_policy(JUNIT_LITE);
    let repo = Repo::new(WORLD);
    for (path, content) in &project.base {
        repo.write(path, content);
    }
    repo.write(".gitignore", ".code-polishy-reports/\n.code-polishy-artifacts/\n/junit.xml\n").write(COMPONENT, JUNIT_LITE);
    base(&repo);
    let id = repo.policy(&project.policy).commit("Open the shop");
    repo.git(&["switch", "--quiet", "--create", "topic"]);
    let flow = Flow { repo, project, base: id };
    flow.capture("Totals of three amounts must add all three.\n").exits(0);
    candidate(&flow.repo);
    flow.change();
    flow
}
