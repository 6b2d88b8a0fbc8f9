//! The runner `tap` on live runs of `prove` and of a Perl test alone: proofs by file and test, and runs that are no green.

use code_polishy_tests::{File, Flow, Project};
use serde_json::{Value, json};

use crate::{WORLD, names};

const TOTAL: File = ("checkout/Total.pm", "package checkout::Total;\nsub total { my $sum = 0; $sum += $_ for @_; return $sum }\n1;\n");

const THREE: File = (
    "tests/three.t",
    "\
use Test::More tests => 2;
use checkout::Total;
is(checkout::Total::total(2, 3), 5, 'adds two');
subtest 'more' => sub { plan tests => 1; is(checkout::Total::total(2, 3, 4), 9, 'adds three') };
",
);

const PROVE: [&str; 4] = ["prove", "--verbose", "-I.", "tests"];

fn project(argv: &[&str], change: &[File]) -> Project {
    let mut project = Project::python().with_policy(|policy| {
        policy["tests"]["suites"][0]["runner"] = json!("tap");
        policy["tests"]["suites"][0]["argv"] = json!(argv);
    });
    project.base = vec![
        (".gitignore", ".code-polishy-reports/\n.code-polishy-artifacts/\n"),
        ("checkout/Total.pm", "package checkout::Total;\nsub total { return $_[0] + $_[1] }\n1;\n"),
        ("tests/two.t", "use Test::More tests => 1;\nuse checkout::Total;\nis(checkout::Total::total(2, 3), 5, 'two');\n"),
    ];
    project.change = change.to_vec();
    project.evidence = "tests/three.t";
    project
}

fn proved(flow: &Flow) -> Value {
    flow.prove("three").exits(0);
    flow.repo.evidence("proofs/three.json")
}

#[test]
fn flipped_cases_are_named_by_file_and_test() {
    let flow = Flow::accepted(WORLD, project(&PROVE, &[TOTAL, THREE]));
    let record = flow.repo.evidence("proofs/three.json");
    assert_eq!((&record["red_kind"], &record["runner"]["name"]), (&json!("failed"), &json!("tap")));
    assert_eq!(names(&record["flipped_cases"]), ["tests/three.t > more", "tests/three.t > more > adds three"]);
    assert_eq!(record["baseline"]["cases"], json!({"passed": 2, "failed": 2, "skipped": 0}));
    flow.merge_gate(&[]).exits(0);
    flow.repo.run(&["test", "--suite", "checkout-contract"]).exits(0);
}

#[test]
fn a_program_alone_names_its_cases() {
    let mut project = project(&["perl", "-I.", "tests/two.t"], &[TOTAL, ("tests/two.t", THREE.1)]);
    project.evidence = "tests/two.t";
    let record = proved(&Flow::prepared(WORLD, project));
    assert_eq!(names(&record["flipped_cases"]), ["more", "more > adds three"]);
}

#[test]
fn a_test_that_cannot_be_loaded_is_broken() {
    let least = ("checkout/Least.pm", "package checkout::Least;\nsub least { return $_[0] < $_[1] ? $_[0] : $_[1] }\n1;\n");
    let test = ("tests/three.t", "use Test::More tests => 1;\nuse checkout::Least;\nis(checkout::Least::least(3, 2), 2, 'least');\n");
    let record = proved(&Flow::prepared(WORLD, project(&PROVE, &[least, test])));
    assert_eq!((&record["red_kind"], &record["baseline"]["cases"]), (&json!("broken"), &Value::Null));
    assert_eq!(names(&record["flipped_cases"]), ["tests/three.t > least"]);
}

#[test]
fn what_fails_ends_early_or_does_not_run_is_no_green() {
    let test = |argv: &[&str], two: &'static str| {
        let flow = Flow::new(WORLD, project(argv, &[("tests/two.t", two)]));
        flow.change();
        flow.repo.run(&["test", "--suite", "checkout-contract"])
    };
    test(&PROVE, "use Test::More tests => 1;\nok(0, 'two');\n").exits(1);
    test(&PROVE, "use Test::More skip_all => 'later';\n").exits(1);
    // Ends with status 0 before its plan is kept: nobody but the reader of its output sees it.
    test(&["perl", "tests/two.t"], "print \"1..2\\nok 1 - two\\n\";\n").exits(1);
}
