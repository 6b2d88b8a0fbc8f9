//! `test`: which suites run, and what their ends mean.

use code_polishy_core::{diagnostic::FailureKind, plugin::Outcome};
use code_polishy_engine::workflow::tests::{TestRequest, TestRun, TestStatus, test};

use crate::{Heard, Host, git_support::Sample, workspace};

const POLICY: &str = r#"{
  "version": 4,
  "modules": [{"name": "a", "paths": ["a/**"]}, {"name": "b", "paths": ["b/**"], "dependsOn": ["a"]}],
  "tests": {"suites": [
    {"name": "of-a", "kind": "unit", "scope": "module", "modules": ["a"], "argv": ["./run", "0"]},
    {"name": "of-b", "kind": "unit", "scope": "module", "modules": ["b"], "argv": ["./run", "3"]},
    {"name": "docs", "kind": "unit", "scope": "repository", "argv": ["./run", "0"], "paths": ["docs/**"], "runOn": ["recommended"]},
    {"name": "empty", "kind": "unit", "scope": "repository", "argv": ["./run", "5"]},
    {"name": "absent", "kind": "unit", "scope": "repository", "argv": ["./nothing-here"], "cost": "expensive", "runOn": ["supplemental"]}
  ]}
}"#;

fn sample() -> Sample {
    let sample = Sample::new();
    sample.write(".code-polishy.json", POLICY).write("run", "#!/bin/sh\necho ran $1\nexit $1\n").mode("run", 0o755);
    sample.write("a/x", "1\n").write("b/x", "1\n").write("docs/x", "1\n");
    sample.commit("base");
    sample
}

fn run(sample: &Sample, request: TestRequest) -> (TestRun, Vec<String>) {
    let (host, heard) = (Host::new(), Heard::default());
    let run = test(&workspace(sample, &host, &heard), &request).unwrap();
    (run, heard.0.into_inner().unwrap())
}

fn request() -> TestRequest {
    TestRequest { jobs: 1, ..TestRequest::default() }
}

fn selected(sample: &Sample, request: TestRequest) -> Vec<String> {
    run(sample, request).0.suites.into_iter().map(|suite| suite.name).collect()
}

fn refused(sample: &Sample, request: TestRequest) -> (FailureKind, Vec<String>) {
    let host = Host::new();
    let failure = test(&workspace(sample, &host, &Heard::default()), &request).unwrap_err();
    (failure.kind, failure.diagnostics.into_iter().map(|diagnostic| diagnostic.code).collect())
}

#[test]
fn every_end_has_its_meaning() {
    let sample = sample();
    let (report, heard) = run(&sample, TestRequest { all: true, ..request() });
    assert_eq!((report.status, report.exit_status()), (TestStatus::Failed, 1));
    let ends: Vec<_> = report.suites.iter().map(|suite| (suite.outcome, suite.passed, suite.exit_status)).collect();
    assert_eq!(
        ends,
        [
            (Some(Outcome::Passed), true, Some(0)),
            (Some(Outcome::Failed), false, Some(3)),
            (Some(Outcome::Passed), true, Some(0)),
            (Some(Outcome::NoTests), false, Some(5)),
        ]
    );
    assert_eq!(heard[..2], ["run of-a", "pass of-a"]);
    assert!(heard[3].starts_with("fail of-b command-exit") && heard[3].contains("ran 3"), "{heard:?}");
    let (report, _) = run(&sample, TestRequest { suites: vec!["of-a".into()], ..request() });
    assert_eq!((report.status, report.exit_status()), (TestStatus::Passed, 0));
    let (report, _) = run(&sample, TestRequest { suites: vec!["absent".into(), "of-b".into()], ..request() });
    assert_eq!((report.status, report.exit_status(), report.suites.len()), (TestStatus::Operational, 3, 2));
    assert!(report.suites[1].failure_category.is_some() && report.suites[1].outcome.is_none());
}

#[test]
fn requests_add_up() {
    let sample = sample();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(selected(&sample, TestRequest { module: Some("b".into()), suites: names(&["docs"]), ..request() }), ["of-b", "docs"]);
    assert_eq!(selected(&sample, TestRequest { all: true, supplemental: true, ..request() }).len(), 5);
    assert_eq!(selected(&sample, TestRequest { supplemental: true, ..request() }), ["absent"]);
}

#[test]
fn a_change_selects_what_it_reaches() {
    let sample = sample();
    let (report, _) = run(&sample, TestRequest { changed: true, ..request() });
    assert_eq!((report.status, report.exit_status()), (TestStatus::NothingSelected, 0));
    sample.write("docs/y", "2\n");
    assert_eq!(selected(&sample, TestRequest { changed: true, ..request() }), Vec::<String>::new());
    assert_eq!(selected(&sample, TestRequest { recommended: true, ..request() }), ["docs"]);
    sample.write("a/x", "2\n");
    assert_eq!(selected(&sample, TestRequest { changed: true, ..request() }), ["of-a", "of-b"]);
    sample.commit("change");
    assert_eq!(selected(&sample, TestRequest { changed: true, ..request() }), Vec::<String>::new());
    assert_eq!(selected(&sample, TestRequest { recommended: true, base: Some("HEAD~1".into()), ..request() }), ["of-a", "of-b", "docs"]);
}

#[test]
fn a_request_that_means_nothing_is_refused() {
    let sample = sample();
    let unknown = TestRequest { suites: vec!["nope".into(), "of-a".into()], module: Some("z".into()), ..request() };
    assert_eq!(refused(&sample, unknown), (FailureKind::Usage, vec!["test.unknown-suite".into(), "test.unknown-module".into()]));
    assert_eq!(refused(&sample, request()), (FailureKind::Usage, vec!["test.no-selection".into()]));
    assert_eq!(
        refused(&sample, TestRequest { all: true, base: Some("HEAD".into()), ..request() }),
        (FailureKind::Usage, vec!["test.base".into()])
    );
    sample.write(".code-polishy.json", "{\"version\": 4}");
    assert_eq!(refused(&sample, TestRequest { all: true, ..request() }), (FailureKind::Blocked, vec!["test.nothing-selected".into()]));
    sample.remove(".code-polishy.json");
    assert_eq!(refused(&sample, TestRequest { all: true, ..request() }), (FailureKind::Usage, vec!["policy.none".into()]));
}
