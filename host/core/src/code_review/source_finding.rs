//! The ledger of what reviewers found: immutable, derived from their responses (CR-92, CR-96).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    manifest::Manifest,
    response::{Original, Response},
    routing::{Plan, PlanKind},
    vocabulary::Role,
};
use crate::canonical::canonical_json;

/// One original in the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceFinding {
    /// `source-<NNN>.<role>.<record id>`; NNN is the batch.
    pub finding_id: String,
    /// Whose.
    pub role: Role,
    /// The selected attempt; null for a substitute.
    pub attempt: Option<u32>,
    /// The response, relative to the run.
    pub output_path: String,
    /// The record as the reviewer wrote it.
    pub original: Value,
}

/// The ledger, in pass order.
pub fn ledger(manifest: &Manifest, responses: &[Response], plan: &Plan) -> Vec<SourceFinding> {
    let passes = manifest.passes.iter().zip(responses);
    let entries = passes.flat_map(|(pass, response)| {
        response.findings.iter().map(move |original| SourceFinding {
            finding_id: format!("source-{:03}.{}.{}", batch(plan, original), pass.role, original.id),
            role: pass.role,
            attempt: pass.selected_attempt,
            output_path: pass.output_path.clone(),
            original: original.json.clone(),
        })
    });
    entries.collect()
}

/// The batch of the first cited path of the plan; 1 in a direct plan.
fn batch(plan: &Plan, original: &Original) -> u32 {
    if plan.plan_kind == PlanKind::Direct {
        return 1;
    }
    let file = |path: &str| plan.files.iter().find(|file| file.path == path).map(|file| file.batch);
    original.evidence.iter().find_map(|cited| file(&cited.path)).unwrap_or(1)
}

/// Each later finding whose record is the first one's but for its id, with the first (CR-96).
pub fn duplicates(ledger: &[SourceFinding]) -> BTreeMap<String, String> {
    let mut sorted: Vec<&SourceFinding> = ledger.iter().collect();
    sorted.sort_by(|one, other| one.finding_id.cmp(&other.finding_id));
    let mut first: BTreeMap<String, &str> = BTreeMap::new();
    let mut later = BTreeMap::new();
    for entry in sorted {
        match first.get(&payload(&entry.original)) {
            Some(earlier) => {
                later.insert(entry.finding_id.clone(), (*earlier).to_owned());
            }
            None => {
                first.insert(payload(&entry.original), &entry.finding_id);
            }
        }
    }
    later
}

/// The record without its id, in canonical form.
pub fn payload(original: &Value) -> String {
    let mut record = original.clone();
    if let Some(object) = record.as_object_mut() {
        object.shift_remove("id");
    }
    canonical_json(&record)
}

/// `metadata.source_finding_reconciliation[<candidate id>]` (CR-95, CR-222).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reconciliation {
    /// What the originals have in common.
    pub invariant: String,
    /// Why they are one claim.
    pub rationale: String,
    /// The originals by `finding_id`, each with its reason.
    pub origins: BTreeMap<String, String>,
    /// Frozen coordinates.
    pub evidence: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn identical_records_are_told_by_everything_but_their_id() {
        let entry = |finding_id: &str, original: Value| SourceFinding {
            finding_id: finding_id.to_owned(),
            role: Role::SwEngineer,
            attempt: Some(1),
            output_path: String::new(),
            original,
        };
        let ledger = [
            entry("source-001.b.2", json!({"title": "t", "id": "2"})),
            entry("source-001.a.1", json!({"id": "1", "title": "t"})),
            entry("source-001.c.3", json!({"id": "3", "title": "other"})),
        ];
        let expected = BTreeMap::from([("source-001.b.2".to_owned(), "source-001.a.1".to_owned())]);
        assert_eq!(duplicates(&ledger), expected);
    }
}
