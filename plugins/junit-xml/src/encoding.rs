//! From bytes to text, in the encodings that reports are written in.

use std::borrow::Cow;

use test_output::text::utf_8;

/// How much of a document may precede the end of its declaration.
const DECLARATION_BYTES: usize = 200;

/// The text of a document: UTF-16 by its byte order mark, Latin-1 when declared, else UTF-8. What cannot be decoded is replaced.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf_16(rest, u16::from_be_bytes)),
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf_16(rest, u16::from_le_bytes)),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf_8(rest),
        _ if is_latin_1(bytes) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
        _ => utf_8(bytes),
    }
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn is_latin_1(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(DECLARATION_BYTES)];
    let declaration = start.split(|byte| *byte == b'>').next().unwrap_or_default().to_ascii_lowercase();
    let declares = |name: &[u8]| declaration.windows(name.len()).any(|window| window == name);
    declaration.starts_with(b"<?xml") && (declares(b"iso-8859-1") || declares(b"windows-1252"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_order_mark_or_the_declaration_tells_the_encoding() {
        let utf_16 = |unit: fn(u16) -> [u8; 2]| "\u{feff}<ü𝄞/>".encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        assert_eq!(decode(&utf_16(u16::to_le_bytes)), "<ü𝄞/>");
        assert_eq!(decode(&utf_16(u16::to_be_bytes)), "<ü𝄞/>");
        assert_eq!(decode("\u{feff}<ü/>".as_bytes()), "<ü/>");
        assert_eq!(decode(b"<?xml version='1.0' encoding='ISO-8859-1'?><\xfc/>"), "<?xml version='1.0' encoding='ISO-8859-1'?><ü/>");
        assert_eq!(decode(b"<?xml version='1.0'?><a b='iso-8859-1'>\xc3\xbc"), "<?xml version='1.0'?><a b='iso-8859-1'>ü");
    }

    #[test]
    fn what_is_no_text_is_replaced() {
        assert_eq!(decode(b"<a>\xff"), "<a>\u{fffd}");
        assert_eq!(decode(&[0xff, 0xfe, 0x00, 0xd8, b'a', 0, b'b']), "\u{fffd}a");
        assert_eq!(decode(b""), "");
    }
}
