//! Between the contract's types and the engine's: what a plugin says is checked here before anybody believes it.

pub mod description;
pub mod path_roles;
pub mod report_renderer;
pub mod reviewer_adapter;
pub mod suite_runner;

/// How an answer breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// Longer or larger than the contract allows.
    #[error("its answer is too large: {0}")]
    TooLarge(String),
    /// Something that the contract does not allow.
    #[error("its answer breaks the contract: {0}")]
    Bad(String),
}

/// A checked part of an answer.
type Checked<T = ()> = Result<T, AnswerError>;

fn bad<T>(why: impl Into<String>) -> Checked<T> {
    Err(AnswerError::Bad(why.into()))
}

/// At most this many entries.
fn count(what: &str, entries: usize, most: usize) -> Checked {
    if entries > most { Err(AnswerError::TooLarge(format!("{entries} {what}, at most {most} are allowed"))) } else { Ok(()) }
}

/// At most this many bytes.
fn size(what: &str, bytes: usize, most: usize) -> Checked {
    if bytes > most { Err(AnswerError::TooLarge(format!("{what} has {bytes} bytes, at most {most} are allowed"))) } else { Ok(()) }
}

/// One line of at most this many bytes.
fn line(what: &str, text: &str, most: usize) -> Checked {
    size(what, text.len(), most)?;
    if text.chars().any(char::is_control) { bad(format!("{what} has control characters")) } else { Ok(()) }
}

/// A path below some folder: relative, `/`, no empty, `.` or `..` segment, no control character, at most 4 KiB.
fn contained(what: &str, path: &str) -> Checked {
    line(what, path, 4 << 10)?;
    let plain = |segment: &str| !matches!(segment, "" | "." | "..");
    if path.split('/').all(plain) { Ok(()) } else { bad(format!("{what} `{path}` is no relative path without `.` and `..`")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contained_paths_stay_below_their_folder() {
        for path in ["a", "a/b.xml", "..a/b..", "a b/ü"] {
            assert_eq!(contained("path", path), Ok(()), "{path}");
        }
        for path in ["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\0", "a\nb"] {
            assert!(matches!(contained("path", path), Err(AnswerError::Bad(_))), "{path:?}");
        }
        assert!(matches!(contained("path", &"a".repeat(5000)), Err(AnswerError::TooLarge(_))));
    }
}
