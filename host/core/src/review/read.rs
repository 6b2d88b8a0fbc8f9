//! Reads a reviewer's result strictly: every violation of form in one pass (BR-4, BR-5, BR-48).

use std::collections::BTreeSet;

use super::{
    Behavior, BehaviorScope, Classification, FinalStateFinding, FindingKind, MAX_BYTES, MAX_FINDINGS, MAX_SUMMARY_BYTES, MAX_TEXT_BYTES,
    ReviewResult, VERSION,
};
use crate::{
    diagnostic::Diagnostic,
    packet::RESULT_PATH,
    proof::id_fault,
    strict::{Fields, Kind, Node, Reader, document, quoted},
    text::{control_free, has_bidi_control},
};

const KIND: Kind = Kind { code: "result", noun: "the result", file: RESULT_PATH };

const IDENTITY: [&str; 6] = ["review_id", "base", "candidate", "intent_sha256", "selection_sha256", "decision_sha256"];
const LISTS: [&str; 3] = ["behaviors", "findings", "final_state_findings"];

const CLASSIFICATIONS: [(&str, Classification); 4] = [
    ("requested", Classification::Requested),
    ("preserved", Classification::Preserved),
    ("unintended", Classification::Unintended),
    ("unknown", Classification::Unknown),
];

const KINDS: [(&str, FindingKind); 3] = [
    ("meta-note", FindingKind::MetaNote),
    ("correction-residue", FindingKind::CorrectionResidue),
    ("unknown-final-state", FindingKind::UnknownFinalState),
];

/// The result that these bytes state, or everything that is wrong with its form.
pub fn read(bytes: &[u8]) -> Result<ReviewResult, Vec<Diagnostic>> {
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("the result has {} bytes, and {MAX_BYTES} is the most", bytes.len());
        return Err(vec![Diagnostic::new("result.too-large", message, "have the reviewer report only what blocks").at_path(RESULT_PATH)]);
    }
    let result = document(KIND, bytes, result)?;
    Ok(result.expect("a result without a violation has every field"))
}

fn result(reader: &mut Reader, root: &Node) -> Option<ReviewResult> {
    let keys: Vec<&str> = ["version"].into_iter().chain(IDENTITY).chain(LISTS).collect();
    let fields = reader.object(root, &keys)?;
    let version = reader.required(&fields, "version").and_then(|node| reader.integer(node, u64::from(VERSION)..=u64::from(VERSION)));
    let [review_id, base, candidate, intent_sha256, selection_sha256, decision_sha256] =
        IDENTITY.map(|key| reader.required(&fields, key).and_then(|node| reader.filled_text(node)).map(str::to_owned));
    let behaviors = behaviors(reader, &fields);
    let findings = findings(reader, &fields);
    let final_state_findings = final_state_findings(reader, &fields);
    version?;
    Some(ReviewResult {
        version: VERSION,
        review_id: review_id?,
        base: base?,
        candidate: candidate?,
        intent_sha256: intent_sha256?,
        selection_sha256: selection_sha256?,
        decision_sha256: decision_sha256?,
        behaviors,
        findings,
        final_state_findings,
    })
}

fn behaviors(reader: &mut Reader, fields: &Fields<'_>) -> Vec<Behavior> {
    let Some(node) = reader.required(fields, "behaviors") else { return Vec::new() };
    let elements = reader.elements(Some(node));
    if elements.is_empty() {
        reader.refuse(&node.at, "no-behaviors", "there is no behavior", "record at least one observable behavior");
    }
    elements.iter().filter_map(|element| behavior(reader, element)).collect()
}

fn behavior(reader: &mut Reader, node: &Node) -> Option<Behavior> {
    let fields = reader.object(node, &["before", "after", "classification", "proof_ids", "scope"])?;
    let before = reader.required(&fields, "before").and_then(|node| prose(reader, node));
    let after = reader.required(&fields, "after").and_then(|node| prose(reader, node));
    let classification = reader.required(&fields, "classification").and_then(|node| reader.choice(node, &CLASSIFICATIONS));
    let proof_ids = reader.required(&fields, "proof_ids").map(|node| set(reader, node, proof_id));
    let scope = reader.required(&fields, "scope").and_then(|node| scope(reader, node));
    Some(Behavior { before: before?, after: after?, classification: classification?, proof_ids: proof_ids?, scope: scope? })
}

fn scope(reader: &mut Reader, node: &Node) -> Option<BehaviorScope> {
    let fields = reader.object(node, &["features", "full_candidate"])?;
    let features = reader.required(&fields, "features").map(|node| set(reader, node, Reader::filled_text));
    let full_candidate = reader.required(&fields, "full_candidate").and_then(|node| reader.boolean(node));
    Some(BehaviorScope { features: features?, full_candidate: full_candidate? })
}

fn findings(reader: &mut Reader, fields: &Fields<'_>) -> Vec<String> {
    let Some(node) = reader.required(fields, "findings") else { return Vec::new() };
    limit(reader, node);
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    for element in reader.elements(Some(node)) {
        let Some(text) = prose(reader, element) else { continue };
        if seen.insert(text.clone()) {
            findings.push(text);
        } else {
            reader.refuse(&element.at, "duplicate", "the same finding stands before it", "remove one of the two");
        }
    }
    findings
}

fn final_state_findings(reader: &mut Reader, fields: &Fields<'_>) -> Vec<FinalStateFinding> {
    let Some(node) = reader.required(fields, "final_state_findings") else { return Vec::new() };
    limit(reader, node);
    reader.elements(Some(node)).iter().filter_map(|element| final_state_finding(reader, element)).collect()
}

fn final_state_finding(reader: &mut Reader, node: &Node) -> Option<FinalStateFinding> {
    let fields = reader.object(node, &["kind", "path", "line", "patch_hunk_sha256", "intent_ids", "summary"])?;
    let kind = reader.required(&fields, "kind").and_then(|node| reader.choice(node, &KINDS));
    let path = reader.required(&fields, "path").and_then(|node| reader.filled_text(node));
    let line = reader.required(&fields, "line").and_then(|node| reader.integer(node, 1..=u64::from(u32::MAX)));
    let hunk = reader.required(&fields, "patch_hunk_sha256").and_then(|node| reader.filled_text(node));
    let intent_ids = reader.required(&fields, "intent_ids").map(|node| set(reader, node, Reader::filled_text));
    let summary = reader.required(&fields, "summary").and_then(|node| summary(reader, node));
    Some(FinalStateFinding {
        kind: kind?,
        path: path?.to_owned(),
        line: u32::try_from(line?).ok()?,
        patch_hunk_sha256: hunk?.to_owned(),
        intent_ids: intent_ids?,
        summary: summary?,
    })
}

fn limit(reader: &mut Reader, node: &Node) {
    let count = node.elements().len();
    if count > MAX_FINDINGS {
        reader.refuse(&node.at, "too-many", format!("there are {count}, and {MAX_FINDINGS} is the most"), "report the most severe ones");
    }
}

/// A set in any order (BR-5), normalised to byte order.
fn set<'n>(reader: &mut Reader, node: &'n Node, read: impl FnMut(&mut Reader, &'n Node) -> Option<&'n str>) -> Vec<String> {
    reader.sorted(Some(node), read)
}

fn proof_id<'n>(reader: &mut Reader, node: &'n Node) -> Option<&'n str> {
    reader.checked(node, "bad-proof-id", "use 1 to 80 letters, digits, `.`, `_` and `-`, a letter or digit first", id_fault)
}

/// Text of several lines.
fn prose(reader: &mut Reader, node: &Node) -> Option<String> {
    bounded(reader, node, MAX_TEXT_BYTES, true)
}

/// One line that people see.
fn summary(reader: &mut Reader, node: &Node) -> Option<String> {
    let text = bounded(reader, node, MAX_SUMMARY_BYTES, false)?;
    if has_bidi_control(&text) {
        let message = format!("{} has bidirectional control characters", quoted(&text));
        reader.refuse(&node.at, "bidirectional-control", message, "write the summary without them");
        return None;
    }
    Some(text)
}

fn bounded(reader: &mut Reader, node: &Node, limit: usize, allow_tab_lf: bool) -> Option<String> {
    let text = reader.filled_text(node)?;
    if text.len() > limit {
        reader.refuse(&node.at, "too-long", format!("this text has {} bytes, and {limit} is the most", text.len()), "say it shorter");
    } else if !control_free(text, allow_tab_lf) {
        reader.refuse(&node.at, "control-character", format!("{} has control characters", quoted(text)), "write plain text");
    } else {
        return Some(text.to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn sample() -> Value {
        json!({
            "version": 4, "review_id": "r", "base": "b", "candidate": "c",
            "intent_sha256": "i", "selection_sha256": "s", "decision_sha256": "d",
            "behaviors": [{
                "before": "one", "after": "two\n\tthree", "classification": "requested", "proof_ids": ["b", "a"],
                "scope": {"features": ["z", "y"], "full_candidate": false}
            }],
            "findings": ["a defect"],
            "final_state_findings": [{
                "kind": "meta-note", "path": "a.md", "line": 3, "patch_hunk_sha256": "h", "intent_ids": [], "summary": "narrates"
            }]
        })
    }

    fn codes(value: &Value) -> Vec<(String, String)> {
        let faults = read(value.to_string().as_bytes()).expect_err("must be refused");
        faults.into_iter().map(|fault| (fault.code, fault.pointer)).collect()
    }

    #[test]
    fn sets_are_taken_in_any_order() {
        let result = read(sample().to_string().as_bytes()).expect("valid");
        assert_eq!(result.behaviors[0].proof_ids, ["a", "b"]);
        assert_eq!(result.behaviors[0].scope.features, ["y", "z"]);
    }

    #[test]
    fn everything_wrong_is_listed_at_once() {
        let mut value = sample();
        value["extra"] = json!(1);
        value["behaviors"] = json!([]);
        value["findings"] = json!(["same", "same", " "]);
        value["final_state_findings"][0]["kind"] = json!("typo");
        value["final_state_findings"][0]["line"] = json!(1.5);
        value.as_object_mut().expect("object").remove("base");
        let mut found = codes(&value);
        found.sort();
        let expected = [
            ("result.bad-value", "/final_state_findings/0/kind"),
            ("result.blank", "/findings/2"),
            ("result.duplicate", "/findings/1"),
            ("result.missing-key", ""),
            ("result.no-behaviors", "/behaviors"),
            ("result.out-of-range", "/final_state_findings/0/line"),
            ("result.unknown-key", "/extra"),
        ];
        assert_eq!(found, expected.map(|(code, pointer)| (code.to_owned(), pointer.to_owned())));
    }

    #[test]
    fn texts_are_bounded_and_clean() {
        let with = |pointer: &str, text: String| {
            let mut value = sample();
            *value.pointer_mut(pointer).expect("there") = json!(text);
            codes(&value).remove(0).0
        };
        assert_eq!(with("/behaviors/0/after", "x".repeat(MAX_TEXT_BYTES + 1)), "result.too-long");
        assert_eq!(with("/behaviors/0/after", "\u{1b}[0m".into()), "result.control-character");
        assert_eq!(with("/final_state_findings/0/summary", "a\nb".into()), "result.control-character");
        assert_eq!(with("/final_state_findings/0/summary", "a\u{202e}b".into()), "result.bidirectional-control");
        assert_eq!(with("/behaviors/0/proof_ids/0", "../x".into()), "result.bad-proof-id");
    }

    #[test]
    fn trailing_text_and_duplicate_keys_are_refused() {
        let text = sample().to_string();
        assert_eq!(read(format!("{text} done").as_bytes()).expect_err("refused")[0].code, "result.not-json");
        let twice = text.replacen("\"base\":\"b\"", "\"base\":\"b\",\"base\":\"b\"", 1);
        assert_eq!(read(twice.as_bytes()).expect_err("refused")[0].code, "result.duplicate-key");
    }
}
