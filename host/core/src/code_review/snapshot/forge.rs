//! Text from a forge as part of a Markdown link or cell: it makes no markup of its own (CR-129).

/// A title, a login or the name of a check, with what Markdown and HTML would read as entities; a control character is a blank.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '[' => escaped.push_str("&#91;"),
            ']' => escaped.push_str("&#93;"),
            '`' => escaped.push_str("&#96;"),
            _ if character.is_control() => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escape("a & <b> [c](d) `e`\n"), "a &amp; &lt;b&gt; &#91;c&#93;(d) &#96;e&#96; ");
        assert_eq!(escape("&lt;"), "&amp;lt;");
    }
}
