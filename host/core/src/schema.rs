//! JSON Schemas of every document, from the types that read and write them.
//!
//! They describe form: shapes, closed objects, patterns and limits (3.8). A `maxLength` counts characters where the limit counts bytes,
//! so a reader may refuse what a schema lets pass; what a reader takes, its schema takes, except identities that cannot be current.
//! Records of a code review are described as the program writes them.

mod code_review;
pub(crate) mod shape;
mod words;

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::{Map, Value};

use crate::{
    gate::report::{self, Report},
    journal::{self, Journal},
    packet::{self, Packet},
    plugin_case::{AnyInput, CaseDocument},
    policy::load::POLICY_VERSION,
    proof::{self, Proof},
    receipt::{self, Receipt},
    review::{self, ReviewResult},
};

/// Names of the documents of behavior review, gates and plugins.
pub const NAMES: [&str; 8] = ["config", "journal", "packet", "result", "proof", "receipt", "report", "plugin-case"];

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Names that `code-polishy schema` takes, in the order it lists them: [`NAMES`], then `code-review/<record>`.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(code_review::NAMES.iter().copied())
}

pub use code_review::of_file as of_review_file;

/// The schema of this name; `None` for another name.
pub fn named(name: &str) -> Option<Value> {
    Some(match name {
        "config" => headed("config", POLICY_VERSION, "Policy", crate::policy::schema::config_schema()),
        "journal" => headed("journal", journal::VERSION.into(), "Intent journal", of::<Journal>(shape::every_key)),
        "packet" => headed("packet", packet::VERSION.into(), "Review packet", of::<Packet>(shape::every_key)),
        "result" => result(),
        "proof" => headed("proof", proof::VERSION.into(), "Regression proof", of::<Proof>(shape::every_key)),
        "receipt" => headed("receipt", receipt::VERSION.into(), "Review receipt", of::<Receipt>(shape::every_key)),
        "report" => headed("report", report::VERSION.into(), "Gate report", of::<Report>(shape::without_null)),
        // Absent and null are told apart by each key, as an answer may hold null.
        "plugin-case" => headed("plugin-case", 1, "Plugin case", of::<CaseDocument<AnyInput>>(shape::without_null_default)),
        _ => return code_review::named(name),
    })
}

/// The schema of a reviewer's result; every packet carries it.
///
/// Made for constrained output: no reference, no alternative, every object closed and every key required.
pub fn result() -> Value {
    headed("result", review::VERSION.into(), "Review result", of::<ReviewResult>(shape::every_key))
}

/// `keys` says whether a key may be absent: never, or instead of being null.
fn of<T: JsonSchema>(keys: fn(&mut schemars::Schema)) -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .with_transform(RecursiveTransform(keys))
        .with_transform(RecursiveTransform(shape::words_of_enum))
        .with_transform(RecursiveTransform(words::patterns))
        .with_transform(RecursiveTransform(shape::bounds));
    SchemaGenerator::new(settings).into_root_schema_for::<T>().to_value()
}

/// The schema behind its dialect, its stable name and its title.
fn headed(name: &str, version: u64, title: &str, schema: Value) -> Value {
    let mut head = Map::new();
    head.insert("$schema".to_owned(), DIALECT.into());
    head.insert("$id".to_owned(), format!("urn:code-polishy:schema:{name}:{version}").into());
    head.insert("title".to_owned(), title.into());
    let Value::Object(mut body) = schema else { unreachable!("the schema of a struct is an object") };
    head.extend(body.shift_remove_entry("description"));
    head.extend(body.into_iter().filter(|(key, _)| !["$schema", "title"].contains(&key.as_str())));
    Value::Object(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects<'a>(value: &'a Value, found: &mut Vec<&'a Map<String, Value>>) {
        match value {
            Value::Object(object) => {
                found.push(object);
                object.values().for_each(|value| objects(value, found));
            }
            Value::Array(elements) => elements.iter().for_each(|value| objects(value, found)),
            _ => {}
        }
    }

    #[test]
    fn each_has_a_name_and_says_what_it_describes() {
        for name in names() {
            let schema = named(name).expect("listed");
            assert_eq!(schema["$schema"], DIALECT);
            assert!(schema["$id"].as_str().is_some_and(|id| id.starts_with(&format!("urn:code-polishy:schema:{name}:"))));
            for key in ["title", "description"] {
                assert!(schema[key].as_str().is_some_and(|text| !text.is_empty()), "{name} {key}");
            }
            assert_eq!(schema["additionalProperties"], false, "{name}");
            // A case is written by hand, and receipts of a pull request have no number: only their schemas do.
            let is_versioned = schema["properties"].to_string().contains("\"const\"");
            let is_numbered = schema["properties"].get("schema_version").is_some() || NAMES.contains(&name) && name != "plugin-case";
            assert!(is_versioned || !is_numbered, "{name} has a fixed version");
        }
        assert_eq!(named("poem"), None);
    }

    #[test]
    fn no_description_links_into_the_sources() {
        for name in names() {
            assert!(!named(name).expect("listed").to_string().contains("[`"), "{name}");
        }
    }

    #[test]
    fn a_file_of_a_run_has_the_schema_of_its_record() {
        for (file, name) in [
            ("run.json", "code-review/run"),
            ("discarded/001/discard.json", "code-review/discard"),
            ("reproductions/K-1/receipt.json", "code-review/reproduction"),
            ("result.candidate.json", "code-review/result"),
            ("final-handoff.validation.json", "code-review/final-handoff.validation"),
        ] {
            assert_eq!(of_review_file(file), Some(name));
        }
        assert_eq!(of_review_file("receipt.json"), None);
        assert_eq!(of_review_file("run.txt"), None);
    }

    #[test]
    fn a_result_can_be_generated_under_its_schema() {
        const KEYWORDS: [&str; 18] = [
            "$schema",
            "$id",
            "title",
            "description",
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "enum",
            "const",
            "pattern",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
        ];
        let schema = result();
        let mut found = Vec::new();
        objects(&schema, &mut found);
        for object in found {
            let Some(properties) = object.get("properties").and_then(Value::as_object) else { continue };
            let required: Vec<&str> = object["required"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
            assert_eq!(required, properties.keys().collect::<Vec<_>>());
            assert_eq!(object["additionalProperties"], false);
            for property in properties.values().chain([&Value::Object(object.clone())]) {
                for keyword in property.as_object().expect("a schema").keys() {
                    assert!(KEYWORDS.contains(&keyword.as_str()), "{keyword}");
                }
            }
        }
    }

    #[test]
    fn no_digest_is_any_text() {
        for name in names() {
            let schema = named(name).expect("listed");
            let mut found = Vec::new();
            objects(&schema, &mut found);
            for properties in found.iter().filter_map(|object| object.get("properties").and_then(Value::as_object)) {
                for (key, property) in properties.iter().filter(|(key, _)| key.ends_with("sha256")) {
                    let property = if property["type"] == "array" { &property["items"] } else { property };
                    assert!(property["pattern"].is_string(), "{name} {key}: {property}");
                }
            }
        }
    }
}
