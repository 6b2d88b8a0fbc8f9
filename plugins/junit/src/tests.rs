//! What real reports mean: `tests/recorded` holds what each tool wrote, with its version; the files of Maven and Gradle lack most properties and stack frames.

use code_polishy_sdk::suite_runner::{CaseOutcome, CollectedFile, Execution, Exit, Outcome, Stream, TestCase};

use super::*;

fn suite(reports: &[&str]) -> Suite {
    let argv = ["make", "test"].map(str::to_owned).into();
    let options = format!(r#"{{"reports":["{}"]}}"#, reports.join(r#"",""#));
    Suite { name: "unit".into(), kind: "unit".into(), argv, cwd: ".".into(), options }
}

fn file(path: &str, content: &[u8]) -> CollectedFile {
    CollectedFile { path: path.into(), content: content.into(), truncated: false }
}

fn judged(exit: i32, reports: &[&str], files: Vec<CollectedFile>) -> Verdict {
    let stream = || Stream { head: b"PASS\nFAIL\n".to_vec(), tail: Vec::new(), total: 10 };
    let execution = Execution { exit: Exit::Code(exit), output: stream(), errors: stream(), files };
    Junit::judge(&suite(reports), &execution, &UnreadOptions {}).expect("every run has a verdict")
}

fn one(exit: i32, content: &[u8]) -> Verdict {
    judged(exit, &["junit.xml"], vec![file("junit.xml", content)])
}

macro_rules! recorded {
    ($exit:literal, $($name:literal),+) => {
        judged($exit, &[$($name),+], vec![$(file($name, include_bytes!(concat!("../tests/recorded/", $name, ".xml")))),+])
    };
}

fn names(verdict: &Verdict, outcome: CaseOutcome) -> Vec<&str> {
    let cases = verdict.cases.as_deref().unwrap_or_else(|| panic!("no cases: {}", verdict.summary));
    cases.iter().filter(|case| case.outcome == outcome).map(|case| case.name.as_str()).collect()
}

/// The names of all cases, by outcome.
fn all(verdict: &Verdict) -> [Vec<&str>; 3] {
    [CaseOutcome::Passed, CaseOutcome::Failed, CaseOutcome::Skipped].map(|outcome| names(verdict, outcome))
}

fn case<'a>(verdict: &'a Verdict, name: &str) -> &'a TestCase {
    verdict.cases.iter().flatten().find(|case| case.name == name).unwrap_or_else(|| panic!("no case {name}"))
}

/// Where and why a case failed; the first line of it.
fn why<'a>(verdict: &'a Verdict, name: &str) -> (Option<(&'a str, u32)>, &'a str) {
    let case = case(verdict, name);
    let message = case.message.as_deref().and_then(|message| message.lines().next());
    (case.path.as_deref().zip(case.line), message.unwrap_or_default())
}

#[test]
fn reports_are_collected_and_nothing_is_added_unless_the_options_say_so() {
    let plan = |options: &str| Junit::plan(&Suite { options: options.into(), ..suite(&[]) }, &UnreadOptions {});
    let plain = plan(r#"{"reports":["a.xml","b.xml"]}"#).expect("planned");
    let reports: Vec<_> = plain.reports.iter().map(|report| (report.path.as_str(), report.max_bytes)).collect();
    assert_eq!((reports, plain.arguments.len(), plain.variables.len()), (vec![("a.xml", 8 << 20), ("b.xml", 8 << 20)], 0, 0));
    let with_arguments = plan(r#"{"arguments":["--junitfile","a.xml"],"reports":["a.xml"]}"#).expect("planned");
    assert_eq!(with_arguments.arguments, ["--junitfile", "a.xml"]);
    assert_eq!(plan("{}").map_err(|failure| failure.code), Err("no-reports".to_owned()));
}

#[test]
fn surefire_names_classes_and_methods() {
    let verdict = recorded!(1, "surefire-2-junit4-total", "surefire-2-junit4-many");
    let passed = vec!["shop.TotalTest two", "shop.ManyTest sums[same]", "shop.ManyTest sums[same] #2"];
    assert_eq!(all(&verdict), [passed, vec!["shop.TotalTest raises", "shop.TotalTest three"], vec!["shop.TotalTest later"]]);
    assert_eq!(why(&verdict, "shop.TotalTest three"), (None, "all of <them> & \"ü\" ]]> expected:<9> but was:<5>"));
    let verdict = recorded!(1, "surefire-2-junit5-total");
    let passed = vec!["shop.TotalTest two", "shop.TotalTest many{int}[1]", "shop.TotalTest$Inner inside"];
    assert_eq!(all(&verdict), [passed, vec!["shop.TotalTest many{int}[2]", "shop.TotalTest three"], vec!["shop.TotalTest later"]]);
}

#[test]
fn gradle_writes_one_file_a_class() {
    let verdict = recorded!(1, "gradle-4-total", "gradle-4-many", "gradle-4-nested");
    assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Failed, "4 passed, 2 failed, 1 skipped"));
    assert_eq!(names(&verdict, CaseOutcome::Failed), ["shop.TotalTest raises", "shop.TotalTest three"]);
    assert!(names(&verdict, CaseOutcome::Passed).contains(&"shop.TotalTest$Nested inner"));
}

#[test]
fn jest_and_mocha_name_a_case_by_its_titles() {
    for verdict in [recorded!(1, "jest-27-red"), recorded!(1, "jest-30-red")] {
        let failed = vec!["total of many adds three <&> red", "total throws"];
        let passed = vec!["total adds two", "total of many some day", "total same", "total same #2"];
        assert_eq!(all(&verdict), [passed, failed, vec!["total of many later"]]);
        assert_eq!(
            why(&verdict, "total of many adds three <&> red"),
            (None, "Error: expect(received).toBe(expected) // Object.is equality")
        );
    }
    for verdict in [recorded!(3, "mocha-8-red"), recorded!(3, "mocha-11-red")] {
        let hook = "total hooks \"before all\" hook for \"never runs\"";
        let failed = vec!["total throws", "total of many adds three <&> red", hook];
        assert_eq!(all(&verdict), [vec!["total adds two", "total same", "total same #2"], failed, vec![]]);
        assert_eq!(why(&verdict, "total of many adds three <&> red"), (Some(("mocha/total.js", 8)), "5 == 9"));
    }
}

#[test]
fn jest_tells_places_and_files_that_do_not_load_when_it_is_configured_to() {
    for verdict in [recorded!(1, "jest-27-errors"), recorded!(1, "jest-30-errors")] {
        assert_eq!(why(&verdict, "total throws").0, Some(("tests/total.test.js", 14)));
        let not_loaded =
            "; not loaded: Test suite failed to run tests/loads.test.js: Cannot find module '../least' from 'tests/loads.test.js'";
        assert_eq!(verdict.summary, format!("5 passed, 2 failed, 1 skipped{not_loaded}"));
    }
    for verdict in [recorded!(1, "jest-27-loads"), recorded!(1, "jest-30-loads")] {
        assert_eq!(verdict.outcome, Outcome::NoTests, "it says nothing by itself");
    }
}

#[test]
fn vitest_names_files_and_tells_places() {
    for verdict in [recorded!(1, "vitest-1-red"), recorded!(1, "vitest-3-red")] {
        assert_eq!(verdict.summary, "3 passed, 2 failed, 2 skipped");
        let expected = (Some(("vi/total.test.js", 8)), "expected 5 to be 9 // Object.is equality");
        assert_eq!(why(&verdict, "vi/total.test.js total > of many > adds three <&> [31mred[0m"), expected);
    }
}

#[test]
fn gotestsum_names_packages() {
    let verdict = recorded!(1, "gotestsum-1.8-red");
    let passed = vec!["example.com/shop TestTwo", "example.com/shop TestMany/of_[2_3]"];
    let failed = vec!["example.com/shop TestMany/of_[2_3_4]", "example.com/shop TestMany", "example.com/shop TestPanics"];
    assert_eq!(all(&verdict), [passed, failed, vec!["example.com/shop TestLater"]]);
    assert_eq!(recorded!(0, "gotestsum-1.8-ok").outcome, Outcome::Passed);
    assert_eq!(recorded!(0, "gotestsum-1.8-none").outcome, Outcome::NoTests);
}

#[test]
fn nextest_tells_what_a_retry_made_of_a_case() {
    let verdict = recorded!(100, "nextest-0.9-red");
    assert_eq!(
        all(&verdict),
        [vec!["shop::two adds_two", "shop::two sometimes"], vec!["shop::two aborts", "shop::two adds_three"], vec![]]
    );
    assert_eq!(
        case(&verdict, "shop::two adds_three").path.as_deref().zip(case(&verdict, "shop::two adds_three").line),
        Some(("tests/two.rs", 8))
    );
}

#[test]
fn phpunit_nests_suites_and_passes_what_it_finds_risky() {
    let verdict = recorded!(2, "phpunit-9-red");
    let passed = vec!["TotalTest testTwo", "TotalTest testMany with data set \"two\"", "TotalTest testRisky"];
    let failed = vec!["TotalTest testMany with data set \"three \"of\" them\"", "TotalTest testRaises"];
    assert_eq!(all(&verdict), [passed, failed, vec!["TotalTest testLater", "TotalTest testIncomplete"]]);
}

#[test]
fn pytest_is_understood_without_its_own_runner_too() {
    for verdict in [recorded!(1, "pytest-6-red"), recorded!(1, "pytest-9-red")] {
        assert_eq!(verdict.summary, "5 passed, 7 failed, 2 skipped");
        assert_eq!(why(&verdict, "tests.test_total test_setup").0, Some(("tests/test_total.py", 27)));
        assert_eq!(case(&verdict, "tests.test_total test_fails_and_leaks #2").outcome, CaseOutcome::Failed);
    }
}

#[test]
fn what_does_not_build_or_load_is_broken() {
    let imported = "not loaded: bad.test_bad: ImportError: cannot import name 'least' from 'shop' (/home/build/shop/shop/__init__.py)";
    let module = "not loaded: vi/loads.test.js: Error: Cannot find module '../least' imported from '/home/build/shop/vi/loads.test.js'";
    let url = "not loaded: vi/loads.test.js: Error: Failed to load url ../least (resolved id: ../least) in /home/build/shop/vi/loads.test.js. Does the file exist?";
    for (verdict, summary) in [
        (recorded!(1, "surefire-2-junit5-setup"), "not loaded: shop.SetupTest: java.lang.IllegalStateException: no database"),
        (recorded!(2, "gotestsum-1.8-broken"), "what failed is no case of a report"),
        (recorded!(2, "gotestsum-1.8-mixed"), "what failed is no case of a report"),
        (recorded!(1, "vitest-1-loads"), url),
        (recorded!(1, "vitest-3-loads"), module),
        (recorded!(2, "pytest-9-bad"), imported),
        (judged(1, &["a.xml", "b.xml"], Vec::new()), "the report a.xml was not written"),
    ] {
        assert_eq!(verdict, Verdict { outcome: Outcome::Broken, cases: None, summary: summary.into() });
    }
}

const GREEN: &[u8] = b"<testsuite tests='2'><testcase name='a'/><testcase name='b'><skipped/></testcase></testsuite>";
const RED: &[u8] = b"<testsuite tests='2' failures='1'><testcase name='a'/><testcase name='b'><failure/></testcase></testsuite>";

#[test]
fn a_report_that_contradicts_the_exit_status_passes_nothing() {
    assert_eq!(one(0, GREEN).outcome, Outcome::Passed);
    assert_eq!(one(1, RED).outcome, Outcome::Failed);
    let red = one(0, RED);
    assert_eq!((red.outcome, &red.cases), (Outcome::Broken, &None));
    assert!(red.summary.contains("exit status is 0"), "{}", red.summary);
    let green = one(1, GREEN);
    assert!(
        green.outcome == Outcome::Failed && names(&green, CaseOutcome::Failed).is_empty(),
        "no case that could flip: {}",
        green.summary
    );
}

#[test]
fn a_run_without_all_of_its_reports_passes_nothing_and_names_nothing() {
    let two = |exit, content| judged(exit, &["a.xml", "b.xml"], vec![file("b.xml", content)]);
    assert_eq!((two(0, GREEN).outcome, two(1, GREEN).outcome), (Outcome::Broken, Outcome::Broken));
    assert_eq!((two(1, RED).outcome, two(1, RED).cases), (Outcome::Failed, None));
    for content in [&b""[..], b"npm error", b"<html/>", b"<testsuite><testcase name='a'/></testsuites>", b"<testsuite><testcase name='a'/>"]
    {
        let (passed, failed) = (one(0, content), one(1, content));
        assert_eq!((passed.outcome, failed.outcome), (Outcome::Broken, Outcome::Broken), "{}", passed.summary);
        assert!(passed.summary.contains("junit.xml"), "{}", passed.summary);
    }
}

#[test]
fn zero_executed_cases_are_no_tests() {
    for content in
        [&b"<testsuites/>"[..], b"<testsuite tests='0'></testsuite>", b"<testsuite><testcase name='a'><skipped/></testcase></testsuite>"]
    {
        assert_eq!((one(0, content).outcome, one(1, content).outcome), (Outcome::NoTests, Outcome::NoTests));
    }
}

#[test]
fn a_report_that_ends_anywhere_never_passes() {
    for content in [include_bytes!("../tests/recorded/gradle-4-total.xml").as_slice(), include_bytes!("../tests/recorded/jest-27-ok.xml")] {
        for keep in 0..content.trim_ascii_end().len() {
            let (green, red) = (one(0, &content[..keep]), one(1, &content[..keep]));
            assert!(green.outcome == Outcome::Broken && green.cases.is_none(), "{keep}: {green:?}");
            assert!(red.outcome != Outcome::Passed && red.cases.is_none(), "{keep}: {red:?}");
        }
    }
}

#[test]
fn a_report_that_the_host_cut_is_counted_by_what_its_suites_say() {
    let cut = |exit, content: &[u8]| {
        let file = CollectedFile { truncated: true, ..file("junit.xml", content) };
        let verdict = judged(exit, &["junit.xml"], vec![file]);
        (verdict.outcome, verdict.cases, verdict.summary)
    };
    let head = b"<testsuite tests='100000' skipped='2'><testcase name='a'/><testcase name='b'/><testca";
    assert_eq!(cut(0, head), (Outcome::Passed, None, "99998 passed, 0 failed, 2 skipped".into()));
    let head = b"<testsuite tests='100000' failures='1'><testcase name='a'/><testca";
    assert_eq!(cut(1, head), (Outcome::Failed, None, "99999 passed, 1 failed, 0 skipped".into()));
    assert_eq!(cut(0, head).0, Outcome::Broken);
}

#[test]
fn a_hundred_thousand_cases_and_bytes_that_are_no_text() {
    let mut content = b"\xff\xfe noise \x80 <testsuite name='many \xff'>"[2..].to_vec();
    (0..100_000).for_each(|number| content.extend(format!("<testcase classname='many' name='case {number}'/>\n").bytes()));
    content.extend(b"</testsuite>");
    let verdict = one(0, &content);
    assert_eq!((verdict.outcome, names(&verdict, CaseOutcome::Passed).len()), (Outcome::Passed, 100_000));
    assert_eq!(verdict.cases.expect("named")[99_999].name, "many case 99999");
}

#[test]
fn more_than_an_answer_may_hold_is_counted() {
    let content = format!("<testsuite>{}</testsuite>", "<testcase name='a'><failure/></testcase>".repeat(200_001));
    let verdict = one(1, content.as_bytes());
    assert_eq!((verdict.outcome, verdict.cases, verdict.summary.as_str()), (Outcome::Failed, None, "0 passed, 200001 failed, 0 skipped"));
    let long = format!("<testcase name='{}'/>", "x".repeat(4000)).repeat(7000);
    assert!(one(0, format!("<testsuite>{long}</testsuite>").as_bytes()).cases.is_none());
    let failed = format!("<testsuite>{}</testsuite>", "<testcase name='a'><failure>no</failure></testcase>".repeat(6000));
    let verdict = one(1, failed.as_bytes());
    assert_eq!(verdict.cases.iter().flatten().filter(|case| case.message.is_some()).count(), 5000);
    let huge =
        format!("<testsuite name='{0}'><testcase name='{0}'><failure message='{0}'/></testcase></testsuite>", "ü ".repeat(1_000_000));
    let verdict = one(1, huge.as_bytes());
    assert!(
        verdict.cases.iter().flatten().all(|case| case.name.len() <= 4096 && case.message.as_ref().is_some_and(|text| text.len() <= 4096))
    );
}

#[test]
fn reports_in_other_encodings_are_read() {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><testsuite><testcase name='für'/></testsuite>";
    let utf_16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(names(&one(0, &utf_16), CaseOutcome::Passed), ["für"]);
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><testsuite><testcase name='f\xfcr'/></testsuite>";
    assert_eq!(names(&one(0, latin), CaseOutcome::Passed), ["für"]);
}
