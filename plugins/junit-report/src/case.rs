//! One case: a command, the review, or a finding that no command left.

use reading::foreign::visible;
use reading::report::{Command, Finding, Outcome, Report};

use crate::xml::{attribute, body};

/// A `testcase`.
pub struct Case {
    /// The folder that CI servers show it in.
    pub class: String,
    pub name: String,
    pub milliseconds: u64,
    pub ending: Ending,
    /// What a reader may want to know; may be empty.
    pub output: String,
}

/// How a case ended.
pub enum Ending {
    Passed,
    /// It was judged, and is not good enough.
    Failure(Why),
    /// Something kept it from being judged.
    Error(Why),
    /// It did not run, for this reason.
    Skipped(&'static str),
}

/// What is wrong.
pub struct Why {
    /// One word, such as `timeout`.
    kind: String,
    /// One line.
    message: String,
    /// Everything that is known.
    text: String,
}

impl Case {
    /// A command of the gate, with what it left.
    pub fn of_command(report: &Report, command: &Command, findings: &[&Finding]) -> Self {
        Self {
            class: class(report, &command.category),
            name: command.name.clone(),
            milliseconds: command.duration_ms(),
            ending: ending(command, findings),
            output: output(command),
        }
    }

    /// A finding that no command left.
    pub fn of_finding(report: &Report, finding: &Finding) -> Self {
        let why = Why::of(&finding.rule, &[finding]);
        let is_judgement = ["policy.", "candidate.", "documentation."].iter().any(|start| finding.rule.starts_with(start));
        Self {
            class: class(report, "gate"),
            name: format!("{}: {}", finding.rule, finding.subject),
            milliseconds: 0,
            ending: if is_judgement { Ending::Failure(why) } else { Ending::Error(why) },
            output: String::new(),
        }
    }

    /// The element, with a final line end.
    pub fn drawn(&self) -> String {
        let mut children = match &self.ending {
            Ending::Passed => String::new(),
            Ending::Failure(why) => why.drawn("failure"),
            Ending::Error(why) => why.drawn("error"),
            Ending::Skipped(reason) => format!("      <skipped{}/>\n", attribute("message", reason)),
        };
        if !self.output.is_empty() {
            children += &format!("      <system-out>{}</system-out>\n", body(&self.output));
        }
        let start = format!(
            "    <testcase{}{}{}",
            attribute("classname", &self.class),
            attribute("name", &self.name),
            attribute("time", &seconds(self.milliseconds))
        );
        if children.is_empty() { format!("{start}/>\n") } else { format!("{start}>\n{children}    </testcase>\n") }
    }
}

impl Why {
    /// What these findings say; the first one in a line.
    pub fn of(kind: &str, findings: &[&Finding]) -> Self {
        let message = findings.first().map_or_else(|| kind.to_owned(), |finding| finding.message.clone());
        Self { kind: kind.to_owned(), message, text: findings.iter().map(|finding| told(finding)).collect::<Vec<_>>().join("\n\n") }
    }

    fn drawn(&self, element: &str) -> String {
        let start = format!("      <{element}{}{}", attribute("type", &self.kind), attribute("message", &self.message));
        if self.text.is_empty() { format!("{start}/>\n") } else { format!("{start}>{}</{element}>\n", body(&self.text)) }
    }
}

/// CI servers make folders of what is between dots.
pub fn class(report: &Report, category: &str) -> String {
    let gate = if report.gate.is_empty() { "gate".to_owned() } else { format!("{}-gate", report.gate) };
    format!("code-polishy.{gate}.{category}").replace('/', "-")
}

/// Such as `0.412`.
pub fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1_000, milliseconds % 1_000)
}

fn ending(command: &Command, findings: &[&Finding]) -> Ending {
    let category = command.attempts.last().and_then(|attempt| attempt.failure_category.as_deref());
    match (command.status, category) {
        (Outcome::Passed, _) => Ending::Passed,
        (Outcome::NotStarted, _) => Ending::Skipped("something before it did not pass"),
        (Outcome::Failed, Some(category)) if category != "command-exit" => Ending::Error(Why::of(category, findings)),
        (Outcome::Failed, _) => Ending::Failure(Why::of("command-exit", findings)),
    }
}

fn output(command: &Command) -> String {
    let mut lines = Vec::new();
    if let Some(run) = &command.reused_from {
        lines.push(format!("Reused from {run}."));
    }
    if let Some(cases) = command.attempts.last().and_then(|attempt| attempt.cases) {
        lines.push(format!("Cases: {}.", cases.told()));
    }
    for case in command.proof.iter().flat_map(|proof| &proof.flipped_cases) {
        lines.push(format!("Red before, green now: {}", visible(case)));
    }
    if let Some(attempt) = command.attempts.last().filter(|attempt| !attempt.log_path.is_empty()) {
        lines.push(format!("Log: {}", attempt.log_path));
    }
    lines.join("\n")
}

/// Everything about a finding, a line each.
fn told(finding: &Finding) -> String {
    let place = match (finding.file(), finding.file_line()) {
        (Some(path), Some(line)) => format!("{path}:{line}: "),
        (Some(path), None) => format!("{path}: "),
        (None, _) => String::new(),
    };
    let mut told = format!("{place}{}", finding.message);
    for (label, text) in [("Remedy", &finding.remedy), ("Next", &finding.next)] {
        if !text.is_empty() && (label == "Remedy" || *text != finding.remedy) {
            told += &format!("\n{label}: {text}");
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        assert_eq!([0, 7, 412, 60_000, 3_725_001].map(seconds), ["0.000", "0.007", "0.412", "60.000", "3725.001"]);
    }
}
