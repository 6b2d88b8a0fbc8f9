//! Evidence as a forger rewrites it: after an edit, every digest, derived id and copy that depends on it is computed again.

use std::collections::BTreeMap;

use code_polishy_tests::{EVIDENCE, Repo, digest, sha256};
use serde_json::{Value, json};

/// The artifacts of an accepted review, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence(BTreeMap<&'static str, Value>);

impl Evidence {
    pub fn of<const N: usize>(documents: [(&'static str, Value); N]) -> Self {
        Self(documents.into())
    }

    pub fn document(&self, name: &str) -> &Value {
        &self.0[name]
    }

    pub fn replace(&mut self, name: &str, document: Value) {
        *self.0.get_mut(name).unwrap() = document;
    }

    /// Writes every artifact in the form of BR-3.
    pub fn write(&self, repo: &Repo) {
        for (name, document) in &self.0 {
            repo.write(&format!("{EVIDENCE}/{name}"), bytes(document));
        }
    }

    fn edit(&mut self, name: &str) -> &mut Value {
        self.0.get_mut(name).unwrap()
    }

    fn file_sha256(&self, name: &str) -> Value {
        json!(sha256(bytes(&self.0[name])))
    }
}

fn bytes(document: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(document).unwrap())
}

/// Sets a member that is there; a lost one stays lost.
fn set(document: &mut Value, pointer: &str, value: Value) {
    if let Some(member) = document.pointer_mut(pointer) {
        *member = value;
    }
}

fn without(document: &Value, keys: &[&str]) -> String {
    let mut rest = document.clone();
    if let Some(members) = rest.as_object_mut() {
        keys.iter().for_each(|key| drop(members.shift_remove(*key)));
    }
    digest(&rest)
}

fn text_sha256(text: &Value) -> Value {
    json!(sha256(text.as_str().unwrap_or_default()))
}

fn elements<'a>(document: &'a mut Value, pointer: &str) -> impl Iterator<Item = &'a mut Value> {
    document.pointer_mut(pointer).and_then(Value::as_array_mut).into_iter().flatten()
}

fn derived(kind: &str, digest: &str) -> Value {
    json!(format!("{kind}-{}", &digest[..32]))
}

/// The packet, and everything that is bound to it.
pub fn reseal_packet(evidence: &mut Evidence) {
    seal_packet(evidence.edit("packet.json"));
    let packet = evidence.document("packet.json").clone();
    copy(&packet, evidence.edit("prepare.json"));
    let packet_sha256 = evidence.file_sha256("packet.json");
    set(evidence.edit("prepare.json"), "/packet_sha256", packet_sha256.clone());
    copy(&packet, evidence.edit("review.json"));
    let proof = evidence.edit("proofs/three.json");
    copy(&packet, proof);
    set(proof, "/review_base", packet["base"].clone());
    let receipt = evidence.edit("receipt.json");
    copy(&packet, receipt);
    set(receipt, "/selection", packet["selection"].clone());
    set(receipt, "/packet_sha256", packet_sha256);
    for (name, key) in [("prepare.json", "/prepare_sha256"), ("review.json", "/review_sha256"), ("proofs/three.json", "/proofs/0/sha256")] {
        let digest = evidence.file_sha256(name);
        set(evidence.edit("receipt.json"), key, digest);
    }
}

fn seal_packet(packet: &mut Value) {
    for intent in elements(packet, "/intents") {
        let text = text_sha256(&intent["intent"]);
        set(intent, "/intent_sha256", text);
    }
    for requirement in elements(packet, "/task_requirements") {
        let own = without(requirement, &["id", "requirement_sha256"]);
        set(requirement, "/id", derived("requirement", &own));
        set(requirement, "/requirement_sha256", json!(own));
    }
    for path in elements(packet, "/final_state_evidence/paths") {
        let name = path["path"].clone();
        elements(path, "/hunks").for_each(|hunk| seal_hunk(&name, hunk));
    }
    for document in elements(packet, "/design_documents") {
        let content = text_sha256(&document["content"]);
        set(document, "/sha256", content);
    }
    let digests = [
        ("/intent_sha256", digest(&packet["intents"])),
        ("/requirement_sha256", digest(&packet["task_requirements"])),
        ("/selection_sha256", without(&packet["selection"], &["boundary"])),
        ("/final_state_evidence/sha256", without(&packet["final_state_evidence"], &["sha256"])),
        ("/patch_sha256", sha256(packet["patch"].as_str().unwrap_or_default())),
        ("/instructions_sha256", sha256(packet["instructions"].as_str().unwrap_or_default())),
    ];
    digests.into_iter().for_each(|(pointer, digest)| set(packet, pointer, json!(digest)));
    let decision = decision(packet);
    set(packet, "/decision_sha256", decision);
    let id = derived("review", &without(packet, &["review_id"]));
    set(packet, "/review_id", id);
}

fn seal_hunk(path: &Value, hunk: &mut Value) {
    let own = digest(&json!({"path": path, "patch": hunk["patch"]}));
    let content = text_sha256(&hunk["source_context"]["content"]);
    set(hunk, "/id", json!(format!("hunk-{}", &own[..16])));
    set(hunk, "/sha256", json!(own));
    set(hunk, "/source_context/sha256", content);
}

fn decision(document: &Value) -> Value {
    json!(digest(&json!({"selection_sha256": document["selection_sha256"], "requirement_sha256": document["requirement_sha256"]})))
}

/// What every artifact repeats of the packet.
fn copy(packet: &Value, artifact: &mut Value) {
    let keys = ["review_id", "base", "candidate", "intent_sha256", "selection_sha256", "requirement_sha256", "decision_sha256"];
    let is_proof = artifact.get("evidence").is_some();
    // The base of a proof is its own.
    for key in keys.into_iter().filter(|key| !(is_proof && *key == "base")) {
        set(artifact, &format!("/{key}"), packet[key].clone());
    }
}

/// An artifact whose file digest stands in the receipt.
pub fn reseal_with(evidence: &mut Evidence, name: &str, key: &str) {
    let digest = evidence.file_sha256(name);
    set(evidence.edit("receipt.json"), &format!("/{key}"), digest);
}

/// The review, in its receipt.
pub fn reseal_review(evidence: &mut Evidence) {
    reseal_with(evidence, "review.json", "review_sha256");
}

/// The proof, in its receipt, with what the receipt says of it.
pub fn reseal_proof(evidence: &mut Evidence) {
    let proof = evidence.document("proofs/three.json").clone();
    for key in ["red_kind", "flipped_cases"] {
        set(evidence.edit("receipt.json"), &format!("/proofs/0/{key}"), proof[key].clone());
    }
    reseal_with(evidence, "proofs/three.json", "proofs/0/sha256");
}

/// The receipt's own digests.
pub fn reseal_receipt(evidence: &mut Evidence) {
    let receipt = evidence.edit("receipt.json");
    let selection = without(&receipt["selection"], &["boundary"]);
    set(receipt, "/selection_sha256", json!(selection));
    let decision = decision(receipt);
    set(receipt, "/decision_sha256", decision);
}

/// Both chains of the journal: each record that is not its digest gets it, and so does whoever names it, until all agree.
pub fn reseal_journal(evidence: &mut Evidence) {
    let journal = evidence.edit("intent-journal.json");
    for entry in elements(journal, "/entries") {
        let text = text_sha256(&entry["intent"]);
        set(entry, "/intent_sha256", text);
    }
    // Records are few, and each round settles at least one.
    for _ in 0..16 {
        seal_records(journal, "entries", "intent", "entry_sha256");
        bind_intents(journal);
        seal_records(journal, "requirements", "requirement", "requirement_sha256");
    }
}

fn seal_records(journal: &mut Value, list: &str, kind: &str, key: &str) {
    let count = journal[list].as_array().map_or(0, Vec::len);
    for index in 0..count {
        let record = &journal[list][index];
        let (old, own) = (record[key].clone(), without(record, &["id", key]));
        let (old_id, id) = (record["id"].clone(), derived(kind, &own));
        set(journal, &format!("/{list}/{index}/{key}"), json!(own));
        set(journal, &format!("/{list}/{index}/id"), id.clone());
        rename(journal, &old, &json!(own));
        rename(journal, &old_id, &id);
    }
}

fn bind_intents(journal: &mut Value) {
    let entries = journal["entries"].as_array().cloned().unwrap_or_default();
    for requirement in elements(journal, "/requirements") {
        let ids = requirement["intent_ids"].as_array().cloned().unwrap_or_default();
        let bound: Vec<Value> = entries.iter().filter(|entry| ids.contains(&entry["id"])).cloned().collect();
        set(requirement, "/intents_sha256", json!(digest(&json!(bound))));
    }
}

/// Another text wherever this one stands.
fn rename(value: &mut Value, old: &Value, new: &Value) {
    match value {
        Value::String(text) if !text.is_empty() && old == text => *value = new.clone(),
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, old, new)),
        Value::Object(members) => members.values_mut().for_each(|member| rename(member, old, new)),
        _ => {}
    }
}
