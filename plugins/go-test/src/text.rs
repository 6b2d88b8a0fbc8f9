//! The lines that `go test` prints for people, complete with `-v`; and, inside of events, the lines that end packages.

use code_polishy_sdk::suite_runner::CaseOutcome;

use crate::package::{End, Package};

/// Every package of a standard output.
pub fn packages<'a>(lines: impl Iterator<Item = &'a str>) -> (Vec<Package>, bool) {
    let mut reader = Reader::default();
    lines.for_each(|line| reader.line(line));
    let rest = std::mem::take(&mut reader.current);
    if !rest.tests.is_empty() {
        reader.packages.push(rest);
    }
    (reader.packages, reader.verbose)
}

#[derive(Default)]
struct Reader {
    packages: Vec<Package>,
    /// Tests are printed before the line that names their package.
    current: Package,
    /// The test that prints, or whose end was the last.
    test: Option<String>,
    verbose: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some((path, end)) = ending(line) {
            let mut package = std::mem::take(&mut self.current);
            (package.path, package.end) = (path.to_owned(), Some(end));
            self.packages.push(package);
            self.test = None;
            return;
        }
        if let Some(name) = frame(line) {
            self.verbose = true;
            self.current.start(name);
            self.test = Some(name.to_owned());
            return;
        }
        if let Some((name, outcome)) = result(line) {
            // With `-v` a test ends after it began: what ends without is printed by a test.
            let known = !self.verbose || self.current.is_running(name);
            if known {
                self.current.finish(name, outcome);
                self.test = Some(name.to_owned());
                return;
            }
        }
        if matches!(line, "PASS" | "FAIL") {
            self.test = None;
        }
        if let Some(name) = benchmark(line) {
            self.current.start(name);
        }
        self.current.print(self.test.as_deref().unwrap_or_default(), &format!("{line}\n"));
    }
}

/// `=== RUN   TestA`, `=== CONT  TestA`, `=== NAME  TestA`; a paused test does not print.
fn frame(line: &str) -> Option<&str> {
    let (word, name) = line.strip_prefix("=== ")?.split_once(' ')?;
    matches!(word, "RUN" | "CONT" | "NAME" | "PAUSE").then(|| name.trim()).filter(|name| !name.is_empty())
}

/// `    --- FAIL: TestA/sub (0.00s)`.
fn result(line: &str) -> Option<(&str, CaseOutcome)> {
    let (word, rest) = line.trim_start_matches(' ').strip_prefix("--- ")?.split_once(": ")?;
    let (name, time) = rest.rsplit_once(" (")?;
    let outcome = match word {
        "PASS" | "BENCH" => CaseOutcome::Passed,
        "FAIL" => CaseOutcome::Failed,
        "SKIP" => CaseOutcome::Skipped,
        _ => return None,
    };
    time.ends_with("s)").then_some((name, outcome))
}

/// The name in `BenchmarkTotal-2   \t       1\t       852.0 ns/op`, without the number of processors. A benchmark has no other line.
pub fn benchmark(line: &str) -> Option<&str> {
    let (name, _) = line.split_once('\t').filter(|_| line.starts_with("Benchmark"))?;
    let name = name.trim_end();
    let (stem, processors) = name.rsplit_once('-').unwrap_or((name, ""));
    let numbered = !processors.is_empty() && processors.bytes().all(|byte| byte.is_ascii_digit());
    Some(if numbered { stem } else { name }).filter(|name| !name.contains(' '))
}

/// The line that ends a package: `ok  \tpkg\t0.1s`, `FAIL\tpkg [build failed]`, `?   \tpkg\t[no test files]`.
pub fn ending(line: &str) -> Option<(&str, End)> {
    let (word, rest) = line.split_once('\t')?;
    let path = rest.split(['\t', ' ']).next().filter(|path| !path.is_empty())?;
    let end = match word.trim_end() {
        "ok" if rest.ends_with(" [no tests to run]") => End::NoTests,
        "ok" => End::Passed,
        "FAIL" if rest.ends_with(" [build failed]") || rest.ends_with(" [setup failed]") => End::NotBuilt,
        "FAIL" => End::Failed,
        "?" | "" if rest.trim_end().ends_with("[no test files]") || rest.contains("coverage: ") => End::NoTests,
        _ => return None,
    };
    Some((path, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use CaseOutcome::{Failed, Passed, Skipped};

    #[test]
    fn endings_are_read() {
        for (line, expected) in [
            ("ok  \te.com/a\t0.003s", Some(("e.com/a", End::Passed))),
            ("ok  \te.com/a\t(cached) [no tests to run]", Some(("e.com/a", End::NoTests))),
            ("FAIL\te.com/a\t0.010s", Some(("e.com/a", End::Failed))),
            ("FAIL\te.com/a [build failed]", Some(("e.com/a", End::NotBuilt))),
            ("FAIL\te.com/a [setup failed]", Some(("e.com/a", End::NotBuilt))),
            ("?   \te.com/a\t[no test files]", Some(("e.com/a", End::NoTests))),
            ("\te.com/a\t\tcoverage: 0.0% of statements", Some(("e.com/a", End::NoTests))),
            ("FAIL", None),
            ("\tx.go:3", None),
            ("ok\t", None),
        ] {
            assert_eq!(ending(line), expected, "{line}");
        }
    }

    #[test]
    fn benchmarks_are_named_without_processors() {
        assert_eq!(benchmark("BenchmarkTotal-2   \t       1\t       852.0 ns/op"), Some("BenchmarkTotal"));
        assert_eq!(benchmark("BenchmarkTotal/sub-case \t"), Some("BenchmarkTotal/sub-case"));
        assert_eq!((benchmark("BenchmarkTotal"), benchmark("Benchmark of all\t3"), benchmark("x\t")), (None, None, None));
    }

    #[test]
    fn results_are_read() {
        assert_eq!(result("    --- FAIL: TestA/b_(c) (0.00s)"), Some(("TestA/b_(c)", Failed)));
        assert_eq!(result("--- SKIP: TestA (1.25s)"), Some(("TestA", Skipped)));
        for noise in ["--- DONE: TestA (1s)", "--- PASS: TestA", "--- a/x.go", "-- PASS: TestA (0.00s)"] {
            assert_eq!(result(noise), None, "{noise}");
        }
    }

    #[test]
    fn what_a_test_prints_is_no_result_of_another() {
        let text = "=== RUN   TestA\n--- PASS: TestFake (0.00s)\n--- FAIL: TestA (0.00s)\n    a_test.go:3: no\n=== RUN   TestB\nlog\n--- PASS: TestB (0.00s)\nFAIL\nFAIL\te.com/a\t0.1s\n";
        let (packages, verbose) = packages(text.lines());
        let told: Vec<_> = packages[0].tests.iter().map(|test| (test.name.as_str(), test.outcome, test.output.as_str())).collect();
        let first = ("TestA", Some(Failed), "--- PASS: TestFake (0.00s)\n    a_test.go:3: no\n");
        assert_eq!((verbose, told), (true, vec![first, ("TestB", Some(Passed), "log\n")]));
    }
}
