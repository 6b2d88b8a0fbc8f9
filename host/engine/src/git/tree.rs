//! One commit's tree, read folder by folder as it is asked for.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use code_polishy_core::{
    diagnostic::Failure,
    patch::{Entry, EntryMode},
    plugin::{PathFact, PathKind},
};
use gix::{
    attrs::StateRef,
    bstr::{BStr, BString, ByteSlice},
};

use super::{blobs::Blobs, changes, fault, repository::Repository};

/// Bytes of a file that a classifier gets to see.
const HEAD_BYTES: usize = 4096;

/// The head of a larger blob is left out: git gives a blob whole or not at all, and memory is bounded.
const MAX_HEAD_SOURCE: u64 = 64 * 1024 * 1024;

/// A `.gitattributes` beyond this is ignored, as git does.
const MAX_ATTRIBUTES_BYTES: u64 = 100 * 1024 * 1024;

/// The tree of a commit. Folders are read once; for one thread.
pub struct Tree {
    repository: gix::Repository,
    blobs: Blobs,
    root: gix::ObjectId,
    folders: RefCell<BTreeMap<gix::ObjectId, Rc<Folder>>>,
}

/// Names of a folder, sorted by bytes.
type Folder = BTreeMap<BString, Node>;

#[derive(Clone)]
enum Node {
    Folder(gix::ObjectId),
    Leaf(Entry),
}

impl Tree {
    /// The tree of a commit named by its full id.
    ///
    /// # Errors
    /// Operational `git.object` when the commit is missing or is none.
    pub fn of(repository: &Repository, commit: &str) -> Result<Self, Failure> {
        let local = repository.local();
        let root = changes::root_tree(&local, commit)?.id;
        Ok(Self { blobs: Blobs::of(repository), repository: local, root, folders: RefCell::default() })
    }

    /// The tree before the first commit: nothing is in it.
    pub fn empty(repository: &Repository) -> Self {
        let local = repository.local();
        let root = gix::ObjectId::empty_tree(local.object_hash());
        Self { blobs: Blobs::of(repository), repository: local, root, folders: RefCell::default() }
    }

    /// What is at a path; `None` for nothing and for a folder.
    ///
    /// # Errors
    /// Operational `git.object`.
    pub fn entry(&self, path: &str) -> Result<Option<Entry>, Failure> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(folder) = self.folder(folder)? else { return Ok(None) };
        Ok(match folder.get(name.as_bytes().as_bstr()) {
            Some(Node::Leaf(entry)) => Some(entry.clone()),
            Some(Node::Folder(_)) | None => None,
        })
    }

    /// The blobs of the repository.
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// The bytes of the regular file at a path, unless it is larger than `limit`; `None` when there is no regular file.
    ///
    /// # Errors
    /// Operational `git.object`.
    pub fn file_at_most(&self, path: &str, limit: u64) -> Result<Option<super::Blob>, Failure> {
        match self.entry(path)? {
            Some(Entry { mode: EntryMode::File | EntryMode::Executable, id }) => self.blobs.read_at_most(&id, limit).map(Some),
            _ => Ok(None),
        }
    }

    /// Every path below a folder (`""` for all) with its entry, sorted by bytes.
    ///
    /// # Errors
    /// Usage `git.path-not-utf8`; operational `git.object`.
    pub fn entries_below(&self, folder: &str) -> Result<Vec<(String, Entry)>, Failure> {
        let mut entries = Vec::new();
        if let Some(found) = self.folder(folder)? {
            let prefix = if folder.is_empty() { BString::default() } else { BString::from(format!("{folder}/")) };
            self.collect(&found, prefix.as_bstr(), &mut entries)?;
        }
        entries.sort_by(|left, right| left.0.cmp(&right.0));
        Ok(entries)
    }

    /// What a classifier is told about these paths, in their order. Every path must be in the tree.
    ///
    /// # Errors
    /// Operational `git.object`, also for a path that the tree lacks.
    pub fn facts(&self, paths: &[&str]) -> Result<Vec<PathFact>, Failure> {
        let attributes = self.attributes(paths)?;
        paths.iter().zip(attributes).map(|(path, attributes)| self.fact(path, attributes)).collect()
    }

    fn fact(&self, path: &str, attributes: Vec<(String, String)>) -> Result<PathFact, Failure> {
        let entry = self.entry(path)?.ok_or_else(|| unreadable(format_args!("`{path}` is not in the tree")))?;
        let kind = match entry.mode {
            EntryMode::File | EntryMode::Executable => PathKind::File,
            EntryMode::Link => PathKind::Link,
            EntryMode::Gitlink => PathKind::Gitlink,
        };
        let (size, head) = if kind == PathKind::Gitlink { (0, Vec::new()) } else { self.head(&entry.id)? };
        Ok(PathFact { path: path.to_owned(), kind, executable: entry.mode == EntryMode::Executable, size, head, attributes })
    }

    /// Size and first bytes of a blob.
    fn head(&self, id: &str) -> Result<(u64, Vec<u8>), Failure> {
        match self.blobs.read_at_most(id, MAX_HEAD_SOURCE)? {
            super::Blob::Larger(size) => Ok((size, Vec::new())),
            super::Blob::Whole(bytes) => Ok((bytes.len() as u64, bytes[..bytes.len().min(HEAD_BYTES)].to_vec())),
        }
    }

    /// The `linguist-*` attributes that the tree's own `.gitattributes` files give each path: `true`, `false` or the text, sorted by name.
    ///
    /// # Errors
    /// Operational `git.object`.
    pub fn attributes(&self, paths: &[&str]) -> Result<Vec<Vec<(String, String)>>, Failure> {
        let mut names = gix::attrs::search::MetadataCollection::default();
        let search = self.attribute_files(paths, &mut names)?;
        let mut outcome = gix::attrs::search::Outcome::default();
        outcome.initialize(&names);
        Ok(paths
            .iter()
            .map(|path| {
                outcome.reset();
                search.pattern_matching_relative_path(
                    path.as_bytes().as_bstr(),
                    gix::glob::pattern::Case::Sensitive,
                    Some(false),
                    &mut outcome,
                );
                linguist(&outcome)
            })
            .collect())
    }

    /// The attribute files of every folder above the paths; deeper ones come later and so win.
    fn attribute_files(&self, paths: &[&str], names: &mut gix::attrs::search::MetadataCollection) -> Result<gix::attrs::Search, Failure> {
        let no_files = std::iter::empty::<std::path::PathBuf>();
        let mut search = gix::attrs::Search::new_globals(no_files, &mut Vec::new(), names).map_err(unreadable)?;
        let folders: BTreeSet<(usize, &str)> = paths.iter().flat_map(|path| above(path)).map(|folder| (folder.len(), folder)).collect();
        for (_, folder) in folders {
            let file = if folder.is_empty() { ".gitattributes".to_owned() } else { format!("{folder}/.gitattributes") };
            if let Some(super::Blob::Whole(bytes)) = self.file_at_most(&file, MAX_ATTRIBUTES_BYTES)? {
                let top = std::path::Path::new("");
                search.add_patterns_buffer(&bytes, file.into(), Some(top), names, folder.is_empty()).map_err(unreadable)?;
            }
        }
        Ok(search)
    }

    fn folder(&self, path: &str) -> Result<Option<Rc<Folder>>, Failure> {
        let mut folder = self.read_folder(self.root)?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            match folder.get(name.as_bytes().as_bstr()) {
                Some(Node::Folder(id)) => folder = self.read_folder(*id)?,
                Some(Node::Leaf(_)) | None => return Ok(None),
            }
        }
        Ok(Some(folder))
    }

    fn read_folder(&self, id: gix::ObjectId) -> Result<Rc<Folder>, Failure> {
        if let Some(folder) = self.folders.borrow().get(&id) {
            return Ok(Rc::clone(folder));
        }
        let folder = Rc::new(self.decode_folder(id)?);
        self.folders.borrow_mut().insert(id, Rc::clone(&folder));
        Ok(folder)
    }

    fn decode_folder(&self, id: gix::ObjectId) -> Result<Folder, Failure> {
        let tree = self.repository.find_tree(id).map_err(unreadable)?;
        let mut folder = Folder::new();
        for entry in tree.iter() {
            let entry = entry.map_err(unreadable)?;
            let node = changes::entry(entry.mode(), entry.object_id()).map_or(Node::Folder(entry.object_id()), Node::Leaf);
            folder.insert(entry.filename().to_owned(), node);
        }
        Ok(folder)
    }

    fn collect(&self, folder: &Folder, prefix: &BStr, entries: &mut Vec<(String, Entry)>) -> Result<(), Failure> {
        for (name, node) in folder {
            let mut path = prefix.to_owned();
            path.extend_from_slice(name);
            match node {
                Node::Leaf(entry) => entries.push((fault::utf8_path(&path)?, entry.clone())),
                Node::Folder(id) => {
                    path.push(b'/');
                    self.collect(&*self.read_folder(*id)?, path.as_bstr(), entries)?;
                }
            }
        }
        Ok(())
    }
}

/// The folders that hold a path, from the top (`""`) down.
fn above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once("").chain(path.match_indices('/').map(|(end, _)| &path[..end]))
}

fn linguist(outcome: &gix::attrs::search::Outcome) -> Vec<(String, String)> {
    let mut attributes: Vec<_> = outcome
        .iter()
        .filter(|found| found.assignment.name.as_str().starts_with("linguist-"))
        .filter_map(|found| {
            let value = match found.assignment.state {
                StateRef::Set => "true".to_owned(),
                StateRef::Unset => "false".to_owned(),
                StateRef::Value(text) => text.as_bstr().to_str_lossy().into_owned(),
                StateRef::Unspecified => return None,
            };
            Some((found.assignment.name.as_str().to_owned(), value))
        })
        .collect();
    attributes.sort();
    attributes
}

fn unreadable(error: impl std::fmt::Display) -> Failure {
    fault::operational("git.object", "an object of the repository cannot be read", error)
}
