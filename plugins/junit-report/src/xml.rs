//! Text that stays text in XML 1.0, which has no way to write most control characters.

use reading::foreign::{bounded, visible, visible_lines};

/// Characters of a name or a message.
const LINE: usize = 1_000;

/// Characters of a body.
const BODY: usize = 16_000;

/// ` name="value"`, on one line.
pub fn attribute(name: &str, value: &str) -> String {
    let words = value.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(" {name}=\"{}\"", escaped(&visible(&bounded(&words, LINE))))
}

/// What stands between two tags.
pub fn body(text: &str) -> String {
    escaped(&visible_lines(&bounded(text, BODY)))
}

/// `]]>` is no text either, so every `>` is escaped.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_makes_no_markup() {
        assert_eq!(attribute("a", "\"><b x='1'>&amp;"), " a=\"&quot;&gt;&lt;b x='1'&gt;&amp;amp;\"");
        assert_eq!(body("]]> <!-- &\u{1b}[31m"), "]]&gt; &lt;!-- &amp;\\u{1b}[31m");
    }

    #[test]
    fn an_attribute_is_one_line_and_a_body_keeps_its_lines() {
        assert_eq!(attribute("a", " b\r\n\tc "), " a=\"b c\"");
        assert_eq!(body("b\r\nc\rd"), "b\nc\\u{d}d");
    }

    #[test]
    fn what_xml_cannot_hold_is_shown() {
        assert_eq!(body("\0\u{b}\u{fffe}\u{ffff}\u{202e}"), r"\u{0}\u{b}\u{fffe}\u{ffff}\u{202e}");
    }

    #[test]
    fn text_is_bounded() {
        assert!(attribute("a", &"x".repeat(50_000)).len() < 1_100);
        assert!(body(&"x".repeat(50_000)).len() < 16_100);
    }
}
