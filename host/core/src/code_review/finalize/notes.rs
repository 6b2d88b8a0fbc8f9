//! The cells of the notes that repeat records: the commit, and the content of the actions (CR-168).

use serde_json::json;

use super::Edit;
use crate::code_review::{
    context::Context,
    handoff::{Action, Derived},
    notes::{ACTION_TABLE, NOTES_FILE, people, snapshot_title},
    outline::{Row, escape_cell},
};

const COMMIT_LABEL: &str = "Reviewed commit";

/// The notes with these cells written over; nothing when all of them are right.
pub(super) fn rewrite(notes: &str, context: &Context<'_>, derived: &Derived, edits: &mut Vec<Edit>) -> Option<String> {
    let (outline, t0) = (context.notes.as_ref()?, context.t0.as_ref()?);
    let mut lines = Lines { lines: notes.split('\n').map(str::to_owned).collect(), edits, changed: false };
    if let Some(commit) = derived.commit() {
        let table = outline.section(snapshot_title(t0.run.scope)).and_then(|section| section.tables().next());
        for row in table.iter().flat_map(|table| &table.rows).filter(|row| is_named(row, "Commit")) {
            lines.row(row, &[(1, commit.to_owned())]);
        }
        let scope = outline.section("Scope").map(|section| section.labelled(COMMIT_LABEL)).unwrap_or_default();
        if let [(stated, line)] = scope.as_slice() {
            lines.commit(stated, *line, commit);
        }
    }
    let table = outline.section(ACTION_TABLE).and_then(|section| section.tables().next());
    for row in table.iter().flat_map(|table| &table.rows) {
        let action = derived.actions.iter().find(|action| is_named(row, &action.id));
        if let Some(action) = action.filter(|_| row.cells.len() == 5) {
            lines.row(row, &content(action));
        }
    }
    lines.changed.then(|| lines.lines.join("\n"))
}

fn is_named(row: &Row, name: &str) -> bool {
    row.cells.first().is_some_and(|cell| cell == name)
}

/// Author, required change and evidence; id and status are the author's of the notes.
fn content(action: &Action) -> [(usize, String); 3] {
    [(1, people(&action.authors)), (2, action.required_change.clone()), (3, action.evidence.clone())]
}

struct Lines<'e> {
    lines: Vec<String>,
    edits: &'e mut Vec<Edit>,
    changed: bool,
}

impl Lines<'_> {
    /// Writes these cells of a row; the others stay as they are.
    fn row(&mut self, row: &Row, due: &[(usize, String)]) {
        let mut cells = row.cells.clone();
        for (index, value) in due {
            if let Some(cell) = cells.get_mut(*index) {
                cell.clone_from(value);
            }
        }
        if cells != row.cells {
            let escaped: Vec<String> = cells.iter().map(|cell| escape_cell(cell)).collect();
            self.write(row.line, format!("| {} |", escaped.join(" | ")));
        }
    }

    /// The line that names the reviewed commit, with the suffix of a mirror or without.
    fn commit(&mut self, stated: &str, line: u32, commit: &str) {
        let bare = commit.split(' ').next().unwrap_or(commit);
        if stated != commit && stated != bare {
            self.write(line, format!("{COMMIT_LABEL}: {commit}"));
        }
    }

    fn write(&mut self, line: u32, after: String) {
        let Some(before) = (line as usize).checked_sub(1).and_then(|index| self.lines.get_mut(index)) else { return };
        let edit = Edit { file: NOTES_FILE, pointer: None, line: Some(line), before: json!(*before), after: json!(after) };
        self.edits.push(edit);
        *before = after;
        self.changed = true;
    }
}
