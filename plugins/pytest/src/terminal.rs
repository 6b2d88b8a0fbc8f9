//! The cases that pytest prints at its end, where there is no report.

use code_polishy_sdk::suite_runner::{CaseOutcome, Suite};
use test_output::{
    cases::{Counts, Said},
    place::{Place, Printed, Roots},
    text::Text,
    verdict::Run,
};

/// Reads the last line, and the cases above it when they are as many as it says; `None` when there is no such line.
pub fn run(suite: &Suite, output: &Text) -> Option<Run> {
    let mut counts = output.lines().filter_map(result).last()?;
    let told = Told::read(output);
    counts.failed = counts.failed.saturating_sub(told.uncollected);
    let run = Run { cut: output.cut, problem: told.problem, ..Run::default() };
    if output.cut || told.counts.passed != counts.passed || told.counts.failed != counts.failed {
        return Some(Run { unnamed: true, more: counts, ..run });
    }
    // Skipped tests are printed by line, not by name.
    let mut run = Run { more: Counts { skipped: counts.skipped, ..Counts::default() }, ..run };
    let (places, roots) = (Places::read(output), Roots::new(&suite.cwd, &suite.argv));
    for (id, outcome, why) in told.cases {
        run.cases.merge(id, outcome, Said { message: why.to_owned(), place: places.of(id, &roots) });
    }
    Some(run)
}

/// What the short summary at the end tells.
#[derive(Default)]
struct Told<'a> {
    counts: Counts,
    /// Node ids, what they did, and why.
    cases: Vec<(&'a str, CaseOutcome, &'a str)>,
    /// How many files could not be collected.
    uncollected: usize,
    /// The first of them.
    problem: Option<String>,
}

impl<'a> Told<'a> {
    fn read(output: &'a Text) -> Self {
        let mut told = Self::default();
        for (id, outcome, why) in output.lines().filter_map(case) {
            if id.contains("::") {
                told.counts.add(outcome);
                told.cases.push((id, outcome, why));
            } else {
                told.uncollected += 1;
                told.problem.get_or_insert(format!("not collected: {id} {why}"));
            }
        }
        told
    }
}

/// The places of the tracebacks, each with the heading that it is below: `___ TestShop.test_many[two] ___`, `___ ERROR at setup of test_two ___`.
struct Places<'a>(Vec<(&'a str, Printed<'a>)>);

impl<'a> Places<'a> {
    fn read(output: &'a Text) -> Self {
        let mut places = Vec::new();
        let mut heading = "";
        for line in output.lines() {
            let inside = line.strip_prefix("__").and_then(|line| line.strip_suffix("__"));
            match inside.map(|inside| inside.trim_matches(['_', ' '])).filter(|name| !name.is_empty()) {
                Some(name) => heading = name.split_once(" of ").filter(|_| name.starts_with("ERROR at ")).map_or(name, |(_, test)| test),
                None if heading.is_empty() => {}
                None => places.extend(Printed::find(line).map(|printed| (heading, printed))),
            }
        }
        Self(places)
    }

    /// The first place below the heading of a test that is in its file.
    fn of(&self, id: &str, roots: &Roots) -> Option<Place> {
        let (file, test) = id.split_once("::")?;
        let heading = test.replace("::", ".");
        let found = self.0.iter().find(|(name, printed)| (*name == heading || *name == test) && printed.path == file);
        found.and_then(|(_, printed)| roots.place(*printed))
    }
}

/// `=== 1 failed, 2 passed, 1 warning in 0.10s ===`, with or without its frame.
fn result(line: &str) -> Option<Counts> {
    let (told, time) = line.trim_matches(['=', ' ']).split_once(" in ")?;
    let seconds = time.split(' ').next()?.strip_suffix('s')?;
    seconds.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.').then_some(())?;
    let mut counts = Counts::default();
    if told == "no tests ran" {
        return Some(counts);
    }
    for part in told.split(", ") {
        let (number, word) = part.split_once(' ')?;
        let number = number.parse::<usize>().ok()?;
        match word {
            "passed" | "xpassed" => counts.passed += number,
            "failed" | "error" | "errors" => counts.failed += number,
            "skipped" | "xfailed" => counts.skipped += number,
            "deselected" | "warning" | "warnings" | "rerun" | "subtests passed" => {}
            _ => return None,
        }
    }
    Some(counts)
}

/// `FAILED tests/test_total.py::test_many[a - b] - assert 5 == 9`.
fn case(line: &str) -> Option<(&str, CaseOutcome, &str)> {
    let (word, rest) = line.split_once(' ')?;
    let outcome = match word {
        "PASSED" | "XPASS" => CaseOutcome::Passed,
        "FAILED" | "ERROR" => CaseOutcome::Failed,
        _ => return None,
    };
    let end = rest.find(" - ").and_then(|end| {
        // Parameters may hold the separator.
        let in_parameters = rest[..end].contains('[');
        if in_parameters { rest.find("] - ").map(|bracket| bracket + 1) } else { Some(end) }
    });
    let (id, why) = end.map_or((rest, ""), |end| (&rest[..end], &rest[end + 3..]));
    Some((id.trim_end(), outcome, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts() {
        for (line, expected) in [
            ("==== 4 failed, 5 passed, 1 skipped, 1 xfailed, 1 xpassed, 3 errors in 0.10s ====", Some((6, 7, 2))),
            ("2 passed in 0.02s", Some((2, 0, 0))),
            ("= 2 passed, 3 deselected, 1 warning in 65.32s (0:01:05) =", Some((2, 0, 0))),
            ("======== no tests ran in 0.02s ========", Some((0, 0, 0))),
            ("5 apples in 3s", None),
            ("no luck in 3s", None),
            ("2 passed in time", None),
            ("2 passed", None),
        ] {
            let counts = result(line).map(|Counts { passed, failed, skipped }| (passed, failed, skipped));
            assert_eq!(counts, expected, "{line}");
        }
    }

    #[test]
    fn cases_are_told_with_their_ids() {
        use CaseOutcome::{Failed, Passed};
        for (line, expected) in [
            ("PASSED a.py::test_b", Some(("a.py::test_b", Passed, ""))),
            ("FAILED a.py::test_b - assert 5 == [9]", Some(("a.py::test_b", Failed, "assert 5 == [9]"))),
            ("FAILED a.py::test_b[x - y] - assert 5", Some(("a.py::test_b[x - y]", Failed, "assert 5"))),
            ("FAILED a.py::test_b[x - y]", Some(("a.py::test_b[x - y]", Failed, ""))),
            ("XPASS a.py::test_b why", Some(("a.py::test_b why", Passed, ""))),
            ("SKIPPED [1] a.py:4: no", None),
            ("FAILED", None),
        ] {
            assert_eq!(case(line), expected);
        }
    }
}
