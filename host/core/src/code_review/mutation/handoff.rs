//! The hand-off of a generated review, as its author drafts it.

use serde_json::{Map, Value, json};

use super::{result::claims, shape::Shape, words::claim_id};
use crate::code_review::{
    fixture::Fixture,
    handoff::{OPERATION, OPERATION_OWNER, Outcome},
    notes::{ACTION_TABLE, needs_action_table},
    snapshot::{Source, rows},
    vocabulary::Disposition,
};

/// The draft: outcome, rows with their sources, and what remains.
pub(super) fn draft(fixture: &Fixture, shape: &Shape) -> Map<String, Value> {
    let mut sources: Vec<Value> = Vec::new();
    let mut row = |id: &str, cells: Value| {
        let source = format!("S-{}", sources.len() + 1);
        sources.push(json!({"id": source, "evidence": "review-notes.md"}));
        json!({"id": id, "cells": cells, "source_ids": [source]})
    };
    let (t0, verdict) = (&fixture.t0, shape.verdict());
    let source = Source { t0, pull_request: None, ci_rollup: None, commit: t0.reviewed_commit.as_deref(), change_type: "fix", verdict };
    let snapshot: Vec<Value> = rows(source).expect("receipts").iter().map(|it| row(it.field, json!([it.field, it.value]))).collect();
    let mut tables = vec![json!({"title": "Review Snapshot", "rows": snapshot})];
    let findings = claims(shape, Some(Disposition::Confirmed)).map(|(number, _)| claim_id(number));
    let actions: Vec<String> = findings.chain(shape.blocker.then(|| "B-1".to_owned())).collect();
    if needs_action_table(actions.len(), verdict) {
        let actions: Vec<Value> = actions.iter().map(|id| row(id, json!([id, "", "", "Required"]))).collect();
        tables.push(json!({"title": ACTION_TABLE, "rows": actions}));
    }
    let mut remaining: Vec<Value> = shape.claims.iter().enumerate().filter_map(|(number, claim)| open(number, claim.disposition)).collect();
    remaining.push(json!({
        "row_id": OPERATION, "item": format!("cherry-pick {} goes on.", "c".repeat(40)), "owner": OPERATION_OWNER,
        "next_action": "Finish it or abort it."
    }));
    let next_steps: Vec<Value> = remaining.iter().map(|entry| entry["row_id"].clone()).collect();
    let total = sources.len();
    let draft = json!({
        "outcome": Outcome::assessed(verdict), "tables": tables, "source_records": sources,
        "source_coverage": {
            "source_records_total": total, "represented_source_records_total": total, "omitted_source_records_total": 0
        },
        "remaining": remaining, "next_steps": next_steps, "artifacts": [{"label": "Notes", "path": "review-notes.md"}]
    });
    draft.as_object().expect("an object").clone()
}

/// What remains of an open claim, in the words of its record.
fn open(number: usize, disposition: Option<Disposition>) -> Option<Value> {
    let missing = match disposition {
        None => "An hour of time.",
        Some(Disposition::Unverified) => "package:net",
        Some(_) => return None,
    };
    Some(json!({
        "row_id": claim_id(number), "item": format!("Call {number} retries without end. Missing: {missing}"), "owner": "parent",
        "next_action": format!("Run it without a network. A test counts the attempts of call {number}.")
    }))
}
