//! The suites of a report, and the document around them.

use reading::phases::Phase;
use reading::report::{Finding, Report, Review};

use crate::case::{Case, Ending, Why, class, seconds};
use crate::xml::attribute;

/// A `testsuite`.
pub struct Suite {
    name: String,
    cases: Vec<Case>,
}

impl Suite {
    /// The review, the phases in the order in which they run, and the rest.
    pub fn all(report: &Report) -> Vec<Self> {
        let review = report.behavior_review.as_ref().map(|review| Self::of_review(report, review));
        let (mut left, mut rest) = (vec![Vec::new(); report.commands.len()], Vec::new());
        for (finding, owner) in report.findings.iter().zip(report.owners()) {
            match owner {
                Some(command) => left[command].push(finding),
                None if is_review(finding) => (),
                None => rest.push(Case::of_finding(report, finding)),
            }
        }
        let mut left = left.iter();
        let phases = Phase::of(report).into_iter().map(|phase| Self {
            name: phase.title(),
            cases: phase.commands.iter().zip(&mut left).map(|(command, findings)| Case::of_command(report, command, findings)).collect(),
        });
        let rest = Self { name: "Gate".to_owned(), cases: rest };
        review.into_iter().chain(phases).chain([rest]).filter(|suite| !suite.cases.is_empty()).collect()
    }

    fn of_review(report: &Report, review: &Review) -> Self {
        let case = |name: &str, state: &str| Case {
            class: class(report, "behavior-review"),
            name: name.to_owned(),
            milliseconds: 0,
            ending: review_ending(report, state),
            output: String::new(),
        };
        Self { name: "Review".to_owned(), cases: vec![case("behavior", &review.state), case("final state", &review.final_state)] }
    }

    fn count(&self, is_it: impl Fn(&Ending) -> bool) -> usize {
        self.cases.iter().filter(|case| is_it(&case.ending)).count()
    }

    fn milliseconds(&self) -> u64 {
        self.cases.iter().fold(0, |sum, case| sum.saturating_add(case.milliseconds))
    }

    fn drawn(&self, report: &Report) -> String {
        let counts = [
            ("tests", self.cases.len()),
            ("failures", self.count(is_failure)),
            ("errors", self.count(is_error)),
            ("skipped", self.count(|ending| matches!(ending, Ending::Skipped(_)))),
        ];
        let counts: String = counts.iter().map(|(name, count)| attribute(name, &count.to_string())).collect();
        let time = attribute("time", &seconds(self.milliseconds()));
        let started = if report.started_at.is_empty() { String::new() } else { attribute("timestamp", &report.started_at) };
        let cases: String = self.cases.iter().map(Case::drawn).collect();
        format!("  <testsuite{}{counts}{time}{started}>\n{cases}  </testsuite>\n", attribute("name", &self.name))
    }
}

/// The whole document, with a final line end.
pub fn document(report: &Report, suites: &[Suite]) -> String {
    let sum = |count: fn(&Suite) -> usize| suites.iter().map(count).sum::<usize>().to_string();
    let milliseconds = suites.iter().fold(0, |sum: u64, suite| sum.saturating_add(suite.milliseconds()));
    let attributes = [
        ("name", report.headline()),
        ("tests", sum(|suite| suite.cases.len())),
        ("failures", sum(|suite| suite.count(is_failure))),
        ("errors", sum(|suite| suite.count(is_error))),
        ("time", seconds(milliseconds)),
    ];
    let attributes: String = attributes.iter().map(|(name, value)| attribute(name, value)).collect();
    let suites: String = suites.iter().map(|suite| suite.drawn(report)).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites{attributes}>\n{suites}</testsuites>\n")
}

fn is_failure(ending: &Ending) -> bool {
    matches!(ending, Ending::Failure(_))
}

fn is_error(ending: &Ending) -> bool {
    matches!(ending, Ending::Error(_))
}

fn is_review(finding: &Finding) -> bool {
    finding.rule == "policy.behaviorReview"
}

fn review_ending(report: &Report, state: &str) -> Ending {
    match state {
        "passed" => Ending::Passed,
        "failed" | "required" => {
            let findings: Vec<&Finding> = report.findings.iter().filter(|finding| is_review(finding)).collect();
            Ending::Failure(Why::of(state, &findings))
        }
        "not-run-required" => Ending::Skipped("there is no result that tells"),
        _ => Ending::Skipped("nothing asks for it"),
    }
}
