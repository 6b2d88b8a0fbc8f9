//! What real runs mean: `tests/recorded` holds both streams of each, printed by Test::More 1.302190 and prove 3.44, bats 1.8.2,
//! pytest-tap 3.5, tape 5.10.2, and node-tap 16.3.10, 18.8.0 and 21.8.0.

use code_polishy_sdk::suite_runner::{CaseOutcome, Exit, Outcome, Stream, TestCase};

use super::*;

macro_rules! recorded {
    ($name:literal, $exit:literal) => {
        judged(
            $exit,
            include_bytes!(concat!("../tests/recorded/", $name, ".out")),
            include_bytes!(concat!("../tests/recorded/", $name, ".err")),
        )
    };
}

fn stream(bytes: &[u8]) -> Stream {
    Stream { head: bytes.to_vec(), tail: Vec::new(), total: bytes.len() as u64 }
}

fn suite(argv: &[&str], cwd: &str) -> Suite {
    let argv = argv.iter().map(|word| (*word).to_owned()).collect();
    Suite { name: "unit".into(), kind: "unit".into(), argv, cwd: cwd.into(), options: "{}".into() }
}

fn judged_in(suite: &Suite, exit: i32, output: Stream, errors: &[u8]) -> Verdict {
    let execution = Execution { exit: Exit::Code(exit), output, errors: stream(errors), files: Vec::new() };
    Tap::judge(suite, &execution, &NoOptions {}).expect("every run has a verdict")
}

fn judged(exit: i32, output: &[u8], errors: &[u8]) -> Verdict {
    judged_in(&suite(&["node", "tape.js"], "."), exit, stream(output), errors)
}

fn names(verdict: &Verdict, outcome: CaseOutcome) -> Vec<&str> {
    let cases = verdict.cases.as_deref().unwrap_or_else(|| panic!("no cases: {}", verdict.summary));
    cases.iter().filter(|case| case.outcome == outcome).map(|case| case.name.as_str()).collect()
}

/// A failed case: its name, its place and its message.
type Told<'a> = (&'a str, Option<(&'a str, u32)>, &'a str);

fn failed(verdict: &Verdict) -> Vec<Told<'_>> {
    assert_eq!(verdict.outcome, Outcome::Failed, "{}", verdict.summary);
    let told = |case: &'_ TestCase| case.outcome == CaseOutcome::Failed;
    let cases = verdict.cases.iter().flatten().filter(|case| told(case));
    cases.map(|case| (case.name.as_str(), case.path.as_deref().zip(case.line), case.message.as_deref().unwrap_or_default())).collect()
}

use CaseOutcome::{Passed, Skipped};

#[test]
fn nothing_is_added_but_a_wish_for_no_colours() {
    let added = Tap::plan(&suite(&["prove"], "."), &NoOptions {}).expect("always planned");
    assert!(added.arguments.is_empty() && added.reports.is_empty());
    assert_eq!(added.variables, [Variable { name: "NO_COLOR".into(), value: "1".into() }]);
}

#[test]
fn test_more_says_on_standard_error_where_and_why() {
    let verdict = recorded!("more-red", 2);
    let expected = [
        ("adds three", Some(("t/a.t", 3)), "at t/a.t line 3.\ngot: '5'\nexpected: '9'"),
        ("table > two # hash", Some(("t/a.t", 4)), "at t/a.t line 4."),
        ("table", Some(("t/a.t", 4)), "at t/a.t line 4."),
    ];
    assert_eq!(failed(&verdict), expected);
    assert_eq!(names(&verdict, Passed), ["adds two", "table > one", "test 6"]);
    assert_eq!(names(&verdict, Skipped), ["test 4", "todo"]);
    assert_eq!(verdict.summary, "3 passed, 3 failed, 2 skipped");
    assert_eq!(names(&recorded!("more-pass", 0), Passed), ["one", "sub > inner", "sub"]);
}

#[test]
fn prove_names_cases_below_their_file() {
    let verdict = recorded!("prove-red", 1);
    assert_eq!(failed(&verdict)[0], ("t/a.t > adds three", Some(("t/a.t", 3)), "at t/a.t line 3.\ngot: '5'\nexpected: '9'"));
    let passed =
        ["t/a.t > adds two", "t/a.t > table > one", "t/a.t > test 6", "t/pass.t > one", "t/pass.t > sub > inner", "t/pass.t > sub"];
    assert_eq!(names(&verdict, Passed), passed);
    assert_eq!(names(&recorded!("prove-pass", 0), Passed), passed[3..]);
}

#[test]
fn bats_names_do_not_tell_times() {
    for verdict in [recorded!("bats-red", 1), recorded!("bats-timed", 1)] {
        let message = "(in test file a.bats, line 4)\n  `[ 5 -eq 9 ]' failed\nsome output";
        assert_eq!(failed(&verdict), [("adds three", Some(("a.bats", 4)), message)]);
        assert_eq!((names(&verdict, Passed), names(&verdict, Skipped)), (vec!["adds two", "adds two again"], vec!["not today"]));
    }
    assert_eq!(names(&recorded!("bats-pass", 0), Passed), ["adds two", "adds two again"]);
}

#[test]
fn pytest_says_why_in_comments() {
    let verdict = recorded!("pytest-red", 1);
    let told: Vec<_> = failed(&verdict).into_iter().map(|(name, place, _)| (name, place)).collect();
    assert_eq!(told, [("test_a.py::test_three", Some(("test_a.py", 3))), ("test_a.py::test_p[2]", Some(("test_a.py", 9)))]);
    assert_eq!(names(&verdict, Passed), ["test_a.py::test_two", "test_a.py::test_p[1]", "test_a.py::TestC.test_two"]);
}

#[test]
fn tape_prints_absolute_paths_of_files_that_the_command_names() {
    let output = include_bytes!("../tests/recorded/tape-red.out");
    let place = |argv: &[&str], cwd: &str| {
        let verdict = judged_in(&suite(argv, cwd), 1, stream(output), b"");
        assert_eq!(names(&verdict, Passed), ["two", "fine"]);
        let case = verdict.cases.into_iter().flatten().find(|case| case.outcome == CaseOutcome::Failed).expect("one failed");
        case.path.zip(case.line)
    };
    assert_eq!(place(&["node", "tape.js"], "."), Some(("tape.js".to_owned(), 2)));
    assert_eq!(place(&["node", "tape.js"], "web"), Some(("web/tape.js".to_owned(), 2)));
    assert_eq!(place(&["npx", "tape", "*.js"], "."), None, "which part of the path is the repository's is not known");
}

#[test]
fn node_tap_says_where_in_yaml() {
    let passed = ["adds > two", "nested > inner > fine", "nested > inner", "nested", "plain"];
    for verdict in [recorded!("node-tap-16", 1), recorded!("node-tap-18", 1), recorded!("node-tap-21", 1)] {
        let told: Vec<_> = failed(&verdict).into_iter().map(|(name, place, _)| (name, place)).collect();
        assert_eq!(told[0], ("adds > three", Some(("tap.js", 2))));
        assert_eq!(told[1].0, "adds");
        assert_eq!((names(&verdict, Passed), names(&verdict, Skipped)), (passed.to_vec(), vec!["later", "some day"]));
    }
    for verdict in [recorded!("node-tap-cli-16", 1), recorded!("node-tap-cli-21", 1)] {
        assert_eq!(names(&verdict, Passed), passed.map(|name| format!("tap.test.js > {name}")));
        assert_eq!(failed(&verdict)[0].1, Some(("tap.test.js", 2)));
    }
}

#[test]
fn what_ends_early_or_does_not_start_is_broken() {
    for (verdict, summary) in [
        (recorded!("more-die", 255), "1 of 3 planned tests ran: the tests ended early"),
        (recorded!("more-bail", 255), "the tests bailed out: database gone"),
        (recorded!("node-tap-bail", 1), "the tests bailed out: database gone"),
        (recorded!("prove-broken", 1), "`t/broken.t` printed no test points; `prove --verbose` shows them"),
        (judged(0, b"1..2\nok 1 - a\n", b""), "1 of 2 planned tests ran: the tests ended early"),
        (judged(127, b"", b"\nsh: prove: not found\n"), "no test points were printed: sh: prove: not found"),
        (recorded!("prove-quiet", 1), "`t/a.t` printed no test points; `prove --verbose` shows them"),
        (judged(0, b"t/pass.t .. ok\nResult: PASS\n", b""), "no test points were printed: t/pass.t .. ok"),
    ] {
        assert_eq!(verdict, Verdict { outcome: Outcome::Broken, cases: None, summary: summary.into() });
    }
    assert!(recorded!("more-broken", 2).summary.starts_with("no test points were printed: Can't locate Missing/Module.pm"));
    let loading = recorded!("bats-broken", 1);
    assert_eq!((loading.outcome, failed(&loading)[0].0), (Outcome::Failed, "setup_file failed"), "bats reports it as a test");
}

#[test]
fn zero_executed_cases_are_no_tests() {
    for verdict in
        [recorded!("more-skip-all", 0), judged(0, b"", b""), judged(0, b"1..1\nok 1 - a # SKIP\n", b""), judged(0, b"1..0\n", b"")]
    {
        assert_eq!((verdict.outcome, verdict.cases), (Outcome::NoTests, None));
    }
}

#[test]
fn a_status_that_contradicts_the_stream_is_not_believed() {
    let verdict = judged(0, b"1..2\nok 1 - a\nnot ok 2 - b\n", b"");
    assert_eq!((verdict.outcome, verdict.cases.as_ref()), (Outcome::Broken, None));
    assert!(verdict.summary.starts_with("the exit status is 0 and the output tells of failures (1 failed)"));
    let verdict = judged(3, b"1..1\nok 1 - a\n", b"");
    assert_eq!((verdict.outcome, names(&verdict, Passed)), (Outcome::Failed, vec!["a"]));
}

#[test]
fn noise_colours_and_bytes_that_are_no_text_are_passed_over() {
    let verdict = judged(1, b"\xff\xfe\r\n\x1b[1mTAP version 14\x1b[0m\r\nlog: ok\r\n\x1b[32mok\x1b[0m 1 - \xc3\xbc\xff\r\n\x1b[31mnot ok\x1b[0m 2 - b\r\n1..2\r\n", b"\x80");
    assert_eq!((names(&verdict, Passed), names(&verdict, CaseOutcome::Failed)), (vec!["ü\u{fffd}"], vec!["b"]));
}

#[test]
fn equal_names_are_numbered() {
    assert_eq!(names(&judged(0, b"1..3\nok 1 - a\nok 2 - a\nok 3 - a\n", b""), Passed), ["a", "a #2", "a #3"]);
}

#[test]
fn output_that_was_cut_names_nothing_and_proves_nothing() {
    let output = include_bytes!("../tests/recorded/more-red.out");
    for keep in 0..output.len() / 2 {
        let cut = |exit| {
            let output = Stream { head: output[..keep].to_vec(), tail: output[output.len() - keep..].to_vec(), total: 1 << 30 };
            judged_in(&suite(&["prove"], "."), exit, output, b"")
        };
        let (green, red) = (cut(0), cut(2));
        assert_eq!((red.outcome, red.cases), (Outcome::Failed, None), "{keep}");
        assert!(green.cases.is_none());
    }
}

#[test]
fn a_hundred_thousand_cases() {
    let mut output = b"1..100000\n".to_vec();
    (1..=100_000).for_each(|number| output.extend(format!("ok {number} - case {number} of many\n").bytes()));
    let verdict = judged(0, &output, b"");
    assert_eq!((verdict.outcome, names(&verdict, Passed).len()), (Outcome::Passed, 100_000));
}
