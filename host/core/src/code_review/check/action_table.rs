//! The step `action-table`: one row for each canonical action, in the record's words (CR-118 to CR-120).

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    code_review::{
        codes,
        codes::Code,
        context::Context,
        notes::{ACTION_COLUMNS, ACTION_STATUSES, ACTION_TABLE, NOTES_FILE, needs_action_table, people},
        outline::{Row, Table, escape_cell, unescape_cell},
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
            if cell(position) != as_cell(expected) {
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

/// A text as a cell can have it: without white space around it, and with a line feed where it has `<br>`.
fn as_cell(text: &str) -> String {
    unescape_cell(escape_cell(text).trim())
}

#[cfg(test)]
mod tests {
    use crate::code_review::{
        check,
        context::{Context, Facts},
        finding::Blocker,
        image::RunImage,
        outline::{Outline, escape_cell},
        step::Step,
        violation::{Sink, Violation},
    };
    use std::collections::BTreeMap;

    const CHANGE: &str = "Stop | retry\nat three \\ four.";
    const HEAD: &str = "## Decision Summary\n\nx\n\n## Review Findings and Merge Blocks\n\n\
                        | Finding / area | Author | Required change | Evidence | Status |\n| --- | --- | --- | --- | --- |\n";

    fn row(id: &str, status: &str) -> String {
        format!("| {id} | Software engineer | {} | src/a.rs:3; src/b.rs:4 | {status} |\n", escape_cell(CHANGE))
    }

    fn found(notes: &str, ids: &[&str]) -> Vec<Violation> {
        let (image, resolved, cards) = (RunImage::default(), BTreeMap::new(), BTreeMap::new());
        let facts = Facts {
            image: &image,
            run_path: "/run",
            producer_id: None,
            git_state: None,
            prior: None,
            mirror: None,
            role_cards: &cards,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: None,
            promoted: false,
        };
        let mut context = Context::new(&facts, None);
        context.notes = Some(Outline::read(notes));
        context.blockers = ids
            .iter()
            .map(|id| Blocker {
                id: (*id).to_owned(),
                title: "Retry".to_owned(),
                required_change: CHANGE.to_owned(),
                evidence: vec!["src/a.rs:3".to_owned(), "src/b.rs:4".to_owned()],
                authors: vec!["Software engineer (parent substitute)".to_owned()],
            })
            .collect();
        let mut sink = Sink::new(Step::ActionTable);
        check::run(Step::ActionTable, &mut context, &mut sink);
        sink.finish().0
    }

    fn tokens(notes: &str, ids: &[&str]) -> Vec<String> {
        let short = |token: String| token.replace("review-findings-action-table-", "").replace("review-action-", "");
        found(notes, ids).iter().map(|violation| short(violation.token())).collect()
    }

    /// C-92
    #[test]
    fn every_action_has_one_row_under_its_id() {
        let right = format!("{HEAD}{}{}", row("B-1", "Required"), row("B-2", "Verify"));
        assert_eq!(tokens(&right, &["B-1", "B-2"]), Vec::<String>::new());
        assert_eq!(tokens(&right, &["B-1"]), ["identity-unbound:B-2"]);
        assert_eq!(tokens(&right, &["B-1", "B-2", "B-3"]), ["identity-coverage-mismatch"]);
        let twice = format!("{right}{}", row("B-2", "Verify"));
        let violations = found(&twice, &["B-1", "B-2"]);
        assert_eq!(
            violations.iter().map(|it| (it.code, it.line)).collect::<Vec<_>>(),
            [("review-findings-action-table-identity-duplicate", Some(11))]
        );
    }

    /// C-92
    #[test]
    fn the_form_is_exact() {
        let right = format!("{HEAD}{}", row("B-1", "Required"));
        for (text, other, expected) in [
            ("| --- | --- | --- | --- | --- |", "| -- | --- | --- | --- | --- |", "divider-invalid"),
            ("| --- | --- | --- | --- | --- |", "| :-- | --- | --- | --- | --- |", "divider-invalid"),
            ("Finding / area", "Finding", "header-mismatch"),
            ("| Software engineer |", "| Squeezer |", "authors-mismatch:B-1"),
            ("src/b.rs:4", "src/b.rs:5", "content-mismatch:B-1"),
            ("| --- | --- | --- | --- | --- |\n", "| --- | --- | --- | --- | --- |\n|  | x | y | z | Verify |\n", "cell-empty:"),
        ] {
            assert!(right.contains(text));
            assert_eq!(tokens(&right.replace(text, other), &["B-1"])[0], expected, "{other}");
        }
        let second = format!("{right}\n| A |\n| --- |\n");
        assert_eq!(tokens(&second, &["B-1"]), ["header-mismatch"]);
    }

    /// C-93
    #[test]
    fn a_status_leaves_something_to_do() {
        for (status, expected) in [
            ("Implemented", Some("status-closed:B-1")),
            ("Fixme", Some("status-invalid:B-1")),
            ("Implemented; verify", None),
            ("Not aligned", None),
        ] {
            assert_eq!(tokens(&format!("{HEAD}{}", row("B-1", status)), &["B-1"]), Vec::from_iter(expected), "{status}");
        }
    }

    /// C-94
    #[test]
    fn cells_are_compared_as_they_were_meant() {
        let written = row("B-1", "Required");
        assert!(written.contains("Stop \\| retry<br>at three \\\\ four."));
        assert_eq!(tokens(&format!("{HEAD}{written}"), &["B-1"]), Vec::<String>::new());
    }

    /// C-95
    #[test]
    fn actions_without_a_table_are_refused() {
        assert_eq!(tokens("## Decision Summary\n\nx\n", &["B-1"]), ["review-missing-findings-action-table"]);
        assert_eq!(tokens("## Decision Summary\n\nx\n", &[]), Vec::<String>::new());
        assert_eq!(tokens("## Review Findings and Merge Blocks\n\ntext\n", &["B-1"]), ["review-missing-findings-action-table"]);
    }
}
