//! The lines of `go test -json`: one flat object each, as `go doc test2json` describes them.

use std::borrow::Cow;

/// An event. Members that it does not have are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event<'a> {
    /// Such as `run`, `output` and `pass`.
    pub action: Cow<'a, str>,
    /// The import path of the package.
    pub package: Cow<'a, str>,
    /// The test or subtest.
    pub test: Cow<'a, str>,
    /// A part of what was printed.
    pub output: Cow<'a, str>,
}

impl<'a> Event<'a> {
    /// `None` for a line that is no event. A JSON library would be as large as the rest of the component.
    pub fn read(line: &'a str) -> Option<Self> {
        let mut event = Self::default();
        let mut rest = line.trim().strip_prefix('{')?.trim_start();
        while let Some(text) = rest.strip_prefix('"') {
            let (key, after) = string(text)?;
            let value = after.trim_start().strip_prefix(':')?.trim_start();
            let (value, after) = match value.strip_prefix('"') {
                Some(text) => string(text)?,
                None => plain(value)?,
            };
            match &*key {
                "Action" => event.action = value,
                "Package" => event.package = value,
                "Test" => event.test = value,
                "Output" => event.output = value,
                _ => {}
            }
            let after = after.trim_start();
            rest = after.strip_prefix(',').unwrap_or(after).trim_start();
        }
        (rest == "}" && !event.action.is_empty()).then_some(event)
    }
}

/// The value and what follows it: a string whose opening quote is taken.
fn string(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let special = |text: &str| text.bytes().position(|byte| matches!(byte, b'"' | b'\\'));
    let at = special(text)?;
    if text.as_bytes()[at] == b'"' {
        return Some((Cow::Borrowed(&text[..at]), &text[at + 1..]));
    }
    let mut value = String::new();
    let mut rest = text;
    loop {
        let at = special(rest)?;
        value.push_str(&rest[..at]);
        let Some(escaped) = rest[at..].strip_prefix('\\') else { return Some((Cow::Owned(value), &rest[at + 1..])) };
        let char = escaped.chars().next()?;
        rest = &escaped[char.len_utf8()..];
        value.push(match char {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let code = rest.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok())?;
                rest = &rest[4..];
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other => other,
        });
    }
}

/// The same for a number or a word. No event has an object or a list inside.
fn plain(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let end = text.bytes().position(|byte| matches!(byte, b',' | b'}' | b' '))?;
    Some((Cow::Borrowed(&text[..end]), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read() {
        let line = r#"{"Time":"2026-01-02T03:04:05.6Z","Action":"output","Package":"e.com/a","Test":"TestA/\"x\"","Output":"\ta \u003c ü\\\n","Elapsed":0.5}"#;
        let event = Event { action: "output".into(), package: "e.com/a".into(), test: "TestA/\"x\"".into(), output: "\ta < ü\\\n".into() };
        assert_eq!(Event::read(line), Some(event));
        assert_eq!(
            Event::read(" { \"Action\" : \"start\" , \"Elapsed\" : 0 } ").map(|event| event.action.into_owned()).as_deref(),
            Some("start")
        );
    }

    #[test]
    fn other_lines_are_none() {
        for line in [
            "",
            "{",
            "{}",
            "{\"Action\":\"run\"",
            "{\"Action\":\"",
            "{\"Action\":\"\\u00\"}",
            "{\"Action\":\"\\ü\"}x",
            "{\"a\":{}}",
            "FAIL\ta\t0.1s",
        ] {
            assert_eq!(Event::read(line), None, "{line}");
        }
    }
}
