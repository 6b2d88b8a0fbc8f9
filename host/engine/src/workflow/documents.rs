//! The Markdown contract of a candidate (BR-71): its changed documents, and every document that links to what it changed or deleted.

use std::collections::{BTreeMap, BTreeSet};

use code_polishy_core::{
    diagnostic::Failure,
    gate::report::Finding,
    markdown::{self, Document, MAX_BYTES, Place, Tree, Violation},
    packet,
    patch::{Entry, EntryMode},
    policy::documentation::is_markdown,
};

use crate::{git::Blob, workflow::change::ChangeSet, workspace::Workspace};

/// Everything that is wrong with the candidate's documents, by path and line. Nothing outside the candidate's tree is read.
pub fn contract(workspace: &Workspace<'_>, change: &ChangeSet) -> Result<Vec<Finding>, Failure> {
    let mut candidate = Candidate::read(change)?;
    workspace.interrupt.check()?;
    let touched = Touched::of(change);
    let mut violations = std::mem::take(&mut candidate.unreadable);
    violations.retain(|violation| touched.paths.contains(violation.path.as_str()));
    for (path, document) in &candidate.documents {
        if touched.paths.contains(path.as_str()) {
            violations.extend(markdown::check(document, &candidate));
        } else if change.policies.governed.tracked(path) {
            violations.extend(markdown::broken_links(document, &candidate, |target| touched.contains(target)));
        }
    }
    violations.sort_by(|one, two| (&one.path, one.line).cmp(&(&two.path, two.line)));
    Ok(violations.into_iter().map(finding).collect())
}

fn finding(violation: Violation) -> Finding {
    Finding {
        rule: violation.code.to_owned(),
        subject: violation.path.clone(),
        path: violation.path,
        line: violation.line,
        message: violation.message,
        remedy: violation.remedy.to_owned(),
        next: "mend the document, commit, and run the gate again".to_owned(),
    }
}

/// Paths that the change adds, modifies or deletes.
struct Touched<'a> {
    paths: BTreeSet<&'a str>,
}

impl<'a> Touched<'a> {
    fn of(change: &'a ChangeSet) -> Self {
        Self { paths: change.changes.iter().map(|change| change.path.as_str()).collect() }
    }

    /// The target is one of them, or a folder of one: a folder goes with its last file.
    fn contains(&self, target: &str) -> bool {
        let below = format!("{target}/");
        self.paths.contains(target)
            || target.is_empty()
            || self.paths.range(below.as_str()..).next().is_some_and(|path| path.starts_with(&below))
    }
}

/// The candidate's tree with every document parsed once.
struct Candidate {
    places: BTreeMap<String, Place>,
    documents: BTreeMap<String, Document>,
    unreadable: Vec<Violation>,
}

impl Candidate {
    fn read(change: &ChangeSet) -> Result<Self, Failure> {
        let tree = &change.policies.candidate.tree;
        let mut candidate =
            Self { places: BTreeMap::from([(String::new(), Place::Folder)]), documents: BTreeMap::new(), unreadable: Vec::new() };
        for (path, entry) in tree.entries_below("")? {
            if is_markdown(&path) {
                candidate.read_document(change, &path, &entry)?;
            }
            for (end, _) in path.match_indices('/') {
                candidate.places.entry(path[..end].to_owned()).or_insert(Place::Folder);
            }
            candidate.places.insert(path, place(&entry));
        }
        Ok(candidate)
    }

    /// A document over the limit is read all the same: others link to its headings.
    fn read_document(&mut self, change: &ChangeSet, path: &str, entry: &Entry) -> Result<(), Failure> {
        if place(entry) != Place::File {
            self.unreadable.push(Violation::not_regular(path));
            return Ok(());
        }
        let blob = change.policies.candidate.tree.blobs().read_at_most(&entry.id, packet::MAX_BYTES)?;
        if blob.size() > MAX_BYTES {
            self.unreadable.push(Violation::too_large(path, blob.size()));
        }
        let Blob::Whole(bytes) = blob else { return Ok(()) };
        match str::from_utf8(&bytes) {
            Ok(text) => drop(self.documents.insert(path.to_owned(), Document::parse(path, text))),
            Err(_) => self.unreadable.push(Violation::not_utf8(path, &bytes)),
        }
        Ok(())
    }
}

fn place(entry: &Entry) -> Place {
    match entry.mode {
        EntryMode::File | EntryMode::Executable => Place::File,
        EntryMode::Link | EntryMode::Gitlink => Place::Opaque,
    }
}

impl Tree for Candidate {
    fn place(&self, path: &str) -> Option<Place> {
        self.places.get(path).copied()
    }

    fn anchors(&self, path: &str) -> Option<&BTreeSet<String>> {
        self.documents.get(path).map(Document::anchors)
    }
}
