//! Bytes in JSON: text, or base64 where they are no text.

use std::borrow::Cow;

use data_encoding::BASE64;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Bytes: a string when they are UTF-8, else `{"base64": "…"}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Base64 { base64: BASE64.encode(&self.0) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Bytes;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("text or {\"base64\": \"…\"}")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
                Ok(Bytes(text.as_bytes().to_vec()))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Bytes, A::Error> {
                Bytes::of_base64(&Base64::deserialize(de::value::MapAccessDeserializer::new(map))?.base64)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Bytes {
    fn schema_name() -> Cow<'static, str> {
        "Bytes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [{"type": "string"}, base64_schema()]})
    }
}

/// The object form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Base64 {
    base64: String,
}

impl Bytes {
    /// What the text encodes.
    pub(super) fn of_base64<E: de::Error>(text: &str) -> Result<Self, E> {
        BASE64.decode(text.as_bytes()).map(Self).map_err(|error| E::custom(format!("no base64: {error}")))
    }
}

/// The schema of the object form.
pub(super) fn base64_schema() -> Schema {
    json_schema!({
        "type": "object",
        "properties": {"base64": {"type": "string", "contentEncoding": "base64"}},
        "required": ["base64"],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_as_they_were() {
        for bytes in [&b""[..], "über\n\u{1b}[31m".as_bytes(), b"\xff\x00"] {
            let text = serde_json::to_string(&Bytes(bytes.to_vec())).expect("JSON");
            assert_eq!(serde_json::from_str::<Bytes>(&text).expect("valid").0, bytes, "{text}");
        }
        assert_eq!(serde_json::to_string(&Bytes(vec![0xff])).expect("JSON"), r#"{"base64":"/w=="}"#);
    }

    #[test]
    fn other_forms_are_refused() {
        for text in ["1", "[1]", "null", r#"{"base64":"a"}"#, r#"{"base64":"/w==","x":1}"#, "{}"] {
            assert!(serde_json::from_str::<Bytes>(text).is_err(), "{text}");
        }
    }
}
