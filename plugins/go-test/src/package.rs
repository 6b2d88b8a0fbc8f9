//! A package's run, put together from events or from text.

use std::collections::BTreeMap;

use code_polishy_sdk::suite_runner::CaseOutcome;
use test_output::cases::hash;

/// Bytes that are kept of what one test printed.
const MAX_OUTPUT_BYTES: usize = 16 << 10;

/// A package that was tested.
#[derive(Debug, Default)]
pub struct Package {
    /// Its import path; may be empty while it is not known.
    pub path: String,
    /// Its tests in the order in which they started.
    pub tests: Vec<Test>,
    /// The latest test by the hash of its name.
    index: BTreeMap<u64, usize>,
    /// The test that was asked for last: events of one test follow each other.
    last: usize,
    /// How it ended; `None` when nobody says.
    pub end: Option<End>,
    /// What it printed outside of its tests.
    pub output: String,
}

/// How a package ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `ok`.
    Passed,
    /// `FAIL`.
    Failed,
    /// `FAIL pkg [build failed]`, or `[setup failed]`.
    NotBuilt,
    /// `?   pkg [no test files]`, or `ok   pkg 0.1s [no tests to run]`.
    NoTests,
}

/// A test, subtest, example, benchmark or fuzz test.
#[derive(Debug)]
pub struct Test {
    /// Such as `TestA/sub`.
    pub name: String,
    /// `None` until it ends.
    pub outcome: Option<CaseOutcome>,
    /// What it printed.
    pub output: String,
}

impl Package {
    /// One that has this path.
    pub fn new(path: &str) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
    }

    /// One that has this path and ended so.
    pub fn ended(path: &str, end: End) -> Self {
        Self { end: Some(end), ..Self::new(path) }
    }

    /// The latest test of this name.
    fn find(&mut self, name: &str) -> Option<usize> {
        if self.tests.get(self.last).is_none_or(|test| test.name != name) {
            self.last = *self.index.get(&hash(name))?;
        }
        self.tests.get(self.last).filter(|test| test.name == name).map(|_| self.last)
    }

    /// The test of this name that runs, or else a new one: with `-count 2` a test runs twice.
    pub fn start(&mut self, name: &str) -> &mut Test {
        if !self.is_running(name) {
            self.last = self.tests.len();
            self.index.insert(hash(name), self.last);
            self.tests.push(Test { name: name.to_owned(), outcome: None, output: String::new() });
        }
        &mut self.tests[self.last]
    }

    /// Whether this test began and did not end.
    pub fn is_running(&mut self, name: &str) -> bool {
        self.find(name).is_some_and(|index| self.tests[index].outcome.is_none())
    }

    /// Keeps what the latest test of this name printed, or the package itself.
    pub fn print(&mut self, name: &str, text: &str) {
        let output = match self.find(name) {
            Some(index) => &mut self.tests[index].output,
            None => &mut self.output,
        };
        append(output, text);
    }

    /// Ends the test of this name.
    pub fn finish(&mut self, name: &str, outcome: CaseOutcome) {
        self.start(name).outcome = Some(outcome);
    }

    /// Decides about tests that nobody ended, once the package has. One that was running when its program died has failed; benchmarks are not
    /// ended by a line of their own.
    pub fn settle(&mut self) {
        let passed = self.end == Some(End::Passed);
        for test in self.tests.iter_mut().filter(|test| test.outcome.is_none()) {
            test.outcome = match passed {
                false => Some(CaseOutcome::Failed),
                true if test.name.starts_with("Benchmark") => Some(CaseOutcome::Passed),
                true => None,
            };
        }
        self.skip_idle_parents();
    }

    /// A test that passed, and none of whose subtests ran, did not run.
    fn skip_idle_parents(&mut self) {
        let mut below: Vec<Option<bool>> = vec![None; self.tests.len()];
        // Subtests start after their parents, so the last ones are decided first.
        for index in (0..self.tests.len()).rev() {
            let idle = below[index] == Some(false);
            let test = &mut self.tests[index];
            if idle && test.outcome == Some(CaseOutcome::Passed) {
                test.outcome = Some(CaseOutcome::Skipped);
            }
            let ran = test.outcome != Some(CaseOutcome::Skipped);
            let parent = test.name.rsplit_once('/').and_then(|(parent, _)| self.index.get(&hash(parent)).copied());
            if let Some(parent) = parent {
                below[parent] = Some(ran || below[parent] == Some(true));
            }
        }
    }
}

/// Appends what was printed, as long as there is room.
pub fn append(output: &mut String, text: &str) {
    if output.len() + text.len() <= MAX_OUTPUT_BYTES {
        output.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CaseOutcome::{Failed, Passed, Skipped};

    fn settled(end: End, tests: &[(&str, Option<CaseOutcome>)]) -> Vec<Option<CaseOutcome>> {
        let mut package = Package { end: Some(end), ..Package::new("e.com/a") };
        for (name, outcome) in tests {
            package.start(name).outcome = *outcome;
        }
        package.settle();
        package.tests.iter().map(|test| test.outcome).collect()
    }

    #[test]
    fn tests_that_nobody_ended_are_settled() {
        assert_eq!(settled(End::Failed, &[("TestA", Some(Passed)), ("TestB", None)]), [Some(Passed), Some(Failed)]);
        assert_eq!(settled(End::Passed, &[("BenchmarkA", None), ("TestB", None)]), [Some(Passed), None]);
    }

    #[test]
    fn a_test_whose_subtests_were_all_skipped_did_not_run() {
        let deep = [("TestA", Some(Passed)), ("TestA/b", Some(Passed)), ("TestA/b/c", Some(Skipped))];
        assert_eq!(settled(End::Passed, &deep), [Some(Skipped); 3]);
        let one = [("TestA", Some(Passed)), ("TestA/b", Some(Skipped)), ("TestA/c", Some(Passed))];
        assert_eq!(settled(End::Passed, &one), [Some(Passed), Some(Skipped), Some(Passed)]);
    }

    #[test]
    fn a_test_runs_as_often_as_it_ends() {
        let mut package = Package::new("e.com/a");
        for _ in 0..2 {
            package.start("TestA");
            package.finish("TestA", Passed);
        }
        assert_eq!(package.tests.len(), 2);
    }
}
