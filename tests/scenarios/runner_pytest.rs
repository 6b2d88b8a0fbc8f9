//! The runner `pytest` on live runs of pytest: proofs by node id, and configurations that must not mislead it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use code_polishy_tests::{File, Flow, Project};
use serde_json::{Value, json};

use crate::{WORLD, names};

/// A folder beside the target folder that is filled once and kept: its name tells what is in it.
pub fn installed(name: &str, fill: impl FnOnce(&Path)) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let folder = Path::new(WORLD.scratch).join(name);
    if !folder.is_dir() {
        let new = tempfile::Builder::new().prefix(name).tempdir_in(WORLD.scratch).expect("a new folder");
        fill(new.path());
        // Another process may have been faster; what it made is the same.
        let _ = fs::rename(new.keep(), &folder);
    }
    folder
}

/// Runs a tool that an installation needs, and demands that it succeeds.
pub fn install(command: &mut Command, needs: &str) {
    let shown = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("{shown}: {error}; the test needs {needs}"));
    assert!(output.status.success(), "{shown} failed; the test needs {needs}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// A Python that has pytest.
fn python() -> String {
    python_with(&["pytest==9.0.2"])
}

/// A Python that has these packages; the first one is pytest.
pub fn python_with(packages: &[&str]) -> String {
    let folder = installed(&packages.join("-").replace("==", "-"), |folder| {
        install(Command::new("python3").args(["-m", "venv"]).arg(folder), "python3 with its module venv (Debian's python3-venv)");
        install(Command::new(folder.join("bin/python")).args(["-m", "pip", "install", "--quiet"]).args(packages), "PyPI");
    });
    folder.join("bin/python").to_str().expect("a plain path").to_owned()
}

const LONG: File = ("checkout/total.py", "def total(prices):\n    return sum(prices)\n");

const THREE: File = (
    "tests/test_three.py",
    "\
import pytest

from checkout.total import total


@pytest.mark.parametrize('prices', [[2, 3], [2, 3, 4]], ids=['two', 'three'])
def test_adds(prices):
    assert total(prices) == sum(prices)
",
);

fn project(change: &[File]) -> Project {
    let python = python();
    let mut project = Project::python().with_policy(|policy| {
        policy["tests"]["suites"][0]["runner"] = json!("pytest");
        policy["tests"]["suites"][0]["argv"] = json!(["env", python, "-m", "pytest", "tests"]);
    });
    project.base.retain(|(path, _)| *path != ".gitignore");
    project.base.push((".gitignore", ".code-polishy-reports/\n.code-polishy-artifacts/\n"));
    project.base.push(("tests/test_two.py", "from checkout.total import total\n\n\ndef test_two():\n    assert total([2, 3]) == 5\n"));
    project.change = change.to_vec();
    project.evidence = "tests/test_three.py";
    project
}

fn proved(flow: &Flow) -> Value {
    flow.prove("three").exits(0);
    flow.repo.evidence("proofs/three.json")
}

#[test]
fn flipped_cases_are_named_by_node_id() {
    let flow = Flow::accepted(WORLD, project(&[LONG, THREE]));
    let record = flow.repo.evidence("proofs/three.json");
    assert_eq!((&record["red_kind"], &record["runner"]["name"]), (&json!("failed"), &json!("pytest")));
    assert_eq!(names(&record["flipped_cases"]), ["tests/test_three.py::test_adds[three]"]);
    assert_eq!(record["baseline"]["cases"], json!({"passed": 2, "failed": 1, "skipped": 0}));
    flow.merge_gate(&[]).exits(0);
    flow.repo.run(&["test", "--suite", "checkout-contract"]).exits(0);
    assert_eq!(flow.repo.git(&["status", "--porcelain"]), "", "neither a report nor compiled Python is left beside the candidate");
}

#[test]
fn a_base_that_cannot_be_collected_is_broken() {
    let least =
        ("checkout/total.py", "def total(prices):\n    return prices[0] + prices[1]\n\n\ndef least(prices):\n    return min(prices)\n");
    let three = ("tests/test_three.py", "from checkout.total import least\n\n\ndef test_least():\n    assert least([3, 2, 4]) == 2\n");
    let mut project = project(&[least, three]);
    project.red_exit = "2";
    let record = proved(&Flow::prepared(WORLD, project));
    assert_eq!((&record["red_kind"], &record["baseline"]["cases"]), (&json!("broken"), &Value::Null));
    assert_eq!(names(&record["flipped_cases"]), ["tests/test_three.py::test_least"]);
}

#[test]
fn a_configuration_does_not_mislead_the_runner() {
    for (configuration, flipped) in [
        ("[pytest]\naddopts = -q --color=yes --tb=native --junit-xml=other.xml\njunit_family = xunit2\n", true),
        // Without reports, what is printed counts.
        ("[pytest]\naddopts = -p no:junitxml --color=yes -rA\n", true),
        ("[pytest]\naddopts = -p no:junitxml\n", false),
    ] {
        let project = project(&[LONG, THREE]).with_file("pytest.ini", configuration);
        let record = proved(&Flow::prepared(WORLD, project));
        let expected: &[&str] = if flipped { &["tests/test_three.py::test_adds[three]"] } else { &[] };
        assert_eq!(names(&record["flipped_cases"]), expected, "{configuration}");
    }
}

#[test]
fn what_fails_or_cannot_run_is_no_green() {
    let flow = Flow::new(WORLD, project(&[THREE]));
    let test = || flow.repo.run(&["test", "--suite", "checkout-contract"]);
    test().exits(0);
    flow.change();
    test().exits(1).names("tests/test_three.py");
    flow.repo.write("tests/test_three.py", "import nowhere\n");
    test().exits(1).names("nowhere");
    flow.repo.write("tests/test_three.py", "").remove("tests/test_two.py");
    test().refuses();
    // A plugin that hides failures behind exit status 0.
    flow.repo.write("tests/test_three.py", THREE.1);
    flow.repo.write("conftest.py", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n");
    test().refuses();
}
