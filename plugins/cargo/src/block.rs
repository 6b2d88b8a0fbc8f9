//! One test program's run: what libtest prints between `running N tests` and `test result: ...`.

use code_polishy_sdk::suite_runner::CaseOutcome;

/// A case as a test program names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Unique in its block.
    pub name: String,
    /// What it did.
    pub outcome: CaseOutcome,
    /// What it printed when it failed; may be empty.
    pub output: String,
}

impl Case {
    /// A case that printed nothing.
    pub fn new(name: impl Into<String>, outcome: CaseOutcome) -> Self {
        Self { name: name.into(), outcome, output: String::new() }
    }
}

/// How many cases did what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Passed or measured.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
    /// Ignored.
    pub skipped: usize,
}

impl Counts {
    /// Counts cases.
    pub fn of(cases: &[Case]) -> Self {
        let count = |outcome| cases.iter().filter(|case| case.outcome == outcome).count();
        Self { passed: count(CaseOutcome::Passed), failed: count(CaseOutcome::Failed), skipped: count(CaseOutcome::Skipped) }
    }

    /// All of them.
    pub fn sum(self) -> usize {
        self.passed + self.failed + self.skipped
    }

    /// Cases that ran.
    pub fn executed(self) -> usize {
        self.passed + self.failed
    }
}

impl std::ops::Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed, skipped: self.skipped + other.skipped }
    }
}

/// One test program's run.
#[derive(Debug, Default)]
pub struct Block {
    /// How many cases it said it would run.
    pub announced: usize,
    /// The cases that are known by name, in the order they ended.
    pub cases: Vec<Case>,
    /// A case that was started; the program ended before it did.
    pub pending: Option<String>,
    /// What its last line says; `None` when the program ended before it.
    pub result: Option<Counts>,
}

impl Block {
    /// The best that is known of how many did what.
    pub fn counts(&self) -> Counts {
        self.result.unwrap_or_else(|| Counts::of(&self.cases))
    }

    /// Every case that ended is known by name.
    pub fn is_named(&self) -> bool {
        self.result.is_none_or(|result| result == Counts::of(&self.cases))
    }

    /// Whether this can be the last line of the block. What a test printed can look like one, but hardly counts the same.
    pub fn ends_with(&self, result: Counts) -> bool {
        result.sum() == self.announced && (self.cases.len() != self.announced || result == Counts::of(&self.cases))
    }
}
