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

    /// The value of an attribute, with or without a prefix; empty when there is none.
    pub fn value(&self, name: &str) -> Cow<'a, str> {
        let mut rest = self.attributes;
        while let Some((before, after)) = rest.split_once('=') {
            let after = after.trim_start();
            let Some(quote) = after.chars().next().filter(|char| matches!(char, '"' | '\'')) else { break };
            let Some((value, after)) = after[1..].split_once(quote) else { break };
            if local(before.trim()) == name {
                return resolved(value);
            }
            rest = after;
        }
        Cow::Borrowed("")
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
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
        let (mut quote, mut depth) = (None, 0_u32);
        for (at, byte) in self.rest.bytes().enumerate().skip(1) {
            match (quote, byte) {
                (Some(open), _) => quote = Some(open).filter(|open| *open != byte),
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'[') => depth += 1,
                (None, b']') => depth = depth.saturating_sub(1),
                (None, b'>') if depth == 0 => {
                    let tag = &self.rest[1..at];
                    self.rest = &self.rest[at + 1..];
                    return Some(tag);
                }
                _ => {}
            }
        }
        None
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
    let mut pieces = text.split('&');
    let mut resolved = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once(';').and_then(|(name, rest)| Some((referred(name)?, rest))) {
            Some((char, rest)) => {
                resolved.push(char);
                resolved.push_str(rest);
            }
            None => {
                resolved.push('&');
                resolved.push_str(piece);
            }
        }
    }
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
