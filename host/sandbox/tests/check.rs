//! The check that a plugin's author runs.

mod support;

use code_polishy_core::plugin::{PluginFaultKind, PluginHost, PluginKind, PluginSource};
use code_polishy_sandbox::{Sandbox, bundled, inspect::CheckReport};
use support::{guest, pinned};

fn check(source: &PluginSource) -> CheckReport {
    Sandbox::new(None).check(source).expect("loads")
}

#[test]
fn a_plugin_that_keeps_the_contract_passes() {
    let report = check(&pinned(PluginKind::SuiteRunner, guest(PluginKind::SuiteRunner, "", "")));
    assert!(report.passed(), "{report:#?}");
    assert_eq!((report.description.name.as_str(), report.admitted.kind), ("sample", PluginKind::SuiteRunner));
    assert_eq!(report.probes.iter().map(|probe| probe.call).collect::<Vec<_>>(), ["describe", "plan", "judge: exit 0", "judge: exit 1"]);
    assert!(report.probes.iter().all(|probe| probe.figures.fuel > 0 && probe.figures.memory > 0));
}

#[test]
fn a_broken_answer_does_not_pass_and_is_named() {
    let report = check(&pinned(PluginKind::ReportRenderer, guest(PluginKind::ReportRenderer, "", "")));
    assert!(!report.passed());
    let fault = report.probes[1].fault.as_ref().expect("renders nothing");
    assert_eq!((fault.kind, fault.message.as_str()), (PluginFaultKind::BadOutput, "its answer breaks the contract: no artifact"));
}

#[test]
fn a_plugin_that_cannot_describe_itself_is_refused() {
    let source = pinned(PluginKind::SuiteRunner, guest(PluginKind::SuiteRunner, "describe", "(i32.const 1024)"));
    assert_eq!(Sandbox::new(None).check(&source).expect_err("no name").kind, PluginFaultKind::BadOutput);
}

#[test]
fn bundled_plugins_pass_what_everyones_must_pass() {
    for plugin in bundled::all() {
        let report = check(&support::bundled(plugin.kind, plugin.name));
        assert!(report.passed(), "{report:#?}");
        assert_eq!(report.description.name, plugin.name);
        assert_eq!(Sandbox::new(None).bundled(plugin.kind, plugin.name).expect("bundled").sha256, report.admitted.sha256);
    }
}

#[test]
fn an_unknown_bundled_name_lists_the_known_ones() {
    let fault = Sandbox::new(None).suite_runner(&support::bundled(PluginKind::SuiteRunner, "nope")).err().expect("refused");
    assert!(fault.next.contains("exec"), "{}", fault.next);
    assert_eq!(Sandbox::new(None).bundled(PluginKind::PathRoles, "exec"), None, "names belong to a kind");
}
