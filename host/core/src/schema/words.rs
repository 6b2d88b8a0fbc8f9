//! Keys that mean the same in every document, and what their texts look like.

use schemars::Schema;
use serde_json::Value;

const DIGEST: &str = "^[0-9a-f]{64}$";
const DIGEST_OR_EMPTY: &str = "^([0-9a-f]{64})?$";
const COMMIT: &str = "^([0-9a-f]{40}|[0-9a-f]{64})$";
const IDENTIFIER: &str = "^[a-z][a-z0-9]*([.-][a-z0-9]+)*$";
const PROOF: &str = "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$";

/// The pattern of a text, or of each text in an array, under this key.
fn pattern(key: &str) -> Option<&'static str> {
    Some(match key {
        "previous_entry_sha256" | "requirements_head_sha256" | "previous_requirement_sha256" => DIGEST_OR_EMPTY,
        "program_sha256" | "policy_sha256" => DIGEST_OR_EMPTY,
        "base" | "candidate" | "review_base" | "task_base" | "captured_at_commit" => COMMIT,
        "review_id" => "^review-[0-9a-f]{32}$",
        "intent_ids" => "^intent-[0-9a-f]{32}$",
        "proof_ids" => PROOF,
        "features" | "selected_features" | "selected" | "modules" | "suites" | "suite" => IDENTIFIER,
        "sha256" => DIGEST,
        key if key.ends_with("_sha256") => DIGEST,
        _ => return None,
    })
}

/// Gives the properties of an object the patterns of their names; a pattern of the type's own stays.
pub(super) fn patterns(schema: &mut Schema) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (key, property) in properties {
        let Some(pattern) = pattern(key) else { continue };
        let text = if property["type"] == "array" { &mut property["items"] } else { property };
        if text["type"] == "string"
            && let Some(text) = text.as_object_mut()
        {
            text.entry("pattern").or_insert_with(|| pattern.into());
            if pattern == IDENTIFIER {
                text.entry("maxLength").or_insert_with(|| 80.into());
            }
        }
    }
}
