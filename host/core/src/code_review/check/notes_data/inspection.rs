//! What was inspected, by whom, what was found and what may be left.

use super::Judge;
use crate::{
    code_review::{
        candidate::Candidate,
        codes,
        decision::{Words, mentions},
        manifest::{MANIFEST_FILE, Pass},
        notes::{
            INSPECTION_LINES, NO_FINDINGS, RESIDUAL_RISKS,
            text::{begins_with, is_none, items, labelled, names_path, prose, says_none},
        },
        outline::{Line, Section},
    },
    strict::{list, quoted},
};

impl Judge<'_, '_> {
    /// Every inspected path and the four lines.
    pub(super) fn files_inspected(&mut self) {
        let Some(section) = self.section("Files Inspected") else { return };
        for path in self.t0.inspection_set.iter().filter(|path| !names_path(section, path)) {
            let message = format!("`Files Inspected` does not list {}", quoted(path));
            let hint = "inspect it, and list it as an item or in the first cell of a row";
            self.refuse(&codes::REVIEW_NOTES_PATH_MISSING, section.line, path, message, hint);
        }
        for label in INSPECTION_LINES {
            let values = labelled(&section.blocks, label, &INSPECTION_LINES);
            let told = |line: &&Line| !line.text.is_empty() && !lacks_reason(&line.text);
            if values.iter().find(told).is_none() {
                let line = values.first().map_or(section.line, |value| value.line);
                let message = format!("`Files Inspected` says nothing in a line `{label}: `");
                let hint = "say what was observed, or `not applicable` and why";
                self.refuse(&codes::REVIEW_NOTES_INSPECTION_LINE_MISSING, line, label, message, hint);
            }
        }
    }

    /// One item per pass, and the manifest's path and digest.
    pub(super) fn specialists(&mut self) {
        let Some(manifest) = &self.context.manifest else { return };
        if let Some(section) = self.section("Specialist Passes") {
            self.passes(section, &manifest.passes);
        }
        let Some(section) = self.section("Specialist Manifest") else { return };
        let digest = self.context.facts.image.sha256(MANIFEST_FILE).unwrap_or_default();
        let text = prose(section);
        if !text.contains(MANIFEST_FILE) || !mentions(&text, digest) {
            let message = "`Specialist Manifest` does not name the manifest and its digest";
            let hint = format!("write `{MANIFEST_FILE}` and {digest}");
            self.refuse(&codes::REVIEW_NOTES_PASS_MISMATCH, section.line, MANIFEST_FILE, message, hint);
        }
    }

    fn passes(&mut self, section: &Section, passes: &[Pass]) {
        let stated = items(&section.blocks);
        if passes.is_empty() {
            if !says_none(&section.blocks) {
                let message = "there was no specialist pass, and the section does not say so";
                self.refuse(&codes::REVIEW_NOTES_PASS_MISMATCH, section.line, "Specialist Passes", message, "write `none`");
            }
            return;
        }
        let mut own = vec![false; stated.len()];
        for pass in passes {
            let label = pass.role.label();
            let words = [pass.mode.as_str(), pass.evidence_level.as_str()];
            let of_pass: Vec<usize> = (0..stated.len()).filter(|index| begins_with(&stated[*index].text, &label)).collect();
            of_pass.iter().for_each(|index| own[*index] = true);
            let right = matches!(of_pass.as_slice(), [index] if words.iter().all(|word| mentions(&stated[*index].text, word)));
            if !right {
                let line = of_pass.last().map_or(section.line, |index| stated[*index].line);
                let message = format!("`Specialist Passes` does not have one right item of {}", quoted(&label));
                let hint = format!("write `- {label}: {}, {}`", words[0], words[1]);
                self.refuse(&codes::REVIEW_NOTES_PASS_MISMATCH, line, &label, message, hint);
            }
        }
        for (line, _) in stated.iter().zip(own).filter(|(_, own)| !own) {
            let message = format!("{} is no pass of the manifest", quoted(&line.text));
            self.refuse(&codes::REVIEW_NOTES_PASS_MISMATCH, line.line, "Specialist Passes", message, "keep one item for each pass");
        }
    }

    /// Every finding's id, or that there is none.
    pub(super) fn findings(&mut self) {
        let Some(section) = self.section("Findings") else { return };
        let text = prose(section);
        let words = Words::of(&text);
        let missing: Vec<&str> = self.context.findings.iter().map(|finding| finding.id.as_str()).filter(|id| !words.mention(id)).collect();
        let says_so = text.contains(NO_FINDINGS);
        let none = self.context.findings.is_empty();
        if !missing.is_empty() {
            let message = format!("`Findings` does not name {}", list(&missing));
            self.refuse(&codes::REVIEW_NOTES_FINDINGS_MISMATCH, section.line, "Findings", message, "describe each under its exact id");
        }
        if none != says_so {
            let message = if none { "no finding remains, and `Findings` does not say so" } else { "`Findings` denies the findings" };
            let hint = if none { format!("write `{NO_FINDINGS}`") } else { format!("remove `{NO_FINDINGS}`") };
            self.refuse(&codes::REVIEW_NOTES_FINDINGS_MISMATCH, section.line, "Findings", message, hint);
        }
    }

    /// `none` only where nothing is left open (C-97).
    pub(super) fn residual_risks(&mut self) {
        let Some(section) = self.section(RESIDUAL_RISKS) else { return };
        let text = prose(section);
        let confidence = self.context.confidence.as_ref();
        let gaps = confidence.is_some_and(|confidence| !confidence.gaps.is_empty() || !confidence.remaining_limits.is_empty());
        let open = gaps || self.context.candidates.iter().any(Candidate::is_open);
        if text.is_empty() || (is_none(&text) && open) {
            let message = "a gap, a limit or an open candidate leaves a risk, and the section names none";
            let message = if text.is_empty() { "the section has no text" } else { message };
            self.refuse(&codes::REVIEW_NOTES_RESIDUAL_RISK_MISSING, section.line, RESIDUAL_RISKS, message, "say what may still be wrong");
        }
    }
}

/// `not applicable` alone is no statement.
fn lacks_reason(value: &str) -> bool {
    let rest = value.to_lowercase();
    rest.strip_prefix("not applicable").is_some_and(|rest| !rest.chars().any(char::is_alphanumeric))
}
