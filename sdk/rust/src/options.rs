//! Options, read strictly.
//!
//! The export macros do it before the plugin is asked; a test may do it itself to see what users will see.
//!
//! ```
//! use code_polishy_sdk::{options, serde};
//!
//! #[derive(Debug, Default, PartialEq, serde::Deserialize)]
//! #[serde(crate = "code_polishy_sdk::serde", default)]
//! struct Options {
//!     folders: Vec<String>,
//! }
//!
//! assert_eq!(options::read(r#"{"folders":["generated"]}"#), Ok(Options { folders: vec!["generated".to_owned()] }));
//! let refused = options::read::<Options>(r#"{"folder":"generated"}"#).map_err(|failure| failure.message);
//! assert_eq!(refused, Err("unknown option `folder`".to_owned()));
//! ```

use std::any::TypeId;

use serde::de::DeserializeOwned;

use crate::Failure;

/// JSON Schema of an options object that has no keys.
pub const NO_OPTIONS_SCHEMA: &str = r#"{"type":"object","additionalProperties":false}"#;

/// The options type of a plugin that has none: every key is refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// The options type of a runner that reads [`Suite::options`](crate::suite_runner::Suite) itself, and strictly: it comes without a JSON reader,
/// which is half of a small component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct UnreadOptions {}

/// Reads the options text of a call.
///
/// `{}` gives `Options::default()`, and so does every text for [`UnreadOptions`].
///
/// # Errors
///
/// Anything that is not one object, a key that `Options` does not know, a duplicate key, a value of the wrong type and trailing text are a
/// `failure` with the code `bad-options`.
pub fn read<Options: DeserializeOwned + Default + 'static>(text: &str) -> Result<Options, Failure> {
    if text == "{}" {
        return Ok(Options::default());
    }
    // Both types are known when it is compiled: a plugin without options gets no JSON reader, and is a third of the size.
    if TypeId::of::<Options>() == TypeId::of::<NoOptions>() {
        return Err(bad("the plugin has no options"));
    }
    if TypeId::of::<Options>() == TypeId::of::<UnreadOptions>() {
        return Ok(Options::default());
    }
    if text.bytes().find(|byte| !byte.is_ascii_whitespace()) != Some(b'{') {
        return Err(bad("the options are not one JSON object"));
    }
    let mut unknown = None;
    let mut reader = serde_json::Deserializer::from_str(text);
    let options = serde_ignored::deserialize(&mut reader, |path| {
        unknown.get_or_insert_with(|| path.to_string());
    })
    .and_then(|options| reader.end().map(|()| options))
    .map_err(|error| bad(error.to_string()))?;
    match unknown {
        Some(key) => Err(bad(format!("unknown option `{key}`"))),
        None => Ok(options),
    }
}

fn bad(message: impl Into<String>) -> Failure {
    Failure::new("bad-options", message).hint("correct the plugin's options in the policy")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, serde::Deserialize)]
    #[serde(default)]
    struct Sample {
        depth: u32,
        nested: Nested,
    }

    #[derive(Debug, Default, PartialEq, serde::Deserialize)]
    #[serde(default)]
    struct Nested {
        names: Vec<String>,
    }

    fn refusal(text: &str) -> String {
        let failure = read::<Sample>(text).expect_err("must be refused");
        assert_eq!(failure.code, "bad-options");
        failure.message
    }

    #[test]
    fn no_options_are_the_default() {
        assert_eq!(read::<Sample>("{}"), Ok(Sample::default()));
        assert_eq!(read::<NoOptions>("{}"), Ok(NoOptions {}));
    }

    #[test]
    fn what_a_plugin_reads_itself_is_handed_over_unread() {
        assert_eq!(read::<UnreadOptions>(r#"{"a":"#), Ok(UnreadOptions {}));
    }

    #[test]
    fn known_keys_are_read() {
        let expected = Sample { depth: 2, nested: Nested { names: vec!["a".into()] } };
        assert_eq!(read(r#"{"depth":2,"nested":{"names":["a"]}}"#), Ok(expected));
    }

    #[test]
    fn unknown_keys_are_refused_without_the_help_of_the_type() {
        assert_eq!(refusal(r#"{"dept":2}"#), "unknown option `dept`");
        assert_eq!(refusal(r#"{"nested":{"name":[]}}"#), "unknown option `nested.name`");
        assert!(read::<NoOptions>(r#"{"a":1}"#).is_err());
    }

    #[test]
    fn what_is_not_one_object_of_the_right_types_is_refused() {
        for text in ["", "[]", "null", r#"[1,{}]"#, r#"{"depth":"2"}"#, r#"{"depth":-1}"#, r#"{"depth":1,"depth":1}"#, r#"{"depth":1} x"#] {
            refusal(text);
        }
    }
}
