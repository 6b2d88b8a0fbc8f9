//! The check that a plugin's author runs.

mod support;

use code_polishy_core::plugin::{PluginFaultKind, PluginHost, PluginKind, PluginSource};
use code_polishy_sandbox::{
    Sandbox, bundled,
    check::{CheckReport, Probe},
};
use support::{guest, pinned};

fn check(source: &PluginSource) -> CheckReport {
    Sandbox::new(None).check(source).expect("loads")
}

#[test]
fn a_plugin_that_keeps_the_contract_passes() {
    let report = check(&pinned(PluginKind::SuiteRunner, guest(PluginKind::SuiteRunner, "", "")));
    assert!(report.passed(), "{report:#?}");
    assert_eq!((report.description.name.as_str(), report.admitted.kind), ("sample", PluginKind::SuiteRunner));
    let calls: Vec<&str> = report.probes.iter().map(|probe| probe.call.as_str()).collect();
    assert_eq!(calls[..4], ["describe", "plan", "judge: all tests pass", "judge: a test fails"]);
    assert!(calls.contains(&"judge: bytes that are no text") && calls.contains(&"judge: 100,000 tests"), "{calls:?}");
    assert!(report.probes.iter().all(|probe| probe.figures.fuel > 0 && probe.figures.memory > 0));
}

#[test]
fn the_largest_inputs_must_stay_within_the_limits() {
    // Some 14,000 units of fuel a path: more than the share for its bytes, so that a budget of 20 million lasts for a thousand paths.
    let hungry = "(loop $again (local.set $i (i32.add (local.get $i) (i32.const 1))) \
        (br_if $again (i32.lt_u (local.get $i) (i32.mul (local.get 1) (i32.const 2000))))) (i32.const 1024)";
    let mut source = pinned(PluginKind::PathRoles, guest(PluginKind::PathRoles, "classify", hungry));
    source.pinned.as_mut().expect("pinned").fuel = Some(20_000_000);
    let report = check(&source);
    let broken: Vec<&str> =
        report.probes.iter().filter(|probe| fault(probe) == Some(PluginFaultKind::OutOfFuel)).map(|probe| probe.call.as_str()).collect();
    assert_eq!(broken, ["classify: 100,000 paths"], "{report:#?}");
}

fn fault(probe: &Probe) -> Option<PluginFaultKind> {
    probe.fault.as_ref().map(|fault| fault.kind)
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
