//! The verdict that fits both what was read and the exit status.

use code_polishy_sdk::suite_runner::{Execution, Exit, Outcome, Verdict};

use crate::{
    cases::{Cases, Counts},
    text::{head, one_line},
};

const MAX_SUMMARY_BYTES: usize = 1000;

/// What a runner read of a run.
#[derive(Debug, Default)]
pub struct Run {
    /// Every case that was read.
    pub cases: Cases,
    /// The cases are not all, or not all are known by name, such as when output was cut: they are counted only.
    pub unnamed: bool,
    /// The host left out a part of the output.
    pub cut: bool,
    /// Why tests did not build or load, or the output is not what the tool prints when it ends in order.
    pub problem: Option<String>,
    /// Something failed that is no case, such as a program that ended by itself after its last test.
    pub failed: bool,
    /// Cases that were counted and not read.
    pub more: Counts,
    /// What people should know about the counts.
    pub note: Option<&'static str>,
}

impl Run {
    /// The verdict. Where two are possible it is the one that proves less:
    ///
    /// - status 0 and a failed case, or a problem: `broken`, which says so;
    /// - another status and a failed case: `failed`, whatever else went wrong;
    /// - another status and no failed case: `broken` when there is a problem, otherwise `failed`. Its cases stay with it, so that it flips none.
    /// - Output that was cut hides what failed: `failed`, without cases.
    pub fn verdict(self, execution: &Execution) -> Verdict {
        let read = self.cases.counts();
        let counts = Counts {
            passed: read.passed + self.more.passed,
            failed: read.failed + self.more.failed,
            skipped: read.skipped + self.more.skipped,
        };
        let success = execution.exit == Exit::Code(0);
        let (outcome, note) = self.outcome(success, counts);
        let Counts { passed, failed, skipped } = counts;
        let mut summary = format!("{passed} passed, {failed} failed, {skipped} skipped");
        if let Some(note) = self.note {
            summary = format!("{summary} ({note})");
        }
        if self.cut {
            summary.push_str(" in the output that was kept");
        }
        let summary = match note {
            Some(note) if outcome == Outcome::Broken => note,
            Some(note) => format!("{summary}; {note}"),
            None => summary,
        };
        let named = matches!(outcome, Outcome::Passed | Outcome::Failed) && !self.unnamed && !self.cut && counts.executed() > 0;
        let cases = named.then(|| self.cases.finish());
        Verdict { outcome, cases, summary: one_line(head(&summary, MAX_SUMMARY_BYTES)) }
    }

    fn outcome(&self, success: bool, counts: Counts) -> (Outcome, Option<String>) {
        let failed = counts.failed > 0 || self.failed;
        match (success, failed, &self.problem) {
            (true, true, _) => {
                let note =
                    format!("the exit status is 0 and the output tells of failures ({} failed): one of them is not true", counts.failed);
                (Outcome::Broken, Some(note))
            }
            (true, false, Some(problem)) => (Outcome::Broken, Some(problem.clone())),
            (true, false, None) if counts.executed() == 0 => (Outcome::NoTests, None),
            (true, false, None) => (Outcome::Passed, None),
            (false, true, problem) => (Outcome::Failed, problem.clone()),
            (false, false, problem) if self.cut => (Outcome::Failed, problem.clone()),
            (false, false, Some(problem)) => (Outcome::Broken, Some(problem.clone())),
            (false, false, None) if counts.executed() == 0 => (Outcome::NoTests, None),
            (false, false, None) => (Outcome::Failed, Some("the run failed and no case of it did".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use code_polishy_sdk::suite_runner::{CaseOutcome, Stream};

    use super::*;
    use crate::cases::Said;

    fn judged(status: i32, outcomes: &[CaseOutcome], edit: impl FnOnce(&mut Run)) -> Verdict {
        let mut run = Run::default();
        outcomes.iter().for_each(|outcome| run.cases.add("a", *outcome, Said::default()));
        edit(&mut run);
        let stream = || Stream { head: Vec::new(), tail: Vec::new(), total: 0 };
        run.verdict(&Execution { exit: Exit::Code(status), output: stream(), errors: stream(), files: Vec::new() })
    }

    fn problem(run: &mut Run) {
        run.problem = Some("it does not build".to_owned());
    }

    use CaseOutcome::{Failed, Passed, Skipped};

    #[test]
    fn a_verdict_agrees_with_the_exit_status() {
        for (status, cases, outcome, named) in [
            (0, &[Passed, Skipped][..], Outcome::Passed, true),
            (1, &[Passed, Failed], Outcome::Failed, true),
            (1, &[Passed], Outcome::Failed, true),
            (0, &[Passed, Failed], Outcome::Broken, false),
            (0, &[Skipped], Outcome::NoTests, false),
            (1, &[Skipped], Outcome::NoTests, false),
            (0, &[], Outcome::NoTests, false),
        ] {
            let verdict = judged(status, cases, |_| ());
            assert_eq!((verdict.outcome, verdict.cases.is_some()), (outcome, named), "{status} {cases:?}");
        }
        assert_eq!(judged(1, &[Passed], |_| ()).summary, "1 passed, 0 failed, 0 skipped; the run failed and no case of it did");
        assert!(judged(0, &[Failed], |_| ()).summary.starts_with("the exit status is 0"));
    }

    #[test]
    fn a_problem_is_broken_unless_a_case_failed() {
        for status in [0, 1] {
            let verdict = judged(status, &[Passed], problem);
            assert_eq!((verdict.outcome, verdict.summary.as_str(), verdict.cases), (Outcome::Broken, "it does not build", None));
        }
        let verdict = judged(1, &[Failed], problem);
        assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Failed, "0 passed, 1 failed, 0 skipped; it does not build"));
    }

    #[test]
    fn output_that_was_cut_names_nothing() {
        let cut = |status, edit: fn(&mut Run)| {
            judged(status, &[Passed], |run| {
                run.cut = true;
                edit(run);
            })
        };
        let green = cut(0, |_| ());
        assert_eq!(
            (green.outcome, green.cases, green.summary.as_str()),
            (Outcome::Passed, None, "1 passed, 0 failed, 0 skipped in the output that was kept")
        );
        let red = cut(1, problem);
        assert_eq!((red.outcome, red.cases), (Outcome::Failed, None), "a case that failed may be in the part that was left out");
    }

    #[test]
    fn what_is_counted_and_not_named_counts() {
        let verdict = judged(0, &[], |run| {
            run.unnamed = true;
            run.more.passed = 3;
        });
        assert_eq!((verdict.outcome, verdict.cases), (Outcome::Passed, None));
    }
}
