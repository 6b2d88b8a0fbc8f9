//! Cases under names that are unique in a run.

use std::collections::BTreeMap;

use code_polishy_sdk::suite_runner::{CaseOutcome, TestCase};

use crate::{
    place::Place,
    text::{head, one_line},
};

const MAX_NAME_BYTES: usize = 4000;
const MAX_MESSAGE_BYTES: usize = 4000;

/// How many cases did what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Passed.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
    /// Did not run, or ran and counts neither way.
    pub skipped: usize,
}

impl Counts {
    /// Cases that ran.
    pub fn executed(self) -> usize {
        self.passed + self.failed
    }

    /// One more.
    pub fn add(&mut self, outcome: CaseOutcome) {
        match outcome {
            CaseOutcome::Passed => self.passed += 1,
            CaseOutcome::Failed => self.failed += 1,
            CaseOutcome::Skipped => self.skipped += 1,
        }
    }
}

/// The cases of a run, in the order in which they were added.
#[derive(Debug, Default)]
pub struct Cases {
    cases: Vec<TestCase>,
    /// By the hash of a name: the case that has it, and how often it was asked for. Long names that begin alike are slow to compare.
    taken: BTreeMap<u64, (usize, usize)>,
}

impl Cases {
    /// Adds a case. A name that is taken gets a number: `name #2`. Only what failed has a message and a place.
    pub fn add(&mut self, name: &str, outcome: CaseOutcome, said: Said) {
        let said = if outcome == CaseOutcome::Failed { said } else { Said::default() };
        let name = self.unique(named(name));
        let message = head(said.message.trim(), MAX_MESSAGE_BYTES).trim_end();
        let message = (!message.is_empty()).then(|| message.to_owned());
        let (path, line) = said.place.map(|place| (place.path, place.line)).unzip();
        self.cases.push(TestCase { name, outcome, message, path, line });
    }

    /// Adds a case that is told more than once under one name: what lets the least through counts.
    pub fn merge(&mut self, name: &str, outcome: CaseOutcome, said: Said) {
        let name = named(name);
        let known = self.taken.get(&hash(&name)).and_then(|(index, _)| self.cases.get_mut(*index)).filter(|case| case.name == name);
        match known {
            None => self.add(&name, outcome, said),
            Some(case) if severity(outcome) > severity(case.outcome) => {
                let mut alone = Self::default();
                alone.add(&name, outcome, said);
                alone.cases.into_iter().for_each(|worse| *case = worse);
            }
            Some(_) => {}
        }
    }

    fn unique(&mut self, mut name: String) -> String {
        // Names whose hashes are equal are numbered too, which harms nothing.
        while let Some((_, times)) = self.taken.get_mut(&hash(&name)) {
            *times += 1;
            name = format!("{name} #{times}");
        }
        self.taken.insert(hash(&name), (self.cases.len(), 1));
        name
    }

    /// How many did what.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.cases.iter().for_each(|case| counts.add(case.outcome));
        counts
    }

    /// All of them.
    pub fn finish(self) -> Vec<TestCase> {
        self.cases
    }
}

/// One line that is not empty.
fn named(name: &str) -> String {
    let name = one_line(head(name, MAX_NAME_BYTES));
    if name.is_empty() { "(no name)".to_owned() } else { name }
}

/// FNV-1a of a name: the same in every run. An index by hashes is faster than one by names that begin alike.
pub fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn severity(outcome: CaseOutcome) -> u8 {
    match outcome {
        CaseOutcome::Passed => 0,
        CaseOutcome::Skipped => 1,
        CaseOutcome::Failed => 2,
    }
}

/// What a failing case said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Why it failed; may be empty. Cut at 4000 bytes.
    pub message: String,
    /// Where, in the repository.
    pub place: Option<Place>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_numbered() {
        let mut cases = Cases::default();
        for name in ["a", "a", "a #2", "a", "b\n", ""] {
            cases.add(name, CaseOutcome::Passed, Said::default());
        }
        let names: Vec<_> = cases.finish().into_iter().map(|case| case.name).collect();
        assert_eq!(names, ["a", "a #2", "a #2 #2", "a #3", "b ", "(no name)"]);
    }

    #[test]
    fn of_a_case_that_is_told_twice_the_worse_outcome_counts() {
        use CaseOutcome::{Failed, Passed, Skipped};
        let mut cases = Cases::default();
        for outcome in [Passed, Failed, Skipped, Failed] {
            cases.merge("a", outcome, Said { message: format!("{outcome:?}"), place: None });
        }
        cases.merge("b", Passed, Said::default());
        cases.add("a", Passed, Said::default());
        let told: Vec<_> = cases.finish().into_iter().map(|case| (case.name, case.outcome)).collect();
        assert_eq!(told, [("a".to_owned(), Failed), ("b".to_owned(), Passed), ("a #2".to_owned(), Passed)]);
    }

    #[test]
    fn only_failed_cases_say_something() {
        let said = Said { message: format!(" {}", "ü".repeat(4000)), place: Some(Place { path: "a".into(), line: 1 }) };
        let mut cases = Cases::default();
        cases.add("a", CaseOutcome::Failed, said.clone());
        cases.add("b", CaseOutcome::Passed, said);
        assert_eq!(cases.counts(), Counts { passed: 1, failed: 1, skipped: 0 });
        let cases = cases.finish();
        assert_eq!((cases[0].message.as_deref().map(str::len), cases[0].path.as_deref(), cases[0].line), (Some(4000), Some("a"), Some(1)));
        assert_eq!((&cases[1].message, &cases[1].path, cases[1].line), (&None, &None, None));
    }
}
