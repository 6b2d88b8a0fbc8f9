//! Paths as git quotes them with `core.quotePath=true` (BR-44).

use std::borrow::Cow;

/// The path as it stands in a patch: itself, or in double quotes with C escapes when it has a byte that needs one.
pub fn quote(path: &str) -> Cow<'_, str> {
    quote_prefixed("", path)
}

/// The same with `prefix` (`a/`, `b/`) inside the quotes.
pub fn quote_prefixed<'a>(prefix: &str, path: &'a str) -> Cow<'a, str> {
    if !path.bytes().any(needs_quotes) {
        return if prefix.is_empty() { Cow::Borrowed(path) } else { Cow::Owned(format!("{prefix}{path}")) };
    }
    let mut quoted = format!("\"{prefix}");
    path.bytes().for_each(|byte| push_escaped(&mut quoted, byte));
    quoted.push('"');
    Cow::Owned(quoted)
}

fn needs_quotes(byte: u8) -> bool {
    !(0x20..0x7f).contains(&byte) || byte == b'"' || byte == b'\\'
}

fn push_escaped(text: &mut String, byte: u8) {
    let letter = match byte {
        0x07 => 'a',
        0x08 => 'b',
        b'\t' => 't',
        b'\n' => 'n',
        0x0b => 'v',
        0x0c => 'f',
        b'\r' => 'r',
        b'"' => '"',
        b'\\' => '\\',
        _ if needs_quotes(byte) => {
            text.push_str(&format!("\\{byte:03o}"));
            return;
        }
        _ => {
            text.push(char::from(byte));
            return;
        }
    };
    text.push('\\');
    text.push(letter);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_plain_paths_alone() {
        assert_eq!(quote("src/a b/[id]/:x.rs"), "src/a b/[id]/:x.rs");
        assert_eq!(quote_prefixed("a/", "x"), "a/x");
    }

    #[test]
    fn escapes_as_git_does() {
        assert_eq!(quote("é"), r#""\303\251""#);
        assert_eq!(quote_prefixed("b/", "a\t\"\\\n\u{1}\u{7f}"), r#""b/a\t\"\\\n\001\177""#);
    }
}
