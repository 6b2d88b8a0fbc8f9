//! A JSON document as a tree that knows where everything stands.
//!
//! serde_json decides what strict JSON is; jsonc-parser, which gives ranges and keeps duplicate keys, reads what serde_json has accepted.

use jsonc_parser::{CollectOptions, ParseOptions, ast, common::Ranged, parse_to_ast};
use serde_json::{Map, Value};

use super::skim::skim;
use crate::diagnostic::Diagnostic;

/// What a document is called in codes and messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The first part of every code.
    pub(crate) code: &'static str,
    /// The noun, with its article.
    pub(crate) noun: &'static str,
    /// The file, repository-relative.
    pub(crate) file: &'static str,
}

const NEXT: &str = "write strict JSON in UTF-8: no comments, no trailing commas, no byte order mark";

/// Where a value or a key stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct At {
    /// Byte offset in the text.
    pub(crate) offset: usize,
    /// RFC 6901.
    pub(crate) pointer: String,
}

/// A value and its place.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) at: At,
    pub(crate) json: Json,
}

/// A JSON value; numbers as written, keys in file order.
#[derive(Debug)]
pub(crate) enum Json {
    Null,
    Boolean(bool),
    Number(String),
    Text(String),
    Array(Vec<Node>),
    Object(Vec<Member>),
}

/// A key and its value.
#[derive(Debug)]
pub(crate) struct Member {
    /// Of the key.
    pub(crate) at: At,
    pub(crate) key: String,
    pub(crate) node: Node,
}

impl Json {
    /// The type's name with its article.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

impl Node {
    /// The value of this key, when this is an object that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match &self.json {
            Json::Object(members) => members.iter().find(|member| member.key == key).map(|member| &member.node),
            _ => None,
        }
    }

    /// The elements, none when this is no array.
    pub(crate) fn elements(&self) -> &[Node] {
        match &self.json {
            Json::Array(elements) => elements,
            _ => &[],
        }
    }

    /// The text, when this is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.json {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The plain value. Of duplicate keys the last counts; `duplicates` finds them.
    pub(crate) fn value(&self) -> Value {
        match &self.json {
            Json::Null => Value::Null,
            Json::Boolean(boolean) => Value::Bool(*boolean),
            Json::Number(text) => serde_json::from_str(text).expect("serde_json has accepted the number"),
            Json::Text(text) => Value::String(text.clone()),
            Json::Array(elements) => elements.iter().map(Node::value).collect(),
            Json::Object(members) => {
                Value::Object(members.iter().map(|member| (member.key.clone(), member.node.value())).collect::<Map<_, _>>())
            }
        }
    }

    /// Keys that their object already has, wherever they are.
    pub(crate) fn duplicates(&self) -> Vec<&Member> {
        match &self.json {
            Json::Object(members) => {
                let mut seen = std::collections::BTreeSet::new();
                members
                    .iter()
                    .flat_map(|member| {
                        let again = (!seen.insert(&member.key)).then_some(member);
                        again.into_iter().chain(member.node.duplicates())
                    })
                    .collect()
            }
            Json::Array(elements) => elements.iter().flat_map(Node::duplicates).collect(),
            _ => Vec::new(),
        }
    }

    /// The first value below more than `levels` objects and arrays.
    pub(crate) fn below(&self, levels: usize) -> Option<&Node> {
        let children: Vec<&Node> = match &self.json {
            Json::Array(elements) => elements.iter().collect(),
            Json::Object(members) => members.iter().map(|member| &member.node).collect(),
            _ => return None,
        };
        match levels {
            0 => Some(self),
            _ => children.into_iter().find_map(|child| child.below(levels - 1)),
        }
    }
}

/// Line and column of a byte offset, both from 1, the column in characters.
pub(crate) fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |index| index + 1);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    (count(before.matches('\n').count() + 1), count(before[line_start..].chars().count() + 1))
}

/// Reads a document strictly; the one diagnostic says where it stops being JSON.
pub(crate) fn parse(kind: Kind, bytes: &[u8]) -> Result<(&str, Node), Box<Diagnostic>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        refuse(kind, "it is not UTF-8".to_owned(), position(&valid, valid.len()))
    })?;
    if text.starts_with('\u{feff}') {
        return Err(refuse(kind, "it starts with a byte order mark".to_owned(), (1, 1)));
    }
    if let Err(error) = skim(text) {
        let whole = error.to_string();
        let message = whole.rfind(" at line ").map_or(whole.as_str(), |end| &whole[..end]).to_owned();
        let line_start = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
        return Err(refuse(kind, message, position(text, (line_start + error.column().saturating_sub(1)).min(text.len()))));
    }
    match parse_to_ast(text, &CollectOptions::default(), &strict()) {
        Ok(parsed) => {
            let value = parsed.value.ok_or_else(|| refuse(kind, "it is empty".to_owned(), (1, 1)))?;
            Ok((text, node(&value, String::new())))
        }
        Err(error) => Err(refuse(kind, error.kind().to_string(), position(text, error.range().start))),
    }
}

fn refuse(kind: Kind, message: String, (line, column): (u32, u32)) -> Box<Diagnostic> {
    let Kind { code, noun, file } = kind;
    let message = format!("{noun} is not strict JSON: {message}");
    Box::new(Diagnostic::new(format!("{code}.not-json"), message, NEXT).at_path(file).at_position(line, column))
}

fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn node(value: &ast::Value<'_>, pointer: String) -> Node {
    let json = match value {
        ast::Value::NullKeyword(_) => Json::Null,
        ast::Value::BooleanLit(literal) => Json::Boolean(literal.value),
        ast::Value::NumberLit(literal) => Json::Number(literal.value.to_owned()),
        ast::Value::StringLit(literal) => Json::Text(literal.value.clone().into_owned()),
        ast::Value::Array(array) => {
            let elements = array.elements.iter().enumerate();
            Json::Array(elements.map(|(index, element)| node(element, below(&pointer, &index.to_string()))).collect())
        }
        ast::Value::Object(object) => Json::Object(object.properties.iter().map(|property| member(property, &pointer)).collect()),
    };
    Node { at: At { offset: value.start(), pointer }, json }
}

fn member(property: &ast::ObjectProp<'_>, parent: &str) -> Member {
    let key = property.name.as_str().to_owned();
    let pointer = below(parent, &key);
    Member { at: At { offset: property.start(), pointer: pointer.clone() }, node: node(&property.value, pointer), key }
}

/// The pointer with one more reference token: made for every value of a document, and therefore in one go.
fn below(pointer: &str, token: &str) -> String {
    let mut below = String::with_capacity(pointer.len() + 1 + token.len());
    below.push_str(pointer);
    below.push('/');
    for character in token.chars() {
        match character {
            '~' => below.push_str("~0"),
            '/' => below.push_str("~1"),
            other => below.push(other),
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { code: "policy", noun: "the policy", file: "p.json" };

    fn refusal(bytes: &[u8]) -> Diagnostic {
        *parse(KIND, bytes).expect_err("must be refused")
    }

    #[test]
    fn values_know_their_places() {
        let (text, root) = parse(KIND, "{\n  \"é\": [1, {\"a/b\": null}]\n}".as_bytes()).expect("valid");
        let inner = &root.get("é").expect("there").elements()[1];
        assert_eq!((inner.at.pointer.as_str(), position(text, inner.at.offset)), ("/é/1", (2, 12)));
        assert_eq!(inner.get("a/b").expect("there").at.pointer, "/é/1/a~1b");
    }

    #[test]
    fn only_strict_json_is_read() {
        for text in [
            "{\"a\":1,}",
            "// c\n{}",
            "{'a':1}",
            "{a:1}",
            "{} {}",
            "",
            "[1 2]",
            "{\"a\":0x1}",
            "[+1]",
            "[.5]",
            "[NaN]",
            "[\"\\ud800\"]",
            "[1e999]",
        ] {
            assert_eq!(refusal(text.as_bytes()).code, "policy.not-json", "{text}");
        }
        assert!(refusal(b"\xef\xbb\xbf{}").message.contains("byte order mark"));
        let broken = refusal(b"{\n\"a\": \xff}");
        assert_eq!((broken.line, broken.column), (Some(2), Some(6)));
        let broken = refusal("{\n\"é\": x}".as_bytes());
        assert_eq!((broken.line, broken.column), (Some(2), Some(6)));
    }

    #[test]
    fn duplicates_are_found_at_every_depth() {
        let (_, root) = parse(KIND, br#"{"a":1,"b":[{"c":1,"c":2}],"a":{"d":1,"d":1}}"#).expect("valid");
        let pointers: Vec<_> = root.duplicates().into_iter().map(|member| member.at.pointer.as_str()).collect();
        assert_eq!(pointers, ["/b/0/c", "/a", "/a/d"]);
    }
}
