//! `schema`: prints the JSON Schema of a document.

use code_polishy_core::{canonical::artifact_bytes, diagnostic::Failure, schema};

use crate::{arguments::Schema, reply::Reply};

/// The schema itself, in both formats.
pub fn run(arguments: &Schema) -> Result<Reply, Failure> {
    let schema = schema::named(&arguments.name).ok_or_else(|| {
        let message = format!("there is no document named `{}`", arguments.name);
        Failure::usage("schema.unknown", message, format!("name one of {}", schema::names().collect::<Vec<_>>().join(", ")))
    })?;
    Ok(Reply::exact(artifact_bytes(&schema), schema))
}
