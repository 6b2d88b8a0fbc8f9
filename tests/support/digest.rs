//! Digests computed apart from the product, so that a shared mistake cannot hide.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Lower-case hex SHA-256 of exactly these bytes.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes.as_ref()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of the RFC 8785 text of a value whose numbers are integers.
pub fn digest(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    sha256(text)
}

/// The digest of an object without these keys.
pub fn digest_without(value: &Value, keys: &[&str]) -> String {
    let mut object = value.as_object().expect("an object").clone();
    for key in keys {
        object.shift_remove(*key).unwrap_or_else(|| panic!("no key {key:?}"));
    }
    digest(&Value::Object(object))
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(object) => {
            let mut keys: Vec<&String> = object.keys().collect();
            keys.sort_by_key(|key| key.encode_utf16().collect::<Vec<_>>());
            write_list(text, ['{', '}'], keys, |key, text| {
                text.push_str(&Value::String(key.clone()).to_string());
                text.push(':');
                write_canonical(&object[key.as_str()], text);
            });
        }
        Value::Array(items) => write_list(text, ['[', ']'], items, write_canonical),
        scalar => text.push_str(&scalar.to_string()),
    }
}

fn write_list<T>(text: &mut String, [open, close]: [char; 2], items: impl IntoIterator<Item = T>, write: impl Fn(T, &mut String)) {
    text.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(item, text);
    }
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_canonical_text_sorts_keys_and_drops_space() {
        let mut text = String::new();
        write_canonical(&json!({"b": [1, "é\n"], "a": {"z": null, "y": true}}), &mut text);
        assert_eq!(text, r#"{"a":{"y":true,"z":null},"b":[1,"é\n"]}"#);
        assert_eq!(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
