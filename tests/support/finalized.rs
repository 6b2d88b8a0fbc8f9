//! The end of a review: a draft of its hand-off, and the command that finalizes it.
//!
//! ```no_run
//! # use code_polishy_tests::{ReviewRun, World};
//! # fn finalized(world: World) {
//! let run = ReviewRun::reviewed(world, &serde_json::json!([]));
//! run.conclude(|_| ());
//! run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
//! # }
//! ```

use serde_json::{Value, json};

use crate::{Output, PRODUCER, ReviewRun};

impl ReviewRun {
    /// Finalizes the concluded run with this draft of its hand-off.
    pub fn finalize(&self, handoff: &Value, options: &[&str]) -> Output {
        let draft = self.repo.area("handoff-draft.json");
        std::fs::write(&draft, handoff.to_string()).expect("a written draft");
        let metadata = self.repo.area("metadata-draft.json");
        if !metadata.exists() {
            std::fs::write(&metadata, self.json("result.candidate.json")["metadata"].to_string()).expect("written metadata");
        }
        let [draft, metadata] = [draft, metadata].map(|path| path.display().to_string());
        let files = ["--producer-id", PRODUCER, "--metadata", &metadata, "--handoff", &draft];
        self.command("finalize", &[&files, options].concat())
    }

    /// What an author drafts for the candidate: outcome, rows with their sources, what remains. The cells that are derived are left blank.
    #[track_caller]
    pub fn handoff_draft(&self) -> Value {
        let metadata = self.json("result.candidate.json")["metadata"].take();
        let verdict = metadata["review_decision"]["recommendation"].as_str().unwrap_or("no source judgment").to_owned();
        let mut rows = Rows::default();
        let snapshot = self.snapshot_rows(&verdict).map(|(field, value)| rows.row(field, json!([field, value])));
        let mut tables = vec![json!({"title": "Review Snapshot", "rows": snapshot})];
        let findings = metadata["review_findings"].as_array().expect("findings");
        let action = |finding: &Value, rows: &mut Rows| {
            let id = finding["id"].as_str().expect("an id");
            rows.row(id, json!([id, "", "", "Required"]))
        };
        if !findings.is_empty() {
            let actions: Vec<Value> = findings.iter().map(|finding| action(finding, &mut rows)).collect();
            tables.push(json!({"title": "Review Findings and Merge Blocks", "rows": actions}));
        }
        let candidates = metadata["review_validation"]["candidates"].as_array().expect("candidates");
        let is_open = |candidate: &&Value| matches!(candidate["disposition"].as_str(), None | Some("unverified"));
        let remaining: Vec<Value> = candidates.iter().filter(is_open).map(entry).collect();
        let next_steps: Vec<Value> = remaining.iter().map(|entry| entry["row_id"].clone()).collect();
        let total = rows.sources.len();
        json!({
            "outcome": {"title": "Review Decision", "summary": format!("Recommendation: {verdict}.")},
            "tables": tables,
            "source_records": rows.sources,
            "source_coverage": {
                "source_records_total": total, "represented_source_records_total": total, "omitted_source_records_total": 0
            },
            "remaining": remaining,
            "next_steps": next_steps,
            "artifacts": []
        })
    }

    fn snapshot_rows(&self, verdict: &str) -> [(&'static str, String); 6] {
        let suggestion = match verdict {
            "accept-as-is" => "approve",
            "minor-changes" => "minor changes",
            "needs-more-work" => "major revision",
            other => other,
        };
        [
            ("Scope", "working tree".to_owned()),
            ("Revision", format!("diff sha256:{}", self.digest("diff.patch"))),
            ("CI", "unavailable".to_owned()),
            ("Type", "docs".to_owned()),
            ("Commit", String::new()),
            ("Suggestion", suggestion.to_owned()),
        ]
    }
}

/// What remains of an open claim.
fn entry(candidate: &Value) -> Value {
    let text = |key: &str| candidate[key].as_str().expect("text").to_owned();
    json!({
        "row_id": candidate["id"],
        "item": format!("{} Missing: {}", text("claim"), text("missing_prerequisite")),
        "owner": candidate["owner"],
        "next_action": format!("{} {}", text("next_check"), text("closure_condition"))
    })
}

/// Rows, each with a source record of its own.
#[derive(Default)]
struct Rows {
    sources: Vec<Value>,
}

impl Rows {
    fn row(&mut self, id: &str, cells: Value) -> Value {
        let source = format!("S-{}", self.sources.len() + 1);
        self.sources.push(json!({"id": source, "evidence": "review-notes.md"}));
        json!({"id": id, "cells": cells, "source_ids": [source]})
    }
}
