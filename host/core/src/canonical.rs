//! Bytes that are equal when their meaning is: canonical JSON, digests, derived ids, strict reading.

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::{diagnostic::Diagnostic, strict::Objects};

/// Lower-case hex SHA-256 of exactly these bytes.
pub fn digest_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hex SHA-256 of the value's RFC 8785 bytes.
pub fn digest_json(value: &impl Serialize) -> String {
    digest_bytes(canonical_json(value).as_bytes())
}

/// The RFC 8785 (JCS) text of the value.
pub fn canonical_json(value: &impl Serialize) -> String {
    serde_json_canonicalizer::to_string(value).expect("evidence types have string keys and finite numbers")
}

/// The RFC 8785 text of a value whose objects declare their keys in canonical order and whose numbers are integers: many times faster.
pub(crate) fn ordered_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("evidence types have string keys and finite numbers")
}

/// [`digest_json`] of such a value.
pub(crate) fn digest_ordered(value: &impl Serialize) -> String {
    digest_bytes(ordered_json(value).as_bytes())
}

/// [`digest_json`] of an array that grows.
#[derive(Default)]
pub(crate) struct ArrayDigest {
    elements: Sha256,
    len: usize,
}

impl ArrayDigest {
    /// Appends an element by its canonical text.
    pub(crate) fn push(&mut self, text: &str) {
        self.elements.update(if self.len == 0 { "[" } else { "," });
        self.elements.update(text);
        self.len += 1;
    }

    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The digest of the elements so far.
    pub(crate) fn digest(&self) -> String {
        let end = if self.len == 0 { "[]" } else { "]" };
        hex(&self.elements.clone().chain_update(end).finalize())
    }
}

/// The file form of an artifact (BR-3): two spaces, keys as declared, final newline.
pub fn artifact_bytes(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("evidence types have string keys and finite numbers");
    bytes.push(b'\n');
    bytes
}

/// `<kind>-` and the first 32 hex digits of the digest of the record's content (BR-2).
pub fn derived_id(kind: &str, digest: &str) -> String {
    format!("{kind}-{}", &digest[..32])
}

/// Lower-case hex of these bytes.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]).map(char::from).collect()
}

/// Reads one artifact strictly (BR-4): UTF-8 without a BOM, no unknown or duplicate key, no trailing data, integers where integers are due,
/// objects where objects are due.
///
/// The first violation is reported with its pointer, line and column; `T` refuses unknown keys itself.
pub fn read_strict<T: DeserializeOwned>(bytes: &[u8], code: &str, next: &str) -> Result<T, Box<Diagnostic>> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    if let Ok(value) = T::deserialize(Objects(&mut reader))
        && reader.end().is_ok()
    {
        return Ok(value);
    }
    // Following the path costs as much as reading: only a document with a fault pays for it.
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let outcome = serde_path_to_error::deserialize(Objects(&mut reader))
        .map_err(|error| (pointer(error.path()), error.into_inner()))
        .and_then(|value| reader.end().map(|()| value).map_err(|error| (String::new(), error)));
    outcome.map_err(|(pointer, error)| {
        let place = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Box::new(
            Diagnostic::new(code, without_position(&error), next)
                .at_pointer(pointer)
                .at_position(place(error.line()), place(error.column())),
        )
    })
}

/// Reads a value that may be null under a key that must be there; serde alone takes an absent key for null.
pub(crate) fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(reader: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(reader)
}

/// Reads a value under a key that may be absent and is never null; serde alone takes null for an absent key.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(reader: D) -> Result<Option<T>, D::Error> {
    T::deserialize(reader).map(Some)
}

/// serde_json repeats the position in its message; the diagnostic has it in fields.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter()
        .map(|segment| match segment {
            Segment::Seq { index } => format!("/{index}"),
            Segment::Map { key } => format!("/{}", escape_pointer(key)),
            // The variant's name is the key that holds its value.
            Segment::Enum { variant } => format!("/{}", escape_pointer(variant)),
            Segment::Unknown => String::new(),
        })
        .collect()
}

/// One reference token of an RFC 6901 pointer.
pub fn escape_pointer(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        version: u32,
        #[serde(default)]
        items: Vec<u32>,
    }

    fn refusal(text: &str) -> Diagnostic {
        *read_strict::<Sample>(text.as_bytes(), "sample", "mend it").expect_err("must be refused")
    }

    #[test]
    fn reads_what_is_exact() {
        let sample: Sample = read_strict(b" {\"version\":4,\"items\":[1]}\n", "sample", "").expect("valid");
        assert_eq!((sample.version, sample.items), (4, vec![1]));
    }

    #[test]
    fn refuses_what_is_not_strict() {
        assert_eq!(refusal("{\"version\":4,\"extra\":1}").pointer, "/extra");
        assert!(refusal("{\"version\":4,\"version\":4}").message.contains("duplicate field"));
        assert!(refusal("[4,[1]]").message.contains("invalid type: sequence"));
        assert!(refusal("{\"version\":4} x").message.contains("trailing"));
        assert_eq!(refusal("{\"version\":4.0}").pointer, "/version");
        assert_eq!(refusal("{\"version\":4,\"items\":[1,true]}").pointer, "/items/1");
        assert_eq!(refusal("\u{feff}{\"version\":4}").line, Some(1));
        assert!(read_strict::<Sample>(b"{\"version\":\xff}", "sample", "").is_err());
    }

    #[test]
    fn digests_ignore_key_order_and_spacing() {
        let one: serde_json::Value = serde_json::from_str("{\"b\":1,\"a\":[\"\\u00e9\"]}").expect("valid");
        assert_eq!(canonical_json(&one), "{\"a\":[\"é\"],\"b\":1}");
        assert_eq!(derived_id("intent", &digest_bytes(b"")), "intent-e3b0c44298fc1c149afbf4c8996fb924");
    }
}
