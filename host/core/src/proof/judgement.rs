//! What red and green runs prove together (BR-59, BR-60).

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    diagnostic::Diagnostic,
    plugin::{CaseOutcome, Outcome, TestCase, Verdict},
    policy::model::RedKind,
};

/// One finished run as the decision sees it. Timeouts and signals never come here (BR-61).
#[derive(Clone, Debug)]
pub struct Run {
    /// The suite's exit status.
    pub exit_status: i32,
    /// The runner's judgement.
    pub verdict: Verdict,
}

/// What a red and a green run prove together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedGreen {
    /// How red came to be red.
    pub red_kind: RedKind,
    /// Cases that turned green, sorted.
    pub flipped_cases: Vec<String>,
}

/// What is expected of the runs.
#[derive(Clone, Debug)]
pub struct Expectation<'a> {
    /// The exit status of red.
    pub red_exit_status: i32,
    /// Kinds of red that base and candidate policy both allow.
    pub allowed_red_kinds: &'a [RedKind],
}

/// Control alone (BR-59): without the evidence the base passes.
pub fn judge_control(control: &Run) -> Result<(), Box<Diagnostic>> {
    if control.exit_status == 0 && control.verdict.outcome == Outcome::Passed {
        return Ok(());
    }
    Err(refusal(
        "proof.control-red",
        format!("the base without the evidence is {} ({})", word(control.verdict.outcome), exit(control)),
        "choose a base whose suite passes without the evidence, or evidence that alone makes it fail",
    ))
}

/// Red alone (BR-59): the expected exit status, by failing or broken tests of an allowed kind.
pub fn judge_red(baseline: &Run, expectation: &Expectation<'_>) -> Result<RedKind, Box<Diagnostic>> {
    let kind = match baseline.verdict.outcome {
        Outcome::Failed => RedKind::Failed,
        Outcome::Broken => RedKind::Broken,
        Outcome::Passed | Outcome::NoTests => {
            return Err(refusal(
                "proof.not-red",
                format!("the base with the evidence is {} ({})", word(baseline.verdict.outcome), exit(baseline)),
                "give evidence that fails before the change",
            ));
        }
    };
    if baseline.exit_status != expectation.red_exit_status {
        return Err(refusal(
            "proof.red-exit",
            format!("the base with the evidence ends with {}, expected was {}", exit(baseline), expectation.red_exit_status),
            format!("if that is the failure you mean, pass --red-exit {}", baseline.exit_status),
        ));
    }
    if !expectation.allowed_red_kinds.contains(&kind) {
        return Err(refusal(
            "proof.red-kind",
            format!("the base with the evidence is {}, which `allowedRedKinds` does not allow", word(baseline.verdict.outcome)),
            "write evidence that builds and loads at the base, and fails there",
        ));
    }
    Ok(kind)
}

/// All runs together (BR-59, BR-60). `control` is absent when the evidence patch is empty.
pub fn judge(control: Option<&Run>, baseline: &Run, candidate: &Run, expectation: &Expectation<'_>) -> Result<RedGreen, Box<Diagnostic>> {
    control.map_or(Ok(()), judge_control)?;
    let red_kind = judge_red(baseline, expectation)?;
    if candidate.exit_status != 0 || candidate.verdict.outcome != Outcome::Passed {
        return Err(refusal(
            "proof.not-green",
            format!("the candidate is {} ({})", word(candidate.verdict.outcome), exit(candidate)),
            "mend the candidate, commit, and prepare the review again",
        ));
    }
    let flipped_cases = match (&baseline.verdict.cases, &candidate.verdict.cases) {
        (Some(red), Some(green)) if red_kind == RedKind::Failed => flipped_by_failure(red, green)?,
        (_, Some(green)) if red_kind == RedKind::Broken => flipped_by_loading(control, green)?,
        (None, Some(_)) => return Err(red_cases_unknown()),
        _ => Vec::new(),
    };
    Ok(RedGreen { red_kind, flipped_cases })
}

fn red_cases_unknown() -> Box<Diagnostic> {
    refusal(
        "proof.nothing-flipped",
        "the runner names the cases of the green run and not those of the red one",
        "let the failing run print whole lines: no cut output, no test program that ends before its result",
    )
}

fn flipped_by_failure(red: &[TestCase], green: &[TestCase]) -> Result<Vec<String>, Box<Diagnostic>> {
    let (red, green) = (by_name(red), by_name(green));
    if let Some(missing) = red.keys().find(|name| !green.contains_key(*name)) {
        return Err(refusal(
            "proof.case-missing",
            format!("the case `{missing}` of the red run is missing in the green run"),
            "keep the name of every case between base and candidate",
        ));
    }
    let flipped: Vec<String> = red
        .iter()
        .filter(|(name, outcome)| **outcome == CaseOutcome::Failed && green.get(*name) == Some(&CaseOutcome::Passed))
        .map(|(name, _)| (*name).to_owned())
        .collect();
    at_least_one(flipped)
}

fn flipped_by_loading(control: Option<&Run>, green: &[TestCase]) -> Result<Vec<String>, Box<Diagnostic>> {
    let known: BTreeSet<&str> =
        control.and_then(|run| run.verdict.cases.as_ref()).into_iter().flatten().map(|case| case.name.as_str()).collect();
    let flipped = by_name(green)
        .into_iter()
        .filter(|(name, outcome)| *outcome == CaseOutcome::Passed && !known.contains(name))
        .map(|(name, _)| name.to_owned())
        .collect();
    at_least_one(flipped)
}

fn at_least_one(flipped: Vec<String>) -> Result<Vec<String>, Box<Diagnostic>> {
    if flipped.is_empty() {
        return Err(refusal(
            "proof.nothing-flipped",
            "no case that is red at the base passes at the candidate",
            "give evidence whose failing case the change turns green",
        ));
    }
    Ok(flipped)
}

fn refusal(code: &str, message: impl Into<String>, next: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(code, message, next))
}

/// The worst outcome of each name: a name that failed once is failed.
fn by_name(cases: &[TestCase]) -> BTreeMap<&str, CaseOutcome> {
    let mut names = BTreeMap::new();
    for case in cases {
        let worst = names.entry(case.name.as_str()).or_insert(case.outcome);
        if case.outcome == CaseOutcome::Failed || (case.outcome == CaseOutcome::Skipped && *worst == CaseOutcome::Passed) {
            *worst = case.outcome;
        }
    }
    names
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "green",
        Outcome::Failed => "red",
        Outcome::Broken => "broken: its tests do not build or load",
        Outcome::NoTests => "without tests: nothing ran",
    }
}

fn exit(run: &Run) -> String {
    format!("exit status {}", run.exit_status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(exit_status: i32, outcome: Outcome, cases: Option<&[(&str, CaseOutcome)]>) -> Run {
        let cases = cases.map(|cases| {
            cases
                .iter()
                .map(|(name, outcome)| TestCase { name: (*name).into(), outcome: *outcome, message: None, path: None, line: None })
                .collect()
        });
        Run { exit_status, verdict: Verdict { outcome, cases, summary: String::new() } }
    }

    const BOTH: Expectation<'static> = Expectation { red_exit_status: 1, allowed_red_kinds: &[RedKind::Failed, RedKind::Broken] };
    use CaseOutcome::{Failed, Passed};

    fn code(result: Result<RedGreen, Box<Diagnostic>>) -> String {
        result.expect_err("must be refused").code
    }

    #[test]
    fn exit_status_alone_proves_with_an_empty_list() {
        let (red, green) = (run(1, Outcome::Failed, None), run(0, Outcome::Passed, None));
        let proved = judge(Some(&green), &red, &green, &BOTH).expect("red and green");
        assert_eq!(proved, RedGreen { red_kind: RedKind::Failed, flipped_cases: vec![] });
    }

    #[test]
    fn each_side_must_be_what_it_should() {
        let (red, green) = (run(1, Outcome::Failed, None), run(0, Outcome::Passed, None));
        assert_eq!(code(judge(Some(&red), &red, &green, &BOTH)), "proof.control-red");
        assert_eq!(code(judge(None, &green, &green, &BOTH)), "proof.not-red");
        assert_eq!(code(judge(None, &run(2, Outcome::Failed, None), &green, &BOTH)), "proof.red-exit");
        assert_eq!(code(judge(None, &red, &red, &BOTH)), "proof.not-green");
        assert_eq!(code(judge(None, &red, &run(0, Outcome::NoTests, None), &BOTH)), "proof.not-green");
        assert_eq!(code(judge(None, &run(1, Outcome::NoTests, None), &green, &BOTH)), "proof.not-red");
        let failed_only = Expectation { red_exit_status: 1, allowed_red_kinds: &[RedKind::Failed] };
        assert_eq!(code(judge(None, &run(1, Outcome::Broken, None), &green, &failed_only)), "proof.red-kind");
    }

    #[test]
    fn a_failing_case_must_pass_under_its_name() {
        let green = |cases| run(0, Outcome::Passed, Some(cases));
        let red = run(1, Outcome::Failed, Some(&[("a", Passed), ("b", Failed)]));
        assert_eq!(judge(None, &red, &green(&[("a", Passed), ("b", Passed)]), &BOTH).expect("proved").flipped_cases, ["b"]);
        assert_eq!(code(judge(None, &red, &green(&[("a", Passed), ("c", Passed)]), &BOTH)), "proof.case-missing");
        assert_eq!(code(judge(None, &red, &green(&[("a", Passed), ("b", CaseOutcome::Skipped)]), &BOTH)), "proof.nothing-flipped");
    }

    #[test]
    fn a_red_whose_cases_are_not_known_flips_none_of_those_that_are() {
        let (red, green) = (run(1, Outcome::Failed, None), run(0, Outcome::Passed, Some(&[("a", Passed)])));
        assert_eq!(code(judge(None, &red, &green, &BOTH)), "proof.nothing-flipped");
    }

    #[test]
    fn a_broken_red_flips_the_cases_that_control_did_not_have() {
        let control = run(0, Outcome::Passed, Some(&[("a", Passed)]));
        let red = run(1, Outcome::Broken, Some(&[]));
        let green = run(0, Outcome::Passed, Some(&[("a", Passed), ("new", Passed)]));
        assert_eq!(judge(Some(&control), &red, &green, &BOTH).expect("proved").flipped_cases, ["new"]);
        assert_eq!(code(judge(Some(&green), &red, &green, &BOTH)), "proof.nothing-flipped");
    }
}
