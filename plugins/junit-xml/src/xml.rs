//! From text to the parts of XML that reports have.
//!
//! A reader of XML as a whole is larger than what is left for it in a component. This one reads tags, text and references, and passes over
//! declarations, comments and document types: nothing that a document defines is ever expanded.

use std::borrow::Cow;

/// A part of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// `<name attributes>`.
    Open(Tag<'a>),
    /// `<name attributes/>`.
    Empty(Tag<'a>),
    /// `</name>`.
    Close(&'a str),
    /// Text with its references.
    Text(&'a str),
    /// `<![CDATA[...]]>`, where references mean nothing.
    Verbatim(&'a str),
    /// A part that begins and does not end.
    Cut,
}

/// The inside of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// With its prefix.
    pub name: &'a str,
    attributes: &'a str,
}

impl<'a> Tag<'a> {
    fn new(text: &'a str) -> Self {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        Self { name: &text[..end], attributes: &text[end..] }
    }

    /// The name without a prefix.
    pub fn local_name(&self) -> &'a str {
        local(self.name)
    }

    /// Names without prefixes, and values.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> + use<'a> {
        let mut rest = self.attributes;
        std::iter::from_fn(move || {
            let (name, after) = rest.split_at(position(rest, b'=')?);
            let value = after[1..].trim_start();
            let quote = value.bytes().next().filter(|byte| matches!(byte, b'"' | b'\''))?;
            let (value, after) = value[1..].split_at(position(&value[1..], quote)?);
            rest = &after[1..];
            Some((local(name.trim()), resolved(value)))
        })
    }

    /// The value of an attribute; empty when there is none.
    pub fn value(&self, name: &str) -> Cow<'a, str> {
        self.attributes().find(|(other, _)| *other == name).map_or(Cow::Borrowed(""), |(_, value)| value)
    }
}

fn local(name: &str) -> &str {
    name.rfind(':').map_or(name, |colon| &name[colon + 1..])
}

/// Where an ASCII character is.
fn position(text: &str, char: u8) -> Option<usize> {
    text.bytes().position(|byte| byte == char)
}

/// The parts of a text, in order.
pub struct Parts<'a> {
    rest: &'a str,
}

impl<'a> Parts<'a> {
    /// Of one document, or of several.
    pub fn of(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// The part up to `end`, whose start has `skip` bytes.
    fn until(&mut self, skip: usize, end: &str) -> Option<&'a str> {
        let (part, rest) = self.rest[skip..].split_once(end)?;
        self.rest = rest;
        Some(part)
    }

    /// The part up to a `>` that is neither quoted nor in brackets, its `<` taken.
    fn tag(&mut self) -> Option<&'a str> {
        let bytes = self.rest.as_bytes();
        let find = |from: usize, wanted: &dyn Fn(u8) -> bool| Some(from + bytes.get(from..)?.iter().position(|byte| wanted(*byte))?);
        let (mut at, mut depth) = (1, 0_u32);
        loop {
            at = find(at, &|byte| matches!(byte, b'>' | b'"' | b'\'' | b'[' | b']'))?;
            match bytes[at] {
                b'[' => depth += 1,
                b']' => depth = depth.saturating_sub(1),
                b'>' if depth == 0 => {
                    let tag = &self.rest[1..at];
                    self.rest = &self.rest[at + 1..];
                    return Some(tag);
                }
                b'>' => {}
                quote => at = find(at + 1, &|byte| byte == quote)?,
            }
            at += 1;
        }
    }

    /// What a `<` begins; `Some(None)` is passed over.
    fn marked(&mut self) -> Option<Option<Part<'a>>> {
        let begins = |start: &str| self.rest.starts_with(start);
        if begins("<!--") {
            self.until(4, "-->").map(|_| None)
        } else if begins("<![CDATA[") {
            self.until(9, "]]>").map(|text| Some(Part::Verbatim(text)))
        } else if begins("<?") {
            self.until(2, "?>").map(|_| None)
        } else {
            self.tag().map(|tag| match (tag.strip_prefix('/'), tag.strip_suffix('/')) {
                (Some(name), _) => Some(Part::Close(name.trim_end())),
                (None, Some(tag)) => Some(Part::Empty(Tag::new(tag))),
                (None, None) if tag.starts_with('!') => None,
                (None, None) => Some(Part::Open(Tag::new(tag))),
            })
        }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        while !self.rest.is_empty() {
            let end = self.rest.find('<').unwrap_or(self.rest.len());
            if end > 0 {
                let (text, rest) = self.rest.split_at(end);
                self.rest = rest;
                return Some(Part::Text(text));
            }
            match self.marked() {
                Some(None) => {}
                Some(part) => return part,
                None => {
                    self.rest = "";
                    return Some(Part::Cut);
                }
            }
        }
        None
    }
}

/// Text with its character references and the five entities of XML; any other stays as it is written.
pub fn resolved(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let (mut resolved, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = position(rest, b'&') {
        resolved.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        // The longest name that means something is `#x10FFFF`.
        let end = rest.bytes().take(10).position(|byte| byte == b';');
        match end.and_then(|end| Some((referred(&rest[..end])?, end))) {
            Some((char, end)) => {
                resolved.push(char);
                rest = &rest[end + 1..];
            }
            None => resolved.push('&'),
        }
    }
    resolved.push_str(rest);
    Cow::Owned(resolved)
}

fn referred(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = number.strip_prefix('x').map_or_else(|| number.parse(), |digits| u32::from_str_radix(digits, 16));
            char::from_u32(code.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<Part<'_>> {
        Parts::of(text).collect()
    }

    #[test]
    fn tags_text_and_verbatim_text_are_parts() {
        let tag = Tag { name: "n:a", attributes: " x='>' y = \"'1'\"" };
        let expected = [Part::Open(tag), Part::Text("b &amp;"), Part::Verbatim("<c> ]] &amp;"), Part::Close("n:a"), Part::Text("\n")];
        assert_eq!(parts("<n:a x='>' y = \"'1'\">b &amp;<![CDATA[<c> ]] &amp;]]></n:a >\n"), expected);
        assert_eq!((tag.local_name(), &*tag.value("x"), &*tag.value("y"), &*tag.value("z")), ("a", ">", "'1'", ""));
        assert_eq!(parts("<a/>"), [Part::Empty(Tag { name: "a", attributes: "" })]);
    }

    #[test]
    fn declarations_comments_and_document_types_are_passed_over() {
        let text = "<?xml version='1.0'?><!-- <a> -- > --><!DOCTYPE a [<!ENTITY b \"]>\"> <!ELEMENT a (b)>]><a/>";
        assert_eq!(parts(text), [Part::Empty(Tag { name: "a", attributes: "" })]);
    }

    #[test]
    fn what_does_not_end_is_cut() {
        for text in ["<", "<a", "<a b='>", "<!--", "<!-- -->x<!", "<![CDATA[ ]]", "<?xml", "</a", "<!DOCTYPE a [ <!ENTITY b 'c'> >"] {
            assert_eq!(parts(text).last(), Some(&Part::Cut), "{text}");
        }
    }

    #[test]
    fn references_are_resolved_and_entities_are_not() {
        assert_eq!(resolved("&lt;&gt;&amp;amp;&quot;&apos;&#252;&#xFC;"), "<>&amp;\"'üü");
        assert_eq!(resolved("a & b &lol; &#; &#xD800; &#4294967296; &"), "a & b &lol; &#; &#xD800; &#4294967296; &");
    }

    #[test]
    fn attributes_without_values_end_the_reading_of_a_tag() {
        for attributes in [" a=b x='1'", " a='", " x", " =", ""] {
            assert_eq!(Tag { name: "t", attributes }.value("x"), "", "{attributes}");
        }
    }
}
