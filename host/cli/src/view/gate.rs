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
    /// The checkpoint that it reports is accepted.
    pub accepts: bool,
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
    if view.accepts && view.report_path.is_some() {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use code_polishy_core::{
        gate::{
            identity::RunIdentity,
            plan::Category,
            report::{CommandReport, PROTOCOL, VERSION},
            state::{BehaviorReviewReport, BehaviorState, FinalState},
        },
        policy::model::Boundary,
    };
    use insta::assert_snapshot;

    use super::*;

    fn review(state: BehaviorState, final_state: FinalState) -> BehaviorReviewReport {
        BehaviorReviewReport {
            state,
            final_state,
            boundary: Boundary::Merge,
            selected: vec!["checkout".to_owned()],
            selection_sha256: String::new(),
            full_candidate: true,
            review_id: None,
            receipt_path: None,
        }
    }

    fn command(name: &str, reused_from: Option<&str>) -> CommandReport {
        CommandReport {
            index: 0,
            sha256: String::new(),
            name: name.to_owned(),
            category: Category::Test,
            status: CommandStatus::Passed,
            reused_from: reused_from.map(str::to_owned),
            proof: None,
            attempts: Vec::new(),
        }
    }

    fn report(gate: &str, level: &str, review: BehaviorReviewReport) -> Report {
        let identity = RunIdentity {
            gate: gate.to_owned(),
            base: "b".repeat(40),
            candidate: "c".repeat(40),
            level: level.to_owned(),
            engine_version: String::new(),
            policy_sha256: [String::new(), String::new()],
            plugins: Vec::new(),
            platform: String::new(),
            commands: Vec::new(),
            environment: BTreeMap::new(),
            behavior_review: review.clone(),
        };
        Report {
            protocol: PROTOCOL.to_owned(),
            version: VERSION,
            gate: gate.to_owned(),
            identity_sha256: identity.sha256(),
            identity,
            execution_id: "run-0123456789ab-1".to_owned(),
            status: ReportStatus::Passed,
            base_requested: "main".to_owned(),
            base: "b".repeat(40),
            candidate: "c".repeat(40),
            level: level.to_owned(),
            level_reasons: vec!["policy input changed: a\nb".to_owned()],
            behavior_review: review,
            not_enforced: vec!["architecture".to_owned(), "supplyChain".to_owned()],
            commands: Vec::new(),
            findings: Vec::new(),
            notes: Vec::new(),
            started_at: String::new(),
            completed_at: String::new(),
            sha256: String::new(),
        }
    }

    fn shown(report: &Report, written: bool, next: Option<&str>, verbose: bool) -> String {
        let renders = ["renders/markdown/report.md".to_owned()];
        let view = View {
            report,
            states: states(report),
            accepts: report.gate == "checkpoint" && report.status == ReportStatus::Passed,
            report_path: written.then_some("report.json"),
            renders: if written { &renders } else { &[] },
            next,
            verbose,
        };
        anstream::adapter::strip_str(&lines(&view).join("\n")).to_string()
    }

    #[test]
    fn a_passed_merge_gate() {
        let mut report = report("merge", "full", review(BehaviorState::Passed, FinalState::Passed));
        report.commands = vec![command("unit", None), command("syntax", Some("run-0123456789ab-1"))];
        report.notes = vec!["no requested behavior was proved".to_owned()];
        assert_snapshot!(shown(&report, true, None, true), @r"
        MERGE GATE: FULL against bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
          because policy input changed: a\nb
        BEHAVIOR REVIEW: PASSED (all changes, checkout)
        FINAL STATE: PASSED (all changes, checkout)
        NOT ENFORCED: architecture, supplyChain
        GATE REPORT: report.json
        RENDER: renders/markdown/report.md
        NOTE: no requested behavior was proved
        PASS (1 command passed, 1 reused, 0 findings)
        ");
    }

    #[test]
    fn a_blocked_merge_gate_ends_with_the_next_step() {
        let mut report = report("merge", "full", review(BehaviorState::Required, FinalState::NotRunRequired));
        report.status = ReportStatus::Failed;
        report.findings = vec![
            Finding {
                rule: "policy.behaviorReview".to_owned(),
                path: ".code-polishy.json".to_owned(),
                line: None,
                subject: "checkout".to_owned(),
                message: "no review is accepted".to_owned(),
                remedy: String::new(),
                next: String::new(),
            },
            Finding {
                rule: "documentation.link".to_owned(),
                path: "docs/a\nPASS.md".to_owned(),
                line: Some(3),
                subject: String::new(),
                message: "::error::x".to_owned(),
                remedy: String::new(),
                next: String::new(),
            },
        ];
        assert_snapshot!(shown(&report, true, Some("code-polishy behavior-review prepare --base main"), false), @r"
        MERGE GATE: FULL against bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        BEHAVIOR REVIEW: REQUIRED (all changes, checkout)
        FINAL STATE: NOT RUN (required)
        GATE REPORT: report.json
        RENDER: renders/markdown/report.md
        FINDING policy.behaviorReview checkout: no review is accepted
         --> .code-polishy.json
        FINDING documentation.link: \u{3a}:error::x
         --> docs/a\nPASS.md:3
        FAILED (0 commands passed, 0 reused, 2 findings)
        NEXT: code-polishy behavior-review prepare --base main
        ");
    }

    #[test]
    fn checkpoints() {
        let accepted = report("checkpoint", "documentation", review(BehaviorState::Passed, FinalState::Passed));
        assert_snapshot!(shown(&accepted, true, None, false), @r"
        CHECKPOINT GATE: DOCUMENTATION against bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        CHECKPOINT ACCEPTED: cccccccccccccccccccccccccccccccccccccccc
        BEHAVIOR REVIEW: PASSED (all changes, checkout)
        FINAL STATE: PASSED (all changes, checkout)
        GATE REPORT: report.json
        RENDER: renders/markdown/report.md
        PASS (0 commands passed, 0 reused, 0 findings)
        ");
        let unchanged = report("checkpoint", "unchanged", review(BehaviorState::NotRun, FinalState::NotRunOptional));
        assert_snapshot!(shown(&unchanged, false, None, false), @r"
        CHECKPOINT GATE: UNCHANGED against bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        BEHAVIOR REVIEW: NOT RUN (optional)
        FINAL STATE: NOT RUN (optional)
        ");
    }
}
