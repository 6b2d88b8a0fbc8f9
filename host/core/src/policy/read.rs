//! What values of a policy look like: identifiers, paths, patterns and references.

use std::collections::BTreeSet;

use super::names::{identifier_fault, path_fault, variable_fault};
use super::paths::PathPattern;
use crate::strict::{Node, Reader, quoted, use_one_of};

impl Reader {
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
}

/// The names that the elements of an array declare, faulty elements included: a reference to one of those is no second violation.
pub(super) fn declared(nodes: &[Node]) -> BTreeSet<&str> {
    nodes.iter().filter_map(|node| node.get("name")?.text()).collect()
}
