//! What real runs mean: `tests/recorded` holds both streams of each, printed by cargo 1.95 and nextest 0.9.143.

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

fn suite(cwd: &str) -> Suite {
    let argv = ["cargo", "test"].map(str::to_owned).into();
    Suite { name: "unit".into(), kind: "unit".into(), argv, cwd: cwd.into(), options: "{}".into() }
}

fn stream(bytes: &[u8]) -> Stream {
    Stream { head: bytes.to_vec(), tail: Vec::new(), total: bytes.len() as u64 }
}

fn judged(exit: i32, output: &[u8], errors: &[u8]) -> Verdict {
    let execution = Execution { exit: Exit::Code(exit), output: stream(output), errors: stream(errors), files: Vec::new() };
    Cargo::judge(&suite("."), &execution, &NoOptions {}).expect("every run has a verdict")
}

fn names(verdict: &Verdict, outcome: CaseOutcome) -> Vec<&str> {
    let cases = verdict.cases.as_deref().unwrap_or_else(|| panic!("no cases: {}", verdict.summary));
    cases.iter().filter(|case| case.outcome == outcome).map(|case| case.name.as_str()).collect()
}

fn case<'a>(verdict: &'a Verdict, name: &str) -> &'a TestCase {
    verdict.cases.iter().flatten().find(|case| case.name == name).unwrap_or_else(|| panic!("no case {name}"))
}

fn place(case: &TestCase) -> Option<(&str, u32)> {
    case.path.as_deref().zip(case.line)
}

const PASSED: [&str; 10] = [
    "src/lib.rs (shop)::tests::adds_one",
    "src/lib.rs (shop)::tests::panics",
    "tests/two.rs (shop)::adds_two",
    "tests/two.rs (shop)::prints",
    "src/lib.rs (doc)",
    "src/lib.rs (doc)::total",
    "src/lib.rs (doc)::total #2",
    "src/lib.rs (doc)::total #3",
    "src/lib.rs (doc)::total #4",
    "src/lib.rs (doc)::total #5",
];

#[test]
fn only_colours_are_asked_away() {
    let added = Cargo::plan(&suite("."), &NoOptions {}).expect("always planned");
    assert!(added.arguments.is_empty() && added.reports.is_empty());
    let variables: Vec<_> = added.variables.iter().map(|variable| (variable.name.as_str(), variable.value.as_str())).collect();
    assert_eq!(variables, [("CARGO_TERM_COLOR", "never"), ("NO_COLOR", "1")]);
}

#[test]
fn a_passed_run_names_every_case_of_every_target() {
    let verdict = recorded!("pass", 0);
    assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Passed, "10 passed, 0 failed, 3 skipped"));
    assert_eq!(names(&verdict, CaseOutcome::Passed), PASSED);
    let skipped = ["src/lib.rs (shop)::tests::slow", "src/lib.rs (shop)::tests::slower", "src/lib.rs (doc)::total #6"];
    assert_eq!(names(&verdict, CaseOutcome::Skipped), skipped);
}

#[test]
fn a_failed_run_says_where_and_why() {
    let verdict = recorded!("red-all", 101);
    assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Failed, "10 passed, 4 failed, 3 skipped"));
    let failed =
        ["tests/two.rs (shop)::adds_three", "tests/two.rs (shop)::calm", "tests/two.rs (shop)::returns", "src/lib.rs (doc)::wrong"];
    assert_eq!(names(&verdict, CaseOutcome::Failed), failed);
    let [panicked, calm, returned, doc] = failed.map(|name| case(&verdict, name));
    assert_eq!(panicked.message.as_deref(), Some("assertion `left == right` failed: three\n  left: 9\n right: 10"));
    assert_eq!((place(panicked), place(calm), place(returned)), (Some(("tests/two.rs", 11)), Some(("tests/two.rs", 19)), None));
    assert_eq!(returned.message.as_deref(), Some("Error: \"no\""));
    assert_eq!(place(doc), Some(("src/lib.rs", 35)));
}

#[test]
fn names_are_the_same_in_every_run() {
    let passed = recorded!("pass", 0);
    for verdict in [recorded!("red-all", 101), recorded!("nocapture", 0), recorded!("colour", 101), recorded!("json", 101)] {
        for case in passed.cases.iter().flatten().filter(|case| !case.name.contains("(doc)")) {
            assert_eq!(self::case(&verdict, &case.name).outcome, case.outcome, "{}", case.name);
        }
    }
}

#[test]
fn packages_of_a_workspace_stay_apart() {
    let verdict = recorded!("workspace", 0);
    let expected = [
        "src/lib.rs (a_pkg)::tests::t",
        "src/main.rs (a_tool)::m",
        "tests/lib.rs (a_pkg)::same",
        "src/lib.rs (b_pkg)::tests::t",
        "src/main.rs (b_tool)::m",
        "tests/lib.rs (b_pkg)::same",
        "a/src/lib.rs (doc)::f",
        "b/src/lib.rs (doc)::f",
    ];
    assert_eq!(names(&verdict, CaseOutcome::Passed), expected);
    let with_harness_of_its_own = recorded!("custom", 0);
    assert_eq!((with_harness_of_its_own.outcome, with_harness_of_its_own.cases), (Outcome::Passed, None));
}

#[test]
fn what_does_not_compile_or_load_is_broken_and_has_no_cases() {
    for (verdict, summary) in [
        (recorded!("broken", 101), "error[E0425]: cannot find function `minus` in crate `shop`"),
        (recorded!("nx-broken", 101), "error[E0425]: cannot find function `minus` in crate `shop`"),
        (recorded!("manifest", 101), "error: the package 'shop' does not contain this feature: nope"),
        (judged(127, b"", b"sh: cargo: not found\n"), "no test could be built or loaded"),
    ] {
        assert_eq!(verdict, Verdict { outcome: Outcome::Broken, cases: None, summary: summary.into() });
    }
}

#[test]
fn zero_executed_cases_are_no_tests() {
    for verdict in [recorded!("zero", 0), recorded!("nx-zero", 4), judged(0, b"", b"")] {
        assert_eq!((verdict.outcome, verdict.cases), (Outcome::NoTests, None));
    }
    let ignored = b"running 1 test\ntest a ... ignored\n\ntest result: ok. 0 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n";
    assert_eq!(judged(0, ignored, b"").outcome, Outcome::NoTests);
}

#[test]
fn the_case_that_ends_its_program_failed() {
    let aborted = recorded!("abort", 101);
    assert_eq!((aborted.outcome, names(&aborted, CaseOutcome::Failed).len()), (Outcome::Failed, 0), "nobody says which it was");
    let serial = recorded!("abort-serial", 101);
    assert_eq!(names(&serial, CaseOutcome::Failed), ["tests/two.rs (shop)::aborts"]);
    let overflow = recorded!("overflow", 101);
    assert_eq!(names(&overflow, CaseOutcome::Failed), ["tests/two.rs (shop)::overflows"]);
    assert_eq!(overflow.summary, "3 passed, 1 failed, 2 skipped, ended early");
}

#[test]
fn a_program_that_ends_early_with_status_0_did_not_pass() {
    let verdict = judged(0, b"running 2 tests\ntest a ... ok\n", b"");
    assert_eq!(verdict.outcome, Outcome::Failed);
}

#[test]
fn quiet_runs_are_counted_without_names() {
    let verdict = recorded!("quiet", 101);
    assert_eq!((verdict.outcome, &verdict.cases), (Outcome::Failed, &None));
    assert_eq!(verdict.summary, "4 passed, 3 failed, 2 skipped, names not known");
}

#[test]
fn verbose_runs_name_the_program() {
    let verdict = recorded!("verbose", 0);
    assert_eq!(names(&verdict, CaseOutcome::Passed)[..3], ["shop::tests::adds_one", "shop::tests::panics", "two::adds_two"]);
}

#[test]
fn nextest_names_cases_itself() {
    let passed = recorded!("nx-pass", 0);
    let expected = ["shop tests::adds_one", "shop tests::panics", "shop::two adds_two", "shop::two prints"];
    let mut found = names(&passed, CaseOutcome::Passed);
    found.sort_unstable();
    assert_eq!((passed.outcome, found), (Outcome::Passed, expected.to_vec()));

    let failed = recorded!("nx-red", 100);
    let mut found = names(&failed, CaseOutcome::Failed);
    found.sort_unstable();
    assert_eq!((failed.outcome, found), (Outcome::Failed, vec!["shop::two adds_three", "shop::two calm", "shop::two returns"]));
    let panicked = case(&failed, "shop::two adds_three");
    assert_eq!(place(panicked), Some(("tests/two.rs", 11)));
    assert_eq!(panicked.message.as_deref(), Some("assertion `left == right` failed: three\n  left: 9\n right: 10"));

    let aborted = recorded!("nx-abort", 100);
    assert_eq!(names(&aborted, CaseOutcome::Failed), ["shop::two aborts", "shop::two overflows"]);
}

#[test]
fn a_flaky_case_is_what_nextest_says_it_is() {
    let flaky = recorded!("nx-flaky", 0);
    assert_eq!((flaky.outcome, names(&flaky, CaseOutcome::Failed).len()), (Outcome::Passed, 0));
    let refused = recorded!("nx-flaky-fail", 100);
    assert_eq!((refused.outcome, names(&refused, CaseOutcome::Failed)), (Outcome::Failed, vec!["shop::two sometimes"]));
}

#[test]
fn places_are_relative_to_the_repository() {
    let errors = include_bytes!("../tests/recorded/red-all.err");
    let output = include_bytes!("../tests/recorded/red-all.out");
    let execution = Execution { exit: Exit::Code(101), output: stream(output), errors: stream(errors), files: Vec::new() };
    let verdict = verdict::judge(&suite("rust/shop"), &execution);
    assert_eq!(place(case(&verdict, "tests/two.rs (shop)::adds_three")), Some(("rust/shop/tests/two.rs", 11)));
}

#[test]
fn output_that_was_cut_is_known_by_its_results_only() {
    let output = include_bytes!("../tests/recorded/pass.out");
    let cut = |exit, keep: usize| {
        let output = Stream { head: output[..keep].to_vec(), tail: output[output.len() - keep..].to_vec(), total: 1 << 30 };
        let errors = stream(include_bytes!("../tests/recorded/pass.err"));
        verdict::judge(&suite("."), &Execution { exit: Exit::Code(exit), output, errors, files: Vec::new() })
    };
    for keep in (0..output.len() / 2).step_by(7) {
        let (green, red) = (cut(0, keep), cut(101, keep));
        assert!(matches!(green.outcome, Outcome::Passed | Outcome::NoTests), "{keep}: {green:?}");
        assert!(red.outcome != Outcome::Passed, "{keep}: {red:?}");
        assert_eq!((green.cases, red.cases), (None, None));
    }
    assert_eq!(cut(0, 400).outcome, Outcome::Passed);
}

#[test]
fn a_hundred_thousand_cases_and_bytes_that_are_no_text() {
    let mut output = b"\xff\xfe\nrunning 100000 tests\n".to_vec();
    (0..100_000).for_each(|number| output.extend(format!("test many::case_{number} ... ok\n").bytes()));
    output.extend(b"\ntest result: ok. 100000 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n");
    let errors = b"     Running unittests src/lib.rs (target/debug/deps/shop-507999230d6984fa)\n\x80";
    let verdict = judged(0, &output, errors);
    assert_eq!(verdict.outcome, Outcome::Passed);
    assert_eq!(names(&verdict, CaseOutcome::Passed).len(), 100_000);
    assert_eq!(verdict.cases.expect("named")[99_999].name, "src/lib.rs (shop)::many::case_99999");
}
