//! A gate's report for people (BR-74).

use code_polishy_core::{
    gate::{
        report::{CommandStatus, Finding, Report, ReportStatus},
        state::ReviewState,
    },
    text::escape_line,
};

use super::lines::{BAD, FAINT, GOOD, count, list, next, note, paint, state};

/// A report with what was written beside it.
#[derive(Debug)]
pub struct View<'a> {
    /// The report.
    pub report: &'a Report,
    /// The two state lines.
    pub states: [String; 2],
    /// Repository-relative; absent when nothing was written.
    pub report_path: Option<&'a str>,
    /// Repository-relative.
    pub renders: &'a [String],
    /// The step of a gate that is not passed.
    pub next: Option<&'a str>,
    /// Reasons and sections too.
    pub verbose: bool,
}

/// The two state lines of a stored report.
pub fn states(report: &Report) -> [String; 2] {
    let review = &report.behavior_review;
    let all = review.full_candidate.then_some("all changes");
    let scope: Vec<&str> = all.into_iter().chain(review.selected.iter().map(String::as_str)).collect();
    ReviewState { behavior: review.state, final_state: review.final_state, scope: scope.join(", ") }.lines()
}

/// Everything after the commands' own lines.
pub fn lines(view: &View<'_>) -> Vec<String> {
    let report = view.report;
    let mut lines = vec![format!("{} GATE: {} against {}", gate(report), escape_line(&report.level.to_uppercase()), report.base)];
    if report.gate == "checkpoint" && report.status == ReportStatus::Passed && view.report_path.is_some() {
        lines.push(format!("CHECKPOINT ACCEPTED: {}", report.candidate));
    }
    if view.verbose {
        lines.extend(report.level_reasons.iter().map(|reason| format!("  {} {}", paint(FAINT, "because"), escape_line(reason))));
    }
    lines.extend(view.states.iter().map(|line| state(line)));
    if view.verbose && !report.not_enforced.is_empty() {
        lines.push(format!("NOT ENFORCED: {}", list(&report.not_enforced)));
    }
    lines.extend(view.report_path.map(|path| format!("GATE REPORT: {}", escape_line(path))));
    lines.extend(view.renders.iter().map(|path| format!("RENDER: {}", escape_line(path))));
    lines.extend(report.findings.iter().flat_map(finding));
    lines.extend(report.notes.iter().map(|text| note(text)));
    if view.report_path.is_some() {
        lines.push(verdict(report));
    }
    lines.extend(view.next.map(next));
    lines
}

fn gate(report: &Report) -> String {
    escape_line(&report.gate.to_uppercase())
}

fn finding(finding: &Finding) -> Vec<String> {
    let subject = if finding.subject.is_empty() { String::new() } else { format!(" {}", escape_line(&finding.subject)) };
    let head = format!("{} {}{subject}: {}", paint(BAD, "FINDING"), escape_line(&finding.rule), escape_line(&finding.message));
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let place = (!finding.path.is_empty()).then(|| format!(" {} {}{line}", paint(FAINT, "-->"), escape_line(&finding.path)));
    std::iter::once(head).chain(place).collect()
}

fn verdict(report: &Report) -> String {
    let passed = report.commands.iter().filter(|command| command.status == CommandStatus::Passed);
    let (reused, ran): (Vec<_>, Vec<_>) = passed.partition(|command| command.reused_from.is_some());
    let counts = format!("{} passed, {} reused, {}", count(ran.len(), "command"), reused.len(), count(report.findings.len(), "finding"));
    match report.status {
        ReportStatus::Passed => format!("{} ({counts})", paint(GOOD, "PASS")),
        ReportStatus::Failed => format!("{} ({counts})", paint(BAD, "FAILED")),
        ReportStatus::Operational => format!("{} (operational fault; {counts})", paint(BAD, "FAILED")),
    }
}
