//! What a reviewer says about itself, and what its host saw: any JSON value, kept and never judged (CR-62).

use serde_json::Value;

use crate::{
    code_review::reading::MAX_TEXT_CHARACTERS,
    strict::{Kind, parse, quoted},
};

/// Reads a value of `claimed` or `observed`: strict JSON without a key twice, at most [`MAX_TEXT_CHARACTERS`].
///
/// # Errors
/// What is wrong, in one sentence without the final full stop.
pub fn statement(text: &str) -> Result<Value, String> {
    const KIND: Kind = Kind { code: "statement", noun: "the value", file: "" };
    if text.chars().count() > MAX_TEXT_CHARACTERS {
        return Err(format!("the value has more than {MAX_TEXT_CHARACTERS} characters"));
    }
    let (text, root) = parse(KIND, text.as_bytes()).map_err(|diagnostic| diagnostic.message)?;
    match root.duplicates().first() {
        Some(member) => Err(format!("the value has the key {} twice in one object", quoted(&member.key))),
        None => serde_json::from_str(text).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_strict_value_is_taken() {
        assert_eq!(statement(r#"{"a": [1, null]}"#), Ok(serde_json::json!({"a": [1, null]})));
        for text in ["", "{", "{} {}", "{'a': 1}", r#"{"a": 1, "a": 1}"#, &format!("\"{}\"", "x".repeat(MAX_TEXT_CHARACTERS))] {
            assert!(statement(text).is_err(), "{text}");
        }
    }
}
