//! A draft of the hand-off from the records and the notes: every row with a source of its own, for its author to check (CR-150).

use serde_json::{Map, Value, json};

use super::{Authored, Said, derived, known};
use crate::code_review::{
    candidate::Candidate,
    context::{Context, Facts},
    handoff::{Action, Derived, OPERATION, OPERATION_OWNER, Outcome},
    notes::{ACTION_TABLE, snapshot_title},
    run::RunRecord,
    snapshot::{Row, TYPE},
    t0::{GIT_STATE_FILE, GitState},
    vocabulary::Disposition,
};

/// The draft, over an image that holds the provisional result of this metadata; `None` while a record that it needs cannot be read.
///
/// Type and statuses are those of the notes; blank where the notes do not have them yet.
pub fn draft(facts: &Facts<'_>, run: &RunRecord, metadata: &Map<String, Value>) -> Option<Value> {
    let context = known(facts, run);
    let authored = Authored { metadata: metadata.clone(), handoff: Map::new(), said: Said::default() };
    let result = super::candidate::complete(&context, run, &authored, &mut Vec::new());
    let derived = derived(&context, &result)?;
    let mut rows = Rows { context: &context, sources: Vec::new() };
    let tables = rows.tables(run, &derived);
    let remaining = remaining(&context);
    let next_steps: Vec<&Value> = remaining.iter().map(|entry| &entry["row_id"]).collect();
    let total = rows.sources.len();
    Some(json!({
        "outcome": Outcome::assessed(context.decision.as_ref()?.recommendation),
        "tables": tables,
        "source_records": rows.sources,
        "source_coverage": {
            "source_records_total": total, "represented_source_records_total": total, "omitted_source_records_total": 0
        },
        "next_steps": next_steps,
        "remaining": remaining,
        "artifacts": []
    }))
}

/// Rows, each with a source record of its own.
struct Rows<'r> {
    context: &'r Context<'r>,
    sources: Vec<Value>,
}

impl Rows<'_> {
    fn tables(&mut self, run: &RunRecord, derived: &Derived) -> Vec<Value> {
        let title = snapshot_title(run.scope);
        let snapshot = derived.snapshot.as_deref().unwrap_or_default();
        let snapshot: Vec<Value> = snapshot.iter().map(|row| self.snapshot_row(row, title)).collect();
        let mut tables = vec![json!({"title": title, "rows": snapshot})];
        if !derived.actions.is_empty() {
            let actions: Vec<Value> = derived.actions.iter().map(|action| self.action_row(action)).collect();
            tables.push(json!({"title": ACTION_TABLE, "rows": actions}));
        }
        tables
    }

    fn snapshot_row(&mut self, row: &Row, title: &str) -> Value {
        let value = if row.field == TYPE { self.noted(title, TYPE).unwrap_or_default() } else { row.value.clone() };
        self.row(row.field, &[row.field, &value], source_of(row.field))
    }

    fn action_row(&mut self, action: &Action) -> Value {
        let status = self.noted(ACTION_TABLE, &action.id).unwrap_or_default();
        self.row(&action.id, &[&action.id, &action.required_change, &action.evidence, &status], &action.evidence)
    }

    fn row(&mut self, id: &str, cells: &[&str], evidence: &str) -> Value {
        let source = format!("S-{}", self.sources.len() + 1);
        self.sources.push(json!({"id": source, "evidence": evidence}));
        json!({"id": id, "cells": cells, "source_ids": [source]})
    }

    /// The last cell of the row of the notes that begins with this name.
    fn noted(&self, section: &str, name: &str) -> Option<String> {
        let table = self.context.notes.as_ref()?.section(section)?.tables().next()?;
        let row = table.rows.iter().find(|row| row.cells.first().is_some_and(|cell| cell == name))?;
        row.cells.last().cloned()
    }
}

/// The file that a field of the snapshot is read from.
fn source_of(field: &str) -> &'static str {
    match field {
        "PR" | "Author" => "pr.json",
        "Scope" | "Revision" | "Commit" => "run.json",
        "CI" => "the checks that the forge or the caller gave",
        _ => "review-notes.md",
    }
}

/// What every open claim lacks, and the operation that was in progress at the start (CR-35, CR-156).
fn remaining(context: &Context<'_>) -> Vec<Value> {
    let is_open = |candidate: &&Candidate| matches!(candidate.disposition, None | Some(Disposition::Unverified));
    let mut entries: Vec<Value> = context.candidates.iter().filter(is_open).map(entry).collect();
    let start: Option<GitState> = context.facts.image.bytes(GIT_STATE_FILE).and_then(|bytes| serde_json::from_slice(bytes).ok());
    let operations: Vec<String> = start.iter().flat_map(GitState::operations).map(|(kind, id)| format!("{kind} {id}")).collect();
    if !operations.is_empty() {
        entries.push(json!({
            "row_id": OPERATION,
            "item": format!("In-progress operation: {}; left untouched.", operations.join(", ")),
            "owner": OPERATION_OWNER,
            "next_action": "Finish or abort it when the review is handed over."
        }));
    }
    entries
}

fn entry(candidate: &Candidate) -> Value {
    let Candidate { id, claim, missing_prerequisite, owner, next_check, closure_condition, .. } = candidate;
    let missing = if missing_prerequisite.is_empty() { String::new() } else { format!(" Missing: {missing_prerequisite}") };
    json!({"row_id": id, "item": format!("{claim}{missing}"), "owner": owner, "next_action": format!("{next_check} {closure_condition}")})
}
