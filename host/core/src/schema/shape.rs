//! What a schema generated from a type has to lose or gain before anyone can rely on it.

use schemars::Schema;
use serde_json::{Value, json};

/// Every key of a closed object is there; one without a value is null.
pub(super) fn every_key(schema: &mut Schema) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let keys: Vec<&String> = properties.keys().collect();
    let required = json!(keys);
    schema.insert("required".to_owned(), required);
}

/// A key that may be absent is not a key that may be null.
pub(crate) fn without_null(schema: &mut Schema) {
    let null = json!({"type": "null"});
    for key in ["type", "enum", "anyOf"] {
        let Some(Value::Array(options)) = schema.get_mut(key) else { continue };
        options.retain(|option| !option.is_null() && option != "null" && *option != null);
        if let ("type" | "anyOf", [only]) = (key, options.as_slice()) {
            let only = only.clone();
            schema.remove(key);
            match only {
                Value::Object(inner) => schema.ensure_object().extend(inner.into_iter().filter(|(key, _)| key != "description")),
                only => {
                    schema.insert("type".to_owned(), only);
                }
            }
        }
    }
}

/// That a key may be absent is said by what is required.
pub(super) fn without_null_default(schema: &mut Schema) {
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
}

/// Words with their meanings become one `enum` with one description: generators of constrained output know no alternatives.
pub(super) fn words_of_enum(schema: &mut Schema) {
    let Some(options) = schema.get("oneOf").and_then(Value::as_array) else { return };
    let meanings: Vec<_> = options.iter().filter_map(|option| Some((option["const"].as_str()?, option["description"].as_str()?))).collect();
    if meanings.len() != options.len() {
        return;
    }
    let words: Vec<&str> = meanings.iter().map(|(word, _)| *word).collect();
    let listed: Vec<String> = meanings.iter().map(|(word, meaning)| format!("`{word}`: {meaning}")).collect();
    let whole = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let description = format!("{whole} {}", listed.join(" "));
    let words = json!(words);
    schema.remove("oneOf");
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), words);
    schema.insert("description".to_owned(), description.trim_start().into());
}

/// Widths of integers become bounds; what is fixed needs none.
pub(crate) fn bounds(schema: &mut Schema) {
    let largest = match schema.get("format").and_then(Value::as_str) {
        Some("uint32") => Some(u64::from(u32::MAX)),
        Some("int32") => Some(i32::MAX.unsigned_abs().into()),
        Some("uint64") => None,
        _ => return,
    };
    let signed = schema.remove("format").is_some_and(|format| format == "int32");
    if schema.get("const").is_some() {
        schema.remove("minimum");
        schema.remove("maximum");
        return;
    }
    let object = schema.ensure_object();
    if signed {
        object.entry("minimum").or_insert_with(|| i32::MIN.into());
    }
    if let Some(largest) = largest {
        object.entry("maximum").or_insert_with(|| largest.into());
    }
}
