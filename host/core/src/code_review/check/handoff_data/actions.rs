//! The table of the actions: one row an action, in the record's words, with the status of the notes (CR-118, CR-153).

use super::Judge;
use crate::{
    code_review::{
        codes,
        handoff::{Action, ActionRow, ActionTable},
        notes::{ACTION_STATUSES, ACTION_TABLE, needs_action_table},
    },
    strict::{list, quoted, use_one_of},
};

impl Judge<'_, '_> {
    pub(super) fn actions(&mut self) {
        let verdict = self.context.decision.as_ref().and_then(|decision| decision.recommendation);
        let due = needs_action_table(self.derived.actions.len(), verdict);
        match self.handoff.actions() {
            Some((index, table)) if due => self.action_rows(&format!("/tables/{index}/rows"), table),
            Some((index, _)) => {
                let message = "there is no action, and a table of them";
                self.refuse(&codes::HANDOFF_TABLE_INVALID, ACTION_TABLE, format!("/tables/{index}"), message, "remove the table");
            }
            None if due => {
                let message = "the actions of this review have no table";
                let hint = format!("add `{ACTION_TABLE}` behind the snapshot");
                self.refuse(&codes::HANDOFF_FINDINGS_TABLE_MISSING, ACTION_TABLE, "/tables", message, hint);
            }
            None => {}
        }
    }

    fn action_rows(&mut self, pointer: &str, table: &ActionTable) {
        let code = &codes::HANDOFF_FINDING_IDENTITY_MISMATCH;
        let derived = self.derived;
        for (index, row) in table.rows.iter().enumerate() {
            let pointer = format!("{pointer}/{index}");
            if row.cells.first() != Some(&row.id) {
                let message = format!("the first cell is not the id {}", quoted(&row.id));
                self.refuse(code, &row.id, format!("{pointer}/cells/0"), message, "write the id of the action in both places");
            }
            match derived.actions.iter().find(|action| action.id == row.id) {
                Some(action) => self.action_row(&pointer, row, action),
                None => {
                    let message = format!("{} is no action of this review", quoted(&row.id));
                    self.refuse(code, &row.id, pointer, message, "use the exact id of a finding or blocker, or remove the row");
                }
            }
        }
        let has_row = |action: &&Action| table.rows.iter().any(|row| row.id == action.id);
        let missing: Vec<&str> = derived.actions.iter().filter(|action| !has_row(action)).map(|action| action.id.as_str()).collect();
        if !missing.is_empty() {
            let message = format!("these actions have no row: {}", list(&missing));
            self.refuse(code, ACTION_TABLE, pointer, message, "add a row for each");
        }
    }

    fn action_row(&mut self, pointer: &str, row: &ActionRow, action: &Action) {
        let code = &codes::HANDOFF_FINDING_CONTENT_MISMATCH;
        let id = row.id.as_str();
        let cell = |index: usize| row.cells.get(index).cloned().unwrap_or_default();
        let place = |key: &str| format!("{pointer}/{key}");
        self.compare(code, id, place("title"), &row.title, &action.title);
        self.compare(code, id, place("cells/1"), &cell(1), &action.required_change);
        self.compare(code, id, place("cells/2"), &cell(2), &action.evidence);
        if action.summary.is_none() && row.summary.is_some() {
            let message = format!("{} is a blocker, which has neither summary nor closing evidence", quoted(id));
            self.refuse(code, id, place("summary"), message, "remove both");
        } else {
            self.compare(code, id, place("summary"), &row.summary, &action.summary);
            self.compare(code, id, place("closure_evidence"), &row.closure_evidence, &action.closure_evidence);
        }
        self.compare(&codes::HANDOFF_FINDING_AUTHORS_MISMATCH, id, place("authors"), &row.authors, &action.authors);
        self.action_status(&place("cells/3"), id, &cell(3));
    }

    /// A status of CR-120, the one of the notes; which of two holds is not guessed (CR-168).
    fn action_status(&mut self, pointer: &str, id: &str, status: &str) {
        if !ACTION_STATUSES.contains(&status) {
            let message = format!("{} is no status of an action", quoted(status));
            self.refuse(&codes::HANDOFF_TABLE_INVALID, id, pointer, message, use_one_of(status, &ACTION_STATUSES));
            return;
        }
        let section = self.context.notes.as_ref().and_then(|notes| notes.section(ACTION_TABLE));
        let rows = section.into_iter().flat_map(|section| section.tables()).flat_map(|table| &table.rows);
        let stated = rows.filter(|row| row.cells.first().is_some_and(|cell| cell == id)).find_map(|row| row.cells.get(4));
        if let Some(other) = stated.filter(|other| *other != status) {
            let message = format!("the notes give {} the status {}, the hand-off {}", quoted(id), quoted(other), quoted(status));
            let hint = "ask which one holds, then write it in both";
            self.refuse(&codes::HANDOFF_NOTES_STATUS_CONFLICT, id, pointer, message, hint);
        }
    }
}
