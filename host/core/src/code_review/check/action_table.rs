//! The step `action-table`: one row for each canonical action, in the record's words (CR-118 to CR-120).

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    code_review::{
        codes,
        codes::Code,
        context::Context,
        notes::{ACTION_COLUMNS, ACTION_STATUSES, ACTION_TABLE, NOTES_FILE, needs_action_table, people},
        outline::{Row, Table},
        violation::{Sink, Violation},
    },
    strict::{list, quoted, use_one_of},
};

/// The cells that the records determine: authors, change, evidence.
type Cells = [String; 3];

/// Compares the table with findings and blockers.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let Some(notes) = &context.notes else { return };
    let actions = actions(context);
    let verdict = context.metadata().and_then(|metadata| metadata.get("review_decision")?.get("recommendation")?.text());
    let due = needs_action_table(actions.len(), verdict.and_then(crate::code_review::vocabulary::Verdict::parse));
    let section = notes.section(ACTION_TABLE);
    let Some((section, table)) = section.and_then(|section| Some((section, section.tables().next()?))) else {
        if due || section.is_some() {
            let message = "the actions of this review have no table";
            let hint = format!("add it under `## {ACTION_TABLE}`, directly below the decision");
            let violation = Violation::new(&codes::REVIEW_MISSING_FINDINGS_ACTION_TABLE, message, hint);
            sink.push(
                section.map_or_else(|| violation.clone().file(NOTES_FILE), |section| violation.clone().line(NOTES_FILE, section.line)),
            );
        }
        return;
    };
    let mut judge = Judge { actions: &actions, sink };
    if let Some(second) = section.tables().nth(1) {
        judge.refuse(&codes::REVIEW_FINDINGS_ACTION_TABLE_HEADER_MISMATCH, second.line, None, "this is a second table".into(), "keep one");
    }
    judge.form(table);
    judge.rows(table);
}

fn actions(context: &Context<'_>) -> BTreeMap<String, Cells> {
    let findings = context.findings.iter().map(|it| (&it.id, &it.authors, &it.required_change, &it.evidence));
    let blockers = context.blockers.iter().map(|it| (&it.id, &it.authors, &it.required_change, &it.evidence));
    findings
        .chain(blockers)
        .map(|(id, authors, change, evidence)| (id.clone(), [people(authors), change.clone(), evidence.join("; ")]))
        .collect()
}

struct Judge<'j> {
    actions: &'j BTreeMap<String, Cells>,
    sink: &'j mut Sink,
}

impl Judge<'_> {
    fn refuse(&mut self, code: &Code, line: u32, subject: Option<&str>, message: String, hint: &str) {
        let mut violation = Violation::new(code, message, hint).line(NOTES_FILE, line);
        violation.subject = subject.map(str::to_owned);
        self.sink.push(violation);
    }

    /// Header and divider as they are written.
    fn form(&mut self, table: &Table) {
        let header = format!("| {} |", ACTION_COLUMNS.join(" | "));
        if table.header_source != header {
            let code = &codes::REVIEW_FINDINGS_ACTION_TABLE_HEADER_MISMATCH;
            self.refuse(code, table.line, None, "the header has other columns".into(), &format!("write `{header}`"));
        }
        let cells: Vec<&str> = table.divider_source.trim_matches('|').split('|').map(str::trim).collect();
        let is_divider = |cell: &&str| cell.len() >= 3 && cell.bytes().all(|byte| byte == b'-');
        if cells.len() != ACTION_COLUMNS.len() || !cells.iter().all(is_divider) {
            let code = &codes::REVIEW_FINDINGS_ACTION_TABLE_DIVIDER_INVALID;
            let message = "the divider is not five cells of three or more dashes";
            self.refuse(code, table.line + 1, None, message.into(), "write `| --- | --- | --- | --- | --- |`");
        }
    }

    fn rows(&mut self, table: &Table) {
        let mut seen = BTreeSet::new();
        for row in &table.rows {
            let id = row.cells.first().map(String::as_str).unwrap_or_default();
            if let Some(position) = (0..ACTION_COLUMNS.len()).find(|position| row.cells.get(*position).is_none_or(String::is_empty)) {
                let message = format!("the cell `{}` is empty", ACTION_COLUMNS[position]);
                let code = &codes::REVIEW_FINDINGS_ACTION_TABLE_CELL_EMPTY;
                self.refuse(code, row.line, Some(id), message, "copy it from the record");
            }
            if !seen.insert(id.to_owned()) {
                let message = format!("{} has another row", quoted(id));
                let code = &codes::REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_DUPLICATE;
                self.refuse(code, row.line, Some(id), message, "keep one row for each action");
            }
            self.row(row, id);
        }
        let missing: Vec<&str> = self.actions.keys().map(String::as_str).filter(|id| !seen.contains(*id)).collect();
        if !missing.is_empty() {
            let message = format!("these actions have no row: {}", list(&missing));
            let code = &codes::REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_COVERAGE_MISMATCH;
            self.refuse(code, table.line, None, message, "add a row for each");
        }
    }

    fn row(&mut self, row: &Row, id: &str) {
        let Some([authors, change, evidence]) = self.actions.get(id).cloned() else {
            let message = format!("{} is no action of this review", quoted(id));
            let code = &codes::REVIEW_FINDINGS_ACTION_TABLE_IDENTITY_UNBOUND;
            self.refuse(code, row.line, Some(id), message, "use the exact id of a finding or blocker, or remove the row");
            return;
        };
        let cell = |position: usize| row.cells.get(position).map(String::as_str).unwrap_or_default();
        if cell(1) != authors {
            let message = format!("the authors of {} are {}", quoted(id), quoted(&authors));
            let code = &codes::REVIEW_FINDINGS_ACTION_TABLE_AUTHORS_MISMATCH;
            self.refuse(code, row.line, Some(id), message, "write them without suffix, joined by `, `");
        }
        for (position, expected) in [(2, &change), (3, &evidence)] {
            if cell(position) != expected {
                let message = format!("the cell `{}` of {} is not the record's", ACTION_COLUMNS[position], quoted(id));
                let hint = format!("write {}", quoted(expected));
                let code = &codes::REVIEW_FINDINGS_ACTION_TABLE_CONTENT_MISMATCH;
                self.refuse(code, row.line, Some(id), message, &hint);
            }
        }
        self.status(row, id, cell(4));
    }

    /// A status leaves something to do: `Implemented` alone says that nothing is (CR-120).
    fn status(&mut self, row: &Row, id: &str, status: &str) {
        if ["Implemented", "Fixed", "Done", "Closed", "Resolved"].contains(&status) {
            let message = format!("{} says that nothing is left to do", quoted(status));
            let hint = "an action of the table is open: write `Implemented; verify` where only verification is left";
            self.refuse(&codes::REVIEW_ACTION_STATUS_CLOSED, row.line, Some(id), message, hint);
        } else if !ACTION_STATUSES.contains(&status) {
            let message = format!("{} is no status of an action", quoted(status));
            self.refuse(&codes::REVIEW_ACTION_STATUS_INVALID, row.line, Some(id), message, &use_one_of(status, &ACTION_STATUSES));
        }
    }
}
