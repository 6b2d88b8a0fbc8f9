//! The runner `junit` on live runs of Mocha: proofs by title, joined reports, and reports that contradict the exit status.

use std::process::Command;

use code_polishy_tests::{File, Flow, Project};
use serde_json::json;

use crate::runner_pytest::{install, installed};
use crate::{WORLD, names};

/// The folder of Mocha and of its reporter for JUnit XML.
fn mocha() -> String {
    let folder = installed("mocha-11.7.5", |folder| {
        let packages = ["mocha@11.7.5", "mocha-junit-reporter@2.2.1"];
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(folder).args(packages);
        install(&mut npm, "node and npm (Debian's npm), and the npm registry");
    });
    folder.join("node_modules").to_str().expect("a plain path").to_owned()
}

/// `./test.sh FILES`: each file in a process with a report of its own, and the reports joined.
const EACH_ALONE: &str = "\
#!/bin/sh
status=0
rm -rf reports
for file in tests/*.js; do
    \"$@\" \"mochaFile=reports/$(basename \"$file\").xml\" \"$file\" || status=1
done
cat reports/*.xml > junit.xml
exit \"$status\"
";

const TWO: File = (
    "tests/two.js",
    "\
const assert = require('assert');
const { total } = require('../checkout/total');

describe('a total', () => {
  it('adds two', () => assert.equal(total([2, 3]), 5));
});
",
);

const THREE: File = (
    "tests/three.js",
    "\
const assert = require('assert');
const { total } = require('../checkout/total');

describe('a total', () => {
  it('adds two again', () => assert.equal(total([2, 3]), 5));
  it('adds three', () => assert.equal(total([2, 3, 4]), 9));
});
",
);

const LONG: File = ("checkout/total.js", "exports.total = prices => prices.reduce((sum, price) => sum + price);\n");

fn project(launcher: &[&str], options: serde_json::Value) -> Project {
    let modules = mocha();
    let reporter = format!("{modules}/mocha-junit-reporter");
    let program = format!("{modules}/mocha/bin/mocha.js");
    let mocha = ["node", &program, "--reporter", &reporter, "--reporter-options"];
    let mut project = Project::python().with_policy(|policy| {
        let suite = &mut policy["tests"]["suites"][0];
        suite["runner"] = json!("junit");
        suite["runnerOptions"] = options;
        suite["argv"] = json!([launcher, &mocha].concat());
    });
    project.base = vec![
        (".gitignore", ".code-polishy-reports/\n.code-polishy-artifacts/\n/junit.xml\n/reports/\n"),
        ("checkout/total.js", "exports.total = prices => prices[0] + prices[1];\n"),
        ("test.sh", EACH_ALONE),
        TWO,
    ];
    project.change = vec![LONG, THREE];
    project.evidence = "tests/three.js";
    project
}

/// Mocha over all tests, with the report that the options name.
fn direct() -> Project {
    project(&[], json!({"reports": ["junit.xml"], "arguments": ["mochaFile=junit.xml", "tests"]}))
}

#[test]
fn flipped_cases_are_named_by_title() {
    let flow = Flow::accepted(WORLD, direct());
    let record = flow.repo.evidence("proofs/three.json");
    assert_eq!((&record["red_kind"], &record["runner"]["name"]), (&json!("failed"), &json!("junit")));
    assert_eq!(names(&record["flipped_cases"]), ["a total adds three"]);
    assert_eq!(record["baseline"]["cases"], json!({"passed": 2, "failed": 1, "skipped": 0}));
    flow.merge_gate(&[]).exits(0);
}

#[test]
fn reports_that_a_command_joins_are_read_as_one() {
    let flow = Flow::prepared(WORLD, project(&["./test.sh"], json!({"reports": ["junit.xml"]})));
    flow.prove("three").exits(0);
    let record = flow.repo.evidence("proofs/three.json");
    assert_eq!(names(&record["flipped_cases"]), ["a total adds three"]);
    assert_eq!(record["candidate_execution"]["cases"], json!({"passed": 3, "failed": 0, "skipped": 0}));
}

#[test]
fn a_run_without_its_report_or_against_it_is_no_green() {
    let flow = Flow::new(WORLD, direct());
    let test = || flow.repo.run(&["test", "--suite", "checkout-contract"]);
    test().exits(0);
    flow.repo.write("tests/three.js", THREE.1);
    test().exits(1);
    // A test that hides failures behind exit status 0.
    flow.repo.write("tests/hide.js", "process.on('exit', () => { process.exitCode = 0; process.reallyExit(0); });\n");
    test().exits(1);
    flow.repo.write("tests/three.js", "require('./nowhere');\n").remove("tests/hide.js");
    test().exits(1).names("MODULE_NOT_FOUND");
}

#[test]
fn a_suite_without_reports_is_told_what_to_write() {
    let flow = Flow::new(WORLD, project(&[], json!({})));
    flow.repo.run(&["test", "--suite", "checkout-contract"]).exits(3).names("runnerOptions");
    let flow = Flow::new(WORLD, project(&[], json!({"report": ["junit.xml"]})));
    flow.repo.run(&["test", "--suite", "checkout-contract"]).exits(3).names("unknown option `report`");
}
