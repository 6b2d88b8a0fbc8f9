//! Text that is not ours, made harmless for a terminal and for a CI log (BR-10), and the checks that refuse it (BR-48).

use std::fmt::Write as _;

use unicode_general_category::{GeneralCategory, get_general_category};

/// The text as part of one line of ours: it ends no line, starts no control sequence, turns no direction and is no workflow command.
///
/// Control, format and separator characters other than the space become `\n`, `\t`, `\r` or `\u{…}`; the marks that CI systems look for
/// (`::` at the start of a line, `##[`, `##vso[`, `##teamcity[` anywhere) lose one character to the same notation.
pub fn escape_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let starts_command = text.trim_start().starts_with("::").then(|| text.len() - text.trim_start().len());
    for (index, character) in text.char_indices() {
        match character {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            _ if is_invisible(character) || starts_command == Some(index) || starts_log_command(&text[index..]) => {
                escape(&mut line, character)
            }
            _ => line.push(character),
        }
    }
    line
}

/// Bytes that should be text, such as a path, as part of one line of ours: what is not UTF-8 becomes `\xNN` (BR-35).
pub fn escape_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&escape_line(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Text of several lines, each escaped and behind the prefix, so that none of them reads as a line of ours. Empty text gives no line.
pub fn foreign_lines<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = String> + 'a {
    text.lines().map(move |line| format!("{prefix}{}", escape_line(line)))
}

/// Whether the text has no control character, tab and line feed excepted when they are allowed.
pub fn control_free(text: &str, allow_tab_lf: bool) -> bool {
    text.chars().all(|character| !character.is_control() || (allow_tab_lf && matches!(character, '\t' | '\n')))
}

/// Whether the text has a character that changes the direction in which its neighbours are shown.
pub fn has_bidi_control(text: &str) -> bool {
    text.chars()
        .any(|character| matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// The text cut to at most this many bytes at a character boundary, with `…` where something is missing.
pub fn shorten(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let mut cut = text[..text.floor_char_boundary(bytes.saturating_sub('…'.len_utf8()))].to_owned();
    cut.push('…');
    cut
}

fn escape(line: &mut String, character: char) {
    let _ = write!(line, "\\u{{{:x}}}", u32::from(character));
}

fn is_invisible(character: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, Surrogate, Unassigned};
    !character.is_ascii_graphic()
        && matches!(
            get_general_category(character),
            Control | Format | LineSeparator | ParagraphSeparator | PrivateUse | Surrogate | Unassigned
        )
}

/// `##[`, `##vso[`, `##teamcity[` and their like are commands wherever they stand in a line.
fn starts_log_command(text: &str) -> bool {
    text.strip_prefix("##").is_some_and(|rest| rest.trim_start_matches(|character: char| character.is_ascii_alphabetic()).starts_with('['))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_text_stays() {
        for text in ["src/größe.rs", "a b:c::d", "C:\\dir\\file", "# Title ## more", "日本語 👍"] {
            assert_eq!(escape_line(text), text);
        }
    }

    #[test]
    fn no_line_no_sequence_no_command() {
        assert_eq!(escape_line("a\nPASS\r\t\u{1b}[31m"), "a\\nPASS\\r\\t\\u{1b}[31m");
        assert_eq!(escape_line("::error::x"), "\\u{3a}:error::x");
        assert_eq!(escape_line("  ::error::x"), "  \\u{3a}:error::x");
        assert_eq!(escape_line("a ##[error] ##vso[x] ##teamcity[y]"), "a \\u{23}#[error] \\u{23}#vso[x] \\u{23}#teamcity[y]");
        assert_eq!(escape_line("a\u{202e}b\u{2028}c\u{200b}\u{85}"), "a\\u{202e}b\\u{2028}c\\u{200b}\\u{85}");
        assert_eq!(escape_bytes(b"a\xff\xc3\xa9\n"), "a\\xffé\\n");
    }

    #[test]
    fn several_lines_stay_behind_their_prefix() {
        let lines: Vec<_> = foreign_lines("one\n::error::two\n", "  | ").collect();
        assert_eq!(lines, ["  | one", "  | \\u{3a}:error::two"]);
        assert_eq!(foreign_lines("", "> ").count(), 0);
    }

    #[test]
    fn checks_name_what_a_result_may_not_hold() {
        assert!(control_free("a\tb\n", true) && !control_free("a\tb", false));
        assert!(!control_free("a\rb", true) && !control_free("a\u{7f}", true) && !control_free("\u{9b}", true));
        assert!(has_bidi_control("a\u{2066}b") && !has_bidi_control("אב"));
    }

    #[test]
    fn shortening_keeps_whole_characters() {
        assert_eq!(shorten("abc", 3), "abc");
        assert_eq!(shorten("ééé", 5), "é…");
    }

    proptest! {
        #[test]
        fn an_escaped_text_is_one_inert_line(text in "(?s).{0,40}") {
            let line = escape_line(&text);
            prop_assert!(control_free(&line, false) && !has_bidi_control(&line));
            prop_assert!(!line.trim_start().starts_with("::") && !line.contains("##["));
            prop_assert_eq!(escape_line(&line), line);
        }
    }
}
