//! The lines of `cargo nextest run`, on standard error.

use std::collections::BTreeMap;

use code_polishy_sdk::suite_runner::CaseOutcome;

use crate::block::{Block, Case, Counts};

/// The run as one block, each case named as nextest names it: `shop::two adds_two`. `None` when nextest did not run.
pub fn block<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Block> {
    let mut lines = lines.skip_while(|line| !line.trim_start().starts_with("Nextest run ID "));
    lines.next()?;
    let mut reader = Reader::default();
    for line in lines {
        reader.line(line);
    }
    Some(reader.finish())
}

#[derive(Default)]
struct Reader {
    cases: Vec<Case>,
    index: BTreeMap<String, usize>,
    /// The failed case whose output follows.
    current: Option<usize>,
    executed: Option<usize>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some(executed) = executed(line) {
            (self.executed, self.current) = (Some(executed), None);
        } else if let Some((outcome, name)) = status(line) {
            let next = self.cases.len();
            let index = *self.index.entry(name.to_owned()).or_insert(next);
            match self.cases.get_mut(index) {
                Some(case) => case.outcome = outcome,
                None => self.cases.push(Case::new(name, outcome)),
            }
            self.current = (outcome == CaseOutcome::Failed && self.executed.is_none()).then_some(index);
        } else if let Some(case) = self.current.and_then(|index| self.cases.get_mut(index)) {
            case.output.push_str(line.strip_prefix("    ").unwrap_or(line));
            case.output.push('\n');
        }
    }

    /// The summary counts what ran; without it, or when it counts more than was shown, names are not known.
    fn finish(self) -> Block {
        let counts = Counts::of(&self.cases);
        let unseen = self.executed.map(|executed| executed.saturating_sub(counts.executed()));
        let result = unseen.map(|unseen| Counts { passed: counts.passed + unseen, ..counts });
        Block { announced: counts.sum() + usize::from(result.is_none()), cases: self.cases, pending: None, result }
    }
}

/// `     Summary [   0.306s] 5/7 tests run: 3 passed, 2 failed, 2 skipped`: what ran.
fn executed(line: &str) -> Option<usize> {
    let (_, counts) = line.trim_start().strip_prefix("Summary [")?.split_once("] ")?;
    let (run, _) = counts.split_once(" run: ")?;
    let number = run.split(['/', ' ']).next()?;
    number.parse().ok()
}

/// `        PASS [   0.006s] (1/7) shop tests::adds_one`; the last line of a case is the one that counts.
fn status(line: &str) -> Option<(CaseOutcome, &str)> {
    let (status, rest) = line.trim_start().split_once(" [")?;
    let (_, rest) = rest.split_once("] ")?;
    let name = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(") ")?.1,
        None => rest,
    };
    Some((outcome(status)?, name.trim_start()))
}

fn outcome(status: &str) -> Option<CaseOutcome> {
    let attempt = status.strip_prefix("TRY ").and_then(|rest| rest.split_once(' '));
    let word = attempt.map_or(status, |(_, word)| word);
    let word = if word.starts_with("FLAKY ") || word.starts_with("FLKY-FL ") { word.split(' ').next()? } else { word };
    match word {
        "PASS" | "LEAK" | "FLAKY" | "TIMEOUT-PASS" | "TMPASS" => Some(CaseOutcome::Passed),
        "SKIP" => Some(CaseOutcome::Skipped),
        "FAIL" | "FLKY-FL" | "ABORT" | "ABRT" | "TIMEOUT" | "TMT" | "XFAIL" | "LEAK-FAIL" | "LKFAIL" | "FAIL + LEAK" | "FL+LK" => {
            Some(CaseOutcome::Failed)
        }
        signal if signal.starts_with("SIG") => Some(CaseOutcome::Failed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CaseOutcome::{Failed, Passed, Skipped};

    #[test]
    fn each_status_has_its_outcome() {
        for (line, expected) in [
            ("        PASS [   0.006s] (1/7) shop tests::adds_one", Some((Passed, "shop tests::adds_one"))),
            ("        PASS [   0.006s] shop tests::adds_one", Some((Passed, "shop tests::adds_one"))),
            ("     SIGABRT [   0.014s] (2/6) shop::two aborts", Some((Failed, "shop::two aborts"))),
            ("  TRY 1 FAIL [   0.013s] (───) shop::two sometimes", Some((Failed, "shop::two sometimes"))),
            ("  TRY 2 PASS [   0.005s] (5/5) shop::two sometimes", Some((Passed, "shop::two sometimes"))),
            (" FLKY-FL 2/3 [   0.005s] (5/5) shop::two sometimes", Some((Failed, "shop::two sometimes"))),
            ("        SKIP [         ] (───) shop tests::slow", Some((Skipped, "shop tests::slow"))),
            ("        SLOW [> 60.000s] (───) shop tests::slow", None),
            ("    assertion [x] failed", None),
        ] {
            assert_eq!(status(line), expected, "{line}");
        }
    }

    #[test]
    fn names_that_were_not_shown_are_not_known() {
        let text = " Nextest run ID 1\n     Summary [   0.306s] 5 tests run: 5 passed, 2 skipped\n";
        let block = block(text.lines()).expect("nextest ran");
        assert!(!block.is_named());
        assert_eq!(block.counts().passed, 5);
        assert!(super::block("nothing".lines()).is_none());
    }
}
