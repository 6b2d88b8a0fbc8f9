//! Tables, rows, and where the rows come from (CR-152 to CR-154).

use std::collections::{BTreeMap, BTreeSet};

use super::Judge;
use crate::{
    code_review::{
        codes,
        handoff::{LAYOUT, Table},
        notes::{ACTION_TABLE, snapshot_title},
    },
    strict::quoted,
};

/// What every row has, and where it stands.
struct Row<'h> {
    pointer: String,
    id: &'h str,
    width: usize,
    columns: usize,
    source_ids: &'h [String],
}

impl<'j> Judge<'j, '_> {
    pub(super) fn tables(&mut self) {
        if self.handoff.branch.is_terminal() && !self.handoff.tables.is_empty() {
            let message = "a review that ended early has no table";
            self.refuse(&codes::HANDOFF_TERMINAL_TABLE_FORBIDDEN, "/tables", message, "write an empty list");
            return;
        }
        let mut seen = BTreeSet::new();
        for (index, table) in self.handoff.tables.iter().enumerate() {
            let pointer = format!("/tables/{index}");
            self.table(&pointer, table);
            let is_snapshot = matches!(table, Table::Snapshot(_));
            if !seen.insert(is_snapshot) {
                let message = "this is a second table of its kind";
                self.refuse(&codes::HANDOFF_TABLE_INVALID, pointer, message, "keep one snapshot and one table of actions");
            } else if is_snapshot && index > 0 {
                self.refuse(&codes::HANDOFF_TABLE_INVALID, pointer, "the snapshot comes after the actions", "put it first");
            }
        }
        self.rows();
    }

    fn table(&mut self, pointer: &str, table: &Table) {
        match table {
            Table::Snapshot(table) => {
                let Some(due) = self.run.as_ref().map(|run| snapshot_title(run.scope)) else { return };
                if table.title != due {
                    let message = format!("this review has no table {}", quoted(&table.title));
                    let hint = format!("call it `{due}`, or `{ACTION_TABLE}` when it is the table of the actions");
                    self.refuse(&codes::HANDOFF_TABLE_INVALID, format!("{pointer}/title"), message, hint);
                }
            }
            Table::Actions(table) => {
                if table.layout != LAYOUT || !table.overview_only {
                    let message = "the actions are shown in another layout";
                    let hint = format!("write the layout `{LAYOUT}`, and true for `overview_only`");
                    self.refuse(&codes::HANDOFF_TABLE_INVALID, pointer, message, hint);
                }
            }
        }
    }

    fn all_rows(&self) -> Vec<Row<'j>> {
        let tables = self.handoff.tables.iter().enumerate();
        tables
            .flat_map(|(table, value)| {
                let pointer = move |row: usize| format!("/tables/{table}/rows/{row}");
                match value {
                    Table::Snapshot(snapshot) => {
                        let rows = snapshot.rows.iter().enumerate().map(|(index, row)| Row {
                            pointer: pointer(index),
                            id: &row.id,
                            width: row.cells.len(),
                            columns: snapshot.columns.len(),
                            source_ids: &row.source_ids,
                        });
                        rows.collect::<Vec<_>>()
                    }
                    Table::Actions(actions) => {
                        let rows = actions.rows.iter().enumerate().map(|(index, row)| Row {
                            pointer: pointer(index),
                            id: &row.id,
                            width: row.cells.len(),
                            columns: actions.columns.len(),
                            source_ids: &row.source_ids,
                        });
                        rows.collect()
                    }
                }
            })
            .collect()
    }

    fn rows(&mut self) {
        let mut ids = BTreeSet::new();
        for row in self.all_rows() {
            if !ids.insert(row.id) {
                let message = format!("another row has the id {}", quoted(row.id));
                self.refuse_of(&codes::HANDOFF_ROW_ID_DUPLICATE, row.id, row.pointer.as_str(), message, "give each row its own id");
            }
            if row.width != row.columns {
                let message = format!("the row has {} cells, the table {} columns", row.width, row.columns);
                let code = &codes::HANDOFF_ROW_WIDTH_MISMATCH;
                self.refuse_of(code, row.id, format!("{}/cells", row.pointer), message, "write one cell for each column");
            }
            if row.source_ids.is_empty() {
                let message = "the row does not say where it comes from";
                let pointer = format!("{}/source_ids", row.pointer);
                self.refuse_of(&codes::HANDOFF_TABLE_INVALID, row.id, pointer, message, "name a source record");
            }
        }
    }

    /// Each source record is shown by exactly one row, and every row shows records that are there.
    pub(super) fn sources(&mut self) {
        let handoff = self.handoff;
        let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, record) in handoff.source_records.iter().enumerate() {
            if shown.insert(&record.id, 0).is_some() {
                let message = format!("another source record has the id {}", quoted(&record.id));
                let pointer = format!("/source_records/{index}");
                self.refuse_of(&codes::HANDOFF_SOURCE_ID_DUPLICATE, &record.id, pointer, message, "give each record its own id");
            }
        }
        for row in self.all_rows() {
            for id in row.source_ids {
                self.source(&row.pointer, id, shown.get_mut(id.as_str()));
            }
        }
        let omitted: Vec<&str> = shown.iter().filter(|(_, rows)| **rows == 0).map(|(id, _)| *id).collect();
        for id in &omitted {
            let message = format!("no row shows the source record {}", quoted(id));
            let hint = "name it in the row that it is for, or remove it";
            self.refuse_of(&codes::HANDOFF_SOURCE_COVERAGE_MISMATCH, id, "/source_records", message, hint);
        }
        self.coverage(shown.len() as u64, omitted.len() as u64);
    }

    fn source(&mut self, row: &str, id: &str, rows: Option<&mut usize>) {
        let pointer = format!("{row}/source_ids");
        match rows {
            None => {
                let message = format!("there is no source record {}", quoted(id));
                self.refuse_of(&codes::HANDOFF_SOURCE_COVERAGE_MISMATCH, id, pointer, message, "add it to `source_records`");
            }
            Some(rows) => {
                *rows += 1;
                if *rows > 1 {
                    let message = format!("the source record {} is named more than once", quoted(id));
                    self.refuse_of(&codes::HANDOFF_SOURCE_ID_DUPLICATE, id, pointer, message, "give each row its own source records");
                }
            }
        }
    }

    fn coverage(&mut self, total: u64, omitted: u64) {
        let stated = self.handoff.source_coverage;
        let due = [
            ("source_records_total", stated.source_records_total, total),
            ("represented_source_records_total", stated.represented_source_records_total, total - omitted),
            ("omitted_source_records_total", stated.omitted_source_records_total, 0),
        ];
        for (key, _, due) in due.into_iter().filter(|(_, stated, due)| stated != due) {
            let message = format!("`{key}` is not what the records give");
            let pointer = format!("/source_coverage/{key}");
            self.refuse(&codes::HANDOFF_SOURCE_COVERAGE_MISMATCH, pointer, message, format!("write {due}"));
        }
    }
}
