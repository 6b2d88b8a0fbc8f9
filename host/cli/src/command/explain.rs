//! `explain`: what a code means, how one gets there, and what to do about it (CR-23).

use code_polishy_core::{
    diagnostic::Failure,
    explain::{Explanation, Report, explain, nearest, without_subject},
    text::escape_line,
};

use crate::{arguments::Explain, reply::Reply, view::json::Protocol};

/// An unknown code is refused with the names most like it.
pub fn run(arguments: &Explain) -> Result<Reply, Failure> {
    let explanation = explain(&arguments.code).ok_or_else(|| unknown(&arguments.code))?;
    let document = Protocol::Report("explain").done("explained", "explanation", &explanation);
    Ok(Reply::lines(lines(&explanation), document))
}

fn unknown(code: &str) -> Failure {
    let message = format!("there is no code `{}`", escape_line(without_subject(code)));
    Failure::usage("explain.unknown", message, format!("did you mean {}", nearest(code).join(", ")))
}

fn lines(explanation: &Explanation) -> Vec<String> {
    let line = |label: &str, text: &str| format!("{label:<8} {text}");
    let mut lines = vec![
        explanation.code.to_owned(),
        line("Meaning", explanation.meaning),
        line("Cause", explanation.cause),
        line("Remedy", explanation.remedy),
    ];
    match (explanation.reported_as, explanation.next_action) {
        (Report::Warning, _) => lines.push(line("Action", "none: it is a warning")),
        (_, Some(action)) => lines.push(line("Action", action.name())),
        (_, None) => {}
    }
    lines.push(line("Rule", explanation.rule));
    lines
}
