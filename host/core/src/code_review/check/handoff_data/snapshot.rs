//! The snapshot: its rows come from the receipts, its attributes from the result (CR-123, CR-152).

use super::Judge;
use crate::{
    code_review::{
        codes,
        codes::Code,
        handoff::SnapshotTable,
        notes::snapshot_title,
        snapshot::{Row, SUGGESTION, TYPE, TYPES},
        vocabulary::Scope,
    },
    strict::{list, quoted, use_one_of},
};

/// How the rows of a scope are refused.
struct Codes {
    fields: &'static Code,
    suggestion: &'static Code,
    value: &'static Code,
}

const OF_PULL_REQUEST: Codes = Codes {
    fields: &codes::HANDOFF_PR_SNAPSHOT_FIELDS_MISMATCH,
    suggestion: &codes::HANDOFF_PR_SNAPSHOT_SUGGESTION_MISMATCH,
    value: &codes::HANDOFF_PR_SNAPSHOT_VALUE_MISMATCH,
};

const OF_CHANGE: Codes = Codes {
    fields: &codes::HANDOFF_REVIEW_SNAPSHOT_FIELDS_MISMATCH,
    suggestion: &codes::HANDOFF_REVIEW_SNAPSHOT_SUGGESTION_MISMATCH,
    value: &codes::HANDOFF_REVIEW_SNAPSHOT_VALUE_MISMATCH,
};

impl Judge<'_, '_> {
    pub(super) fn snapshot(&mut self) {
        let title = snapshot_title(self.t0.run.scope);
        let Some((index, table)) = self.handoff.snapshot() else {
            let message = format!("the hand-off has no table `{title}`");
            let hint = "add it with reviewers, summary and readiness of the result";
            self.refuse(&codes::HANDOFF_CANDIDATE_ATTRIBUTION_MISSING, title, "/tables", message, hint);
            return;
        };
        let pointer = format!("/tables/{index}");
        match &self.derived.snapshot {
            Ok(rows) => self.snapshot_rows(&pointer, table, rows),
            Err(message) => {
                let hint = "what the receipts say cannot be shown: start the review again";
                self.refuse(&codes::HANDOFF_SNAPSHOT_SOURCE_INVALID, title, pointer.as_str(), message, hint);
            }
        }
        self.attributes(&pointer, table);
    }

    fn snapshot_rows(&mut self, pointer: &str, table: &SnapshotTable, due: &[Row]) {
        let codes = if self.t0.run.scope == Scope::Pr { OF_PULL_REQUEST } else { OF_CHANGE };
        let fields: Vec<&str> = due.iter().map(|row| row.field).collect();
        let stated: Vec<&str> = table.rows.iter().filter_map(|row| row.cells.first().map(String::as_str)).collect();
        if stated != fields {
            let message = "the snapshot has other rows, or another order";
            self.refuse(codes.fields, &table.title, format!("{pointer}/rows"), message, format!("write the rows {}", list(&fields)));
        }
        for row in due {
            let found = table.rows.iter().position(|found| found.cells.first().is_some_and(|cell| cell == row.field));
            let Some(position) = found else { continue };
            let value = table.rows[position].cells.get(1).map(String::as_str).unwrap_or_default();
            let cell = format!("{pointer}/rows/{position}/cells/1");
            match row.field {
                TYPE => self.change_type(codes.value, &cell, value),
                _ if value == row.value => {}
                field => {
                    let code = if field == SUGGESTION { codes.suggestion } else { codes.value };
                    let message = format!("the row `{field}` is not what the run says");
                    self.refuse(code, field, cell, message, format!("write {}", quoted(&row.value)));
                }
            }
        }
    }

    /// The author's word, the same as in the notes (CR-125).
    fn change_type(&mut self, code: &Code, cell: &str, value: &str) {
        if !TYPES.contains(&value) {
            let message = format!("{} is no type of a change", quoted(value));
            self.refuse(code, TYPE, cell, message, use_one_of(value, &TYPES));
            return;
        }
        let notes = self.context.notes.as_ref().and_then(|notes| notes.section(snapshot_title(self.t0.run.scope)));
        let rows = notes.into_iter().flat_map(|section| section.tables()).flat_map(|table| &table.rows);
        let stated = rows.filter(|row| row.cells.first().is_some_and(|cell| cell == TYPE)).find_map(|row| row.cells.get(1));
        if let Some(other) = stated.filter(|other| *other != value) {
            let message = format!("the notes call the type of the change {}", quoted(other));
            self.refuse(code, TYPE, cell, message, "use one word in both");
        }
    }

    fn attributes(&mut self, pointer: &str, table: &SnapshotTable) {
        let derived = self.derived;
        if table.source_rating_version != 1 {
            let message = "the ratings are of another version";
            let code = &codes::HANDOFF_CANDIDATE_ATTRIBUTION_MISSING;
            self.refuse(code, "source_rating_version", format!("{pointer}/source_rating_version"), message, "write 1");
        }
        let code = &codes::HANDOFF_REVIEWERS_MISMATCH;
        self.compare(code, "reviewers", format!("{pointer}/reviewers"), &table.reviewers, &derived.reviewers);
        let code = &codes::HANDOFF_REVIEW_SUMMARY_MISMATCH;
        self.compare(code, "summary", format!("{pointer}/summary"), &table.summary, &derived.summary);
        let code = &codes::HANDOFF_VERIFICATION_MISMATCH;
        let place = format!("{pointer}/verification_readiness");
        self.compare(code, "verification_readiness", place, &table.verification_readiness, &derived.readiness);
    }
}
