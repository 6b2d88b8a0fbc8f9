//! The runner `node-test` on live runs of Node.js: proofs by suite and test, and runs that are no green.

use code_polishy_tests::{File, Flow, Project};
use serde_json::{Value, json};

use crate::{WORLD, names};

const TOTAL: File = ("checkout/total.js", "exports.total = prices => prices.reduce((sum, price) => sum + price, 0);\n");

const THREE: File = (
    "test/three.test.js",
    "\
const { describe, it } = require('node:test');
const assert = require('node:assert');
const { total } = require('../checkout/total.js');

console.log('not ok 1 - printed by the file');
describe('totals', () => {
  it('adds two', () => assert.strictEqual(total([2, 3]), 5));
  it('adds three', () => assert.strictEqual(total([2, 3, 4]), 9));
});
",
);

fn project(argv: &[&str], change: &[File]) -> Project {
    let mut project = Project::python().with_policy(|policy| {
        policy["tests"]["suites"][0]["runner"] = json!("node-test");
        policy["tests"]["suites"][0]["argv"] = json!(argv);
    });
    project.base = vec![
        (".gitignore", ".code-polishy-reports/\n.code-polishy-artifacts/\n"),
        ("checkout/total.js", "exports.total = prices => prices[0] + prices[1];\n"),
        (
            "test/two.test.js",
            "const { total } = require('../checkout/total.js');\nrequire('node:test')('two', () => require('node:assert').strictEqual(total([2, 3]), 5));\n",
        ),
    ];
    project.change = change.to_vec();
    project.evidence = "test/three.test.js";
    project
}

fn proved(flow: &Flow) -> Value {
    flow.prove("three").exits(0);
    flow.repo.evidence("proofs/three.json")
}

#[test]
fn flipped_cases_are_named_by_suite_and_test() {
    let flow = Flow::accepted(WORLD, project(&["node", "--test"], &[TOTAL, THREE]));
    let record = flow.repo.evidence("proofs/three.json");
    assert_eq!((&record["red_kind"], &record["runner"]["name"]), (&json!("failed"), &json!("node-test")));
    assert_eq!(names(&record["flipped_cases"]), ["totals", "totals > adds three"]);
    assert_eq!(record["baseline"]["cases"], json!({"passed": 2, "failed": 2, "skipped": 0}));
    flow.merge_gate(&[]).exits(0);
    flow.repo.run(&["test", "--suite", "checkout-contract"]).exits(0);
}

#[test]
fn the_spec_reporter_proves_what_tap_proves() {
    let record = proved(&Flow::prepared(WORLD, project(&["node", "--test", "--test-reporter=spec"], &[TOTAL, THREE])));
    assert_eq!(names(&record["flipped_cases"]), ["totals", "totals > adds three"]);
}

#[test]
fn a_file_that_cannot_be_loaded_is_broken() {
    let least = ("checkout/least.js", "exports.least = Math.min;\n");
    let test = (
        "test/three.test.js",
        "const { least } = require('../checkout/least.js');\nrequire('node:test')('least', () => require('node:assert').strictEqual(least(3, 2), 2));\n",
    );
    let record = proved(&Flow::prepared(WORLD, project(&["node", "--test"], &[least, test])));
    assert_eq!((&record["red_kind"], &record["baseline"]["cases"]), (&json!("broken"), &Value::Null));
    assert_eq!(names(&record["flipped_cases"]), ["least"]);
}

#[test]
fn what_fails_or_does_not_run_is_no_green() {
    let test = |argv: &[&str], files: &[File]| {
        let flow = Flow::new(WORLD, project(argv, files));
        flow.change();
        flow.repo.run(&["test", "--suite", "checkout-contract"])
    };
    test(&["node", "--test"], &[THREE]).exits(1);
    let skipped = ("test/two.test.js", "require('node:test').describe('later', () => require('node:test').it.skip('two', () => {}));\n");
    test(&["node", "--test"], &[skipped]).exits(1);
}
