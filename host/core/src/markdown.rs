//! The Markdown contract (BR-71): final newline, no trailing white space, and every local link, image, reference and fragment resolves.
//!
//! Documents are parsed as GitHub parses them; nothing is fetched. What exists is asked of a [`Tree`], so that a rule never reads a file.

mod document;
mod html;
mod slug;
mod target;

use std::collections::BTreeSet;

pub use document::{Document, Link};

use crate::text::escape_line;
use target::{Fault, Target};

/// Bytes of a document.
pub const MAX_BYTES: u64 = 256 * 1024;

/// What a repository path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link or a submodule: it exists, and what lies behind it belongs to somebody else.
    Opaque,
}

/// What exists beside a document.
pub trait Tree {
    /// What is at a repository-relative path; the empty path is the root.
    fn place(&self, path: &str) -> Option<Place>;
    /// The anchors of a document; `None` for everything that is no readable document.
    fn anchors(&self, path: &str) -> Option<&BTreeSet<String>>;
}

/// One way in which a document breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Stable, such as `documentation.broken-link`.
    pub code: &'static str,
    /// The document: repository-relative.
    pub path: String,
    /// From 1; `None` when it is about the whole document.
    pub line: Option<u32>,
    /// What is wrong; foreign text in it is escaped.
    pub message: String,
    /// How to mend it.
    pub remedy: &'static str,
}

impl Violation {
    fn new(code: &'static str, path: &str, line: Option<u32>, message: impl Into<String>, remedy: &'static str) -> Self {
        Self { code, path: path.to_owned(), line, message: message.into(), remedy }
    }

    /// The path is a symbolic link or a submodule.
    pub fn not_regular(path: &str) -> Self {
        Self::new("documentation.not-regular", path, None, "the document is no regular file", "commit the document itself at this path")
    }

    /// The document has this many bytes.
    pub fn too_large(path: &str, bytes: u64) -> Self {
        let message = format!("the document has {bytes} bytes, over {MAX_BYTES}");
        Self::new("documentation.too-large", path, None, message, "split the document")
    }

    /// The bytes are no text.
    pub fn not_utf8(path: &str, bytes: &[u8]) -> Self {
        let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let line = u32::try_from(valid.matches('\n').count() + 1).ok();
        Self::new("documentation.not-utf8", path, line, "the document is not valid UTF-8", "save the document as UTF-8")
    }
}

/// Everything that is wrong with a document, by line.
pub fn check(document: &Document, tree: &impl Tree) -> Vec<Violation> {
    let mut violations = document.flaws().to_vec();
    violations.extend(broken_links(document, tree, |_| true));
    violations.sort_by_key(|violation| violation.line);
    violations
}

/// Links of a document that do not resolve, of those whose target's path `concerns` the caller.
pub fn broken_links(document: &Document, tree: &impl Tree, concerns: impl Fn(&str) -> bool) -> Vec<Violation> {
    let broken = document.links().iter().filter_map(|link| {
        let (code, reason, remedy) = match target::resolve(document.path(), &link.destination) {
            Ok(Target::External) => return None,
            Ok(Target::Local { path, .. }) if !concerns(&path) => return None,
            Ok(Target::Local { path, folder, fragment }) => missing(tree, &path, folder, fragment.as_deref())?,
            // A destination that says nothing points at no changed path.
            Err(_) if !concerns(document.path()) => return None,
            Err(fault) => fault_words(fault),
        };
        let what = if link.image { "image" } else { "link" };
        let message = format!("the {what} `{}` {reason}", escape_line(&link.destination));
        Some(Violation::new(code, document.path(), Some(link.line), message, remedy))
    });
    broken.collect()
}

type Words = (&'static str, String, &'static str);

fn fault_words(fault: Fault) -> Words {
    const CODE: &str = "documentation.bad-link";
    match fault {
        Fault::Empty => (CODE, "leads nowhere".into(), "name a target, or remove the link"),
        Fault::Escape => {
            (CODE, "has a percent escape that is no UTF-8 text".into(), "write the path as UTF-8, with `%25` for a percent sign")
        }
        Fault::Outside => {
            ("documentation.outside-link", "leaves the repository".into(), "link to a path of the repository, or to an address")
        }
    }
}

fn missing(tree: &impl Tree, path: &str, folder: bool, fragment: Option<&str>) -> Option<Words> {
    let shown = if path.is_empty() { "the repository's root".to_owned() } else { format!("`{}`", escape_line(path)) };
    let Some(place) = tree.place(path) else {
        let remedy = "mend the path, or commit what it names";
        return Some(("documentation.broken-link", format!("names {shown}, which does not exist"), remedy));
    };
    if folder && place == Place::File {
        return Some(("documentation.broken-link", format!("ends in `/`, and {shown} is a file"), "remove the final `/`"));
    }
    // Browsers take both as the top of whatever is shown.
    let fragment = fragment.filter(|fragment| !fragment.is_empty() && *fragment != "top")?;
    const CODE: &str = "documentation.broken-fragment";
    match anchors(tree, path, place) {
        Some(anchors) if anchors.contains(fragment) => None,
        Some(_) => {
            let reason = format!("names the anchor `{}`, which {shown} does not have", escape_line(fragment));
            Some((CODE, reason, "name a heading as GitHub spells its anchor, or an `id`"))
        }
        None if place == Place::File && target::is_line_anchor(fragment) => None,
        None => {
            let reason = format!("has a fragment, and {shown} is no Markdown document");
            Some((CODE, reason, "remove the fragment, or name lines of a file as `#L7` or `#L7-L9`"))
        }
    }
}

/// A folder is shown with its README.
fn anchors<'t>(tree: &'t impl Tree, path: &str, place: Place) -> Option<&'t BTreeSet<String>> {
    match place {
        Place::Folder if path.is_empty() => tree.anchors("README.md"),
        Place::Folder => tree.anchors(&format!("{path}/README.md")),
        Place::File | Place::Opaque => tree.anchors(path),
    }
}

#[cfg(test)]
mod tests;
