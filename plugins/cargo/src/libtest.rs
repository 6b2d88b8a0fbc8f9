//! The lines that libtest prints for people.

use std::collections::BTreeMap;

use code_polishy_sdk::suite_runner::CaseOutcome;

use crate::block::{Block, Case, Counts};

/// Every block of a standard output, in order. Anything may be printed between and inside of them.
pub fn blocks<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Block> {
    let mut reader = Reader::default();
    lines.for_each(|line| reader.line(line));
    reader.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    /// The last block is still open.
    open: bool,
    /// Set while the outputs of cases are shown: where each case is in the open block, and whose output this is.
    shown: Option<Shown>,
}

#[derive(Default)]
struct Shown {
    cases: BTreeMap<String, usize>,
    current: Option<usize>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if self.shown.is_none() {
            if let Some(announced) = announced(line) {
                self.blocks.push(Block { announced, ..Block::default() });
                self.open = true;
                return;
            }
        }
        let Some(block) = self.blocks.last_mut().filter(|_| self.open) else { return };
        if let Some(result) = result(line).filter(|result| block.ends_with(*result)) {
            block.result = Some(result);
            block.pending = None;
            (self.open, self.shown) = (false, None);
            return;
        }
        match &mut self.shown {
            Some(shown) => shown.line(line, block),
            None if matches!(line, "failures:" | "successes:") => self.shown = Some(Shown::of(block)),
            None => case(line, block),
        }
    }
}

impl Shown {
    fn of(block: &Block) -> Self {
        let cases = block.cases.iter().enumerate().map(|(index, case)| (case.name.clone(), index)).collect();
        Self { cases, current: None }
    }

    fn line(&mut self, line: &str, block: &mut Block) {
        let heading = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----"));
        if let Some(index) = heading.and_then(|name| self.cases.get(stable(name))) {
            self.current = Some(*index);
        } else if line == "failures:" {
            self.current = None;
        } else if let Some(case) = self.current.and_then(|index| block.cases.get_mut(index)) {
            if case.outcome == CaseOutcome::Failed {
                case.output.push_str(line);
                case.output.push('\n');
            }
        }
    }
}

/// `running 3 tests`.
fn announced(line: &str) -> Option<usize> {
    let number = line.strip_prefix("running ")?;
    number.strip_suffix(" tests").or_else(|| number.strip_suffix(" test"))?.parse().ok()
}

/// `test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`.
fn result(line: &str) -> Option<Counts> {
    let line = line.strip_prefix("test result: ")?;
    let numbers = line.strip_prefix("ok. ").or_else(|| line.strip_prefix("FAILED. "))?;
    let mut counts = Counts::default();
    for part in numbers.split("; ") {
        let Some((number, word)) = part.split_once(' ') else { continue };
        match word {
            "passed" | "measured" => counts.passed += number.parse::<usize>().ok()?,
            "failed" => counts.failed = number.parse().ok()?,
            "ignored" => counts.skipped = number.parse().ok()?,
            _ => {}
        }
    }
    Some(counts)
}

/// `test NAME ... ok`; a test that prints without being captured puts its output before the last word.
fn case(line: &str, block: &mut Block) {
    let started = line.strip_prefix("test ").and_then(|line| line.split_once(" ... "));
    match (started, block.pending.take()) {
        (Some((name, rest)), None) => match outcome(rest) {
            Some(outcome) => block.cases.push(Case::new(stable(name), outcome)),
            None => block.pending = Some(stable(name).to_owned()),
        },
        (_, Some(name)) => match ending(line) {
            Some(outcome) => block.cases.push(Case::new(name, outcome)),
            None => block.pending = Some(name),
        },
        (None, None) => {}
    }
}

/// The word that ends a case, with the time that `--report-time` adds.
fn outcome(rest: &str) -> Option<CaseOutcome> {
    let word = rest.split_once([' ', ',']).map_or(rest, |(word, _)| word);
    let more = &rest[word.len()..];
    let timed = more.is_empty() || more.starts_with(" <") || more.starts_with(" (time limit exceeded)");
    match word {
        "ok" if timed => Some(CaseOutcome::Passed),
        "FAILED" if timed => Some(CaseOutcome::Failed),
        "ignored" if more.is_empty() || more.starts_with(", ") => Some(CaseOutcome::Skipped),
        "bench:" => Some(CaseOutcome::Passed),
        _ => None,
    }
}

fn ending(line: &str) -> Option<CaseOutcome> {
    if line.ends_with("ok") {
        Some(CaseOutcome::Passed)
    } else if line.ends_with("FAILED") {
        Some(CaseOutcome::Failed)
    } else {
        None
    }
}

/// The name without what attributes of the test add to it.
fn stable(name: &str) -> &str {
    let suffixes = [" - should panic", " - compile fail", " - compile"];
    suffixes.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use CaseOutcome::{Failed, Passed, Skipped};

    fn read(text: &str) -> Vec<Block> {
        blocks(text.lines())
    }

    fn named(block: &Block) -> Vec<(&str, CaseOutcome)> {
        block.cases.iter().map(|case| (case.name.as_str(), case.outcome)).collect()
    }

    #[test]
    fn each_ending_has_its_outcome() {
        for (rest, expected) in [
            ("ok", Some(Passed)),
            ("ok <0.003s>", Some(Passed)),
            ("FAILED", Some(Failed)),
            ("FAILED (time limit exceeded)", Some(Failed)),
            ("ignored", Some(Skipped)),
            ("ignored, slow", Some(Skipped)),
            ("bench:       1,234 ns/iter (+/- 12)", Some(Passed)),
            ("okay", None),
            ("ok then", None),
            ("", None),
        ] {
            assert_eq!(outcome(rest), expected, "{rest:?}");
        }
    }

    #[test]
    fn names_do_not_change_with_attributes() {
        let text = "running 2 tests\ntest a - should panic ... ok\ntest src/lib.rs - f (line 3) - compile fail ... ok\n";
        assert_eq!(named(&read(text)[0]), [("a", Passed), ("src/lib.rs - f (line 3)", Passed)]);
    }

    #[test]
    fn what_tests_print_is_no_result() {
        let text = "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\nrunning 1 test\ntest b ... ok\n\
                    test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n---- b stdout ----\nx\n\
                    failures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        let blocks = read(text);
        assert_eq!(blocks.len(), 1);
        assert_eq!(named(&blocks[0]), [("a", Failed)]);
        assert_eq!(blocks[0].result, Some(Counts { failed: 1, ..Counts::default() }));
        assert!(blocks[0].cases[0].output.starts_with("running 1 test\n"));
    }

    #[test]
    fn output_between_a_name_and_its_ending_is_passed_over() {
        let block = &read("running 2 tests\ntest a ... test fake ... ok then\nhalfok\ntest b ... \n")[0];
        assert_eq!((named(block), block.pending.as_deref()), (vec![("a", Passed)], Some("b")));
    }

    #[test]
    fn a_block_whose_names_are_lost_still_counts() {
        let lost = "running 3 tests\n..F\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
        let block = &read(lost)[0];
        assert!(!block.is_named());
        assert_eq!(block.counts(), Counts { passed: 2, failed: 1, skipped: 0 });
    }

    #[test]
    fn any_text_is_read() {
        for text in
            ["", "running", "running x tests", "running 18446744073709551616 tests", "test result: ok. x passed", "test  ... ", "---- "]
        {
            read(text);
        }
    }
}
