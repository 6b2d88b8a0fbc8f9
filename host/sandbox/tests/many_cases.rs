//! Bundled runners on a run of 100,000 cases: the default fuel and memory of a call are enough.

mod support;

use code_polishy_core::plugin::{CaseOutcome, ExecutionFacts, Outcome, PluginHost, PluginKind, ProcessExit, StreamFacts};
use code_polishy_sandbox::Sandbox;

const CASES: usize = 100_000;

fn assert_judges(runner: &str, output: String) {
    let sandbox = Sandbox::new(None);
    let runner = sandbox.suite_runner(&support::bundled(PluginKind::SuiteRunner, runner)).expect("loads");
    let total = output.len() as u64;
    let output = StreamFacts { head: output.into_bytes(), tail: Vec::new(), total };
    let execution = ExecutionFacts { exit: ProcessExit::Code(0), output, errors: StreamFacts::default(), files: Vec::new() };
    let verdict = runner.judge(&support::suite(), &execution).expect("within its limits");
    let passed = verdict.cases.iter().flatten().filter(|case| case.outcome == CaseOutcome::Passed).count();
    assert_eq!((verdict.outcome, passed), (Outcome::Passed, CASES), "{}", verdict.summary);
}

fn lines(before: &str, line: impl Fn(usize) -> String, after: &str) -> String {
    let mut output = before.to_owned();
    (1..=CASES).for_each(|number| output.push_str(&line(number)));
    output + after
}

#[test]
fn of_tap() {
    assert_judges("tap", lines("1..100000\n", |number| format!("ok {number} - case {number}\n"), ""));
}

#[test]
fn of_node_test() {
    let point =
        |number| format!("# Subtest: case {number}\nok {number} - case {number}\n  ---\n  duration_ms: 0.1\n  type: 'test'\n  ...\n");
    assert_judges("node-test", lines("TAP version 13\n", point, "1..100000\n# tests 100000\n# suites 0\n# pass 100000\n# fail 0\n"));
    let after = "\u{2139} tests 100000\n\u{2139} pass 100000\n\u{2139} fail 0\n";
    assert_judges("node-test", lines("", |number| format!("\u{2714} case {number} (0.1ms)\n"), after));
}

#[test]
fn of_go_test() {
    let event = |number: usize, action: &str, output: &str| {
        format!(
            "{{\"Time\":\"2026-01-02T03:04:05.6Z\",\"Action\":\"{action}\",\"Package\":\"e.com/p\",\"Test\":\"Test{number}\"{output}}}\n"
        )
    };
    let test = |number| {
        let output = event(number, "output", ",\"Output\":\"--- PASS\\n\"");
        [event(number, "run", ""), output, event(number, "pass", "")].concat()
    };
    assert_judges("go-test", lines("", test, "{\"Action\":\"pass\",\"Package\":\"e.com/p\"}\n"));
    let text = |number| format!("=== RUN   Test{number}\n--- PASS: Test{number} (0.00s)\n");
    assert_judges("go-test", lines("", text, "PASS\nok  \te.com/p\t0.1s\n"));
}
