//! Diagnostics for people: what, where, and what to do about it.

use anstyle::Style;
use code_polishy_core::{
    diagnostic::{Diagnostic, Failure},
    text::escape_line,
};

use super::{
    json::Protocol,
    lines::{BAD, FAINT, OPEN, next, paint, quoted},
};
use crate::{exit::Exit, reply::Reply};

/// A refusal: every diagnostic, then the one next step (BR-10).
pub fn refusal(failure: &Failure) -> Vec<String> {
    let step = failure.next_step();
    let lone = failure.diagnostics.len() == 1;
    let mut lines: Vec<String> =
        failure.diagnostics.iter().flat_map(|diagnostic| shown(diagnostic, "error", BAD, !(lone && diagnostic.next == step))).collect();
    lines.push(next(step));
    lines
}

/// The end of a code-review command that says no after its run existed: the refusal, the next step, and the run's path alone on the last
/// line.
pub fn refused(command: &'static str, run: &str, failure: Failure) -> Reply {
    let mut document = Protocol::CodeReview(command).refused(&failure);
    document["run"] = run.into();
    let exit = Exit::from(failure.kind);
    let lines = vec![next(failure.next_step()), escape_line(run)];
    Reply { fault: Some(failure), ..Reply::lines(lines, document).ending(exit) }
}

/// Why an answer is what it is.
pub fn remark(diagnostic: &Diagnostic) -> Vec<String> {
    shown(diagnostic, "note", OPEN, true)
}

fn shown(diagnostic: &Diagnostic, severity: &str, style: Style, with_help: bool) -> Vec<String> {
    let (message, details) = diagnostic.message.split_once('\n').unwrap_or((&diagnostic.message, ""));
    let head = paint(style, &format!("{severity}[{}]", escape_line(&diagnostic.code)));
    let mut lines = vec![format!("{head}: {}", escape_line(message))];
    lines.extend(quoted(details));
    lines.extend(place(diagnostic).map(|place| format!(" {} {place}", paint(FAINT, "-->"))));
    if with_help {
        lines.push(format!("  {} {}", paint(FAINT, "help:"), escape_line(&diagnostic.next)));
    }
    lines
}

/// `path:line:column (/pointer)`, as far as it is known.
fn place(diagnostic: &Diagnostic) -> Option<String> {
    let mut place = diagnostic.path.as_deref().map(escape_line).unwrap_or_default();
    for number in [diagnostic.line, diagnostic.column].into_iter().flatten() {
        place.push_str(&format!(":{number}"));
    }
    if !diagnostic.pointer.is_empty() {
        let pointer = format!("({})", escape_line(&diagnostic.pointer));
        place = if place.is_empty() { pointer } else { format!("{place} {pointer}") };
    }
    (!place.is_empty()).then_some(place)
}

#[cfg(test)]
mod tests {
    use code_polishy_core::diagnostic::FailureKind;
    use insta::assert_snapshot;

    use super::*;

    fn plain(lines: &[String]) -> String {
        anstream::adapter::strip_str(&lines.join("\n")).to_string()
    }

    #[test]
    fn a_lone_diagnostic_says_its_step_once() {
        let failure = Failure::blocked("packet.none", "no review is prepared", "code-polishy behavior-review prepare --base main");
        assert_snapshot!(plain(&refusal(&failure)), @r"
        error[packet.none]: no review is prepared
        NEXT: code-polishy behavior-review prepare --base main
        ");
    }

    #[test]
    fn places_and_steps_of_several() {
        let unknown = Diagnostic::new("policy.unknown-key", "unknown key `feature`", "write `features`");
        let diagnostics = vec![
            unknown.clone().at_path(".code-polishy.json").at_pointer("/verification/feature").at_position(4, 7),
            unknown.at_pointer("/checks/0"),
        ];
        let failure = Failure::new(FailureKind::Usage, diagnostics).with_next("mend the policy");
        assert_snapshot!(plain(&refusal(&failure)), @r"
        error[policy.unknown-key]: unknown key `feature`
         --> .code-polishy.json:4:7 (/verification/feature)
          help: write `features`
        error[policy.unknown-key]: unknown key `feature`
         --> (/checks/0)
          help: write `features`
        NEXT: mend the policy
        ");
    }

    #[test]
    fn foreign_text_prints_no_line_of_ours() {
        let message = "cargo ended\nNEXT: rm -rf /\n::error::\u{1b}[31m";
        let failure = Failure::operational("plugin-build.cargo", message, "mend it\nPASS").at_path("a\nb");
        assert_snapshot!(plain(&refusal(&failure)), @r"
        error[plugin-build.cargo]: cargo ended
          | NEXT: rm -rf /
          | \u{3a}:error::\u{1b}[31m
         --> a\nb
        NEXT: mend it\nPASS
        ");
    }
}
