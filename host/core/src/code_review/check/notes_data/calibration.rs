//! The sections of the confidence: gaps, calibration, and the commands and values that the gates recorded.

use super::Judge;
use crate::{
    code_review::{
        codes::{self, Code},
        confidence::{hundredths, score},
        notes::{
            CALIBRATION, CALIBRATION_PARTS, CHANGED_COMMAND, GAPS, GATE_ENVIRONMENT, GATE_LABELS, TESTS_COMMAND,
            gates::{changed_commands, environment, tests_command},
            text::{items, labelled, normal, says_none, told},
        },
        outline::{Block, Line, Section},
    },
    strict::quoted,
};

impl Judge<'_, '_> {
    /// One item per gap with what became of it.
    pub(super) fn confidence_gaps(&mut self) {
        let (Some(section), Some(confidence)) = (self.section(GAPS), &self.context.confidence) else { return };
        let wanted: Vec<String> = confidence.closures.iter().map(told).collect();
        self.items_are(&section.blocks, section.line, GAPS, &wanted);
    }

    /// The six parts, once each.
    pub(super) fn calibration(&mut self) {
        let (Some(section), Some(confidence)) = (self.section(CALIBRATION), &self.context.confidence) else { return };
        for part in CALIBRATION_PARTS {
            let Some((line, blocks)) = self.part(section, part) else { continue };
            match part {
                "Initial Confidence" => self.score_is(blocks, line, part, confidence.initial),
                "Objective Evidence" => self.items_are(blocks, line, part, &confidence.evidence),
                GAPS => self.items_are(blocks, line, part, &confidence.gaps),
                "Recovery Actions" => self.items_are(blocks, line, part, &confidence.recovery_actions),
                "Recomputed Confidence" => self.score_is(blocks, line, part, confidence.hundredths),
                _ => self.items_are(blocks, line, part, &confidence.remaining_limits),
            }
        }
    }

    /// The one part of this title: its line and its blocks.
    fn part<'s>(&mut self, section: &'s Section, title: &str) -> Option<(u32, &'s [Block])> {
        let headings: Vec<&Line> = section
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Part(line) if line.text == title => Some(line),
                _ => None,
            })
            .collect();
        match headings.as_slice() {
            [] => {
                let message = format!("`{CALIBRATION}` has no part `{title}`");
                let hint = format!("add it under the heading `### {title}`");
                self.refuse(&codes::REVIEW_NOTES_CONFIDENCE_MISMATCH, section.line, title, message, hint);
            }
            [_] => {}
            [first, again, ..] => {
                let message = format!("another part `{title}` is in line {}", first.line);
                self.refuse(&codes::REVIEW_NOTES_CONFIDENCE_MISMATCH, again.line, title, message, "join the two");
            }
        }
        Some((headings.first()?.line, section.part(title)?))
    }

    fn score_is(&mut self, blocks: &[Block], line: u32, part: &str, expected: u8) {
        let text = match blocks.first() {
            Some(Block::Paragraph(lines)) => lines.first().map(|line| line.text.as_str()),
            Some(Block::Item(line)) => Some(line.text.as_str()),
            _ => None,
        };
        let number = text.and_then(|text| text.split(|character: char| !character.is_ascii_digit() && character != '.').next());
        if number.and_then(|number| hundredths(number.trim_end_matches('.'))) != Some(expected) {
            let message = format!("`{part}` is not the record's");
            self.refuse(&codes::REVIEW_NOTES_CONFIDENCE_MISMATCH, line, part, message, format!("write {}", score(expected)));
        }
    }

    /// The items are these texts, in order; `none` without any.
    fn items_are(&mut self, blocks: &[Block], line: u32, part: &str, wanted: &[String]) {
        let stated = items(blocks);
        if wanted.is_empty() {
            if !says_none(blocks) {
                let message = format!("`{part}` is empty in the record, and the notes do not say so");
                self.refuse(&codes::REVIEW_NOTES_CONFIDENCE_MISMATCH, line, part, message, "write `none`");
            }
            return;
        }
        for (index, wanted) in wanted.iter().map(|text| normal(text)).enumerate() {
            let found = stated.get(index);
            if found.is_none_or(|found| found.text != wanted) {
                let message = format!("item {} of `{part}` is not the record's", index + 1);
                let at = found.map_or(line, |found| found.line);
                self.refuse(&codes::REVIEW_NOTES_CONFIDENCE_MISMATCH, at, part, message, format!("write `- {wanted}`"));
            }
        }
        for extra in stated.iter().skip(wanted.len()) {
            let message = format!("the record of `{part}` does not have {}", quoted(&extra.text));
            self.refuse(&codes::REVIEW_NOTES_CONFIDENCE_MISMATCH, extra.line, part, message, "remove the item, or record it");
        }
    }

    /// What the tests gate ran, which commands were changed after a failure, and the values that gates were given.
    pub(super) fn gate_lines(&mut self) {
        let (Some(section), Some(gates)) = (self.section(CALIBRATION), &self.context.gates) else { return };
        if let Some(command) = tests_command(gates, self.context.facts.image) {
            let stated = labelled(&section.blocks, TESTS_COMMAND, &GATE_LABELS);
            if stated.is_empty() || stated.iter().any(|line| line.text != command) {
                let line = stated.first().map_or(section.line, |line| line.line);
                let message = "the notes do not tell the command of the tests gate as it was recorded";
                let hint = format!("write `{TESTS_COMMAND}: {command}`");
                self.refuse(&codes::REVIEW_NOTES_TESTS_COMMAND_MISSING, line, "tests", message, hint);
            }
        }
        self.are_told(section, CHANGED_COMMAND, &changed_commands(gates), &codes::REVIEW_NOTES_CONFIDENCE_MISMATCH);
        self.are_told(section, GATE_ENVIRONMENT, &environment(gates), &codes::REVIEW_NOTES_GATE_ENVIRONMENT_MISSING);
    }

    /// The lines of this label are these, in any order.
    fn are_told(&mut self, section: &Section, label: &str, given: &[String], missing: &Code) {
        let stated = labelled(&section.blocks, label, &GATE_LABELS);
        for value in given.iter().filter(|value| stated.iter().all(|line| line.text != **value)) {
            let message = format!("the gates recorded {}, and the notes do not tell", quoted(value));
            self.refuse(missing, section.line, value, message, format!("write `{label}: {value}`"));
        }
        for line in stated.iter().filter(|line| !given.contains(&line.text)) {
            let message = format!("the gates did not record {}", quoted(&line.text));
            self.refuse(&codes::REVIEW_NOTES_CONFIDENCE_MISMATCH, line.line, label, message, "remove the line");
        }
    }
}
