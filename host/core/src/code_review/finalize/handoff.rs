//! The hand-off: the author's rows, entries and words, and what is derived written over the draft (CR-150).

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Edit;
use crate::code_review::{
    handoff::{ACTION_COLUMNS, Action, Branch, Derived, HANDOFF_FILE, KEYS, LAYOUT, SKILL},
    notes::ACTION_TABLE,
    snapshot::COLUMNS,
};

/// The draft with everything that follows from the records; without them only with what is fixed.
pub(super) fn complete(draft: &Map<String, Value>, branch: Branch, derived: Option<&Derived>, edits: &mut Vec<Edit>) -> Value {
    let mut writer = Writer { edits };
    let mut handoff = draft.clone();
    let fixed = [
        ("schema_version", json!(1)),
        ("presentation_version", json!(branch.presentation())),
        ("skill", json!(SKILL)),
        ("branch", json!(branch)),
        ("terminal", Value::Null),
        ("caller_contract", Value::Null),
    ];
    for (key, value) in fixed {
        handoff.entry(key).or_insert(value);
    }
    if let Some(derived) = derived {
        writer.records(&mut handoff, derived);
        if let Some(tables) = handoff.get_mut("tables").and_then(Value::as_array_mut) {
            for (index, table) in tables.iter_mut().enumerate() {
                writer.table(&format!("/tables/{index}"), table, derived);
            }
        }
    }
    in_order(handoff)
}

fn in_order(handoff: Map<String, Value>) -> Value {
    let known = KEYS.iter().filter_map(|key| Some(((*key).to_owned(), handoff.get(*key)?.clone())));
    let unknown = handoff.iter().filter(|(key, _)| !KEYS.contains(&key.as_str()));
    Value::Object(known.chain(unknown.map(|(key, value)| (key.clone(), value.clone()))).collect())
}

struct Writer<'w> {
    edits: &'w mut Vec<Edit>,
}

impl Writer<'_> {
    /// Writes a member; one that said something else is an edit.
    fn set(&mut self, parent: &str, object: &mut Map<String, Value>, key: &str, value: &impl Serialize) {
        let value = json!(value);
        let before = object.insert(key.to_owned(), value.clone());
        if let Some(before) = before.filter(|before| *before != value) {
            self.edit(format!("{parent}/{key}"), before, value);
        }
    }

    fn edit(&mut self, pointer: String, before: Value, after: Value) {
        if is_blank_of(&before, &after) {
            return;
        }
        self.edits.push(Edit { file: HANDOFF_FILE, pointer: Some(pointer), line: None, before, after });
    }

    fn records(&mut self, handoff: &mut Map<String, Value>, derived: &Derived) {
        self.set("", handoff, "result_status", &derived.result_status);
        self.set("", handoff, "verification", &derived.verification);
        self.set("", handoff, "reviewer_evidence", &derived.reviewer_evidence);
        self.set("", handoff, "confidence", &derived.confidence);
        self.set("", handoff, "report_path", &derived.report_path);
        let artifacts = handoff.entry("artifacts").or_insert_with(|| json!([]));
        let Some(artifacts) = artifacts.as_array_mut() else { return };
        let result = json!(derived.result);
        match artifacts.first_mut().filter(|first| first["label"] == result["label"]) {
            Some(first) if *first != result => {
                let before = std::mem::replace(first, result.clone());
                self.edit("/artifacts/0".to_owned(), before, result);
            }
            Some(_) => {}
            None => artifacts.insert(0, result),
        }
    }

    fn table(&mut self, pointer: &str, table: &mut Value, derived: &Derived) {
        let Some(table) = table.as_object_mut() else { return };
        if table.get("title").and_then(Value::as_str) == Some(ACTION_TABLE) {
            self.set(pointer, table, "columns", &ACTION_COLUMNS);
            self.set(pointer, table, "layout", &LAYOUT);
            self.set(pointer, table, "overview_only", &true);
            self.rows(pointer, table, |writer, pointer, row| writer.action(pointer, row, &derived.actions));
            return;
        }
        self.set(pointer, table, "columns", &COLUMNS);
        self.set(pointer, table, "reviewers", &derived.reviewers);
        self.set(pointer, table, "summary", &derived.summary);
        self.set(pointer, table, "source_rating_version", &1);
        self.set(pointer, table, "verification_readiness", &derived.readiness);
        if let Some(commit) = derived.commit() {
            self.rows(pointer, table, |writer, pointer, row| writer.commit(pointer, row, commit));
        }
    }

    fn rows(&mut self, pointer: &str, table: &mut Map<String, Value>, mut write: impl FnMut(&mut Self, &str, &mut Map<String, Value>)) {
        let rows = table.get_mut("rows").and_then(Value::as_array_mut);
        for (index, row) in rows.into_iter().flatten().enumerate() {
            if let Some(row) = row.as_object_mut() {
                write(self, &format!("{pointer}/rows/{index}"), row);
            }
        }
    }

    fn commit(&mut self, pointer: &str, row: &mut Map<String, Value>, commit: &str) {
        let Some([field, value]) = row.get_mut("cells").and_then(Value::as_array_mut).map(Vec::as_mut_slice) else { return };
        if *field == "Commit" && *value != commit {
            let before = std::mem::replace(value, json!(commit));
            self.edit(format!("{pointer}/cells/1"), before, json!(commit));
        }
    }

    /// The content of the action that the row names; its id and its status are the author's.
    fn action(&mut self, pointer: &str, row: &mut Map<String, Value>, actions: &[Action]) {
        let Some(action) = actions.iter().find(|action| row.get("id").is_some_and(|id| *id == action.id.as_str())) else { return };
        self.set(pointer, row, "title", &action.title);
        self.set(pointer, row, "authors", &action.authors);
        if let (Some(summary), Some(closure)) = (&action.summary, &action.closure_evidence) {
            self.set(pointer, row, "summary", summary);
            self.set(pointer, row, "closure_evidence", closure);
        }
        let status = row.get("cells").and_then(Value::as_array).and_then(|cells| cells.last()).cloned();
        if let Some(status) = status {
            let cells = json!([action.id, action.required_change, action.evidence, status]);
            self.set(pointer, row, "cells", &cells);
        }
    }
}

/// What was left blank is filled, and nothing is written over.
fn is_blank_of(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Array(before), Value::Array(after)) => {
            before.len() == after.len() && before.iter().zip(after).all(|(before, after)| before == after || before == "")
        }
        _ => before == "",
    }
}
