//! Typed reading of a tree that goes on after a violation, so that one pass finds all of them (BR-5).

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::json::{At, Json, Member, Node, position};
use super::model::POLICY_FILE;
use super::names::{identifier_fault, path_fault, variable_fault};
use super::paths::PathPattern;
use crate::diagnostic::Diagnostic;
use crate::text::{escape_line, shorten};

/// Collects violations.
#[derive(Default)]
pub(super) struct Reader {
    faults: Vec<(usize, Diagnostic)>,
}

/// An object whose keys are known.
#[derive(Clone, Copy)]
pub(super) struct Fields<'n> {
    pub(super) at: &'n At,
    members: &'n [Member],
}

impl<'n> Fields<'n> {
    /// The value of this key.
    pub(super) fn get(&self, key: &str) -> Option<&'n Node> {
        self.members.iter().find(|member| member.key == key).map(|member| &member.node)
    }

    /// The members in file order.
    pub(super) fn members(&self) -> &'n [Member] {
        self.members
    }
}

impl Reader {
    /// Records a violation.
    pub(super) fn refuse(&mut self, at: &At, code: &str, message: impl Into<String>, next: impl Into<String>) {
        self.faults.push((at.offset, Diagnostic::new(format!("policy.{code}"), message, next).at_pointer(&at.pointer)));
    }

    /// Every violation in file order.
    pub(super) fn finish(mut self, text: &str) -> Vec<Diagnostic> {
        self.faults.sort_by_key(|(offset, _)| *offset);
        self.faults
            .into_iter()
            .map(|(offset, diagnostic)| {
                let (line, column) = position(text, offset);
                diagnostic.at_path(POLICY_FILE).at_position(line, column)
            })
            .collect()
    }

    fn wrong_type(&mut self, node: &Node, expected: &str) {
        self.refuse(&node.at, "wrong-type", format!("{expected} is due here, not {}", node.json.type_name()), format!("write {expected}"));
    }

    /// An object with these keys and no others.
    pub(super) fn object<'n>(&mut self, node: &'n Node, keys: &[&str]) -> Option<Fields<'n>> {
        let fields = self.open_object(node)?;
        for member in fields.members.iter().filter(|member| !keys.contains(&member.key.as_str())) {
            let next = format!("{}, or remove it", use_one_of(&member.key, keys));
            self.refuse(&member.at, "unknown-key", format!("unknown key {}", quoted(&member.key)), next);
        }
        Some(fields)
    }

    /// An object with any keys.
    pub(super) fn open_object<'n>(&mut self, node: &'n Node) -> Option<Fields<'n>> {
        let Json::Object(members) = &node.json else {
            self.wrong_type(node, "an object");
            return None;
        };
        Some(Fields { at: &node.at, members })
    }

    /// The value of a key that must be there.
    pub(super) fn required<'n>(&mut self, fields: &Fields<'n>, key: &str) -> Option<&'n Node> {
        let node = fields.get(key);
        if node.is_none() {
            self.refuse(fields.at, "missing-key", format!("the key `{key}` is missing"), format!("add `{key}`"));
        }
        node
    }

    /// The elements of an array; none when it is another type.
    pub(super) fn elements<'n>(&mut self, node: Option<&'n Node>) -> &'n [Node] {
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
    pub(super) fn text<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        let text = node.text();
        if text.is_none() {
            self.wrong_type(node, "a string");
        }
        text
    }

    /// A string that is more than white space.
    pub(super) fn filled_text<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        let text = self.text(node)?;
        if text.trim().is_empty() {
            self.refuse(&node.at, "blank", "this text is blank", "write it, or remove the key");
            return None;
        }
        Some(text)
    }

    /// A boolean.
    pub(super) fn boolean(&mut self, node: &Node) -> Option<bool> {
        if let Json::Boolean(boolean) = node.json {
            return Some(boolean);
        }
        self.wrong_type(node, "a boolean");
        None
    }

    /// An integer in this range.
    pub(super) fn integer(&mut self, node: &Node, range: RangeInclusive<u64>) -> Option<u64> {
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
    pub(super) fn choice<T: Copy>(&mut self, node: &Node, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(node)?;
        let found = choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            self.refuse(&node.at, "bad-value", format!("{} is no value of this key", quoted(text)), use_one_of(text, &names));
        }
        found
    }

    /// An identifier (BR-13).
    pub(super) fn identifier<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        let next = "use a lower-case letter, then lower-case letters and digits in groups separated by single `.` or `-`";
        self.checked(node, "bad-identifier", next, identifier_fault)
    }

    /// The name of an environment variable.
    pub(super) fn variable<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        self.checked(node, "bad-variable", "use letters, digits and `_`, no digit first", variable_fault)
    }

    /// A path inside the repository, in its one spelling.
    pub(super) fn path<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        self.checked(node, "bad-path", "write a path relative to the repository's root with `/` and without `.` or `..`", path_fault)
    }

    /// A path that names one file.
    pub(super) fn exact_path<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        let path = self.path(node)?;
        if path.contains(['*', '?']) {
            self.refuse(&node.at, "not-exact", format!("{} is a pattern", quoted(path)), "name each file by its exact path");
            return None;
        }
        Some(path)
    }

    /// A path pattern (BR-14).
    pub(super) fn pattern<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        let text = self.text(node)?;
        match PathPattern::parse(text) {
            Ok(_) => Some(text),
            Err(fault) => {
                let next = "write a pattern relative to the repository's root, such as `src/**/*.rs`";
                self.refuse(&node.at, "bad-pattern", format!("{}: {fault}", quoted(text)), next);
                None
            }
        }
    }

    /// The elements of an array that is a set, in file order; a repeated one is a violation (BR-5).
    pub(super) fn set<'n, T: Clone + Ord>(
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
    pub(super) fn sorted<'n>(&mut self, node: Option<&'n Node>, read: impl FnMut(&mut Self, &'n Node) -> Option<&'n str>) -> Vec<String> {
        let mut texts: Vec<String> = self.set(node, read).into_iter().map(str::to_owned).collect();
        texts.sort_unstable();
        texts
    }

    /// The same, and each must be one of these names.
    pub(super) fn references(&mut self, node: Option<&Node>, what: &str, known: &BTreeSet<&str>) -> Vec<String> {
        self.sorted(node, |reader, element| {
            let name = reader.text(element)?;
            reader.reference(element, name, what, known).then_some(name)
        })
    }

    /// Whether the name is one of these; a violation when it is not.
    pub(super) fn reference(&mut self, node: &Node, name: &str, what: &str, known: &BTreeSet<&str>) -> bool {
        self.refer(node, name, what, known, "")
    }

    /// The same for a plugin, which the policy may pin.
    pub(super) fn plugin_reference(&mut self, node: &Node, name: &str, what: &str, known: &BTreeSet<&str>) -> bool {
        self.refer(node, name, what, known, ", or pin it under `plugins`")
    }

    fn refer(&mut self, node: &Node, name: &str, what: &str, known: &BTreeSet<&str>, otherwise: &str) -> bool {
        let found = known.contains(name);
        if !found {
            let names: Vec<&str> = known.iter().copied().collect();
            let next = if names.is_empty() { format!("define a {what} first") } else { use_one_of(name, &names) };
            let code = format!("unknown-{}", what.replace(' ', "-"));
            self.refuse(&node.at, &code, format!("there is no {what} {}", quoted(name)), next + otherwise);
        }
        found
    }

    /// Refuses every name that an earlier element has.
    pub(super) fn unique_names(&mut self, nodes: &[Node], what: &str) {
        let mut seen = BTreeSet::new();
        for name in nodes.iter().filter_map(|node| node.get("name")) {
            if let Some(text) = name.text()
                && !seen.insert(text)
            {
                self.refuse(&name.at, "duplicate-name", format!("another {what} has the name {}", quoted(text)), "give each its own name");
            }
        }
    }

    fn checked<'n>(&mut self, node: &'n Node, code: &str, next: &str, fault: fn(&str) -> Option<&'static str>) -> Option<&'n str> {
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

/// Foreign text inside a message.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", shorten(&escape_line(text), 120))
}

/// Names for a `next`, at most twenty.
pub(super) fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(20).map(|name| quoted(name)).collect();
    let more = if names.len() > 20 { format!(" and {} more", names.len() - 20) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// The `next` of a name that is none of these: the one that was probably meant, or all of them.
fn use_one_of(text: &str, names: &[&str]) -> String {
    let meant = names.iter().copied().max_by(|one, other| strsim::jaro_winkler(text, one).total_cmp(&strsim::jaro_winkler(text, other)));
    match meant {
        Some(name) if strsim::jaro_winkler(text, name) > 0.85 => format!("write {}", quoted(name)),
        _ => format!("use one of {}", list(names)),
    }
}

/// The names that the elements of an array declare, faulty elements included: a reference to one of those is no second violation.
pub(super) fn declared(nodes: &[Node]) -> BTreeSet<&str> {
    nodes.iter().filter_map(|node| node.get("name")?.text()).collect()
}
