//! Reading records that people write: it goes on after a violation, and every violation has the code of its record (CR-5, CR-22).

use serde::{Deserialize, de::DeserializeOwned};

use super::{
    codes::Code,
    image::RunImage,
    violation::{Sink, Violation},
};
use crate::{
    canonical::read_strict,
    strict::{At, Json, Node, list, quoted, use_one_of},
    text::control_free,
};

/// Characters of an authored text (CR-201, CR-215).
pub const MAX_TEXT_CHARACTERS: usize = 8_000;

/// Reads one file of the run; violations go to the step's sink.
pub(crate) struct Reading<'s> {
    file: &'s str,
    sink: &'s mut Sink,
}

/// An object that was checked for its keys.
#[derive(Clone, Copy)]
pub(crate) struct Record<'n> {
    node: &'n Node,
}

impl<'n> Record<'n> {
    /// Where it stands.
    pub(crate) fn at(&self) -> &'n At {
        &self.node.at
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'n Node> {
        self.node.get(key)
    }
}

impl<'s> Reading<'s> {
    /// Of this file, relative to the run.
    pub(crate) fn new(file: &'s str, sink: &'s mut Sink) -> Self {
        Self { file, sink }
    }

    /// Records a violation at this place.
    pub(crate) fn refuse(&mut self, code: &Code, at: &At, subject: Option<&str>, message: impl Into<String>, hint: impl Into<String>) {
        let mut violation = Violation::new(code, message, hint).at_node(self.file, at);
        violation.subject = subject.map(str::to_owned);
        self.sink.push(violation);
    }

    fn wrong_type(&mut self, code: &Code, node: &Node, expected: &str) {
        self.refuse(code, &node.at, None, format!("{expected} is due here, not {}", node.json.type_name()), format!("write {expected}"));
    }

    /// An object with exactly these keys: each missing and each unknown one is a violation (CR-5).
    pub(crate) fn exact<'n>(&mut self, code: &Code, node: &'n Node, keys: &[&str]) -> Option<Record<'n>> {
        let Json::Object(members) = &node.json else {
            self.wrong_type(code, node, "an object");
            return None;
        };
        for member in members.iter().filter(|member| !keys.contains(&member.key.as_str())) {
            let hint = format!("{}, or remove it", use_one_of(&member.key, keys));
            self.refuse(code, &member.at, None, format!("unknown key {}", quoted(&member.key)), hint);
        }
        let missing: Vec<&str> = keys.iter().copied().filter(|key| node.get(key).is_none()).collect();
        if !missing.is_empty() {
            self.refuse(code, &node.at, None, format!("missing: {}", list(&missing)), "add what is missing");
        }
        Some(Record { node })
    }

    /// The elements of an array; none when it is another type.
    pub(crate) fn elements<'n>(&mut self, code: &Code, node: Option<&'n Node>) -> &'n [Node] {
        match node.map(|node| (&node.json, node)) {
            None => &[],
            Some((Json::Array(elements), _)) => elements,
            Some((_, node)) => {
                self.wrong_type(code, node, "an array");
                &[]
            }
        }
    }

    /// Text of CR-6: not blank, no control characters but LF and TAB, at most [`MAX_TEXT_CHARACTERS`].
    pub(crate) fn text(&mut self, code: &Code, node: Option<&Node>) -> Option<String> {
        let text = self.text_or_empty(code, node)?;
        if text.is_empty() {
            self.refuse(code, &node?.at, None, "this text is blank", "write it");
            return None;
        }
        Some(text)
    }

    /// The same, where the empty text is allowed; one of white space alone is none.
    pub(crate) fn text_or_empty(&mut self, code: &Code, node: Option<&Node>) -> Option<String> {
        let node = node?;
        let Some(text) = node.text() else {
            self.wrong_type(code, node, "a string");
            return None;
        };
        if !text.is_empty() && text.trim().is_empty() {
            self.refuse(code, &node.at, None, "this text is blank", "write it");
            return None;
        }
        if !control_free(text, true) {
            self.refuse(code, &node.at, None, "this text has control characters", "write plain text");
            return None;
        }
        if text.chars().count() > MAX_TEXT_CHARACTERS {
            self.refuse(code, &node.at, None, format!("this text has more than {MAX_TEXT_CHARACTERS} characters"), "say it shorter");
            return None;
        }
        Some(text.to_owned())
    }

    /// A list of texts, in order.
    pub(crate) fn texts(&mut self, code: &Code, node: Option<&Node>) -> Vec<String> {
        self.elements(code, node).iter().filter_map(|element| self.text(code, Some(element))).collect()
    }

    /// A list with something in it and at most this many elements.
    pub(crate) fn some_texts(&mut self, code: &Code, node: Option<&Node>, at_most: usize) -> Vec<String> {
        let texts = self.texts(code, node);
        let Some(node) = node else { return texts };
        let count = node.elements().len();
        if matches!(&node.json, Json::Array(_)) && count == 0 {
            self.refuse(code, &node.at, None, "this list is empty", "write at least one");
        } else if count > at_most {
            self.refuse(code, &node.at, None, format!("{count} are more than {at_most}"), "keep the strongest");
        }
        texts
    }

    /// One of a few words.
    pub(crate) fn word<T: Copy>(&mut self, code: &Code, node: Option<&Node>, words: &[(&str, T)]) -> Option<T> {
        let node = node?;
        let Some(text) = node.text() else {
            self.wrong_type(code, node, "a string");
            return None;
        };
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.refuse(code, &node.at, None, format!("{} is no value of this key", quoted(text)), use_one_of(text, &known));
        }
        found
    }

    /// A boolean.
    pub(crate) fn boolean(&mut self, code: &Code, node: Option<&Node>) -> Option<bool> {
        match node {
            Some(Node { json: Json::Boolean(boolean), .. }) => Some(*boolean),
            Some(node) => {
                self.wrong_type(code, node, "a boolean");
                None
            }
            None => None,
        }
    }

    /// An integer, written as one: `13.0` is none (CR-5).
    pub(crate) fn integer(&mut self, code: &Code, node: Option<&Node>) -> Option<u64> {
        let node = node?;
        let integer = match &node.json {
            Json::Number(text) => text.parse().ok(),
            _ => None,
        };
        if integer.is_none() {
            self.refuse(code, &node.at, None, "an integer is due here", "write an integer from 0, without a fraction");
        }
        integer
    }
}

/// Reads a whole file as a record with closed keys, of version 1 where it has one; an absent or malformed one is one violation.
pub(crate) fn record<T: DeserializeOwned>(image: &RunImage, path: &str, missing: &Code, invalid: &Code, sink: &mut Sink) -> Option<T> {
    let Some(bytes) = image.bytes(path) else {
        sink.push(
            Violation::new(missing, format!("`{path}` is missing"), "restore it from where it was made, or start a new run")
                .subject(path)
                .file(path),
        );
        return None;
    };
    if let Some(version) = other_version(bytes) {
        let message = format!("`{path}` is of version {version}, and only version 1 is read");
        sink.push(Violation::new(invalid, message, "restore it as it was written").subject(path).at(path, "/schema_version"));
        return None;
    }
    match read_strict(bytes, invalid.name, "restore it as it was written") {
        Ok(record) => Some(record),
        Err(diagnostic) => {
            let mut violation = Violation::new(invalid, diagnostic.message, diagnostic.next).subject(path).at(path, diagnostic.pointer);
            violation.line = diagnostic.line;
            sink.push(violation);
            None
        }
    }
}

/// The version that a record names, when it is not 1.
fn other_version(bytes: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Versioned {
        schema_version: Option<u64>,
    }
    let record: Versioned = serde_json::from_slice(bytes).ok()?;
    record.schema_version.filter(|version| *version != 1)
}
