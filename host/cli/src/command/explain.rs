//! `explain`: what a code of code review means, and what to do about it (CR-23).

use code_polishy_core::{
    code_review::{
        codes::{self, Code},
        next_action::NextAction,
    },
    diagnostic::Failure,
};
use serde::Serialize;

use crate::{arguments::Explain, reply::Reply, view::json::Protocol};

/// What is known about a code.
#[derive(Serialize)]
struct Explanation {
    code: &'static str,
    /// The rule of the contract that it is a breach of.
    rule: &'static str,
    meaning: &'static str,
    cause: &'static str,
    remedy: &'static str,
    /// The kind of action; null for a warning.
    next_action: Option<NextAction>,
}

/// An unknown code is refused with the names most like it.
pub fn run(arguments: &Explain) -> Result<Reply, Failure> {
    let name = arguments.code.split_once(':').map_or(arguments.code.as_str(), |(name, _)| name);
    let explanation = codes::find(name).map(explanation).ok_or_else(|| unknown(name))?;
    let document = Protocol::Report("explain").done("explained", "explanation", &explanation);
    Ok(Reply::lines(lines(&explanation), document))
}

fn explanation(code: &'static Code) -> Explanation {
    Explanation {
        code: code.name,
        rule: code.rule,
        meaning: code.meaning,
        cause: code.cause,
        remedy: code.remedy,
        next_action: code.action,
    }
}

fn unknown(name: &str) -> Failure {
    let next = format!("did you mean {}", codes::nearest(name).join(", "));
    Failure::usage("explain.unknown", format!("there is no code `{name}`"), next)
}

fn lines(explanation: &Explanation) -> Vec<String> {
    let kind = match explanation.next_action {
        Some(action) => action.name(),
        None => "none: it is a warning",
    };
    let line = |label: &str, text: &str| format!("{label:<8} {text}");
    vec![
        explanation.code.to_owned(),
        line("Meaning", explanation.meaning),
        line("Cause", explanation.cause),
        line("Remedy", explanation.remedy),
        line("Action", kind),
        line("Rule", explanation.rule),
    ]
}
