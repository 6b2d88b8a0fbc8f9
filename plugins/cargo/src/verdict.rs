//! What a run means, from both of its streams.

use code_polishy_sdk::suite_runner::{CaseOutcome, Execution, Exit, Outcome, Suite, TestCase, Verdict};

use crate::{
    block::{Block, Case, Counts},
    json, libtest,
    location::failed_thread,
    naming, nextest,
    target::headings,
    text::{Text, head, one_line},
};

const MAX_SUMMARY_BYTES: usize = 1000;

/// Judges a finished run of a suite.
pub fn judge(suite: &Suite, execution: &Execution) -> Verdict {
    let (output, errors) = (Text::of(&execution.output), Text::of(&execution.errors));
    let run = Run::read(suite, &output, &errors);
    let outcome = run.outcome(execution.exit, &errors);
    let summary = if outcome == Outcome::Broken { reason(&errors) } else { run.summary() };
    // An empty list would say that no test ran; what is broken or cannot be named is known by its exit status only.
    let executed = |cases: &Vec<TestCase>| cases.iter().any(|case| case.outcome != CaseOutcome::Skipped);
    let cases = run.cases.filter(|cases| outcome != Outcome::Broken && executed(cases));
    Verdict { outcome, cases, summary: one_line(head(&summary, MAX_SUMMARY_BYTES)) }
}

struct Run {
    counts: Counts,
    /// A test program was started.
    started: bool,
    /// A test program ended before it told its result.
    died: bool,
    cases: Option<Vec<TestCase>>,
}

impl Run {
    fn read(suite: &Suite, output: &Text, errors: &Text) -> Self {
        if let Some(block) = nextest::block(errors.lines()) {
            return Self::of(&[block], !errors.cut, |blocks| naming::cases(blocks, &[], &suite.cwd));
        }
        let mut blocks = libtest::blocks(output.lines());
        if blocks.is_empty() {
            blocks = json::blocks(output.lines());
        }
        if let Some(died) = blocks.iter_mut().find(|block| block.result.is_none() && !output.cut) {
            blame(died, errors);
        }
        let headings = headings(errors.lines());
        Self::of(&blocks, !output.cut, |blocks| naming::cases(blocks, &headings, &suite.cwd))
    }

    fn of(blocks: &[Block], whole: bool, cases: impl Fn(&[Block]) -> Option<Vec<TestCase>>) -> Self {
        Self {
            counts: blocks.iter().map(Block::counts).fold(Counts::default(), std::ops::Add::add),
            started: !blocks.is_empty(),
            died: whole && blocks.iter().any(|block| block.result.is_none()),
            cases: if whole { cases(blocks) } else { None },
        }
    }

    fn outcome(&self, exit: Exit, errors: &Text) -> Outcome {
        let passed = exit == Exit::Code(0) && !self.died;
        if self.counts.failed > 0 {
            Outcome::Failed
        } else if passed {
            if self.counts.executed() > 0 { Outcome::Passed } else { Outcome::NoTests }
        } else if errors.lines().any(is_compile_error) {
            Outcome::Broken
        } else if self.counts.executed() > 0 || self.died || errors.lines().any(is_test_failure) {
            Outcome::Failed
        } else if self.started {
            Outcome::NoTests
        } else {
            Outcome::Broken
        }
    }

    fn summary(&self) -> String {
        let Counts { passed, failed, skipped } = self.counts;
        let died = if self.died { ", ended early" } else { "" };
        let names = if self.cases.is_some() || self.counts.executed() == 0 { "" } else { ", names not known" };
        format!("{passed} passed, {failed} failed, {skipped} skipped{died}{names}")
    }
}

/// The case that took its program down with it: the one that was started last, or whose thread says so.
fn blame(block: &mut Block, errors: &Text) {
    let ended = |name: &str| block.cases.iter().any(|case| case.name == name);
    let thread = || errors.lines().filter_map(failed_thread).filter(|name| *name != "main" && !ended(name)).last().map(str::to_owned);
    if let Some(name) = block.pending.take().or_else(thread) {
        let output: Vec<&str> = errors.lines().skip_while(|line| failed_thread(line) != Some(&name)).collect();
        block.cases.push(Case { name, outcome: CaseOutcome::Failed, output: output.join("\n") });
    }
}

fn is_compile_error(line: &str) -> bool {
    line.starts_with("error: could not compile ") || line.starts_with("error[E")
}

/// What cargo says of a target whose tests it cannot see either.
fn is_test_failure(line: &str) -> bool {
    line.starts_with("error: test failed, to rerun pass ") || line.starts_with("error: doctest failed, to rerun pass ")
}

/// The first error in the words of the compiler or of cargo.
fn reason(errors: &Text) -> String {
    let error = errors.lines().find(|line| line.starts_with("error"));
    error.map_or_else(|| "no test could be built or loaded".to_owned(), str::to_owned)
}
