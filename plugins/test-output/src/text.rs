//! What a program printed, as text: without colours, and with the seam where the host left something out.

use std::borrow::Cow;

use code_polishy_sdk::suite_runner::Stream;

/// A stream as lines.
#[derive(Debug)]
pub struct Text {
    text: String,
    /// The host left out the middle.
    pub cut: bool,
}

impl Text {
    /// Reads both ends of a stream. Escape sequences are taken out; bytes that are no UTF-8 are replaced.
    pub fn of(stream: &Stream) -> Self {
        let cut = stream.whole().is_none();
        let seam: &[u8] = if cut { b"\n" } else { b"" };
        let bytes = [&stream.head[..], seam, &stream.tail].concat();
        Self { text: plain(&utf_8(&bytes)), cut }
    }

    /// The lines, without their ends. The two lines at a seam are what is left of them.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    /// The first line that is not blank.
    pub fn first_line(&self) -> Option<&str> {
        self.lines().map(str::trim).find(|line| !line.is_empty())
    }
}

/// The text of bytes; what is no UTF-8 is replaced. Most are, and are checked faster than they are mended.
pub fn utf_8(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The text without escape sequences (ECMA-48).
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut pieces = text.split('\u{1b}');
    plain.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        plain.push_str(after_sequence(piece));
    }
    plain
}

/// What follows the escape sequence that the text starts with, its ESC already taken.
fn after_sequence(text: &str) -> &str {
    let rest = match text.chars().next() {
        Some('[') => text[1..].split_once(|char| ('\u{40}'..='\u{7e}').contains(&char)).map(|(_, rest)| rest),
        // A title or a link, up to BEL; the other terminator is a sequence of its own.
        Some(']') => Some(text.split_once('\u{7}').map_or("", |(_, rest)| rest)),
        _ => text.split_once(|char| ('\u{30}'..='\u{7e}').contains(&char)).map(|(_, rest)| rest),
    };
    rest.unwrap_or_default()
}

/// At most `limit` bytes of the text, cut between characters.
pub fn head(text: &str, limit: usize) -> &str {
    let end = (0..=limit.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// The text as one line: control characters become spaces.
pub fn one_line(text: &str) -> String {
    if !text.contains(char::is_control) {
        return text.to_owned();
    }
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_links_are_taken_out() {
        for (raw, expected) in [
            ("\u{1b}[32mok\u{1b}(B\u{1b}[m 1", "ok 1"),
            ("\u{1b}]8;;file:///a\u{7}a\u{1b}]8;;\u{1b}\\!", "a!"),
            ("cut \u{1b}[3", "cut "),
            ("cut \u{1b}", "cut "),
            ("ü \u{1b}[0mü", "ü ü"),
        ] {
            assert_eq!(plain(raw), expected, "{raw:?}");
        }
    }

    #[test]
    fn a_seam_ends_a_line() {
        let text = Text::of(&Stream { head: b"\none\ntw".to_vec(), tail: b"ine\nten \xff\n".to_vec(), total: 100 });
        assert!(text.cut);
        assert_eq!(text.lines().collect::<Vec<_>>(), ["", "one", "tw", "ine", "ten \u{fffd}"]);
        assert_eq!(text.first_line(), Some("one"));
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!((head("aü", 2), head("aü", 3), head("", 5)), ("a", "aü", ""));
    }
}
