//! The few forms of YAML in which test tools print diagnostics: keys with scalars, text blocks and nested maps.

/// The value of a key at the start of a line; a nested map or text block comes without its indent.
///
/// Only the keys of the outermost level are seen. `None` when the key is absent.
pub fn value(block: &str, key: &str) -> Option<String> {
    let base = block.lines().find(|line| !line.trim().is_empty()).map_or(0, indent);
    let mut lines = block.lines();
    let first = lines.by_ref().find_map(|line| {
        let line = line.get(base..).filter(|_| indent(line) == base)?;
        line.strip_prefix(key)?.strip_prefix(':').filter(|rest| rest.is_empty() || rest.starts_with(' '))
    })?;
    let first = first.trim();
    let is_block = first.is_empty() || matches!(first.as_bytes()[0], b'|' | b'>') && first.len() <= 3;
    if !is_block {
        return Some(unquoted(first));
    }
    let nested: Vec<&str> = lines.take_while(|line| line.trim().is_empty() || indent(line) > base).collect();
    let inner = nested.iter().filter(|line| !line.trim().is_empty()).map(|line| indent(line)).min().unwrap_or(0);
    let text: Vec<&str> = nested.iter().map(|line| line.get(inner..).unwrap_or_default()).collect();
    Some(text.join("\n").trim_end().to_owned())
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The text of a plain or quoted scalar.
fn unquoted(scalar: &str) -> String {
    let inner = |quote: char| scalar.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    if let Some(text) = inner('\'') {
        return text.replace("''", "'");
    }
    match inner('"') {
        Some(text) => text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\"),
        None => scalar.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &str = "  location: '/w/it''s.js:9:1'\n  error: |-\n    no\n\n      code: 7\n  at:\n    file: a.js\n    line: 2\n  code: \"a \\\"b\\\"\"\n  empty:\n  last: x y";

    #[test]
    fn values_are_read_at_the_outermost_level() {
        let read = |key| value(BLOCK, key);
        assert_eq!(read("location").as_deref(), Some("/w/it's.js:9:1"));
        assert_eq!(read("error").as_deref(), Some("no\n\n  code: 7"));
        assert_eq!(read("code").as_deref(), Some("a \"b\""));
        assert_eq!(read("at").and_then(|at| value(&at, "line")).as_deref(), Some("2"));
        assert_eq!((read("empty").as_deref(), read("last").as_deref()), (Some(""), Some("x y")));
        assert_eq!((read("file"), read("loc"), value("", "a")), (None, None, None));
    }

    #[test]
    fn any_text_is_read() {
        for text in ["a: ü", "\u{a0}a: 1", "  ü\n a: |", "a:\n\n", ":", "ü: |\n ü"] {
            value(text, "a");
            value(text, "ü");
        }
        assert_eq!(value("ü: |\n ä", "ü").as_deref(), Some("ä"));
    }
}
