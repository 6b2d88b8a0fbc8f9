//! What is known about a code of a diagnostic, of a finding or of a code review.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    code_review::{codes as code_review, next_action::NextAction},
    codes,
};

/// How a code is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Report {
    /// As a diagnostic of a command or a finding of a gate.
    Diagnostic,
    /// As a violation of a code review.
    Violation,
    /// As a warning of a code review, which changes nothing.
    Warning,
}

/// A code in full; every text is a sentence without the final full stop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Explanation {
    /// The code itself, without a subject.
    pub code: &'static str,
    /// How it is reported.
    pub reported_as: Report,
    /// What it says.
    pub meaning: &'static str,
    /// How one usually gets there.
    pub cause: &'static str,
    /// What makes it right.
    pub remedy: &'static str,
    /// What a violation asks of its reader; null for the others.
    pub next_action: Option<NextAction>,
    /// The rule that it is a breach of: `BR-n`, or `CR-n` in code review.
    pub rule: &'static str,
}

/// What is known about the code; a subject after a colon does not count.
pub fn explain(code: &str) -> Option<Explanation> {
    let name = without_subject(code);
    code_review::find(name).map(Explanation::from).or_else(|| codes::find(name).map(Explanation::from))
}

/// The code without its subject.
pub fn without_subject(code: &str) -> &str {
    code.split_once(':').map_or(code, |(name, _)| name)
}

/// The codes whose names are most like this one, the likest first; at most three.
pub fn nearest(code: &str) -> Vec<&'static str> {
    let name = without_subject(code);
    let names = code_review::all().map(|code| code.name).chain(codes::all().map(|code| code.name));
    let mut rated: Vec<(f64, &str)> = names.map(|known| (strsim::jaro_winkler(name, known), known)).collect();
    rated.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    rated.into_iter().take(3).map(|(_, known)| known).collect()
}

impl From<&'static code_review::Code> for Explanation {
    fn from(code: &'static code_review::Code) -> Self {
        let code_review::Code { name, action, rule, meaning, cause, remedy } = *code;
        let reported_as = if action.is_some() { Report::Violation } else { Report::Warning };
        Self { code: name, reported_as, meaning, cause, remedy, next_action: action, rule }
    }
}

impl From<&'static codes::Code> for Explanation {
    fn from(code: &'static codes::Code) -> Self {
        let codes::Code { name, rule, meaning, cause, remedy } = *code;
        Self { code: name, reported_as: Report::Diagnostic, meaning, cause, remedy, next_action: None, rule }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_catalogues_are_known() {
        let violation = explain("review-notes-path-missing:src/a:b.rs").expect("known");
        assert_eq!((violation.reported_as, violation.next_action), (Report::Violation, Some(NextAction::SupplyEvidence)));
        let diagnostic = explain("policy.unknown-key").expect("known");
        assert_eq!((diagnostic.reported_as, diagnostic.next_action, diagnostic.rule), (Report::Diagnostic, None, "BR-11"));
        assert_eq!(explain("prior-resolutions-newer").map(|warning| warning.reported_as), Some(Report::Warning));
        assert_eq!(explain("policy"), None);
    }

    #[test]
    fn the_likest_names_come_from_both() {
        assert_eq!(nearest("policy.unknown-kay")[0], "policy.unknown-key");
        assert_eq!(nearest("gates-agregate-mismatch:lint")[0], "gates-aggregate-mismatch");
    }
}
