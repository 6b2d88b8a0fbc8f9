//! The decision of a review: its verdict, why, and what its words have to name (section 9).

use std::collections::BTreeSet;

use super::{
    assessment::Assessment,
    finding::Finding,
    gates::{Gates, GatesStatus},
    vocabulary::{Readiness, Severity, Status, Verdict},
};

/// `metadata.review_decision`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Null where no source judgment was possible.
    pub recommendation: Option<Verdict>,
    /// One to three sentences.
    pub summary: String,
    /// Why it follows.
    pub rationale: String,
}

/// The status that the records determine (CR-108, CR-224); the confidence is in hundredths.
pub fn status(gates: &Gates, findings: &[Finding], readiness: Readiness, confidence: u8) -> Status {
    let critical = findings.iter().any(|finding| finding.severity == Severity::Critical);
    match gates.status {
        GatesStatus::Timeout => Status::Timeout,
        GatesStatus::Pass if !critical && readiness == Readiness::Complete && confidence >= 85 => Status::Pass,
        _ => Status::Fail,
    }
}

/// The text has the id as a word of its own.
pub fn mentions(text: &str, id: &str) -> bool {
    text.match_indices(id).any(|(start, _)| {
        let before = text[..start].bytes().next_back();
        let after = text[start + id.len()..].bytes().next();
        !id.is_empty() && !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || !byte.is_ascii()
}

/// A text that is asked for many ids: it is read once, not once for each.
pub struct Words<'t> {
    text: &'t str,
    words: BTreeSet<&'t str>,
}

impl<'t> Words<'t> {
    /// Those of this text.
    pub fn of(text: &'t str) -> Self {
        let words = text.split(|character: char| character.is_ascii() && !is_word(character as u8));
        Self { text, words: words.filter(|word| !word.is_empty()).collect() }
    }

    /// As [`mentions`].
    pub fn mention(&self, id: &str) -> bool {
        match id.bytes().all(is_word) {
            true => self.words.contains(id),
            false => mentions(self.text, id),
        }
    }
}

/// The text names the gate: `gate:tests` or `tests gate` (CR-104).
pub fn names_gate(text: &str, gate: &str) -> bool {
    mentions(text, &format!("gate:{gate}")) || mentions(text, &format!("{gate} gate"))
}

/// The text has a requirement reference: `req:<path>:<line>` or `req:<https URL>` (CR-105).
pub fn cites_requirement(text: &str) -> bool {
    let mut words = text.split(|character: char| character.is_whitespace() || matches!(character, '(' | ')' | '"' | '`' | ','));
    words.any(|word| word.strip_prefix("req:").is_some_and(is_requirement))
}

fn is_requirement(reference: &str) -> bool {
    if let Some(rest) = reference.strip_prefix("https://") {
        return !rest.is_empty();
    }
    let Some((path, line)) = reference.rsplit_once(':') else { return false };
    let line = line.trim_end_matches(['.', ';', ']']);
    let line = line.split('-').next().unwrap_or_default();
    !path.is_empty() && line.parse::<u32>().is_ok_and(|line| line > 0)
}

/// A rating that speaks against the verdict (CR-107); a judgment of the reader, never an error.
pub fn is_incoherent(assessment: &Assessment, verdict: Verdict) -> bool {
    let expected: i16 = match verdict {
        Verdict::AcceptAsIs => 1,
        Verdict::MinorChanges => 2,
        Verdict::NeedsMoreWork => 3,
        Verdict::InsufficientButPromising => 4,
        Verdict::Reject => 5,
    };
    assessment.rating.is_some_and(|rating| (i16::from(rating) - expected).abs() >= 3)
}

/// Findings that do not carry the verdict: only low ones with one that asks for material work (CR-107).
pub fn are_too_light(findings: &[Finding], verdict: Verdict) -> bool {
    !verdict.is_approving() && !findings.is_empty() && findings.iter().all(|finding| finding.severity == Severity::Low)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_id_is_a_word_of_its_own() {
        assert!(mentions("see F-1.", "F-1") && mentions("F-1, F-2", "F-2") && mentions("(F-1)", "F-1"));
        assert!(!mentions("see F-10", "F-1") && !mentions("xF-1", "F-1") && !mentions("F-1-b", "F-1") && !mentions("", ""));
    }

    proptest! {
        #[test]
        fn a_text_that_is_read_once_mentions_the_same(text in "[aF1é. _:-]{0,12}", id in "[aF1é.:-]{0,3}") {
            prop_assert_eq!(Words::of(&text).mention(&id), mentions(&text, &id));
        }
    }

    #[test]
    fn gates_are_named_in_two_ways() {
        assert!(names_gate("The tests gate has no command", "tests") && names_gate("gate:lint failed", "lint"));
        assert!(!names_gate("the tests are red", "tests") && !names_gate("latests gate", "tests"));
    }

    #[test]
    fn requirements_are_places_or_addresses() {
        assert!(cites_requirement("breaks req:docs/scope.md:12.") && cites_requirement("(req:https://example.org/rfc)"));
        assert!(!cites_requirement("req:docs/scope.md") && !cites_requirement("req:https://") && !cites_requirement("prereq:a:1x"));
    }
}
