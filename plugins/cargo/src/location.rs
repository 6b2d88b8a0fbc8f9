//! Why and where a test failed, from what it printed.

use crate::text::head;

const MAX_MESSAGE_BYTES: usize = 4000;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Relative to the folder that cargo ran in, until it is put below another.
    pub path: String,
    /// From 1.
    pub line: u32,
}

impl Location {
    /// `tests/lib.rs:12:5`.
    fn parse(text: &str) -> Option<Self> {
        let (text, _column) = text.trim_end_matches(':').rsplit_once(':')?;
        let (path, line) = text.rsplit_once(':')?;
        let line = line.parse().ok().filter(|line| *line > 0)?;
        Some(Self { path: path.to_owned(), line })
    }

    /// Below the folder of the suite; `None` for a file outside of the repository.
    pub fn below(self, folder: &str) -> Option<Self> {
        let path = self.path.replace('\\', "/");
        let plain = |segment: &str| !matches!(segment, "" | "." | "..");
        let inside = path.split('/').all(plain) && !path.contains(char::is_control) && !path.contains(':');
        let path = if folder == "." { path } else { format!("{folder}/{path}") };
        (inside && path.len() <= MAX_MESSAGE_BYTES).then_some(Self { path, ..self })
    }
}

/// What a failing test said.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The panic's message, or all of the output; at most 4000 bytes.
    pub message: Option<String>,
    /// Where it panicked.
    pub location: Option<Location>,
}

/// Reads the output of one failing test.
pub fn said(output: &str) -> Said {
    let mut lines = output.lines().skip_while(|line| place(line).is_none());
    let panicked = lines.next();
    let location = panicked.and_then(place).and_then(Location::parse);
    let message: Vec<&str> = match panicked {
        Some(line) if line.starts_with("thread '") => lines.take_while(|line| !is_trace(line)).collect(),
        Some(line) => vec![line],
        None => output.lines().collect(),
    };
    let message = message.join("\n");
    let message = head(message.trim(), MAX_MESSAGE_BYTES);
    Said { message: (!message.is_empty()).then(|| message.to_owned()), location }
}

/// The thread of `thread 'NAME' (123) panicked at ...`, or that overflowed its stack: libtest names it after the test.
pub fn failed_thread(line: &str) -> Option<&str> {
    let (name, rest) = line.trim_start().strip_prefix("thread '")?.split_once('\'')?;
    (rest.contains(" panicked at ") || rest.contains(" has overflowed its stack")).then_some(name)
}

fn place(line: &str) -> Option<&str> {
    let panicked = line.strip_prefix("thread '").and_then(|line| line.split_once(" panicked at "));
    let calm = line.strip_prefix("note: ").and_then(|line| line.split_once("test did not panic as expected at "));
    panicked.or(calm).map(|(_, place)| place)
}

fn is_trace(line: &str) -> bool {
    line == "stack backtrace:" || line.starts_with("note: run with `RUST_BACKTRACE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_has_a_message_and_a_place() {
        let output = "noise\nthread 'tests::adds' (17735) panicked at tests/two.rs:11:5:\nassertion `left == right` failed: three\n  left: 9\n right: 10\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        let said = said(output);
        assert_eq!(said.message.as_deref(), Some("assertion `left == right` failed: three\n  left: 9\n right: 10"));
        assert_eq!(said.location, Some(Location { path: "tests/two.rs".into(), line: 11 }));
    }

    #[test]
    fn other_failures_say_what_they_printed() {
        assert_eq!(said("Error: \"no\"\n\n"), Said { message: Some("Error: \"no\"".into()), location: None });
        assert_eq!(said(""), Said::default());
        let calm = said("note: test did not panic as expected at tests/two.rs:19:4\n");
        assert_eq!(calm.location, Some(Location { path: "tests/two.rs".into(), line: 19 }));
    }

    #[test]
    fn places_are_inside_the_repository() {
        let below = |path: &str| Location { path: path.into(), line: 1 }.below("crates/a").map(|location| location.path);
        assert_eq!(below("tests\\two.rs").as_deref(), Some("crates/a/tests/two.rs"));
        for outside in ["/rustc/abc/lib.rs", "../b.rs", "C:\\b.rs", "", "a\nb"] {
            assert_eq!(below(outside), None, "{outside}");
        }
    }

    #[test]
    fn a_thread_that_ended_the_program_has_its_test_s_name() {
        assert_eq!(failed_thread("thread 'overflows' (10883) has overflowed its stack"), Some("overflows"));
        assert_eq!(failed_thread("thread 'a' panicked at b.rs:1:1:"), Some("a"));
        assert_eq!(failed_thread("thread 'a' waits"), None);
    }

    #[test]
    fn long_messages_are_cut() {
        assert!(said(&"ü".repeat(10_000)).message.is_some_and(|message| message.len() <= 4096));
    }
}
