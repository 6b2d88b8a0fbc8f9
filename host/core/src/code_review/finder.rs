//! Which review of a pull request counts: the order of CR-180 over everything that its runs hold.

use super::codes::{self, Code};

/// What one run holds; runs are told from the oldest to the newest (CR-179).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunFacts {
    /// Notes, `pr.json` or `pr-target.txt` are there.
    pub begun: bool,
    /// `result.candidate.json` is there.
    pub candidate: bool,
    /// A candidate was discarded (CR-20).
    pub discarded: bool,
    /// What `result.json` says; `None` when it is absent.
    pub result: Option<ResultKind>,
    /// `pr.json` cannot be read: what the run is about is not known, and it blocks all before it.
    pub damaged: bool,
}

/// What a promoted result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// The source was judged.
    Assessed,
    /// Closing was advised.
    Closed,
    /// The pull request could not be collected.
    Unavailable,
    /// It cannot be read as a result of the current family.
    Invalid,
}

/// The index of the newest assessed run, or the code of CR-180 that stands before it.
///
/// An unavailable result hides nothing: it neither stands before an older assessed one nor settles a newer run that was begun (CR-181).
pub fn find(runs: &[RunFacts]) -> Result<usize, &'static Code> {
    let newest = |holds: &dyn Fn(&RunFacts) -> bool| runs.iter().rposition(holds);
    let result = |kind: ResultKind| move |run: &RunFacts| run.result == Some(kind) && !run.damaged;
    let invalid = newest(&|run| run.damaged || run.result == Some(ResultKind::Invalid));
    let assessed = newest(&result(ResultKind::Assessed));
    let closed = newest(&result(ResultKind::Closed));
    let candidate = newest(&|run| run.candidate);
    let settled = [invalid, assessed, closed].into_iter().flatten().max();
    let begun = newest(&|run| run.begun && !run.candidate && !run.discarded && run.result.is_none() && !run.damaged);
    match () {
        () if begun > settled.max(candidate) => Err(&codes::MATCHING_REVIEW_INCOMPLETE),
        () if candidate.is_some() && candidate >= settled => Err(&codes::MATCHING_REVIEW_CANDIDATE_UNPROMOTED),
        () if closed > assessed => Err(&codes::MATCHING_REVIEW_CLOSED_NOT_REMEDIABLE),
        () if invalid > assessed => Err(&codes::INVALID_REVIEW_REPORT_RERUN_CODE_REVIEW),
        () => assessed.ok_or_else(|| match newest(&result(ResultKind::Unavailable)) {
            Some(_) => &codes::MATCHING_REVIEW_UNAVAILABLE_RERUN_CODE_REVIEW,
            None => &codes::MISSING_MATCHING_REVIEW_REPORT,
        }),
    }
}

#[cfg(test)]
mod tests {
    use ResultKind::{Assessed, Closed, Invalid, Unavailable};

    use super::*;

    fn holds(result: ResultKind) -> RunFacts {
        RunFacts { begun: true, result: Some(result), ..RunFacts::default() }
    }

    const BEGUN: RunFacts = RunFacts { begun: true, candidate: false, discarded: false, result: None, damaged: false };
    const CANDIDATE: RunFacts = RunFacts { candidate: true, ..BEGUN };

    fn code(runs: &[RunFacts]) -> &'static str {
        find(runs).map_or_else(|code| code.name, |index| if index + 1 == runs.len() { "newest" } else { "older" })
    }

    #[test]
    fn the_first_of_the_orders_that_holds_decides() {
        for (runs, expected) in [
            (vec![], "missing-matching-review-report"),
            (vec![holds(Assessed)], "newest"),
            (vec![holds(Assessed), BEGUN], "matching-review-incomplete"),
            (vec![BEGUN, holds(Assessed)], "newest"),
            (vec![holds(Assessed), CANDIDATE], "matching-review-candidate-unpromoted"),
            (vec![holds(Assessed), CANDIDATE, BEGUN], "matching-review-incomplete"),
            (vec![holds(Assessed), BEGUN, CANDIDATE], "matching-review-candidate-unpromoted"),
            (vec![CANDIDATE, holds(Assessed)], "newest"),
            (vec![RunFacts { candidate: true, ..holds(Assessed) }], "matching-review-candidate-unpromoted"),
            (vec![holds(Assessed), holds(Closed)], "matching-review-closed-not-remediable"),
            (vec![holds(Closed), holds(Assessed)], "newest"),
            (vec![holds(Assessed), holds(Invalid)], "invalid-review-report-rerun-code-review"),
            (vec![holds(Assessed), holds(Closed), holds(Invalid)], "matching-review-closed-not-remediable"),
            (vec![holds(Invalid), holds(Assessed)], "newest"),
            (vec![holds(Unavailable)], "matching-review-unavailable-rerun-code-review"),
        ] {
            assert_eq!(code(&runs), expected, "{runs:?}");
        }
    }

    #[test]
    fn an_unavailable_result_hides_and_settles_nothing() {
        assert_eq!(code(&[holds(Assessed), holds(Unavailable)]), "older");
        assert_eq!(code(&[holds(Assessed), BEGUN, holds(Unavailable)]), "matching-review-incomplete");
        assert_eq!(code(&[holds(Assessed), CANDIDATE, holds(Unavailable)]), "matching-review-candidate-unpromoted");
    }

    #[test]
    fn a_run_that_discarded_its_candidate_is_passed_over() {
        assert_eq!(code(&[holds(Assessed), RunFacts { discarded: true, ..BEGUN }]), "older");
        let again = RunFacts { discarded: true, ..CANDIDATE };
        assert_eq!(code(&[holds(Assessed), again]), "matching-review-candidate-unpromoted");
    }

    #[test]
    fn a_run_whose_subject_is_not_known_blocks_what_is_before_it() {
        let damaged = RunFacts { damaged: true, ..BEGUN };
        assert_eq!(code(&[holds(Assessed), damaged]), "invalid-review-report-rerun-code-review");
        assert_eq!(code(&[holds(Assessed), RunFacts { damaged: true, ..holds(Assessed) }]), "invalid-review-report-rerun-code-review");
        assert_eq!(code(&[damaged, holds(Assessed)]), "newest");
    }
}
