//! The result: the author's metadata, and what the records count and name (CR-164, CR-165, CR-167).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Authored, Edit};
use crate::code_review::{
    check::METADATA_KEYS,
    context::Context,
    decision,
    gates::GATES,
    notes::snapshot::reviewed_commit,
    result::FollowUp,
    run::RunRecord,
    run_manifest::{CANDIDATE_FILE, result_path},
    vocabulary::{Severity, Status},
};

/// What the command line says of the result.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// `--status`; else the records determine it.
    pub status: Option<Status>,
    /// `--confidence`, as it is written; else the metadata have it.
    pub confidence: Option<String>,
    /// `--critical` and the others.
    pub counts: BTreeMap<Severity, u64>,
    /// `--extra-check-failed`.
    pub extra_checks_failed: Vec<String>,
    /// `--recommendation`.
    pub recommendations: Vec<String>,
    /// `--follow-up`.
    pub follow_up: Vec<FollowUp>,
}

/// The result as far as the author's words go; the records are read from it.
pub fn provisional(run: &RunRecord, run_path: &str, authored: &Authored) -> Value {
    let Authored { metadata, said, .. } = authored;
    let confidence = match &said.confidence {
        Some(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        None => metadata.get("confidence_recovery").map_or(Value::Null, |recovery| recovery["final_confidence"].clone()),
    };
    let counts: Map<String, Value> =
        Severity::WORDS.iter().rev().map(|(word, severity)| ((*word).to_owned(), count(authored, *severity))).collect();
    json!({
        "schema_version": 3,
        "status": said.status.unwrap_or(Status::Fail),
        "checks_run": GATES,
        "checks_failed": [],
        "findings": counts,
        "confidence": confidence,
        "artifact_path": result_path(run, run_path),
        "metadata": ordered(metadata),
        "recommendations": said.recommendations,
        "follow_up": said.follow_up.iter().map(|it| json!({"id": it.id, "text": it.text})).collect::<Vec<_>>(),
    })
}

/// What is said counts; else the records are counted. The validation compares both.
fn count(authored: &Authored, severity: Severity) -> Value {
    if let Some(said) = authored.said.counts.get(&severity) {
        return json!(said);
    }
    let findings = authored.metadata.get("review_findings").and_then(Value::as_array);
    let of_severity = findings.into_iter().flatten().filter(|finding| finding["severity"] == severity.as_str());
    json!(of_severity.count())
}

/// The documented order; what the author did not give is only there when it is derived.
fn ordered(metadata: &Map<String, Value>) -> Map<String, Value> {
    let known = METADATA_KEYS.iter().filter_map(|key| Some(((*key).to_owned(), metadata.get(*key)?.clone())));
    let unknown = metadata.iter().filter(|(key, _)| !METADATA_KEYS.contains(&key.as_str()));
    known.chain(unknown.map(|(key, value)| (key.clone(), value.clone()))).collect()
}

/// The result with its status, its failed checks and the reviewed commit.
pub(super) fn complete(context: &Context<'_>, run: &RunRecord, authored: &Authored, edits: &mut Vec<Edit>) -> Value {
    let mut result = provisional(run, context.facts.run_path, authored);
    if let (None, Some(status)) = (authored.said.status, derived_status(context)) {
        result["status"] = json!(status);
    }
    let gates = context.gates.iter().flat_map(|gates| gates.checks_failed.iter().map(String::as_str));
    let band = context.confidence.as_ref().and_then(|confidence| confidence.band.failed_check());
    let extra = authored.said.extra_checks_failed.iter().map(String::as_str).filter(|extra| Some(*extra) != band);
    result["checks_failed"] = gates.chain(band).chain(extra).collect();
    let mut metadata = authored.metadata.clone();
    if let Some(commit) = reviewed_commit(context) {
        set(&mut metadata, "reviewed_commit_sha", json!(commit), edits);
    }
    result["metadata"] = Value::Object(ordered(&metadata));
    result
}

fn set(metadata: &mut Map<String, Value>, key: &str, value: Value, edits: &mut Vec<Edit>) {
    let before = metadata.insert(key.to_owned(), value.clone());
    if let Some(before) = before.filter(|before| !before.is_null() && *before != value) {
        edits.push(Edit { file: CANDIDATE_FILE, pointer: Some(format!("/metadata/{key}")), line: None, before, after: value });
    }
}

fn derived_status(context: &Context<'_>) -> Option<Status> {
    let confidence = context.confidence.as_ref()?.hundredths;
    Some(decision::status(context.gates.as_ref()?, &context.findings, context.readiness?, confidence))
}

/// The status of a result.
pub(super) fn status(result: &Value) -> Option<Status> {
    Status::parse(result["status"].as_str()?)
}
