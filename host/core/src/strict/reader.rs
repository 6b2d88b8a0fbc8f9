//! Typed reading of a tree that goes on after a violation, so that one pass finds all of them (BR-5).

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::json::{At, Json, Kind, Member, Node, parse, position};
use crate::diagnostic::Diagnostic;
use crate::text::{escape_line, shorten};

/// Collects violations.
pub(crate) struct Reader {
    kind: Kind,
    faults: Vec<(usize, Diagnostic)>,
}

/// An object whose keys are known.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'n> {
    pub(crate) at: &'n At,
    members: &'n [Member],
}

impl<'n> Fields<'n> {
    /// The value of this key.
    pub(crate) fn get(&self, key: &str) -> Option<&'n Node> {
        self.members.iter().find(|member| member.key == key).map(|member| &member.node)
    }

    /// The members in file order.
    pub(crate) fn members(&self) -> &'n [Member] {
        self.members
    }
}

impl Reader {
    /// Records a violation.
    pub(crate) fn refuse(&mut self, at: &At, code: &str, message: impl Into<String>, next: impl Into<String>) {
        self.faults.push((at.offset, Diagnostic::new(format!("{}.{code}", self.kind.code), message, next).at_pointer(&at.pointer)));
    }

    /// Every violation in file order.
    fn finish(mut self, text: &str) -> Vec<Diagnostic> {
        self.faults.sort_by_key(|(offset, _)| *offset);
        self.faults
            .into_iter()
            .map(|(offset, diagnostic)| {
                let (line, column) = position(text, offset);
                diagnostic.at_path(self.kind.file).at_position(line, column)
            })
            .collect()
    }

    fn wrong_type(&mut self, node: &Node, expected: &str) {
        self.refuse(&node.at, "wrong-type", format!("{expected} is due here, not {}", node.json.type_name()), format!("write {expected}"));
    }

    /// An object with these keys and no others.
    pub(crate) fn object<'n>(&mut self, node: &'n Node, keys: &[&str]) -> Option<Fields<'n>> {
        let fields = self.open_object(node)?;
        for member in fields.members.iter().filter(|member| !keys.contains(&member.key.as_str())) {
            let next = format!("{}, or remove it", use_one_of(&member.key, keys));
            self.refuse(&member.at, "unknown-key", format!("unknown key {}", quoted(&member.key)), next);
        }
        Some(fields)
    }

    /// An object with any keys.
    pub(crate) fn open_object<'n>(&mut self, node: &'n Node) -> Option<Fields<'n>> {
        let Json::Object(members) = &node.json else {
            self.wrong_type(node, "an object");
            return None;
        };
        Some(Fields { at: &node.at, members })
    }

    /// The value of a key that must be there.
    pub(crate) fn required<'n>(&mut self, fields: &Fields<'n>, key: &str) -> Option<&'n Node> {
        let node = fields.get(key);
        if node.is_none() {
            self.refuse(fields.at, "missing-key", format!("the key `{key}` is missing"), format!("add `{key}`"));
        }
        node
    }

    /// The elements of an array; none when it is another type.
    pub(crate) fn elements<'n>(&mut self, node: Option<&'n Node>) -> &'n [Node] {
        match node {
            None => &[],
            Some(Node { json: Json::Array(elements), .. }) => elements,
            Some(node) => {
                self.wrong_type(node, "an array");
                &[]
            }
        }
    }

    /// A string.
    pub(crate) fn text<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        let text = node.text();
        if text.is_none() {
            self.wrong_type(node, "a string");
        }
        text
    }

    /// A string that is more than white space.
    pub(crate) fn filled_text<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        let text = self.text(node)?;
        if text.trim().is_empty() {
            self.refuse(&node.at, "blank", "this text is blank", "write it, or remove the key");
            return None;
        }
        Some(text)
    }

    /// A boolean.
    pub(crate) fn boolean(&mut self, node: &Node) -> Option<bool> {
        if let Json::Boolean(boolean) = node.json {
            return Some(boolean);
        }
        self.wrong_type(node, "a boolean");
        None
    }

    /// An integer in this range.
    pub(crate) fn integer(&mut self, node: &Node, range: RangeInclusive<u64>) -> Option<u64> {
        let Json::Number(text) = &node.json else {
            self.wrong_type(node, "an integer");
            return None;
        };
        match text.parse() {
            Ok(number) if range.contains(&number) => Some(number),
            _ => {
                let bounds = format!("an integer from {} to {}", range.start(), range.end());
                self.refuse(&node.at, "out-of-range", format!("{} is not {bounds}", quoted(text)), format!("write {bounds}"));
                None
            }
        }
    }

    /// One of a few words.
    pub(crate) fn choice<T: Copy>(&mut self, node: &Node, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(node)?;
        let found = choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            self.refuse(&node.at, "bad-value", format!("{} is no value of this key", quoted(text)), use_one_of(text, &names));
        }
        found
    }

    /// The elements of an array that is a set, in file order; a repeated one is a violation (BR-5).
    pub(crate) fn set<'n, T: Clone + Ord>(
        &mut self,
        node: Option<&'n Node>,
        mut read: impl FnMut(&mut Self, &'n Node) -> Option<T>,
    ) -> Vec<T> {
        let mut seen = BTreeSet::new();
        let mut elements = Vec::new();
        for element in self.elements(node) {
            let Some(value) = read(self, element) else { continue };
            if seen.insert(value.clone()) {
                elements.push(value);
            } else {
                let message = match element.text() {
                    Some(text) => format!("{} is there already", quoted(text)),
                    None => "this element is there already".to_owned(),
                };
                self.refuse(&element.at, "duplicate", message, "remove one of the two");
            }
        }
        elements
    }

    /// The same, as owned texts in byte order.
    pub(crate) fn sorted<'n>(&mut self, node: Option<&'n Node>, read: impl FnMut(&mut Self, &'n Node) -> Option<&'n str>) -> Vec<String> {
        let mut texts: Vec<String> = self.set(node, read).into_iter().map(str::to_owned).collect();
        texts.sort_unstable();
        texts
    }

    /// Refuses every name that an earlier element has.
    pub(crate) fn unique_names(&mut self, nodes: &[Node], what: &str) {
        let mut seen = BTreeSet::new();
        for name in nodes.iter().filter_map(|node| node.get("name")) {
            if let Some(text) = name.text()
                && !seen.insert(text)
            {
                self.refuse(&name.at, "duplicate-name", format!("another {what} has the name {}", quoted(text)), "give each its own name");
            }
        }
    }

    pub(crate) fn checked<'n>(
        &mut self,
        node: &'n Node,
        code: &str,
        next: &str,
        fault: fn(&str) -> Option<&'static str>,
    ) -> Option<&'n str> {
        let text = self.text(node)?;
        match fault(text) {
            None => Some(text),
            Some(fault) => {
                self.refuse(&node.at, code, format!("{} {fault}", quoted(text)), next);
                None
            }
        }
    }
}

/// Reads a document: what `read` makes of it, or everything that is wrong with it, duplicate keys included.
pub(crate) fn document<T>(kind: Kind, bytes: &[u8], read: impl FnOnce(&mut Reader, &Node) -> T) -> Result<T, Vec<Diagnostic>> {
    let (text, root) = parse(kind, bytes).map_err(|diagnostic| vec![*diagnostic])?;
    let mut reader = Reader { kind, faults: Vec::new() };
    for member in root.duplicates() {
        let message = format!("the key {} is there already", quoted(&member.key));
        reader.refuse(&member.at, "duplicate-key", message, "remove one of the two");
    }
    let value = read(&mut reader, &root);
    let faults = reader.finish(text);
    if faults.is_empty() { Ok(value) } else { Err(faults) }
}

/// Foreign text inside a message.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", shorten(&escape_line(text), 120))
}

/// Names for a `next`, at most twenty.
pub(crate) fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(20).map(|name| quoted(name)).collect();
    let more = if names.len() > 20 { format!(" and {} more", names.len() - 20) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// The `next` of a name that is none of these: the one that was probably meant, or all of them.
pub(crate) fn use_one_of(text: &str, names: &[&str]) -> String {
    let meant = names.iter().copied().max_by(|one, other| strsim::jaro_winkler(text, one).total_cmp(&strsim::jaro_winkler(text, other)));
    match meant {
        Some(name) if strsim::jaro_winkler(text, name) > 0.85 => format!("write {}", quoted(name)),
        _ => format!("use one of {}", list(names)),
    }
}
