//! Reading a hand-off as people may have written it: every field that is missing, unknown or of another type is a violation (CR-149).

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;

use super::{
    ActionTable, Branch, CallerAnswer, ConfidenceRecord, HANDOFF_FILE, Handoff, SnapshotTable, Table, Terminal, table::ACTION_COLUMNS,
};
use crate::{
    code_review::{
        codes,
        codes::Code,
        confidence::{Band, hundredths},
        notes::ACTION_TABLE,
        reading::Reading,
        snapshot::COLUMNS,
        violation::{Sink, Violation},
        vocabulary::Status,
    },
    strict::{Json, Kind, Node, list, parse, quoted},
};

const KIND: Kind = Kind { code: "handoff", noun: "the hand-off", file: "" };
/// The keys of a hand-off, in documented order.
pub(crate) const KEYS: [&str; 18] = [
    "schema_version",
    "presentation_version",
    "skill",
    "branch",
    "outcome",
    "result_status",
    "tables",
    "source_records",
    "source_coverage",
    "verification",
    "reviewer_evidence",
    "remaining",
    "next_steps",
    "confidence",
    "artifacts",
    "terminal",
    "caller_contract",
    "report_path",
];
const ATTRIBUTES: [&str; 4] = ["reviewers", "summary", "source_rating_version", "verification_readiness"];
const OUTPUT: &str = "/caller_contract/output";
const FIELDS: &Code = &codes::HANDOFF_FIELDS_MISMATCH;

/// Reads the file's bytes; nothing when some field could not be read, and then the sink says which.
pub(crate) fn read(bytes: Option<&[u8]>, sink: &mut Sink) -> Option<Handoff> {
    let Some(bytes) = bytes else {
        let violation = Violation::new(FIELDS, format!("`{HANDOFF_FILE}` is missing"), "run `code-polishy code-review finalize`");
        sink.push(violation.subject(HANDOFF_FILE).file(HANDOFF_FILE));
        return None;
    };
    let root = match parse(KIND, bytes) {
        Ok((_, root)) => root,
        Err(diagnostic) => {
            let violation = Violation::new(FIELDS, diagnostic.message, "write it as strict JSON");
            sink.push(violation.line(HANDOFF_FILE, diagnostic.line.unwrap_or(1)));
            return None;
        }
    };
    let mut fields = Fields { reading: Reading::new(HANDOFF_FILE, sink) };
    for twice in root.duplicates() {
        fields.refuse(FIELDS, &twice.node, format!("the key {} stands here twice", quoted(&twice.key)), "keep one");
    }
    fields.texts(&root);
    fields.handoff(&root)
}

struct Fields<'s> {
    reading: Reading<'s>,
}

impl Fields<'_> {
    fn refuse(&mut self, code: &Code, node: &Node, message: impl Into<String>, hint: &str) {
        self.reading.refuse(code, &node.at, None, message, hint);
    }

    /// Every string is text (CR-6); what a caller asked for has its own form.
    fn texts(&mut self, node: &Node) {
        match &node.json {
            Json::Text(text) if node.at.pointer == OUTPUT => {
                if text.trim().is_empty() {
                    self.refuse(&codes::HANDOFF_CALLER_CONTRACT_INVALID, node, "the output is blank", "write what the caller asked for");
                }
            }
            Json::Text(_) => {
                self.reading.text(FIELDS, Some(node));
            }
            Json::Array(elements) => elements.iter().for_each(|element| self.texts(element)),
            Json::Object(members) => members.iter().for_each(|member| self.texts(&member.node)),
            Json::Null | Json::Boolean(_) | Json::Number(_) => {}
        }
    }

    /// An object with exactly these keys, as its type; one violation says what else it has, lacks or is.
    fn record<T: DeserializeOwned>(&mut self, code: &Code, node: &Node, keys: &[&str]) -> Option<T> {
        self.reading.exact(code, node, keys)?;
        let Json::Object(members) = &node.json else { return None };
        let present: BTreeSet<&str> = members.iter().map(|member| member.key.as_str()).collect();
        if present != keys.iter().copied().collect() {
            return None;
        }
        self.value(code, node)
    }

    fn value<T: DeserializeOwned>(&mut self, code: &Code, node: &Node) -> Option<T> {
        match serde_json::from_value(node.value()) {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(
                    code,
                    node,
                    format!("this is not what is due here: {error}"),
                    "write it as the schema of the hand-off shows it",
                );
                None
            }
        }
    }

    /// Each element as its type; nothing when one of them is not.
    fn records<T: DeserializeOwned>(&mut self, code: &Code, node: &Node, keys: &[&str]) -> Option<Vec<T>> {
        let elements = self.reading.elements(code, Some(node));
        let read: Vec<T> = elements.iter().filter_map(|element| self.record(code, element, keys)).collect();
        (read.len() == elements.len() && matches!(node.json, Json::Array(_))).then_some(read)
    }

    fn handoff(&mut self, root: &Node) -> Option<Handoff> {
        let record = self.reading.exact(FIELDS, root, &KEYS)?;
        let due = |key: &str| record.get(key);
        let schema_version = due("schema_version").and_then(|node| self.value(FIELDS, node));
        let presentation_version = due("presentation_version").and_then(|node| self.value(FIELDS, node));
        let skill = due("skill").and_then(|node| self.value(FIELDS, node));
        let branch = self.reading.word(&codes::HANDOFF_BRANCH_INVALID, due("branch"), Branch::WORDS);
        let outcome = due("outcome").and_then(|node| self.record(FIELDS, node, &["title", "summary"]));
        let result_status = self.reading.word(FIELDS, due("result_status"), Status::WORDS);
        let tables = due("tables").and_then(|node| self.tables(node));
        let source_records = due("source_records").and_then(|node| self.records(FIELDS, node, &["id", "evidence"]));
        let coverage = ["source_records_total", "represented_source_records_total", "omitted_source_records_total"];
        let source_coverage = due("source_coverage").and_then(|node| self.record(FIELDS, node, &coverage));
        let gate = ["check", "status", "reason", "detail", "command_exit", "evidence"];
        let verification = due("verification").and_then(|node| self.records(FIELDS, node, &gate));
        let reviewer_evidence = due("reviewer_evidence").and_then(|node| self.records(FIELDS, node, &["role", "evidence_level"]));
        let code = &codes::HANDOFF_REMAINING_INVALID;
        let remaining = due("remaining").and_then(|node| self.records(code, node, &["row_id", "item", "owner", "next_action"]));
        let next_steps = due("next_steps").and_then(|node| self.value(&codes::HANDOFF_NEXT_STEPS_MISMATCH, node));
        let confidence = due("confidence").and_then(|node| self.confidence(node));
        let artifacts = due("artifacts").and_then(|node| self.records(&codes::HANDOFF_ARTIFACTS_INVALID, node, &["label", "path"]));
        let terminal = due("terminal").and_then(|node| self.terminal(node, branch));
        let caller_contract = due("caller_contract").and_then(|node| self.caller_contract(node));
        let report_path = due("report_path").and_then(|node| self.value(FIELDS, node));
        Some(Handoff {
            schema_version: schema_version?,
            presentation_version: presentation_version?,
            skill: skill?,
            branch: branch?,
            outcome: outcome?,
            result_status: result_status?,
            tables: tables?,
            source_records: source_records?,
            source_coverage: source_coverage?,
            verification: verification?,
            reviewer_evidence: reviewer_evidence?,
            remaining: remaining?,
            next_steps: next_steps?,
            confidence: confidence?,
            artifacts: artifacts?,
            terminal: terminal?,
            caller_contract: caller_contract?,
            report_path: report_path?,
        })
    }

    fn tables(&mut self, node: &Node) -> Option<Vec<Table>> {
        let elements = self.reading.elements(&codes::HANDOFF_TABLE_INVALID, Some(node));
        let read: Vec<Table> = elements.iter().filter_map(|element| self.table(element)).collect();
        (read.len() == elements.len() && matches!(node.json, Json::Array(_))).then_some(read)
    }

    fn table(&mut self, node: &Node) -> Option<Table> {
        if node.get("title").and_then(Node::text) == Some(ACTION_TABLE) {
            return self.actions(node).map(Table::Actions);
        }
        self.snapshot(node).map(Table::Snapshot)
    }

    fn snapshot(&mut self, node: &Node) -> Option<SnapshotTable> {
        let code = &codes::HANDOFF_TABLE_INVALID;
        let (present, missing): (Vec<&str>, Vec<&str>) = ATTRIBUTES.into_iter().partition(|key| node.get(key).is_some());
        if !missing.is_empty() && matches!(node.json, Json::Object(_)) {
            let message = format!("the snapshot does not have {}", list(&missing));
            let code = &codes::HANDOFF_CANDIDATE_ATTRIBUTION_MISSING;
            self.refuse(code, node, message, "copy reviewers, summary and readiness from the result");
        }
        let keys = [&["title", "columns", "rows"], present.as_slice()].concat();
        self.reading.exact(code, node, &keys)?;
        self.columns(node, &COLUMNS);
        let rows = self.records(code, node.get("rows")?, &["id", "cells", "source_ids"])?;
        Some(SnapshotTable {
            title: self.value(code, node.get("title")?)?,
            columns: self.value(code, node.get("columns")?)?,
            rows,
            reviewers: self.records(code, node.get("reviewers")?, &["role", "rating", "evidence"])?,
            summary: self.value(code, node.get("summary")?)?,
            source_rating_version: self.value(code, node.get("source_rating_version")?)?,
            verification_readiness: self.value(code, node.get("verification_readiness")?)?,
        })
    }

    fn actions(&mut self, node: &Node) -> Option<ActionTable> {
        let code = &codes::HANDOFF_TABLE_INVALID;
        self.reading.exact(code, node, &["title", "columns", "layout", "overview_only", "rows"])?;
        self.columns(node, &ACTION_COLUMNS);
        let rows = self.reading.elements(code, node.get("rows"));
        let read: Vec<_> = rows.iter().filter_map(|row| self.record(code, row, &action_keys(row))).collect();
        Some(ActionTable {
            title: self.value(code, node.get("title")?)?,
            columns: self.value(code, node.get("columns")?)?,
            layout: self.value(code, node.get("layout")?)?,
            overview_only: self.value(code, node.get("overview_only")?)?,
            rows: (read.len() == rows.len()).then_some(read)?,
        })
    }

    fn columns(&mut self, table: &Node, due: &[&str]) {
        let Some(node) = table.get("columns") else { return };
        let stated: Vec<Option<&str>> = node.elements().iter().map(Node::text).collect();
        if stated != due.iter().map(|column| Some(*column)).collect::<Vec<_>>() {
            let hint = format!("write {}", list(due));
            self.refuse(&codes::HANDOFF_TABLE_INVALID, node, "the table has other columns", &hint);
        }
    }

    fn confidence(&mut self, node: &Node) -> Option<ConfidenceRecord> {
        self.reading.exact(FIELDS, node, &["score", "band", "limits", "gaps"])?;
        let score = node.get("score")?;
        if !matches!(&score.json, Json::Number(text) if hundredths(text).is_some()) {
            self.refuse(FIELDS, score, "the score is a number from 0 to 1 with at most two decimals", "write it like 0.86");
        }
        let gaps = self.reading.elements(FIELDS, node.get("gaps"));
        let read: Vec<_> = gaps.iter().filter_map(|gap| self.record(FIELDS, gap, &gap_keys(gap))).collect();
        let band = self.reading.word(FIELDS, node.get("band"), Band::WORDS);
        Some(ConfidenceRecord {
            score: self.value(FIELDS, score)?,
            band: band?,
            limits: self.value(FIELDS, node.get("limits")?)?,
            gaps: (read.len() == gaps.len()).then_some(read)?,
        })
    }

    fn terminal(&mut self, node: &Node, branch: Option<Branch>) -> Option<Option<Terminal>> {
        if matches!(node.json, Json::Null) {
            return Some(None);
        }
        let keys: &[&str] = match branch {
            Some(Branch::Closed) => &["code", "summary", "head_sha", "evidence", "counterevidence_checked"],
            _ => &["code", "explanation", "diagnostic"],
        };
        self.record(FIELDS, node, keys).map(Some)
    }

    fn caller_contract(&mut self, node: &Node) -> Option<Option<CallerAnswer>> {
        if matches!(node.json, Json::Null) {
            return Some(None);
        }
        self.record(&codes::HANDOFF_CALLER_CONTRACT_INVALID, node, &["format", "evidence", "output"]).map(Some)
    }
}

/// A finding has a summary and its closing evidence; a blocker has neither.
fn action_keys(row: &Node) -> Vec<&'static str> {
    let mut keys = vec!["id", "cells", "source_ids", "title", "authors"];
    if row.get("summary").is_some() || row.get("closure_evidence").is_some() {
        keys.extend(["summary", "closure_evidence"]);
    }
    keys
}

fn gap_keys(gap: &Node) -> [&'static str; 3] {
    let is_closed = gap.get("status").and_then(Node::text) == Some("closed");
    ["gap", "status", if is_closed { "evidence" } else { "rationale" }]
}
