//! What real runs mean: `tests/recorded` holds the report and the output of each, by pytest 6.2.5, 7.4.4, 8.4.2 and 9.2.0.

use code_polishy_sdk::suite_runner::{CaseOutcome, CollectedFile, Exit, Outcome, Stream, TestCase};

use super::*;

fn suite(cwd: &str) -> Suite {
    let argv = ["python3", "-m", "pytest"].map(str::to_owned).into();
    Suite { name: "unit".into(), kind: "unit".into(), argv, cwd: cwd.into(), options: "{}".into() }
}

fn stream(bytes: &[u8]) -> Stream {
    Stream { head: bytes.to_vec(), tail: Vec::new(), total: bytes.len() as u64 }
}

fn judged_in(cwd: &str, exit: i32, report: Option<&[u8]>, output: Stream, errors: &[u8]) -> Verdict {
    let file = |content: &[u8]| CollectedFile { path: "pytest.xml".into(), content: content.into(), truncated: false };
    let files = report.map(file).into_iter().collect();
    let execution = Execution { exit: Exit::Code(exit), output, errors: stream(errors), files };
    Pytest::judge(&suite(cwd), &execution, &NoOptions {}).expect("every run has a verdict")
}

fn judged(exit: i32, report: Option<&[u8]>, output: &[u8]) -> Verdict {
    judged_in(".", exit, report, stream(output), b"")
}

macro_rules! file {
    ($name:expr) => {
        include_bytes!(concat!("../tests/recorded/", $name)).as_slice()
    };
}

macro_rules! reported {
    ($name:literal, $exit:literal) => {
        judged($exit, Some(file!(concat!($name, ".xml"))), file!(concat!($name, ".out")))
    };
}

macro_rules! printed {
    ($name:literal, $exit:literal) => {
        judged($exit, None, file!(concat!($name, ".out")))
    };
}

/// Sorted, because several workers run tests in any order.
fn names(verdict: &Verdict, outcome: CaseOutcome) -> Vec<&str> {
    let cases = verdict.cases.as_deref().unwrap_or_else(|| panic!("no cases: {}", verdict.summary));
    let mut names: Vec<_> = cases.iter().filter(|case| case.outcome == outcome).map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn case<'a>(verdict: &'a Verdict, name: &str) -> &'a TestCase {
    verdict.cases.iter().flatten().find(|case| case.name == name).unwrap_or_else(|| panic!("no case {name}"))
}

/// Line and first line of the message of a failed case of `tests/test_total.py`.
fn why<'a>(verdict: &'a Verdict, name: &str) -> (Option<u32>, &'a str) {
    let case = case(verdict, &format!("tests/test_total.py::{name}"));
    assert!(case.path.as_deref().is_none_or(|path| path == "tests/test_total.py"), "{case:?}");
    (case.line, case.message.as_deref().and_then(|message| message.lines().next()).unwrap_or_default())
}

const PASSED: [&str; 5] = [
    "tests/test_total.py::TestShop::TestNested::test_inner",
    "tests/test_total.py::TestShop::test_raises",
    "tests/test_total.py::test_many[two]",
    "tests/test_total.py::test_two",
    "tests/test_total.py::test_xpass",
];

const FAILED: [&str; 6] = [
    "tests/test_total.py::test_fails_and_leaks",
    "tests/test_total.py::test_helper",
    "tests/test_total.py::test_many[three::of \\x1b[31m<amounts>]",
    "tests/test_total.py::test_setup",
    "tests/test_total.py::test_teardown",
    "tests/test_total.py::test_unexpected",
];

const MANY: &str = "test_many[three::of \\x1b[31m<amounts>]";

#[test]
fn cases_are_named_by_node_id_in_every_version() {
    for verdict in [reported!("6-red", 1), reported!("7-red", 1), reported!("8-red", 1), reported!("9-red", 1), reported!("9-xdist", 1)] {
        assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Failed, "5 passed, 6 failed, 2 skipped"));
        assert_eq!((names(&verdict, CaseOutcome::Passed), names(&verdict, CaseOutcome::Failed)), (PASSED.to_vec(), FAILED.to_vec()));
        let skipped = ["tests/test_total.py::test_expected", "tests/test_total.py::test_skipped"];
        assert_eq!(names(&verdict, CaseOutcome::Skipped), skipped);
        assert_eq!(why(&verdict, MANY), (Some(11), "AssertionError: all of them"));
        assert_eq!(why(&verdict, "test_helper"), (Some(73), "ValueError: ü#x00 from a helper"));
        assert_eq!(why(&verdict, "test_setup"), (Some(27), "failed on setup with \"RuntimeError: no fixture today\""));
        assert_eq!(why(&verdict, "test_fails_and_leaks"), (Some(45), "assert False"));
        assert_eq!(why(&verdict, "test_unexpected").0, Some(58));
    }
    assert_eq!(names(&reported!("9-ok", 0), CaseOutcome::Passed), ["ok/test_ok.py::test_one", "ok/test_ok.py::test_two"]);
}

#[test]
fn places_are_known_in_every_style_of_traceback() {
    for (report, line) in [(file!("9-tbshort.xml"), 11), (file!("9-tbnative.xml"), 9), (file!("9-tbline.xml"), 9)] {
        assert_eq!(why(&judged(1, Some(report), b""), MANY).0, Some(line));
    }
}

#[test]
fn subtests_document_tests_and_inherited_tests_have_their_ids() {
    let verdict = reported!("9-subtests", 1);
    let failed = [
        "doc.txt::doc.txt",
        "inh/test_child.py::TestChild::test_inherited",
        "subt/test_fix.py::test_subtests",
        "subt/test_sub.py::T::test_many",
    ];
    assert_eq!(names(&verdict, CaseOutcome::Failed), failed);
    assert_eq!(case(&verdict, failed[1]).path.as_deref().zip(case(&verdict, failed[1]).line), Some(("inh/base.py", 3)));
}

#[test]
fn places_are_in_the_repository_when_the_root_is_above_the_suite() {
    let verdict = judged_in("sub", 1, Some(file!("9-above.xml")), stream(file!("9-above.out")), b"");
    let bad = case(&verdict, "sub/tests/test_bad.py::test_bad");
    assert_eq!(bad.path.as_deref().zip(bad.line), Some(("sub/tests/test_bad.py", 2)));
    let own = judged_in("sub", 1, Some(file!("9-red.xml")), stream(b"rootdir: /home/build/shop/sub, configfile: pytest.ini\n"), b"");
    assert_eq!(case(&own, FAILED[0]).path.as_deref(), Some("sub/tests/test_total.py"));
}

#[test]
fn what_pytest_cannot_collect_is_broken() {
    let imported =
        "not collected: bad/test_bad.py: ImportError: cannot import name 'least' from 'shop' (/home/build/shop/shop/__init__.py)";
    let runs = [
        reported!("6-bad", 2),
        reported!("7-bad", 2),
        reported!("8-bad", 2),
        reported!("9-bad", 2),
        reported!("9-cont", 1),
        reported!("9-xbad", 1),
    ];
    for verdict in runs {
        assert_eq!(verdict, Verdict { outcome: Outcome::Broken, cases: None, summary: imported.into() });
    }
    for verdict in [printed!("9-bad", 2), printed!("9-cont", 1), printed!("9-xbad", 1)] {
        assert!(verdict.outcome == Outcome::Broken && verdict.summary.starts_with("not collected: bad/test_bad.py"), "{verdict:?}");
    }
}

#[test]
fn what_pytest_cannot_finish_is_broken() {
    let usage = judged_in(".", 4, Some(file!("9-usage.xml")), stream(file!("9-usage.out")), file!("9-usage.err"));
    let unknown = judged_in(".", 4, None, stream(file!("9-noxml.out")), file!("9-noxml.err"));
    for (verdict, summary) in [
        (usage, "ERROR: file or directory not found: nofolder"),
        (unknown, "unrecognized arguments: --junit-xml=/home/build/shop/noxml.xml"),
        (printed!("9-crash", 3), "RuntimeError: plugin bug"),
        (reported!("9-interrupted", 2), "_pytest.outcomes.Exit: enough of this"),
        (judged_in(".", 127, None, stream(b""), b"sh: pytest: not found"), "pytest wrote no report and printed no result"),
        (judged(0, None, b""), "pytest wrote no report and printed no result"),
        (judged(1, None, b""), "pytest wrote no report and printed no result"),
    ] {
        assert_eq!(verdict, Verdict { outcome: Outcome::Broken, cases: None, summary: summary.into() });
    }
}

#[test]
fn zero_executed_cases_are_no_tests() {
    for verdict in [reported!("9-none", 5), reported!("9-skipped", 0), printed!("9-none", 5), printed!("9-skipped", 0)] {
        assert_eq!((verdict.outcome, verdict.cases), (Outcome::NoTests, None), "{}", verdict.summary);
    }
}

#[test]
fn without_a_report_the_printed_cases_are_known() {
    for verdict in [printed!("6-rA", 1), printed!("7-rA", 1), printed!("8-rA", 1), printed!("9-rA", 1), printed!("9-colour", 1)] {
        assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Failed, "5 passed, 6 failed, 2 skipped"));
        assert_eq!((names(&verdict, CaseOutcome::Passed), names(&verdict, CaseOutcome::Failed)), (PASSED.to_vec(), FAILED.to_vec()));
        assert_eq!((why(&verdict, MANY).0, why(&verdict, "test_setup")), (Some(11), (Some(27), "RuntimeError: no fixture today")));
    }
    for verdict in [printed!("9-red", 1), printed!("9-quiet", 1)] {
        assert_eq!((verdict.outcome, &verdict.cases), (Outcome::Failed, &None), "{}", verdict.summary);
    }
    assert_eq!((printed!("9-ok", 0).outcome, printed!("9-ok", 0).cases), (Outcome::Passed, None));
}

#[test]
fn a_contradiction_passes_nothing() {
    for (report, output) in [(Some(file!("9-red.xml")), &b""[..]), (None, file!("9-rA.out")), (None, file!("9-quiet.out"))] {
        let verdict = judged(0, report, output);
        assert!(verdict.outcome == Outcome::Broken && verdict.summary.contains("exit status is 0"), "{verdict:?}");
    }
    let green = judged(1, Some(file!("9-ok.xml")), b"FAIL Required test coverage of 90% not reached.\n");
    assert!(green.outcome == Outcome::Failed && names(&green, CaseOutcome::Failed).is_empty(), "no case that could flip: {green:?}");
}

#[test]
fn a_report_or_an_output_that_ends_anywhere_never_passes_as_a_whole() {
    let (report, output) = (file!("9-ok.xml"), file!("9-rA.out"));
    for keep in 0..report.len() {
        assert_eq!(judged(0, Some(&report[..keep]), b"").outcome, Outcome::Broken, "{keep}");
    }
    for keep in (0..output.len()).step_by(7) {
        assert!(judged(1, None, &output[..keep]).outcome != Outcome::Passed, "{keep}");
        let cut = Stream { head: output[..keep].to_vec(), tail: output[output.len() - keep.min(200)..].to_vec(), total: 1 << 30 };
        let verdict = judged_in(".", 1, None, cut, b"");
        assert!(verdict.outcome != Outcome::Passed && verdict.cases.is_none(), "{keep}: {verdict:?}");
    }
}

#[test]
fn a_hundred_thousand_cases_are_named_while_the_report_is_whole() {
    let mut report = b"<testsuites><testsuite name='pytest' errors='0' failures='0' skipped='0' tests='100000'>".to_vec();
    let case = |number| format!("<testcase classname='t' name='t[{number}]' file='t.py' line='1'/>");
    (0..100_000).for_each(|number| report.extend(case(number).bytes()));
    let whole = [&report[..], b"</testsuite></testsuites>\xff\x80"].concat();
    assert_eq!(names(&judged(0, Some(&whole), b"\xff\n"), CaseOutcome::Passed).len(), 100_000);

    let file = CollectedFile { path: "pytest.xml".into(), content: report[..1 << 20].to_vec(), truncated: true };
    let execution = Execution { exit: Exit::Code(0), output: stream(b""), errors: stream(b""), files: vec![file] };
    let verdict = Pytest::judge(&suite("."), &execution, &NoOptions {}).expect("every run has a verdict");
    assert_eq!((verdict.outcome, verdict.cases, verdict.summary.as_str()), (Outcome::Passed, None, "100000 passed, 0 failed, 0 skipped"));
}
