//! The snapshot, the scope and the tier: what the run itself fixes.

use super::Judge;
use crate::{
    code_review::{
        codes,
        decision::mentions,
        notes::{
            snapshot::{legend_follows, reviewed_commit, rows},
            snapshot_title,
            text::{labelled, normal, prose},
        },
        outline::{Section, Table},
        snapshot::{COLUMNS, LEGEND, Row, TYPE, TYPES, commit},
        vocabulary::Scope,
    },
    strict::{quoted, use_one_of},
};

impl Judge<'_, '_> {
    /// Every row, in order, and the legend (CR-123, CR-124).
    pub(super) fn snapshot_table(&mut self) {
        let title = snapshot_title(self.t0.run.scope);
        let Some(section) = self.section(title) else { return };
        let mut tables = section.tables();
        let Some(table) = tables.next() else {
            let message = format!("`{title}` has no table");
            self.refuse(
                &codes::REVIEW_NOTES_SNAPSHOT_MISMATCH,
                section.line,
                title,
                message,
                "write a table of the columns `Field` and `Value`",
            );
            return;
        };
        if let Some(second) = tables.next() {
            self.refuse(&codes::REVIEW_NOTES_SNAPSHOT_MISMATCH, second.line, title, "this is a second table", "keep one");
        }
        match rows(self.context) {
            Ok(expected) => self.compare(title, table, &expected),
            Err(message) => {
                let hint = "what the receipts say cannot be shown: start the review again";
                self.refuse(&codes::HANDOFF_SNAPSHOT_SOURCE_INVALID, table.line, title, message, hint);
            }
        }
        if !legend_follows(section) {
            let message = "the legend of the ratings does not follow the table";
            self.refuse(&codes::REVIEW_NOTES_SNAPSHOT_MISMATCH, table.line, "Legend", message, format!("write below the table: {LEGEND}"));
        }
    }

    fn compare(&mut self, title: &str, table: &Table, expected: &[Row]) {
        let fields: Vec<&str> = expected.iter().map(|row| row.field).collect();
        let stated: Vec<&str> = table.rows.iter().filter_map(|row| row.cells.first().map(String::as_str)).collect();
        if table.header != COLUMNS || stated != fields {
            let hint = format!("use the columns `Field` and `Value`, and the rows {}", fields.join(", "));
            let message = "the table has other columns or rows, or another order";
            self.refuse(&codes::REVIEW_NOTES_SNAPSHOT_MISMATCH, table.line, title, message, hint);
        }
        for row in expected {
            let Some(found) = table.rows.iter().find(|found| found.cells.first().is_some_and(|cell| cell == row.field)) else { continue };
            let value = found.cells.get(1).map(String::as_str).unwrap_or_default();
            if row.field == TYPE {
                if !TYPES.contains(&value) {
                    let message = format!("{} is no type of a change", quoted(value));
                    self.refuse(&codes::REVIEW_NOTES_SNAPSHOT_MISMATCH, found.line, TYPE, message, use_one_of(value, &TYPES));
                }
            } else if value != row.value {
                let message = format!("the row `{}` is not what the receipts say", row.field);
                let hint = format!("write {}", quoted(&row.value));
                self.refuse(&codes::REVIEW_NOTES_SNAPSHOT_MISMATCH, found.line, row.field, message, hint);
            }
        }
    }

    /// The label, the commit and what earlier reviews resolved.
    pub(super) fn scope(&mut self) {
        let Some(section) = self.section("Scope") else { return };
        let label = normal(&self.t0.run.target_label);
        if !prose(section).contains(&label) {
            let message = format!("`Scope` does not name {}", quoted(&label));
            self.refuse(&codes::REVIEW_NOTES_SCOPE_MISMATCH, section.line, "target_label", message, "write it as `run.json` has it");
        }
        let id = reviewed_commit(self.context);
        let local = matches!(self.t0.run.scope, Scope::WorkingTree | Scope::Path);
        self.scope_line(section, "Reviewed commit", &[commit(id.as_deref(), local), commit(id.as_deref(), false)]);
        if let Some(prior) = &self.context.prior {
            let value = format!("{}, {} entries", prior.sha256, prior.resolutions.len());
            self.scope_line(section, "Prior resolutions", &[value]);
        }
    }

    /// Exactly one line of this label, with one of these values.
    fn scope_line(&mut self, section: &Section, label: &str, values: &[String]) {
        let stated = labelled(&section.blocks, label, &["Prior resolutions", "Reviewed commit", "In-progress operation"]);
        if stated.len() != 1 || !values.contains(&stated[0].text) {
            let line = stated.last().map_or(section.line, |line| line.line);
            let message = format!("`Scope` does not have exactly one right line `{label}`");
            let hint = format!("write `{label}: {}`", values[0]);
            self.refuse(&codes::REVIEW_NOTES_SCOPE_MISMATCH, line, label, message, hint);
        }
    }

    /// The tier's word and its mechanical reasons.
    pub(super) fn risk_tier(&mut self) {
        let (Some(section), Some(routing)) = (self.section("Risk Tier"), &self.context.routing) else { return };
        let text = prose(section);
        let tier = routing.risk_tier.as_str();
        let names_tier = mentions(&text, tier);
        let unsaid = routing.mechanical_risk_evidence.iter().filter(|evidence| !mentions(&text, &normal(evidence)));
        for missing in (!names_tier).then_some(tier).into_iter().chain(unsaid.map(String::as_str)) {
            let message = format!("`Risk Tier` does not say {}", quoted(missing));
            self.refuse(&codes::REVIEW_NOTES_TIER_MISMATCH, section.line, missing, message, "copy it from `review-routing.json`");
        }
    }
}
