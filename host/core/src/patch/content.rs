//! What a blob is to a reader: text, text in another encoding, or bytes (BR-44, BR-45).

use std::borrow::Cow;

/// Larger blobs are summarised, and have no source context (contract 3.8).
pub const MAX_TEXT_BYTES: u64 = 2 * 1024 * 1024;

/// Git looks for a NUL this far to call a blob binary.
const NUL_HORIZON: usize = 8000;

/// A blob, decided by its bytes alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// UTF-8 without a NUL in its first 8000 bytes.
    Utf8(&'a str),
    /// No NUL there either, but not UTF-8; shown through [`content_escaped`].
    OtherText(&'a [u8]),
    /// A NUL in the first 8000 bytes.
    Binary,
}

/// Classifies a blob.
pub fn content(bytes: &[u8]) -> Content<'_> {
    if bytes[..bytes.len().min(NUL_HORIZON)].contains(&0) {
        return Content::Binary;
    }
    std::str::from_utf8(bytes).map_or(Content::OtherText(bytes), Content::Utf8)
}

/// The bytes as text: what is no UTF-8 becomes `\xNN` in lower case, and a backslash that already starts such a word becomes `\x5c`.
///
/// Different bytes give different text, and line ends stay where they are.
pub fn content_escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&protect(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

fn protect(valid: &str) -> Cow<'_, str> {
    if !valid.contains("\\x") {
        return Cow::Borrowed(valid);
    }
    let mut text = String::with_capacity(valid.len() + 8);
    for (index, character) in valid.char_indices() {
        match character {
            '\\' if starts_escape(&valid.as_bytes()[index..]) => text.push_str("\\x5c"),
            _ => text.push(character),
        }
    }
    Cow::Owned(text)
}

fn starts_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\\', b'x', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decides_by_bytes() {
        assert_eq!(content(b"a\r\n"), Content::Utf8("a\r\n"));
        assert_eq!(content(b"caf\xe9"), Content::OtherText(b"caf\xe9"));
        assert_eq!(content(b"a\0"), Content::Binary);
        let mut late = vec![b'a'; NUL_HORIZON];
        late.push(0);
        assert!(matches!(content(&late), Content::Utf8(_)));
    }

    #[test]
    fn escapes_what_is_no_utf8() {
        assert_eq!(content_escaped(b"caf\xe9 \\xe9 \\n\n"), "caf\\xe9 \\x5cxe9 \\n\n");
    }

    proptest! {
        #[test]
        fn different_bytes_give_different_text(
            left in proptest::collection::vec(prop_oneof![Just(b'\\'), Just(b'x'), Just(b'e'), Just(b'9'), Just(0xe9)], 0..8),
            right in proptest::collection::vec(prop_oneof![Just(b'\\'), Just(b'x'), Just(b'e'), Just(b'9'), Just(0xe9)], 0..8),
        ) {
            prop_assert_eq!(left == right, content_escaped(&left) == content_escaped(&right));
        }
    }
}
