//! Schemas of the records of a code review: one line a record, named like its file.

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::{Map, Value, json};

use super::{headed, shape};
use crate::code_review::{
    candidate::{DependencyEvidence, Reproduction},
    completion::Completion,
    config::Config,
    discard::Discard,
    events::Event,
    evidence::EvidenceIndex,
    finalize::attempts::Attempt as FinalizeAttempt,
    gates::{Gates, OverlayReceipt, WorktreeResets},
    handoff::{Handoff, HandoffValidation},
    manifest::{Manifest, Mirror},
    prior::PriorRecord,
    pull_request::{
        export::{CollectorError, Export, Metadata},
        online::OnlineReviewSummary,
        receipt::{CheckoutState, HeadFetch, LocalCheckout, PrRouting, RemoteSelection, SourceContext, TargetBranch, WorktreePreflight},
    },
    result::ReviewResult,
    routing::{BatchInventory, Briefs, Plan, Routing},
    run::RunRecord,
    run_manifest::{Promotion, RunManifest},
    snapshot::CiRollup,
    source_proof::{ProcessRecord, ProofFacts},
    t0::{GitState, MirrorReceipt, PathRolesRecord, SourceSnapshot},
    terminal::{CloseDecision, EndedResult},
    validation::Validation,
    vocabulary::PROTOCOL,
};

/// What every name begins with.
const PREFIX: &str = "code-review/";

macro_rules! records {
    ($($name:literal: $record:ty, $version:literal, $title:literal;)*) => {
        /// The names, sorted.
        pub(super) const NAMES: &[&str] = &[$(concat!("code-review/", $name)),*];

        /// The schema of this name, which begins with `code-review/`.
        pub(super) fn named(name: &str) -> Option<Value> {
            Some(match name {
                $(concat!("code-review/", $name) => headed(name, $version, $title, of::<$record>($version)),)*
                _ => return None,
            })
        }
    };
}

records! {
    "batch-inventory": BatchInventory, 1, "Batches of a large change";
    "checkout-state": CheckoutState, 1, "State of a pull request's checkout";
    "ci-rollup": CiRollup, 1, "Checks of a reviewed commit";
    "close-decision": CloseDecision, 1, "Advice to close a pull request";
    "collector-error": CollectorError, 1, "Failure of a collection";
    "completion": Completion, 1, "Completion of a review";
    "config": Config, 1, "Configuration of a run";
    "dependency-evidence": DependencyEvidence, 1, "Preparations of packages";
    "discard": Discard, 1, "Discarded candidate";
    "ended-result": EndedResult, 3, "Result of a review that ended early";
    "evidence-index": EvidenceIndex, 1, "Index of evidence";
    "export": Export, 1, "Export of a pull request";
    "finalize-attempt": FinalizeAttempt, 1, "Line of the log of finalizing";
    "final-handoff": Handoff, 1, "Hand-off of a review";
    "final-handoff.validation": HandoffValidation, 1, "Validation of a hand-off";
    "gates": Gates, 1, "Gates of a review";
    "git-state": GitState, 1, "State of a checkout";
    "local-checkout": LocalCheckout, 1, "Review worktree of a pull request";
    "online-review-summary": OnlineReviewSummary, 1, "Online reviews of a pull request";
    "overlay": OverlayReceipt, 1, "Overlay that the tests were given";
    "path-roles": PathRolesRecord, 1, "Parts of the reviewed paths";
    "plan": Plan, 1, "Plan of a review";
    "pr": Metadata, 1, "Pull request";
    "pr-head-fetch": HeadFetch, 1, "Fetched head of a pull request";
    "pr-routing": PrRouting, 1, "Origin of a pull request";
    "prior-resolutions": PriorRecord, 1, "Resolutions of earlier findings";
    "promotion": Promotion, 1, "Promotion of a result";
    "remote-selection": RemoteSelection, 1, "Remote of a pull request";
    "reproduction": Reproduction, 1, "Receipt of a reproduction";
    "result": ReviewResult, 3, "Result of an assessed review";
    "review-briefs": Briefs, 1, "Briefs of the reviewers";
    "review-routing": Routing, 1, "Routing of a review";
    "review-worktree": MirrorReceipt, 1, "Mirror of the reviewed files";
    "reviewer-event": Event, 1, "Line of the reviewers' log";
    "run": RunRecord, 1, "Run of a review";
    "run-manifest": RunManifest, 1, "Files of a run";
    "source-proof": ProofFacts, 1, "Facts of a source proof";
    "source-proof-record": ProcessRecord, 1, "What one process of pytest recorded";
    "source-snapshot": SourceSnapshot, 1, "Snapshot of the reviewed files";
    "source-worktree-context": SourceContext, 1, "Invoking checkout of a pull request's review";
    "specialist-manifest": Manifest, 10, "Passes of the reviewers";
    "target-branch": TargetBranch, 1, "Target branch of a pull request";
    "validation": ValidationReport, 1, "Report of a validation";
    "worktree-preflight": WorktreePreflight, 1, "State before a pull request's review";
    "worktree-reset": WorktreeResets, 1, "Resets of a review worktree";
}

/// The schema of a JSON file of a run, given its path relative to the run; `None` when it has none.
pub fn of_file(path: &str) -> Option<&'static str> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let record = match file {
        "receipt.json" if folder.starts_with("reproductions/") => "reproduction",
        "git-state.start.json" | "git-state.finalize.json" => "git-state",
        "direct-plan.json" | "inspection-plan.json" => "plan",
        "result.candidate.json" => "result",
        "command-failure.json" => "collector-error",
        "local-source-snapshot.json" => "source-snapshot",
        "tests.overlay.json" => "overlay",
        "tests.source-proof.json" => "source-proof",
        _ if file.starts_with("tests.source-proof.") => "source-proof-record",
        _ => file.strip_suffix(".json")?,
    };
    NAMES.iter().copied().find(|name| name.strip_prefix(PREFIX) == Some(record))
}

/// What `code-review validate --format json` prints (CR-17, CR-25).
#[derive(JsonSchema)]
#[allow(dead_code, reason = "it describes a document that the command puts together")]
struct ValidationReport {
    /// `code-review/v1`.
    protocol: String,
    /// `validate`.
    command: String,
    /// The run; absolute.
    run: String,
    /// How the review ended.
    branch: String,
    /// What was found.
    #[serde(flatten)]
    validation: Validation,
    /// Of receipts that hold, with `--manifest-only`: what the metadata of a result repeats (CR-27).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mirror: Option<Mirror>,
}

/// The schema of a record as it is written: with every key, but for those that are left out when they say nothing.
fn of<T: JsonSchema>(version: u32) -> Value {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.inline_subschemas = true)
        .with_transform(RecursiveTransform(written_keys))
        .with_transform(RecursiveTransform(shape::words_of_enum))
        .with_transform(RecursiveTransform(ids))
        .with_transform(RecursiveTransform(shape::bounds))
        .with_transform(RecursiveTransform(widths));
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>().to_value();
    for (key, value) in [("schema_version", json!(version)), ("protocol", json!(PROTOCOL))] {
        if let Some(Value::Object(property)) = schema["properties"].get_mut(key) {
            fix(property, value);
        }
    }
    schema
}

/// Only this value.
fn fix(property: &mut Map<String, Value>, value: Value) {
    ["minimum", "maximum"].into_iter().for_each(|bound| drop(property.remove(bound)));
    property.insert("const".to_owned(), value);
}

/// A key that may be left out is never null, and objects have no other keys unless their type says so.
fn written_keys(schema: &mut Schema) {
    let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (key, property) in properties.iter_mut() {
        if let Ok(property) = <&mut Schema>::try_from(property) {
            property.remove("default");
            if !required.iter().any(|known| known == key) {
                shape::without_null(property);
            }
        }
    }
    schema.ensure_object().entry("additionalProperties").or_insert(json!(false));
}

/// Digests and object ids look like themselves (CR-8).
fn ids(schema: &mut Schema) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (key, property) in properties {
        let pattern = match key.as_str() {
            "hash" | "prev" => "^[0-9a-f]{64}$",
            key if key.ends_with("sha256") => "^[0-9a-f]{64}$",
            key if key.ends_with("_oid") || key.ends_with("Oid") => "^([0-9a-f]{40}|[0-9a-f]{64})$",
            _ => continue,
        };
        let is_text = property["type"] == "string" || property["type"].as_array().is_some_and(|types| types.contains(&json!("string")));
        if let Some(property) = property.as_object_mut().filter(|_| is_text) {
            property.insert("pattern".to_owned(), pattern.into());
        }
    }
}

/// No validator knows the widths of Rust's integers.
fn widths(schema: &mut Schema) {
    if schema.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint") || format.starts_with("int")) {
        schema.remove("format");
    }
}
