//! A reviewer that answers a packet in the form of contract section 6.

use serde_json::{Value, json};

/// A result under construction.
#[derive(Clone, Debug)]
pub struct Reviewer {
    packet: Value,
    result: Value,
}

impl Reviewer {
    /// Starts with the packet's identity and no judgement.
    pub fn reading(packet: &Value) -> Self {
        let mut result = json!({"version": 4});
        for key in ["review_id", "base", "candidate", "intent_sha256", "selection_sha256", "decision_sha256"] {
            result[key] = packet[key].clone();
        }
        for key in ["behaviors", "findings", "final_state_findings"] {
            result[key] = json!([]);
        }
        Self { packet: packet.clone(), result }
    }

    /// Judges a behavior of these features.
    #[must_use]
    pub fn behavior(self, classification: &str, proofs: &[&str], features: &[&str]) -> Self {
        self.scoped(classification, proofs, json!({"features": features, "full_candidate": false}))
    }

    /// Judges a behavior of the full candidate.
    #[must_use]
    pub fn whole(self, classification: &str, proofs: &[&str]) -> Self {
        self.scoped(classification, proofs, json!({"features": [], "full_candidate": true}))
    }

    /// Reports a defect.
    #[must_use]
    pub fn finding(self, text: &str) -> Self {
        self.edit(|result| result["findings"].as_array_mut().expect("an array").push(json!(text)))
    }

    /// Reports residue at the first hunk of a path, citing the first intent.
    #[must_use]
    pub fn residue(self, path: &str) -> Self {
        let hunk = &self.hunks(path)[0];
        let finding = json!({
            "kind": "correction-residue",
            "path": path,
            "line": hunk["candidate_start"],
            "patch_hunk_sha256": hunk["sha256"],
            "intent_ids": [self.packet["intents"][0]["id"]],
            "summary": "The rejected third amount remains.",
        });
        self.edit(|result| result["final_state_findings"].as_array_mut().expect("an array").push(finding))
    }

    /// Changes the result in any way, lawful or not.
    #[must_use]
    pub fn edit(mut self, edit: impl FnOnce(&mut Value)) -> Self {
        edit(&mut self.result);
        self
    }

    /// The packet's hunks of a path.
    pub fn hunks(&self, path: &str) -> Vec<Value> {
        let paths = self.packet["final_state_evidence"]["paths"].as_array().expect("paths");
        let entry = paths.iter().find(|entry| entry["path"] == path).unwrap_or_else(|| panic!("no evidence of {path}"));
        entry["hunks"].as_array().expect("hunks").clone()
    }

    /// The result's text.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(&self.result).expect("JSON")
    }

    fn scoped(self, classification: &str, proofs: &[&str], scope: Value) -> Self {
        let behavior = json!({
            "before": "A total adds the first two amounts.",
            "after": "A total adds every amount.",
            "classification": classification,
            "proof_ids": proofs,
            "scope": scope,
        });
        self.edit(|result| result["behaviors"].as_array_mut().expect("an array").push(behavior))
    }
}
