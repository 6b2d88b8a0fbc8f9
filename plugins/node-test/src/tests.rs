//! What real runs mean: `tests/recorded` holds what Node.js 18.20, 20.20, 22.23 and 24.21 printed with the reporters `tap` and `spec`.

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

fn suite(argv: &[&str], cwd: &str) -> Suite {
    let argv = argv.iter().map(|word| (*word).to_owned()).collect();
    Suite { name: "unit".into(), kind: "unit".into(), argv, cwd: cwd.into(), options: "{}".into() }
}

fn judged_in(suite: &Suite, exit: i32, output: Stream, errors: &[u8]) -> Verdict {
    let execution = Execution { exit: Exit::Code(exit), output, errors: stream(errors), files: Vec::new() };
    NodeTest::judge(suite, &execution, &NoOptions {}).expect("every run has a verdict")
}

/// As run by `node --test red/red.test.js red/two.test.mjs`.
fn judged(exit: i32, output: &[u8]) -> Verdict {
    judged_in(&suite(&["node", "--test", "red/red.test.js", "red/two.test.mjs"], "."), exit, stream(output), b"")
}

fn names(verdict: &Verdict, outcome: CaseOutcome) -> Vec<&str> {
    let cases = verdict.cases.as_deref().unwrap_or_else(|| panic!("no cases: {}", verdict.summary));
    let mut names: Vec<_> = cases.iter().filter(|case| case.outcome == outcome).map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn case<'a>(verdict: &'a Verdict, name: &str) -> &'a TestCase {
    verdict.cases.iter().flatten().find(|case| case.name == name).unwrap_or_else(|| panic!("no case {name}"))
}

fn place(verdict: &Verdict, name: &str) -> Option<(String, u32)> {
    let case = case(verdict, name);
    case.path.clone().zip(case.line)
}

use CaseOutcome::{Failed, Passed, Skipped};

const RED: [&str; 7] = ["adds three", "parent", "parent > child", "suite", "suite > deeper", "suite > deeper > fails too", "suite > fails"];

#[test]
fn both_reporters_name_cases_alike_in_every_version() {
    for output in [
        &recorded!("18-red-tap.out")[..],
        recorded!("20-red-tap.out"),
        recorded!("22-red-tap.out"),
        recorded!("24-red-tap.out"),
        recorded!("18-red-spec.out"),
        recorded!("20-red-spec.out"),
        recorded!("22-red-spec.out"),
        recorded!("24-red-spec.out"),
    ] {
        let verdict = judged(1, output);
        assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Failed, "4 passed, 7 failed, 0 skipped"));
        assert_eq!(names(&verdict, Failed), RED);
        assert_eq!(names(&verdict, Passed), ["adds two", "adds two #2", "adds two #3", "suite > passes"]);
        assert_eq!(place(&verdict, "adds three"), Some(("red/red.test.js".to_owned(), 9)));
        assert_eq!(place(&verdict, "suite > deeper > fails too"), Some(("red/red.test.js".to_owned(), 16)));
        let message = case(&verdict, "adds three").message.as_deref().expect("a message");
        assert!(message.contains("Expected values to be strictly equal:\n\n5 !== 9"), "{message}");
    }
}

#[test]
fn what_is_skipped_or_still_to_do_counts_neither_way() {
    let passed = [
        "adds two",
        "sub tests",
        "sub tests > first",
        "sub tests > second",
        "table",
        "table > nested",
        "table > nested > deep",
        "table > one # two",
    ];
    for output in
        [&recorded!("18-pass-tap.out")[..], recorded!("20-pass-tap.out"), recorded!("22-pass-tap.out"), recorded!("24-pass-tap.out")]
    {
        let verdict = judged(0, output);
        assert_eq!(names(&verdict, Skipped), ["not now", "plain skip", "some day"]);
        assert_eq!(verdict.outcome, Outcome::Passed);
        for name in passed {
            assert_eq!(case(&verdict, name).outcome, Passed);
        }
        assert_eq!(names(&verdict, Passed).len(), passed.len() + 1, "and one whose name has an escaped end of line");
    }
}

#[test]
fn names_that_the_spec_reporter_prints_on_two_lines_are_not_known() {
    for output in
        [&recorded!("18-pass-spec.out")[..], recorded!("20-pass-spec.out"), recorded!("22-pass-spec.out"), recorded!("24-pass-spec.out")]
    {
        let verdict = judged(0, output);
        assert_eq!((verdict.outcome, &verdict.cases), (Outcome::Passed, &None));
        assert_eq!(verdict.summary, "7 passed, 0 failed, 3 skipped");
    }
}

#[test]
fn the_reporter_on_standard_error_tells_where_files_are() {
    for (output, errors) in
        [(&recorded!("18-both.out")[..], &recorded!("18-both.err")[..]), (recorded!("24-both.out"), recorded!("24-both.err"))]
    {
        let place_in = |errors: &[u8]| {
            let verdict = judged_in(&suite(&["node", "--test"], "web"), 1, stream(output), errors);
            assert_eq!(verdict.outcome, Outcome::Failed);
            place(&verdict, "adds three")
        };
        assert_eq!(place_in(errors), Some(("web/test/red.test.js".to_owned(), 9)));
        assert_eq!(place_in(b""), None, "an absolute path does not tell where the repository starts");
    }
}

#[test]
fn files_that_do_not_load_are_broken() {
    for output in [&recorded!("18-broken-tap.out")[..], recorded!("24-broken-tap.out"), recorded!("24-broken-spec.out")] {
        let verdict = judged(1, output);
        assert_eq!((verdict.outcome, &verdict.cases), (Outcome::Broken, &None), "{}", verdict.summary);
        let why = "missing.test.js` could not be loaded, or ended outside of its tests: Error: Cannot find module './missing.js'";
        assert!(verdict.summary.ends_with(why), "{}", verdict.summary);
    }
    for output in [&recorded!("18-exit-tap.out")[..], recorded!("24-exit-tap.out"), recorded!("24-exit-spec.out")] {
        assert_eq!(judged(1, output).outcome, Outcome::Broken);
    }
    let missing = judged_in(&suite(&["node", "--test", "nowhere.test.js"], "."), 1, stream(b""), recorded!("24-nofile.err"));
    assert_eq!(
        (missing.outcome, missing.summary.as_str()),
        (Outcome::Broken, "the tests were not reported to their end: Could not find 'nowhere.test.js'")
    );
    let option = judged_in(&suite(&["node", "--test", "--nope"], "."), 9, stream(b""), recorded!("24-badflag.err"));
    assert_eq!((option.outcome, option.cases), (Outcome::Broken, None));
}

#[test]
fn a_hook_that_fails_fails_its_suite() {
    for output in
        [&recorded!("18-hook-tap.out")[..], recorded!("24-hook-tap.out"), recorded!("20-hook-spec.out"), recorded!("24-hook-spec.out")]
    {
        let verdict = judged(1, output);
        assert_eq!((verdict.outcome, names(&verdict, Failed)), (Outcome::Failed, vec!["hooked", "hooked > cancelled"]));
        assert!(case(&verdict, "hooked").message.as_deref().is_some_and(|message| message.contains("no database")));
    }
}

#[test]
fn suites_in_which_nothing_ran_are_no_tests() {
    for output in [
        &recorded!("18-empty-tap.out")[..],
        recorded!("24-empty-tap.out"),
        recorded!("20-empty-spec.out"),
        recorded!("24-empty-spec.out"),
        b"",
    ] {
        assert_eq!(judged(0, output).outcome, Outcome::NoTests);
    }
}

#[test]
fn a_file_without_tests_is_one_and_its_name_tells_no_worktree() {
    for output in [&recorded!("18-file-tap.out")[..], recorded!("20-file-spec.out")] {
        assert_eq!(names(&judged(0, output), Passed), ["n.test.js"], "all that is known of the absolute path");
        let named = judged_in(&suite(&["node", "--test", "none/n.test.js"], "."), 0, stream(output), b"");
        assert_eq!(names(&named, Passed), ["none/n.test.js"]);
    }
    for output in [&recorded!("24-file-tap.out")[..], recorded!("24-file-spec.out")] {
        assert_eq!(names(&judged(0, output), Passed), ["none/n.test.js"]);
    }
}

#[test]
fn what_a_program_prints_before_its_report_is_no_result() {
    let verdict = judged(1, recorded!("24-direct.out"));
    assert_eq!((verdict.outcome, names(&verdict, Failed)), (Outcome::Failed, RED.to_vec()));
}

#[test]
fn forged_lines_of_the_spec_reporter_take_the_names_away() {
    let forged = [b"\xe2\x9c\x94 forged (1ms)\n", &recorded!("24-red-spec.out")[..]].concat();
    let verdict = judged(1, &forged);
    assert_eq!((verdict.outcome, verdict.cases, verdict.summary.as_str()), (Outcome::Failed, None, "4 passed, 5 failed, 0 skipped"));
}

#[test]
fn colours_noise_and_bytes_that_are_no_text_are_passed_over() {
    let output = b"\xff\n> shop@1.0.0 test\r\n\x1b[32m\xe2\x9c\x94 adds \xff\x1b[90m (1.5ms)\x1b[39m\r\n\x1b[34m\xe2\x84\xb9 tests 1\r\n\xe2\x84\xb9 pass 1\r\n\xe2\x84\xb9 fail 0\r\n";
    let verdict = judged(0, output);
    assert_eq!((verdict.outcome, names(&verdict, Passed)), (Outcome::Passed, vec!["adds \u{fffd}"]));
}

#[test]
fn a_status_that_contradicts_the_report_is_not_believed() {
    for output in [&recorded!("24-red-tap.out")[..], recorded!("24-red-spec.out")] {
        let verdict = judged(0, output);
        assert_eq!((verdict.outcome, verdict.cases), (Outcome::Broken, None));
        assert!(verdict.summary.starts_with("the exit status is 0"), "{}", verdict.summary);
    }
    let verdict = judged(1, recorded!("24-pass-tap.out"));
    assert_eq!((verdict.outcome, verdict.cases.is_some()), (Outcome::Failed, true), "such as a coverage that is too low");
}

#[test]
fn a_run_that_was_not_reported_to_its_end_did_not_pass() {
    for output in [&recorded!("24-pass-tap.out")[..], recorded!("24-pass-spec.out")] {
        for end in (1..output.len() / 3).step_by(7) {
            let verdict = judged(0, &output[..end]);
            assert_eq!((verdict.outcome, verdict.cases), (Outcome::Broken, None), "{}", verdict.summary);
        }
    }
}

#[test]
fn output_that_was_cut_names_nothing_and_proves_nothing() {
    for output in [&recorded!("24-red-tap.out")[..], recorded!("24-red-spec.out")] {
        for keep in (0..output.len() / 2).step_by(7) {
            let output = Stream { head: output[..keep].to_vec(), tail: output[output.len() - keep..].to_vec(), total: 1 << 30 };
            let judged = |exit| judged_in(&suite(&["node", "--test"], "."), exit, output.clone(), b"");
            let (green, red) = (judged(0), judged(1));
            assert_eq!((red.outcome, red.cases, green.cases), (Outcome::Failed, None, None), "{keep}");
        }
    }
}

#[test]
fn a_hundred_thousand_cases() {
    let mut tap = b"TAP version 13\n".to_vec();
    (1..=100_000).for_each(|number| {
        tap.extend(
            format!("# Subtest: case {number}\nok {number} - case {number}\n  ---\n  duration_ms: 0.1\n  type: 'test'\n  ...\n").bytes(),
        )
    });
    tap.extend(b"1..100000\n# tests 100000\n# suites 0\n# pass 100000\n# fail 0\n");
    let mut spec = String::new();
    (1..=100_000).for_each(|number| spec.push_str(&format!("✔ case {number} (0.1ms)\n")));
    spec.push_str("ℹ tests 100000\nℹ pass 100000\nℹ fail 0\n");
    for output in [&tap[..], spec.as_bytes()] {
        let verdict = judged(0, output);
        assert_eq!((verdict.outcome, names(&verdict, Passed).len()), (Outcome::Passed, 100_000));
    }
}
