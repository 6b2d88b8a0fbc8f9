//! What a plugin says about itself.

use semver::Version;
use serde_json::{Map, Value};

use super::{Checked, bad, line, size};
use crate::bindings::types;

/// A checked self-description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Identifier: lower-case groups separated by single `.` or `-`, at most 80 characters (BR-13).
    pub name: String,
    /// Of the plugin.
    pub version: Version,
    /// One sentence, at most 512 bytes: foreign text.
    pub summary: String,
    /// JSON Schema of the options object, at most 64 KiB as text.
    pub options_schema: Map<String, Value>,
}

/// Checks the description against the contract.
pub fn description(said: types::Description) -> Checked<Description> {
    if !is_identifier(&said.name) {
        return bad(format!("`{}` is no lower-case identifier of at most 80 characters", said.name.escape_debug()));
    }
    let Ok(version) = Version::parse(&said.version) else {
        return bad(format!("`{}` is no semantic version", said.version.escape_debug()));
    };
    line("the summary", &said.summary, 512)?;
    size("the options schema", said.options_schema.len(), 64 << 10)?;
    match serde_json::from_str(&said.options_schema) {
        Ok(options_schema) => Ok(Description { name: said.name, version, summary: said.summary, options_schema }),
        Err(error) => bad(format!("the options schema is no JSON object: {error}")),
    }
}

fn is_identifier(text: &str) -> bool {
    let group = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.len() <= 80 && text.starts_with(|first: char| first.is_ascii_lowercase()) && text.split(['.', '-']).all(group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::AnswerError;

    fn said(name: &str, version: &str, schema: &str) -> types::Description {
        types::Description { name: name.to_owned(), version: version.to_owned(), summary: String::new(), options_schema: schema.to_owned() }
    }

    #[test]
    fn a_description_is_checked() {
        let description = description(said("go-test", "1.0.0-rc.1", r#"{"type":"object"}"#)).expect("valid");
        assert_eq!(description.options_schema["type"], "object");
    }

    #[test]
    fn names_versions_and_schemas_have_their_form() {
        for name in ["", "Exec", "a--b", "-a", "a-", "1a", "a_b"] {
            assert!(matches!(description(said(name, "1.0.0", "{}")), Err(AnswerError::Bad(_))), "{name}");
        }
        assert!(matches!(description(said("a", "1.0", "{}")), Err(AnswerError::Bad(_))));
        assert!(matches!(description(said("a", "1.0.0", "[]")), Err(AnswerError::Bad(_))));
        assert!(matches!(description(said("a", "1.0.0", &" ".repeat(70_000))), Err(AnswerError::TooLarge(_))));
    }
}
