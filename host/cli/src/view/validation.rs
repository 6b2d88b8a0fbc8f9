//! A validation for people: every violation with its place and its help, what could not run, then the next step.

use code_polishy_core::{
    code_review::{
        validation::{NotRun, Validation, ValidationStatus},
        violation::Violation,
    },
    text::escape_line,
};

use super::{
    json::word,
    lines::{BAD, FAINT, GOOD, OPEN, count, next, paint},
};

/// The lines.
pub fn lines(validation: &Validation) -> Vec<String> {
    let mut lines = found(&validation.violations, &validation.warnings, &validation.not_run);
    match validation.status {
        ValidationStatus::Pass => lines.push(format!("validation: {}", paint(GOOD, "PASS"))),
        ValidationStatus::Fail => {
            let violations = count(validation.violations.len(), "violation");
            let not_run = count(validation.not_run.len(), "step");
            lines.push(format!("validation: {} ({violations}, {not_run} not run)", paint(BAD, "FAIL")));
            lines.push(next(&step(validation)));
        }
    }
    lines
}

/// What was found, and what could not run.
pub fn found(violations: &[Violation], warnings: &[Violation], not_run: &[NotRun]) -> Vec<String> {
    let mut lines: Vec<String> = violations.iter().flat_map(|violation| shown(violation, "error")).collect();
    lines.extend(warnings.iter().flat_map(|warning| shown(warning, "warning")));
    for not_run in not_run {
        let before: Vec<String> = not_run.blocked_by.iter().map(word).collect();
        lines.push(format!("not run: {} (after {})", word(&not_run.step), before.join(", ")));
    }
    lines
}

/// What a violation asks its reader to do.
pub fn action(violation: &Violation) -> String {
    let action = violation.next_action.as_ref().map(|action| format!("{}: ", word(action))).unwrap_or_default();
    format!("{action}{}", violation.hint)
}

/// The help of the first violation of the strongest action.
fn step(validation: &Validation) -> String {
    let strongest = validation.violations.iter().find(|violation| violation.next_action == validation.next_action);
    match strongest {
        Some(violation) => action(violation),
        None => "repair what the steps before need, then validate again".to_owned(),
    }
}

fn shown(violation: &Violation, severity: &str) -> Vec<String> {
    let style = if severity == "error" { BAD } else { OPEN };
    let head = paint(style, &format!("{severity}[{}]", escape_line(&violation.token())));
    let again = if violation.recurring { " (again)" } else { "" };
    let mut lines = vec![format!("{head}: {}{again}", escape_line(&violation.message))];
    let file = violation.file.as_deref().map(escape_line).unwrap_or_default();
    let line = violation.line.map(|line| format!(":{line}")).unwrap_or_default();
    let pointer = violation.pointer.as_deref().filter(|pointer| !pointer.is_empty()).map(|pointer| format!(" ({})", escape_line(pointer)));
    let place = format!("{file}{line}{}", pointer.unwrap_or_default());
    if !place.is_empty() {
        lines.push(format!(" {} {place}", paint(FAINT, "-->")));
    }
    lines.push(format!("  {} {}", paint(FAINT, "help:"), escape_line(&violation.hint)));
    lines
}
