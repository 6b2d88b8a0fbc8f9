//! What real runs mean: `tests/recorded` holds both streams of each, printed by Go 1.19.8, 1.22.10, 1.24.11 and 1.27.3; times are taken out.

use code_polishy_sdk::suite_runner::{CaseOutcome, Exit, Outcome, Stream, TestCase};

use super::*;

macro_rules! recorded {
    ($name:literal) => {
        include_bytes!(concat!("../tests/recorded/", $name))
    };
}

fn stream(bytes: &[u8]) -> Stream {
    Stream { head: bytes.to_vec(), tail: Vec::new(), total: bytes.len() as u64 }
}

fn suite(command: &str) -> Suite {
    let argv = command.split(' ').map(str::to_owned).collect();
    Suite { name: "unit".into(), kind: "unit".into(), argv, cwd: ".".into(), options: "{}".into() }
}

fn judged_in(suite: &Suite, exit: i32, output: Stream, errors: &[u8]) -> Verdict {
    let execution = Execution { exit: Exit::Code(exit), output, errors: stream(errors), files: Vec::new() };
    GoTest::judge(suite, &execution, &NoOptions {}).expect("every run has a verdict")
}

fn judged(exit: i32, output: &[u8], errors: &[u8]) -> Verdict {
    judged_in(&suite("go test ./checkout ./checkout/deep ./empty ./none ./panics"), exit, stream(output), errors)
}

/// Names below the module.
fn names(verdict: &Verdict, outcome: CaseOutcome) -> Vec<&str> {
    let cases = verdict.cases.as_deref().unwrap_or_else(|| panic!("no cases: {}", verdict.summary));
    let names = cases.iter().filter(|case| case.outcome == outcome).map(|case| case.name.as_str());
    names.map(|name| name.strip_prefix("example.com/shop/").unwrap_or(name)).collect()
}

fn case<'a>(verdict: &'a Verdict, name: &str) -> &'a TestCase {
    let cases = verdict.cases.iter().flatten();
    cases.into_iter().find(|case| case.name.ends_with(name)).unwrap_or_else(|| panic!("no case {name}"))
}

fn place(case: &TestCase) -> Option<(&str, u32)> {
    case.path.as_deref().zip(case.line)
}

use CaseOutcome::{Failed, Passed, Skipped};

const FAILED: [&str; 5] = [
    "checkout.TestThree",
    "checkout.TestTable",
    "checkout.TestTable/with_space/and_slash",
    "checkout.TestHelper",
    "checkout.ExampleTotal_wrong",
];

const PASSED: [&str; 11] = [
    "checkout.TestAdds",
    "checkout.TestTable/two",
    "checkout.TestTable/#00",
    "checkout.TestTable/#01",
    "checkout.TestParallel",
    "checkout.TestParallel/a",
    "checkout.TestParallel/b",
    "checkout.FuzzTotal",
    "checkout.FuzzTotal/seed#0",
    "checkout.ExampleTotal",
    "checkout/deep.TestAdds",
];

#[test]
fn events_are_asked_for_where_go_reads_the_flag() {
    let added = |command: &str| GoTest::plan(&suite(command), &NoOptions {}).expect("always planned").arguments;
    assert_eq!(added("go test ./..."), ["-json"]);
    for command in ["go test -json ./...", "go test ./... -args -v", "make test"] {
        assert!(added(command).is_empty(), "{command}");
    }
}

#[test]
fn events_and_text_name_cases_alike_in_every_version() {
    for output in [
        &recorded!("1.19.8-red.out")[..],
        recorded!("1.22.10-red.out"),
        recorded!("1.24.11-red.out"),
        recorded!("1.27.3-red.out"),
        recorded!("1.19.8-red-v.out"),
        recorded!("1.27.3-red-v.out"),
    ] {
        let verdict = judged(1, output, b"");
        assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Failed, "11 passed, 5 failed, 1 skipped"));
        assert_eq!((names(&verdict, Failed), names(&verdict, Passed)), (FAILED.to_vec(), PASSED.to_vec()));
        assert_eq!(names(&verdict, Skipped), ["checkout.TestSkipped"]);
        let slash = case(&verdict, "and_slash");
        assert_eq!(place(slash), Some(("checkout/total_test.go", 32)));
        assert_eq!(slash.message.as_deref(), Some("total_test.go:32: Total([1 2 3]) = 3, want 6"));
        assert_eq!(place(case(&verdict, "TestHelper")), Some(("checkout/total_test.go", 51)));
        assert_eq!(case(&verdict, "ExampleTotal_wrong").message.as_deref(), Some("got:\n3\nwant:\n4"));
    }
}

#[test]
fn a_place_is_told_only_when_the_command_names_the_folder() {
    let place_by = |command: &str| {
        let verdict = judged_in(&suite(command), 1, stream(recorded!("1.27.3-red.out")), b"");
        let helper = case(&verdict, "TestHelper");
        assert_eq!(helper.message.as_deref(), Some("total_test.go:51: helped"));
        helper.path.clone()
    };
    assert_eq!(place_by("go test ./checkout").as_deref(), Some("checkout/total_test.go"));
    assert_eq!(place_by("go test ./..."), None);
}

#[test]
fn a_passed_run_names_every_case() {
    for output in [&recorded!("1.19.8-pass.out")[..], recorded!("1.27.3-pass.out")] {
        let verdict = judged(0, output, b"");
        assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Passed, "8 passed, 0 failed, 1 skipped"));
        assert!(names(&verdict, Passed).iter().all(|name| PASSED.contains(name)));
    }
    for output in [&recorded!("1.27.3-fuzz.out")[..], recorded!("1.19.8-bench.out"), recorded!("1.27.3-bench.out")] {
        let verdict = judged(0, output, b"");
        assert_eq!((verdict.outcome, names(&verdict, Passed).len()), (Outcome::Passed, 1), "{}", verdict.summary);
    }
}

#[test]
fn what_does_not_build_is_broken() {
    for (output, errors, exit) in [
        (&recorded!("1.19.8-broken.out")[..], &recorded!("1.19.8-broken.err")[..], 2),
        (recorded!("1.22.10-broken.out"), recorded!("1.22.10-broken.err"), 1),
        (recorded!("1.24.11-broken.out"), recorded!("1.24.11-broken.err"), 1),
        (recorded!("1.27.3-broken.out"), recorded!("1.27.3-broken.err"), 1),
        (recorded!("1.19.8-broken-v.out"), recorded!("1.19.8-broken-v.err"), 2),
        (recorded!("1.27.3-broken-v.out"), recorded!("1.27.3-broken-v.err"), 1),
    ] {
        let verdict = judged(exit, output, errors);
        let summary = "`example.com/shop/broken` was not built: broken/b_test.go:5:28: undefined: missing";
        assert_eq!(verdict, Verdict { outcome: Outcome::Broken, cases: None, summary: summary.into() });
    }
    for (verdict, summary) in [
        (judged(1, b"", recorded!("1.19.8-nodir.err")), "stat /repo/nowhere: directory not found"),
        (judged(1, recorded!("1.27.3-nodir.out"), b""), "`./nowhere` was not built"),
        (judged(1, recorded!("1.27.3-nopkg.out"), b""), "`./nowhere/...` was not built"),
        (judged(127, b"", b"sh: go: not found\n"), "sh: go: not found"),
        (
            judged(1, recorded!("1.27.3-badflag.out"), b""),
            "`example.com/shop` ended before its first test: flag provided but not defined: -nope",
        ),
        (judged(1, recorded!("1.27.3-early.out"), b""), "`example.com/shop/testmain` ended before its first test: set up"),
    ] {
        assert_eq!((verdict.outcome, verdict.summary.as_str(), verdict.cases), (Outcome::Broken, summary, None));
    }
}

#[test]
fn the_test_that_takes_its_program_down_has_failed() {
    for output in [
        &recorded!("1.19.8-panic.out")[..],
        recorded!("1.22.10-panic.out"),
        recorded!("1.24.11-panic.out"),
        recorded!("1.27.3-panic.out"),
        recorded!("1.19.8-panic-v.out"),
        recorded!("1.27.3-panic-v.out"),
    ] {
        let verdict = judged(1, output, b"");
        assert_eq!(
            (names(&verdict, Passed), names(&verdict, Failed)),
            (vec!["panics.TestBefore"], vec!["panics.TestPanics", "panics.TestPanics/sub"])
        );
        let messages = ["TestPanics", "TestPanics/sub"].map(|name| case(&verdict, name).message.as_deref().unwrap_or_default());
        assert!(messages.iter().any(|message| message.starts_with("panic: assignment to entry in nil map")), "{messages:?}");
    }
    for output in [&recorded!("1.19.8-timeout.out")[..], recorded!("1.27.3-timeout.out")] {
        let verdict = judged(1, output, b"");
        assert_eq!((names(&verdict, Passed), names(&verdict, Failed)), (vec!["timeout.TestQuick"], vec!["timeout.TestSlow"]));
    }
    for output in [&recorded!("1.19.8-exit0.out")[..], recorded!("1.27.3-exit0.out")] {
        assert_eq!(names(&judged(1, output, b""), Failed), ["exit0.TestB"]);
    }
}

#[test]
fn a_data_race_fails_its_test_and_has_no_place() {
    for output in [&recorded!("1.19.8-race.out")[..], recorded!("1.27.3-race.out")] {
        let verdict = judged(1, output, b"");
        assert_eq!(names(&verdict, Failed), ["race.TestRace"]);
        let race = case(&verdict, "TestRace");
        assert_eq!(place(race), None);
        assert!(race.message.as_deref().is_some_and(|message| message.contains("WARNING: DATA RACE")));
    }
}

#[test]
fn a_package_that_fails_after_its_tests_fails_no_case() {
    for output in [&recorded!("1.19.8-testmain.out")[..], recorded!("1.27.3-testmain.out")] {
        let verdict = judged(1, output, b"");
        assert_eq!((verdict.outcome, names(&verdict, Passed)), (Outcome::Failed, vec!["testmain.TestFine"]));
        assert!(names(&verdict, Failed).is_empty());
    }
}

#[test]
fn zero_executed_cases_are_no_tests() {
    for output in [
        &recorded!("1.19.8-zero.out")[..],
        recorded!("1.27.3-zero.out"),
        recorded!("1.19.8-skip.out"),
        recorded!("1.27.3-skip.out"),
        recorded!("1.19.8-norun.out"),
        recorded!("1.27.3-norun.out"),
        b"?   \ta\t[no test files]\nok  \tb\t0.1s [no tests to run]\n",
        b"",
    ] {
        let verdict = judged(0, output, b"");
        assert_eq!((verdict.outcome, verdict.cases), (Outcome::NoTests, None));
    }
}

#[test]
fn text_without_verbose_is_counted_and_not_named() {
    for output in [&recorded!("1.19.8-red-plain.out")[..], recorded!("1.27.3-red-plain.out")] {
        let verdict = judged(1, output, b"");
        assert_eq!((verdict.outcome, &verdict.cases), (Outcome::Failed, &None));
    }
    let passed = judged(0, b"ok  \ta\t0.1s\nok  \tb\t(cached)\n", b"");
    let summary = "2 passed, 0 failed, 0 skipped (without `-v` a package that passed counts as one)";
    assert_eq!((passed.outcome, passed.cases, passed.summary.as_str()), (Outcome::Passed, None, summary));
}

#[test]
fn a_status_that_contradicts_the_output_is_not_believed() {
    for output in [&recorded!("1.27.3-red.out")[..], recorded!("1.27.3-red-v.out"), recorded!("1.27.3-red-plain.out"), b"FAIL\ta\t0.1s\n"] {
        let verdict = judged(0, output, b"");
        assert_eq!((verdict.outcome, verdict.cases), (Outcome::Broken, None));
        assert!(verdict.summary.starts_with("the exit status is 0"), "{}", verdict.summary);
    }
}

#[test]
fn a_package_without_an_end_did_not_pass() {
    let output = recorded!("1.27.3-pass.out");
    let text = std::str::from_utf8(output).expect("text");
    let end = text.find("TestParallel").expect("a test");
    let verdict = judged(0, &output[..end], b"");
    assert_eq!((verdict.outcome, verdict.cases), (Outcome::Broken, None), "{}", verdict.summary);
}

#[test]
fn a_test_that_runs_twice_has_two_names() {
    let event = |action: &str| format!("{{\"Action\":\"{action}\",\"Package\":\"p\",\"Test\":\"TestA\"}}\n");
    let twice = [event("run"), event("pass"), event("run"), event("pass"), "{\"Action\":\"pass\",\"Package\":\"p\"}\n".to_owned()].concat();
    assert_eq!(names(&judged(0, twice.as_bytes(), b""), Passed), ["p.TestA", "p.TestA #2"]);
}

#[test]
fn noise_colours_and_bytes_that_are_no_text_are_passed_over() {
    let output = b"\xff\xfe\n\x1b[1mmake: go test\x1b[0m\n=== RUN   Test\xff\r\n--- PASS: Test\xff (0.00s)\r\nPASS\nok  \tp\t0.1s\n";
    assert_eq!(names(&judged(0, output, b"\x80"), Passed), ["p.Test\u{fffd}"]);
    let noisy = [b"log: {\n{}\n\x80{\"Action\":1\n", &recorded!("1.27.3-pass.out")[..]].concat();
    assert_eq!(names(&judged(0, &noisy, b""), Passed).len(), 8);
}

#[test]
fn output_that_was_cut_names_nothing_and_proves_nothing() {
    for output in [&recorded!("1.27.3-red.out")[..], recorded!("1.27.3-red-v.out")] {
        for keep in (0..output.len() / 2).step_by(41) {
            let output = Stream { head: output[..keep].to_vec(), tail: output[output.len() - keep..].to_vec(), total: 1 << 30 };
            let judged = |exit| judged_in(&suite("go test ./..."), exit, output.clone(), b"");
            let (green, red) = (judged(0), judged(1));
            assert_eq!((red.outcome, red.cases, green.cases), (Outcome::Failed, None, None), "{keep}");
        }
    }
}

#[test]
fn a_hundred_thousand_cases() {
    let (mut events, mut text) = (String::new(), String::new());
    for number in 0..100_000 {
        for (action, output) in [("run", ""), ("output", r#","Output":"x\n""#), ("pass", "")] {
            events.push_str(&format!("{{\"Action\":\"{action}\",\"Package\":\"p\",\"Test\":\"Test{number}\"{output}}}\n"));
        }
        text.push_str(&format!("=== RUN   Test{number}\n--- PASS: Test{number} (0.00s)\n"));
    }
    events.push_str("{\"Action\":\"pass\",\"Package\":\"p\"}\n");
    text.push_str("ok  \tp\t0.1s\n");
    for output in [events, text] {
        let verdict = judged(0, output.as_bytes(), b"");
        assert_eq!((verdict.outcome, names(&verdict, Passed).len()), (Outcome::Passed, 100_000));
    }
}
