//! Findings as errors and notes as notices. GitHub shows ten of each level a step: the tenth tells of the others.

use reading::foreign::visible;
use reading::report::{Ending, Finding, Report};
use reading::words::count;

use crate::command::{Annotation, Level};

/// Annotations of a level that GitHub shows in a step.
const SHOWN: usize = 10;

/// One command a line; a passed gate says so in one.
pub fn draw(report: &Report) -> String {
    let errors = report.findings.iter().map(of_finding).collect();
    let verdict = report.findings.is_empty().then(|| notice(report.headline(), told(report)));
    let notes = report.notes.iter().map(|note| notice(report.headline(), note.clone()));
    let notices = verdict.into_iter().chain(notes).collect();
    let mut text = String::new();
    for annotation in shown(errors, "finding").into_iter().chain(shown(notices, "note")) {
        text.push_str(&annotation.line());
        text.push('\n');
    }
    text
}

fn of_finding(finding: &Finding) -> Annotation {
    let place = finding.file().map(|path| (path.to_owned(), finding.file_line()));
    let see = (place.is_none() && !finding.path.is_empty()).then(|| format!("See: {}", visible(&finding.path)));
    let next = Some(&finding.next).filter(|next| !next.is_empty()).map(|next| format!("Next: {next}"));
    let message: Vec<_> = [Some(finding.message.clone()), see, next].into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let title = if finding.subject.is_empty() { finding.rule.clone() } else { format!("{} ({})", finding.subject, finding.rule) };
    Annotation { level: Level::Error, place, title, message: message.join("\n") }
}

fn notice(title: String, message: String) -> Annotation {
    Annotation { level: Level::Notice, place: None, title, message }
}

fn told(report: &Report) -> String {
    let against = if report.base_requested.is_empty() { String::new() } else { format!(" against {}", report.base_requested) };
    match report.status {
        Ending::Passed => format!("{} passed{against}", count(report.commands.len(), "command")),
        _ => "The report tells no verdict".to_owned(),
    }
}

/// All of them, or the first nine and one that counts the others.
fn shown(mut annotations: Vec<Annotation>, thing: &str) -> Vec<Annotation> {
    if annotations.len() > SHOWN {
        let others = annotations.split_off(SHOWN - 1);
        let title = count(others.len(), &format!("more {thing}"));
        annotations.push(Annotation { place: None, title, message: "The step summary has them.".to_owned(), ..others[0].clone() });
    }
    annotations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(findings: usize) -> Report {
        let finding = |number| Finding { subject: format!("case {number}"), rule: "gate.command-exit".to_owned(), ..Finding::default() };
        Report { gate: "merge".to_owned(), findings: (1..=findings).map(finding).collect(), ..Report::default() }
    }

    #[test]
    fn the_tenth_tells_of_the_others() {
        let ten = draw(&report(10));
        assert_eq!((ten.lines().count(), ten.lines().last()), (10, Some("::error title=case 10 (gate.command-exit)::")));
        let many = draw(&report(12));
        assert_eq!((many.lines().count(), many.lines().last()), (10, Some("::error title=3 more findings::The step summary has them.")));
    }

    #[test]
    fn a_log_is_no_place_in_the_repository() {
        let mut report = report(1);
        report.findings[0].path = ".code-polishy-reports/merge-gate/a.log".to_owned();
        report.findings[0].next = "mend it".to_owned();
        let line = "::error title=case 1 (gate.command-exit)::See: .code-polishy-reports/merge-gate/a.log%0ANext: mend it\n";
        assert_eq!(draw(&report), line);
    }
}
