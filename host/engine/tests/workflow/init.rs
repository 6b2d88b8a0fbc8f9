//! `init` on a real repository.

use std::fs;

use code_polishy_core::diagnostic::FailureKind;
use code_polishy_engine::{
    event::Silent,
    workflow::{init::init, policies::working_policy},
};

use crate::{Host, git_support::Sample, workspace};

#[test]
fn a_policy_is_written_once() {
    let sample = Sample::new();
    sample.write("go.mod", "module x\n").write("pkg/a.go", "package pkg\n").write(".gitignore", "*.log");
    let host = Host::new();
    let workspace = workspace(&sample, &host, &Silent);
    let document = init(&workspace).unwrap();
    assert_eq!(document.written, [".gitignore", ".code-polishy.json"]);
    assert_eq!((document.suites[0].name.as_str(), document.modules[0].name.as_str()), ("go-test", "pkg"));
    assert_eq!(fs::read_to_string(sample.root().join(".gitignore")).unwrap(), "*.log\n.code-polishy-reports/\n.code-polishy-artifacts/\n");
    let policy = working_policy(sample.root()).unwrap().unwrap();
    assert_eq!(policy.features()[0].name, "example");
    let before = fs::read(sample.root().join(".code-polishy.json")).unwrap();
    let failure = init(&workspace).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Blocked);
    assert_eq!(fs::read(sample.root().join(".code-polishy.json")).unwrap(), before);
}

#[test]
fn a_linked_ignore_file_is_refused_before_anything_is_written() {
    let sample = Sample::new();
    sample.write("elsewhere", "x\n").link(".gitignore", "elsewhere");
    let host = Host::new();
    let failure = init(&workspace(&sample, &host, &Silent)).unwrap_err();
    assert_eq!(failure.diagnostics[0].code, "init.ignore-file");
    assert_eq!(fs::read_to_string(sample.root().join("elsewhere")).unwrap(), "x\n");
    assert!(!sample.root().join(".code-polishy.json").exists());
}
