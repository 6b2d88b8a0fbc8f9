//! Foreign text in the two forms that SARIF gives a meaning to.

use reading::foreign::{bounded, visible_lines};
use reading::json::{self, Value, object};

/// Characters of a message.
const MESSAGE: usize = 4_000;

/// A plain text message: the text as it is, apart from what is not seen.
pub fn message(foreign: &str) -> Value {
    object([("text", json::text(plain(foreign)))])
}

/// SARIF reads `{0}` as a placeholder and `[text](target)` as a link; here they are text.
fn plain(foreign: &str) -> String {
    let shown = visible_lines(&bounded(foreign, MESSAGE));
    let has_link = shown.contains("](");
    let mut text = String::with_capacity(shown.len());
    for character in shown.chars() {
        match character {
            '{' | '}' => text.extend([character, character]),
            '[' | ']' if has_link => text.extend(['\\', character]),
            _ => text.push(character),
        }
    }
    text
}

/// A path as a relative reference: every byte but the unreserved ones of RFC 3986 is escaped, so that it names no scheme, host or query.
pub fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_neither_links_nor_placeholders() {
        assert_eq!(plain("an array[3] and {0}"), "an array[3] and {{0}}");
        assert_eq!(plain("[click](javascript:x) [a]"), r"\[click\](javascript:x) \[a\]");
    }

    #[test]
    fn a_message_keeps_its_lines_and_shows_what_is_hidden() {
        assert_eq!(plain("a\r\nb\u{1b}[31m\u{202e}"), "a\nb\\u{{1b}}[31m\\u{{202e}}");
        assert!(plain(&"x".repeat(50_000)).len() < 4_100);
    }

    #[test]
    fn a_path_is_a_relative_reference() {
        assert_eq!(uri("docs/a page%20.md"), "docs/a%20page%2520.md");
        assert_eq!(uri("javascript:x?y#z"), "javascript%3Ax%3Fy%23z");
        assert_eq!(uri("ü/[a]"), "%C3%BC/%5Ba%5D");
    }
}
