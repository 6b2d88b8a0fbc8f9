//! The state of the working tree: what is staged, unstaged and untracked, and its digest (contract 4.2).

use std::{collections::BTreeMap, fs::File, io};

use code_polishy_core::{
    canonical::{digest_bytes, digest_json, hex},
    diagnostic::Failure,
    patch::{Change, whole_text},
};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{
    blobs::{Blob, Blobs},
    changes,
    clean_filter::{self, Ground},
    diff, fault,
    repository::Repository,
    scan::{Kind, scan},
    scope::Scope,
    staged::staged,
    unstaged::Unstaged,
};

/// How the working tree differs from HEAD, in governed paths. Nothing is digested yet.
pub struct Status {
    repository: Repository,
    head: String,
    staged: Vec<Change>,
    unstaged: Vec<Change>,
    untracked: Vec<(String, Kind)>,
    blobs: BTreeMap<String, Blob>,
}

/// An untracked path as the state records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Untracked {
    /// Repository-relative, `/`.
    pub path: String,
    /// `file`, `symlink`, `repository` (a folder with a `.git` of its own) or `other`.
    pub kind: &'static str,
    /// A file with the owner's executable bit.
    pub executable: bool,
    /// Bytes of the file or of the link's text; 0 for what is recorded by kind alone.
    pub size: u64,
    /// Of the file's content or the link's text; empty for what is recorded by kind alone.
    pub sha256: String,
}

/// The candidate state of a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkingState {
    /// The commit at HEAD.
    pub head: String,
    /// Index against HEAD, sorted by path bytes.
    pub staged: Vec<Change>,
    /// Files against index, sorted by path bytes. A new id may be in no object database.
    pub unstaged: Vec<Change>,
    /// Sorted by path bytes.
    pub untracked: Vec<Untracked>,
    /// Digest of the document of contract 4.2: equal on every machine where the trees are equal.
    pub sha256: String,
    /// Nothing is staged, unstaged or untracked.
    pub clean: bool,
}

impl Status {
    /// Compares HEAD, index and files.
    ///
    /// # Errors
    /// Those of [`Repository::head`]; usage `git.path-not-utf8`; operational `git.index`, `git.object`, `git.files`.
    pub fn read(repository: &Repository, scope: &dyn Scope) -> Result<Self, Failure> {
        let head = repository.head()?;
        let local = repository.local();
        let index = local.index_or_empty().map_err(|error| fault::operational("git.index", "the index cannot be read", error))?;
        let tree = changes::root_tree(&local, &head)?.id;
        let ground = Ground { repository, root: repository.root(), index: &index, disposable: false };
        let staged = staged(&local, tree, &index)?;
        let (Unstaged { changes: unstaged, blobs }, untracked) = scan(ground, scope)?;
        let governed = |changes: Vec<Change>| changes.into_iter().filter(|change| scope.tracked(&change.path)).collect();
        Ok(Self { repository: repository.clone(), head, staged: governed(staged), unstaged: governed(unstaged), untracked, blobs })
    }

    /// The commit at HEAD.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Nothing is staged, unstaged or untracked.
    pub fn is_clean(&self) -> bool {
        self.staged.is_empty() && self.unstaged.is_empty() && self.untracked.is_empty()
    }

    /// The index differs from HEAD.
    pub fn has_staged(&self) -> bool {
        !self.staged.is_empty()
    }

    /// Every path that is staged, unstaged or untracked, sorted by bytes, each once.
    pub fn paths(&self) -> Vec<&str> {
        let tracked = self.staged.iter().chain(&self.unstaged).map(|change| change.path.as_str());
        let mut paths: Vec<_> = tracked.chain(self.untracked.iter().map(|(path, _)| path.as_str())).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// HEAD against the files, in one step: what the tracked paths would change if all of it were committed. Sorted by path bytes; a new id
    /// may be in no object database.
    pub fn tracked_changes(&self) -> Vec<Change> {
        join(&self.staged, &self.unstaged)
    }

    /// Digests everything that differs.
    ///
    /// # Errors
    /// Operational `git.object`, `git.files`.
    pub fn into_state(self) -> Result<WorkingState, Failure> {
        let clean = self.is_clean();
        let blobs = Blobs::with_overlay(&self.repository, self.blobs);
        let root = self.repository.root();
        let untracked = self.untracked.into_iter().map(|(path, kind)| observe(root, path, kind)).collect::<Result<Vec<_>, _>>()?;
        let document = Document {
            head: &self.head,
            staged: Part::of(&self.staged, &blobs)?,
            unstaged: Part::of(&self.unstaged, &blobs)?,
            untracked: &untracked,
        };
        let sha256 = digest_json(&document);
        Ok(WorkingState { head: self.head, staged: self.staged, unstaged: self.unstaged, untracked, sha256, clean })
    }
}

/// HEAD against the files: index against HEAD, and files against index, in one step.
pub(super) fn join(staged: &[Change], unstaged: &[Change]) -> Vec<Change> {
    let mut paths: BTreeMap<&str, Change> = staged.iter().map(|change| (change.path.as_str(), change.clone())).collect();
    for change in unstaged {
        let entry = paths.entry(&change.path).or_insert_with(|| change.clone());
        entry.new.clone_from(&change.new);
    }
    paths.into_values().filter(|change| change.old != change.new).collect()
}

impl WorkingState {
    /// The state now.
    ///
    /// # Errors
    /// Those of [`Status::read`] and [`Status::into_state`].
    pub fn read(repository: &Repository, scope: &dyn Scope) -> Result<Self, Failure> {
        Status::read(repository, scope)?.into_state()
    }
}

#[derive(Serialize)]
struct Document<'a> {
    head: &'a str,
    staged: Part<'a>,
    unstaged: Part<'a>,
    untracked: &'a [Untracked],
}

#[derive(Serialize)]
struct Part<'a> {
    paths: Vec<&'a str>,
    sha256: String,
}

impl<'a> Part<'a> {
    fn of(changes: &'a [Change], blobs: &Blobs) -> Result<Self, Failure> {
        let text = whole_text(&diff::patch(changes, blobs)?);
        Ok(Self { paths: changes.iter().map(|change| change.path.as_str()).collect(), sha256: digest_bytes(text.as_bytes()) })
    }
}

fn observe(root: &std::path::Path, path: String, kind: Kind) -> Result<Untracked, Failure> {
    let place = root.join(&path);
    let bare = |kind| Untracked { path: path.clone(), kind, executable: false, size: 0, sha256: String::new() };
    match kind {
        Kind::Repository => Ok(bare("repository")),
        Kind::Other => Ok(bare("other")),
        Kind::Symlink => {
            let text = clean_filter::link_text(&place)?;
            Ok(Untracked { size: text.len() as u64, sha256: digest_bytes(&text), ..bare("symlink") })
        }
        Kind::File => {
            let (executable, size, sha256) = digest_file(&place).map_err(|error| fault::files("cannot read", &place, error))?;
            Ok(Untracked { executable, size, sha256, ..bare("file") })
        }
    }
}

fn digest_file(place: &std::path::Path) -> io::Result<(bool, u64, String)> {
    let mut file = File::open(place)?;
    let executable = gix::index::fs::Metadata::from_file(&file)?.is_executable();
    let mut sink = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    let mut size = 0;
    loop {
        match io::Read::read(&mut file, &mut buffer)? {
            0 => return Ok((executable, size, hex(&sink.finalize()))),
            read => {
                sink.update(&buffer[..read]);
                size += read as u64;
            }
        }
    }
}
