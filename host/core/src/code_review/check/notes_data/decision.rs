//! The section `Decision Summary`: the decision in labelled lines.

use super::Judge;
use crate::{
    code_review::{
        codes,
        confidence::{hundredths, score},
        decision::Words,
        notes::{
            DECISION_LABELS, DECISION_SUMMARY,
            text::{is_none, labelled, normal},
        },
        outline::Section,
        vocabulary::{NO_JUDGMENT, Severity, Verdict},
    },
    strict::{list, quoted},
};

impl Judge<'_, '_> {
    pub(super) fn decision_summary(&mut self) {
        let Some(section) = self.section(DECISION_SUMMARY) else { return };
        for label in DECISION_LABELS {
            let values = labelled(&section.blocks, label, &DECISION_LABELS);
            match values.as_slice() {
                [value] => {
                    if let Some(expected) = self.fault(label, &value.text) {
                        let message = format!("the line `{label}` does not say what the records say");
                        self.refuse(&codes::REVIEW_NOTES_DECISION_MISMATCH, value.line, label, message, expected);
                    }
                }
                [] => self.no_line(section, label),
                [first, again, ..] => {
                    let message = format!("another line `{label}` is in line {}", first.line);
                    self.refuse(&codes::REVIEW_NOTES_DECISION_MISMATCH, again.line, label, message, "keep one");
                }
            }
        }
    }

    fn no_line(&mut self, section: &Section, label: &str) {
        let message = format!("`{DECISION_SUMMARY}` has no line `{label}`");
        let hint = format!("write a line that begins with `{label}: `");
        self.refuse(&codes::REVIEW_NOTES_DECISION_MISMATCH, section.line, label, message, hint);
    }

    /// What is due instead of this value.
    fn fault(&self, label: &str, value: &str) -> Option<String> {
        let decision = self.context.decision.as_ref();
        match label {
            "Recommendation" => {
                let word = decision.and_then(|decision| decision.recommendation).map_or(NO_JUDGMENT, Verdict::as_str);
                unlike(value, word)
            }
            "Summary" => unlike(value, &decision?.summary),
            "Rationale" => unlike(value, &decision?.rationale),
            "Blocking findings" => self.ids(value, &[Severity::Critical, Severity::High]),
            "Minor changes" => self.ids(value, &[Severity::Medium, Severity::Low]),
            "Required next work" => self.next_work(value),
            _ => self.confidence_score(value),
        }
    }

    /// The ids of the findings of these severities, in any order.
    fn ids(&self, value: &str, severities: &[Severity]) -> Option<String> {
        let findings = self.context.findings.iter().filter(|finding| severities.contains(&finding.severity));
        let ids: Vec<&str> = findings.map(|finding| finding.id.as_str()).collect();
        if ids.is_empty() {
            return (!is_none(value)).then(|| "write `none`".to_owned());
        }
        let mut stated: Vec<&str> = value.trim_end_matches('.').split(',').map(str::trim).collect();
        let mut wanted = ids.clone();
        stated.sort_unstable();
        wanted.sort_unstable();
        (stated != wanted).then(|| format!("write {}", quoted(&ids.join(", "))))
    }

    fn next_work(&self, value: &str) -> Option<String> {
        let findings = self.context.findings.iter().map(|finding| finding.id.as_str());
        let ids: Vec<&str> = findings.chain(self.context.blockers.iter().map(|blocker| blocker.id.as_str())).collect();
        if ids.is_empty() {
            return value.is_empty().then(|| "write `none`, or what is left to do".to_owned());
        }
        let words = Words::of(value);
        let unnamed: Vec<&str> = ids.into_iter().filter(|id| !words.mention(id)).collect();
        (!unnamed.is_empty()).then(|| format!("name {}", list(&unnamed)))
    }

    fn confidence_score(&self, value: &str) -> Option<String> {
        let confidence = self.context.confidence.as_ref()?;
        let number = value.split(|character: char| !character.is_ascii_digit() && character != '.').next().unwrap_or_default();
        let stated = hundredths(number.trim_end_matches('.'));
        (stated != Some(confidence.hundredths)).then(|| format!("begin it with {}", score(confidence.hundredths)))
    }
}

fn unlike(value: &str, record: &str) -> Option<String> {
    let record = normal(record);
    (value != record).then(|| format!("write {}", quoted(&record)))
}
