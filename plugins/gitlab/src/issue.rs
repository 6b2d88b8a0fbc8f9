//! The issues of a Code Quality report.

use reading::foreign::{bounded, visible};
use reading::json::{Value, list, number, object, text};
use reading::report::{Finding, Report};

/// Where findings about no file are placed.
const POLICY_FILE: &str = ".code-polishy.json";

/// Characters of a description.
const DESCRIPTION: usize = 2_000;

/// Characters of the name of a check.
const CHECK_NAME: usize = 200;

/// One for each finding, in the order of the report. The fingerprint is the same in every run that has the finding.
pub fn all(report: &Report) -> Value {
    list(report.findings.iter().zip(report.fingerprints()).map(|(finding, fingerprint)| {
        object([
            ("description", text(description(finding))),
            ("check_name", text(visible(&bounded(&finding.rule, CHECK_NAME)))),
            ("fingerprint", text(fingerprint)),
            ("severity", text(severity(&finding.rule))),
            ("location", location(finding)),
        ])
    }))
}

/// How bad it is. The two weaker words of GitLab are for what blocks nothing.
fn severity(rule: &str) -> &'static str {
    match rule.split('.').next() {
        // A document is malformed.
        Some("documentation") => "major",
        // A command did not pass.
        Some("gate") => "critical",
        // The review is missing, the evidence does not hold, or nothing could be judged.
        _ => "blocker",
    }
}

fn location(finding: &Finding) -> Value {
    let path = finding.file().map_or_else(|| POLICY_FILE.to_owned(), visible);
    object([("path", text(path)), ("lines", object([("begin", number(finding.file_line().unwrap_or(1)))]))])
}

/// What is wrong, and where the file does not show it, what to do: one line.
fn description(finding: &Finding) -> String {
    let message = words(&finding.message);
    let told = match (finding.file(), words(&finding.next)) {
        (None, next) if !next.is_empty() => format!("{message}. Next: {next}"),
        _ => message,
    };
    visible(&bounded(&told, DESCRIPTION))
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
