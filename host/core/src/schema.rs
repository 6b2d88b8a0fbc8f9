//! JSON Schemas of every document, from the types that read and write them.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::Value;

use crate::{gate::report::Report, journal::Journal, packet::Packet, proof::Proof, receipt::Receipt, review::ReviewResult};

/// Names that `code-polishy schema` takes, in the order it lists them.
pub const NAMES: [&str; 7] = ["config", "journal", "packet", "result", "proof", "receipt", "report"];

/// The schema of this name; `None` for another name.
pub fn named(name: &str) -> Option<Value> {
    Some(match name {
        "config" => crate::policy::schema::config_schema(),
        "journal" => of::<Journal>("Intent journal"),
        "packet" => of::<Packet>("Review packet"),
        "result" => result(),
        "proof" => of::<Proof>("Regression proof"),
        "receipt" => of::<Receipt>("Review receipt"),
        "report" => of::<Report>("Gate report"),
        _ => return None,
    })
}

/// The schema of a reviewer's result; every packet carries it.
pub fn result() -> Value {
    of::<ReviewResult>("Review result")
}

/// Inlined, so that a harness can use it for constrained output without resolving references.
fn of<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}
