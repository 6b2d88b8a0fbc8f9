use CaseOutcome::{Failed, Passed, Skipped};

use super::*;

fn read(text: &str) -> Stream {
    Stream::read(text.lines())
}

fn named(text: &str) -> Vec<(String, CaseOutcome)> {
    let stream = read(text);
    assert_eq!(stream.problem, None, "{text}");
    (0..stream.points.len()).map(|index| (stream.name(index), stream.points[index].outcome)).collect()
}

fn all(expected: &[(&str, CaseOutcome)]) -> Vec<(String, CaseOutcome)> {
    expected.iter().map(|(name, outcome)| ((*name).to_owned(), *outcome)).collect()
}

#[test]
fn plans_come_before_or_after_the_points() {
    for text in
        ["1..2\nok 1 - a\nnot ok 2 - b\n", "TAP version 14\nok 1 - a\nnot ok 2 - b\n1..2\n", "noise\n1..2\nok - a\nokay\nnot ok - b # x\n"]
    {
        assert_eq!(named(text)[0], ("a".to_owned(), Passed));
        assert_eq!(named(text)[1].1, Failed);
    }
    assert_eq!(named("1..3\nok\nok # SKIP\nnot ok 3 # TODO\n"), all(&[("", Passed), ("", Skipped), ("test 3", Skipped)]));
    assert_eq!(named("1..0 # SKIP no network\n"), []);
}

#[test]
fn a_plan_that_is_missing_or_not_kept_is_a_problem() {
    for (text, problem) in [
        ("ok 1 - a\n", "1 tests ran and no plan was printed: the tests ended early"),
        ("1..3\nok 1 - a\n", "1 of 3 planned tests ran: the tests ended early"),
        ("1..1\nok 1 - a\nok 2 - b\n", "2 tests ran and the plan is 1"),
        ("1..2\nok 1 - a\nBail out!  gone\n", "the tests bailed out: gone"),
        ("1..1\n    1..2\n    ok 1 - b\nok 1 - a\n", "1 subtests of `a` ran and its plan is 2"),
        ("1..1\n    1..2\n    ok 1 - b\n", "the tests ended inside of a subtest"),
    ] {
        assert_eq!(read(text).problem.as_deref(), Some(problem), "{text}");
    }
}

#[test]
fn subtests_are_named_below_their_parents() {
    let before =
        "# Subtest: t\n    # Subtest: u\n        ok 1 - x\n        1..1\n    ok 1 - u\n    ok 2 - v\n    1..2\nok 1 - t\nok 2 - w\n1..2\n";
    let after = "ok 1 - t {\n    ok 1 - u {\n        ok 1 - x\n        1..1\n    }\n    ok 2 - v\n    1..2\n}\nok 2 - w\n1..2\n";
    for text in [before, after] {
        let mut names: Vec<_> = named(text).into_iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        assert_eq!(names, ["t", "t > u", "t > u > x", "t > v", "w"]);
    }
}

#[test]
fn a_parent_whose_subtests_did_not_run_did_not_run() {
    assert_eq!(named("1..1\n    1..1\n    ok 1 - b # SKIP\nok 1 - a\n"), all(&[("a > b", Skipped), ("a", Skipped)]));
    assert_eq!(named("1..1\n    1..0 # SKIP none\nok 1 - a\n"), all(&[("a", Skipped)]));
}

#[test]
fn indented_lines_without_a_plan_are_noise() {
    assert_eq!(
        named("1..2\nok 1 - a\n    not ok 1 - printed\n        ok 2 - deeper\nok 2 - b\n    ok\n"),
        all(&[("a", Passed), ("b", Passed)])
    );
    assert_eq!(named("not ok 1 - printed\nTAP version 13\n1..1\nok 1 - a\n"), all(&[("a", Passed)]));
}

#[test]
fn documents_follow_each_other() {
    let two = "TAP version 13\n1..1\nok 1 - a\nTAP version 13\nok 1 - a\n1..1\nok 1 - b\n1..1\n";
    assert_eq!(named(two), all(&[("a", Passed), ("a", Passed), ("b", Passed)]));
    assert!(read("1..2\nok 1 - a\n1..1\nok 1 - b\n").problem.is_some());
}

#[test]
fn prove_names_the_files() {
    let text = "t/a.t .... \n1..1\nok 1 - a\nok\nt/pass.t .. \nTAP version 13\nok 1 - a\n1..1\nok\nt/skip.t .. skipped: no network\nResult: PASS\n";
    assert_eq!(named(text), all(&[("t/a.t > a", Passed), ("t/pass.t > a", Passed)]));
}

#[test]
fn what_a_point_says_stays_with_it() {
    let text = "1..3\nnot ok 1 - a\n  ---\n  at: x\n\n  ok 2 - no\n  ...\n# one\nprinted\n#two\nok 2 - b\n# three\nnot ok 3 - c\n  ---\n  open: 1\n# Subtest: d\n# four\n";
    let stream = read(text);
    let said: Vec<_> = stream.points.iter().map(|point| (point.yaml.as_str(), point.comments.as_str())).collect();
    assert_eq!(said, [("at: x\n\nok 2 - no\n", "one\ntwo\n"), ("", ""), ("open: 1\n", "")]);
}

#[test]
fn any_text_is_read() {
    for text in [
        "",
        "}\n}",
        "    }\n",
        "ok {\n}\n}\n",
        "  ---\n  ...\n",
        "                                ok\nok\n",
        "ok\n  ---\n ü\n  ö\n",
        "\u{a0}ok",
        "1..0\n1..0\n1..0",
    ] {
        read(text);
    }
}
