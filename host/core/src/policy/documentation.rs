//! Documents: how they are configured (3.4), when a change is ordinary documentation (BR-21), and which explain a change.

use std::collections::BTreeSet;

use super::keys;
use super::model::{DesignDocument, Documentation, Policy};
use super::modules::Impact;
pub use super::names::is_markdown;
use crate::patch::{Change, EntryMode};
use crate::strict::Node;
use crate::strict::{Reader, quoted};

/// Markdown files that instruct agents: they change behavior, not documentation.
const INSTRUCTION_FILES: [&str; 3] = ["agents.md", "claude.md", "skill.md"];
/// Folders whose Markdown is product.
const PRODUCT_SEGMENTS: [&str; 2] = ["skills", "templates"];

/// Reads the section.
pub(super) fn documentation(reader: &mut Reader, node: Option<&Node>, modules: &BTreeSet<&str>) -> Documentation {
    let Some(fields) = node.and_then(|node| reader.object(node, keys::DOCUMENTATION)) else {
        return Documentation::default();
    };
    let design = reader.elements(fields.get("design")).iter().filter_map(|node| design(reader, node, modules)).collect();
    Documentation { design, product_inputs: reader.sorted(fields.get("productInputs"), markdown) }
}

fn design(reader: &mut Reader, node: &Node, modules: &BTreeSet<&str>) -> Option<DesignDocument> {
    let fields = reader.object(node, keys::DESIGN)?;
    let path = reader.required(&fields, "path").and_then(|node| markdown(reader, node));
    let module = fields.get("module").and_then(|node| {
        let name = reader.text(node)?;
        reader.reference(node, name, "module", modules).then(|| name.to_owned())
    });
    let source_paths = reader.sorted(fields.get("sourcePaths"), Reader::exact_path);
    match (fields.get("module"), fields.get("sourcePaths")) {
        (Some(_), Some(_)) => {
            let next = "keep the one that says what the document explains";
            reader.refuse(fields.at, "conflicting-keys", "`module` and `sourcePaths` exclude each other", next);
        }
        (None, None) => {
            let next = "name the `module` or the `sourcePaths` that the document explains";
            reader.refuse(fields.at, "missing-key", "the document explains nothing", next);
        }
        (None, Some(sources)) if matches!(&sources.json, crate::strict::Json::Array(elements) if elements.is_empty()) => {
            reader.refuse(&sources.at, "empty-set", "the document explains nothing", "name at least one source path, or a `module`");
        }
        _ => {}
    }
    Some(DesignDocument { path: path?.to_owned(), module, source_paths })
}

fn markdown<'n>(reader: &mut Reader, node: &'n Node) -> Option<&'n str> {
    let path = reader.exact_path(node)?;
    if !is_markdown(path) {
        reader.refuse(
            &node.at,
            "not-markdown",
            format!("{} is no Markdown file", quoted(path)),
            "name a file that ends in `.md` or `.markdown`",
        );
        return None;
    }
    Some(path)
}

/// Whether the change touches nothing but ordinary documentation (BR-21).
pub fn is_ordinary_documentation(changes: &[Change], base: &Policy, candidate: &Policy) -> bool {
    let product_input = |path: &String| [base, candidate].iter().any(|policy| policy.documentation.product_inputs.contains(path));
    let ordinary = |change: &Change| {
        let regular = [&change.old, &change.new].into_iter().flatten().all(|entry| entry.mode == EntryMode::File);
        regular && is_document(&change.path) && !product_input(&change.path)
    };
    !changes.is_empty() && changes.iter().all(ordinary)
}

/// Whether a path by its name alone is that of an ordinary document.
fn is_document(path: &str) -> bool {
    let lower = path.to_lowercase();
    let mut segments = lower.split('/').rev();
    let name = segments.next().unwrap_or_default();
    is_markdown(name) && !INSTRUCTION_FILES.contains(&name) && !segments.any(|segment| PRODUCT_SEGMENTS.contains(&segment))
}

/// The changed paths that base or candidate policy calls product input, sorted.
pub fn changed_product_inputs(changes: &[Change], base: &Policy, candidate: &Policy) -> BTreeSet<String> {
    let inputs = |policy: &Policy| policy.documentation.product_inputs.iter().cloned().collect::<BTreeSet<_>>();
    let known = &inputs(base) | &inputs(candidate);
    changes.iter().filter(|change| known.contains(&change.path)).map(|change| change.path.clone()).collect()
}

/// Whether a pattern of a feature is about documents, so that it selects the feature for ordinary documentation too (BR-21).
pub fn is_document_pattern(pattern: &str) -> bool {
    is_markdown(pattern)
}

/// Documents that explain a changed path, by exact source path or by a module that owns it, under either policy; sorted.
///
/// Each policy comes with the impact of the changed paths under it: `owners` has every changed path.
pub fn design_documents_for(sides: &[(&Policy, &Impact)]) -> BTreeSet<String> {
    let explains = |document: &DesignDocument, impact: &Impact| match &document.module {
        Some(module) => impact.direct.contains(module),
        None => document.source_paths.iter().any(|path| impact.owners.contains_key(path)),
    };
    sides
        .iter()
        .flat_map(|(policy, impact)| policy.documentation.design.iter().filter(|document| explains(document, impact)))
        .map(|document| document.path.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::modules::ChangedPath;
    use super::*;
    use crate::patch::Entry;

    fn change(path: &str, old: Option<EntryMode>, new: Option<EntryMode>) -> Change {
        let entry = |mode| Entry { mode, id: "0".repeat(40) };
        Change { path: path.to_owned(), old: old.map(entry), new: new.map(entry) }
    }

    fn edited(path: &str) -> Change {
        change(path, Some(EntryMode::File), Some(EntryMode::File))
    }

    fn ordinary(changes: &[Change]) -> bool {
        is_ordinary_documentation(changes, &Policy::default(), &Policy::default())
    }

    #[test]
    fn documents_alone_are_ordinary_documentation() {
        assert!(ordinary(&[edited("README.md"), edited("docs/a.MARKDOWN"), edited("core/README.md")]));
        assert!(ordinary(&[change("a.md", Some(EntryMode::File), None), change("b.md", None, Some(EntryMode::File))]));
    }

    #[test]
    fn everything_else_is_not() {
        assert!(!ordinary(&[]));
        for path in ["a.rs", "AGENTS.md", "x/Claude.md", "skill.MD", "Skills/a.md", "x/templates/a.md", "a.md.txt"] {
            assert!(!ordinary(&[edited("README.md"), edited(path)]), "{path}");
        }
        for mode in [EntryMode::Executable, EntryMode::Link, EntryMode::Gitlink] {
            assert!(!ordinary(&[change("a.md", Some(mode), Some(EntryMode::File))]));
            assert!(!ordinary(&[change("a.md", None, Some(mode))]));
        }
    }

    #[test]
    fn a_product_input_of_either_side_is_not_ordinary() {
        let mut policy = Policy::default();
        policy.documentation.product_inputs = vec!["prompt.md".to_owned()];
        let changes = [edited("prompt.md"), edited("a.md")];
        assert!(!is_ordinary_documentation(&changes, &policy, &Policy::default()));
        assert!(!is_ordinary_documentation(&changes, &Policy::default(), &policy));
        assert_eq!(changed_product_inputs(&changes, &policy, &Policy::default()), BTreeSet::from(["prompt.md".to_owned()]));
    }

    #[test]
    fn documents_follow_sources_and_modules_of_both_sides() {
        let module = super::super::model::Module { name: "core".to_owned(), paths: vec!["core/**".to_owned()], depends_on: Vec::new() };
        let document = |path: &str, module: Option<&str>, sources: &[&str]| DesignDocument {
            path: path.to_owned(),
            module: module.map(str::to_owned),
            source_paths: sources.iter().map(|source| (*source).to_owned()).collect(),
        };
        let base = Policy {
            modules: vec![module],
            documentation: Documentation { design: vec![document("docs/core.md", Some("core"), &[])], product_inputs: Vec::new() },
            ..Policy::default()
        };
        let mut candidate = Policy::default();
        candidate.documentation.design = vec![document("docs/b.md", None, &["core/a.rs"]), document("docs/c.md", None, &["other"])];
        let changed = [ChangedPath { path: "core/a.rs".to_owned(), below: false }];
        let impacts = [Impact::of(&base, &changed), Impact::of(&candidate, &changed)];
        let found = design_documents_for(&[(&base, &impacts[0]), (&candidate, &impacts[1])]);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["docs/b.md", "docs/core.md"]);
    }
}
