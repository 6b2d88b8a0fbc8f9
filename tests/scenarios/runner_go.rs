//! The runner `go-test` on live runs of Go: proofs by package and test, and runs that are no green.

use std::process::Command;

use code_polishy_tests::{File, Flow, Project};
use serde_json::{Value, json};

use crate::{WORLD, names};

const TOTAL: File = (
    "checkout/total.go",
    "package checkout\n\nfunc Total(prices ...int) (total int) {\n\tfor _, price := range prices {\n\t\ttotal += price\n\t}\n\treturn\n}\n",
);

const THREE: File = (
    "checkout/three_test.go",
    "\
package checkout

import \"testing\"

func TestAdds(t *testing.T) {
\tfor name, prices := range map[string][]int{\"two\": {2, 7}, \"three\": {2, 3, 4}} {
\t\tt.Run(name, func(t *testing.T) {
\t\t\tif got := Total(prices...); got != 9 {
\t\t\t\tt.Errorf(\"got %d\", got)
\t\t\t}
\t\t})
\t}
}
",
);

/// The exit status of a run in which a package does not build.
fn broken_exit() -> &'static str {
    let output = Command::new("go").arg("version").output().expect("the test needs Go (Debian's golang-go)");
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    let minor = version.split("go1.").nth(1).and_then(|rest| rest.split(['.', ' ']).next()?.parse::<u32>().ok());
    if minor.is_some_and(|minor| minor < 20) { "2" } else { "1" }
}

fn project(argv: &[&str], change: &[File]) -> Project {
    let mut project = Project::python().with_policy(|policy| {
        policy["tests"]["suites"][0]["runner"] = json!("go-test");
        policy["tests"]["suites"][0]["argv"] = json!(argv);
    });
    project.base = vec![
        (".gitignore", ".code-polishy-reports/\n.code-polishy-artifacts/\n"),
        ("go.mod", "module example.com/shop\n\ngo 1.19\n"),
        ("checkout/total.go", "package checkout\n\nfunc Total(prices ...int) int { return prices[0] + prices[1] }\n"),
        (
            "checkout/two_test.go",
            "package checkout\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tif Total(2, 3) != 5 {\n\t\tt.Fatal(\"not 5\")\n\t}\n}\n",
        ),
    ];
    project.change = change.to_vec();
    project.evidence = "checkout/three_test.go";
    project
}

fn proved(flow: &Flow) -> Value {
    flow.prove("three").exits(0);
    flow.repo.evidence("proofs/three.json")
}

#[test]
fn flipped_cases_are_named_by_package_and_test() {
    let flow = Flow::accepted(WORLD, project(&["go", "test", "./..."], &[TOTAL, THREE]));
    let record = flow.repo.evidence("proofs/three.json");
    assert_eq!((&record["red_kind"], &record["runner"]["name"]), (&json!("failed"), &json!("go-test")));
    assert_eq!(names(&record["flipped_cases"]), ["example.com/shop/checkout.TestAdds", "example.com/shop/checkout.TestAdds/three"]);
    assert_eq!(record["baseline"]["cases"], json!({"passed": 2, "failed": 2, "skipped": 0}));
    flow.merge_gate(&[]).exits(0);
    flow.repo.run(&["test", "--suite", "checkout-contract"]).exits(0);
}

#[test]
fn text_proves_what_events_prove() {
    // `-args` hands the rest to the tests, so no `-json` is added.
    let record = proved(&Flow::prepared(WORLD, project(&["go", "test", "-v", "./...", "-args", "x"], &[TOTAL, THREE])));
    assert_eq!(names(&record["flipped_cases"]), ["example.com/shop/checkout.TestAdds", "example.com/shop/checkout.TestAdds/three"]);
}

#[test]
fn a_base_that_does_not_build_is_broken() {
    let least = ("checkout/least.go", "package checkout\n\nfunc Least(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}\n");
    let test = (
        "checkout/three_test.go",
        "package checkout\n\nimport \"testing\"\n\nfunc TestLeast(t *testing.T) {\n\tif Least(3, 2) != 2 {\n\t\tt.Fatal(\"not 2\")\n\t}\n}\n",
    );
    let mut project = project(&["go", "test", "./..."], &[least, test]);
    project.red_exit = broken_exit();
    let record = proved(&Flow::prepared(WORLD, project));
    assert_eq!((&record["red_kind"], &record["baseline"]["cases"]), (&json!("broken"), &Value::Null));
    assert_eq!(names(&record["flipped_cases"]), ["example.com/shop/checkout.TestLeast"]);
}

#[test]
fn what_fails_or_does_not_run_is_no_green() {
    let test = |argv: &[&str], files: &[File]| {
        let flow = Flow::new(WORLD, project(argv, files));
        flow.change();
        flow.repo.run(&["test", "--suite", "checkout-contract"])
    };
    test(&["go", "test", "./..."], &[THREE]).exits(1);
    test(&["go", "test", "-run", "Nothing", "./..."], &[THREE]).exits(1);
}
