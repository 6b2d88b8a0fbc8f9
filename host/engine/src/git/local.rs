//! The working tree as a review takes it: during a merge and before the first commit too (CR-28, CR-34).

use std::{collections::BTreeMap, fs};

use code_polishy_core::{canonical::digest_bytes, diagnostic::Failure, patch::Change};
use gix::{
    bstr::{BString, ByteSlice},
    index::{
        State,
        entry::{Flags, Stage, Stat},
    },
};

use super::{
    blobs::{Blob, Blobs},
    changes,
    clean_filter::Ground,
    fault,
    repository::Repository,
    scan::{Kind, scan},
    scope::Scope,
    staged::staged,
    state::join,
    unstaged::Unstaged,
};

/// How index and files differ from HEAD below a scope.
pub struct LocalChange {
    /// The commit at HEAD; `None` before the first one.
    pub head: Option<String>,
    /// Index against HEAD, sorted by path bytes. An unmerged path counts with our side.
    pub staged: Vec<Change>,
    /// Files against index, sorted by path bytes. A new id may be in no object database.
    pub unstaged: Vec<Change>,
    /// Untracked files and links, sorted by path bytes.
    pub untracked: Vec<String>,
    /// Untracked repositories, pipes, sockets and devices, which are no part of a change.
    pub skipped: Vec<String>,
    /// Paths with a conflict, sorted by bytes.
    pub unmerged: Vec<String>,
    /// Tracked paths, sorted by bytes.
    pub tracked: Vec<String>,
    repository: Repository,
    blobs: BTreeMap<String, Blob>,
}

impl LocalChange {
    /// Compares HEAD, index and files.
    ///
    /// # Errors
    /// Usage `git.path-not-utf8`; operational `git.head`, `git.index`, `git.object`, `git.files`.
    pub fn read(repository: &Repository, scope: &dyn Scope) -> Result<Self, Failure> {
        let head = repository.head_as_is()?;
        let local = repository.local();
        let tree = match &head {
            Some(head) => changes::root_tree(&local, head)?.id,
            None => gix::ObjectId::empty_tree(local.object_hash()),
        };
        let index = index(&local)?;
        let unmerged = unmerged(&index).iter().map(|path| fault::utf8_path(path)).collect::<Result<_, _>>()?;
        let index = merged(&index);
        let ground = Ground { repository, root: repository.root(), index: &index, disposable: false };
        let staged = staged(&local, tree, &index)?;
        let (Unstaged { changes: unstaged, blobs }, untracked) = scan(ground, scope)?;
        let governed = |changes: Vec<Change>| changes.into_iter().filter(|change| scope.tracked(&change.path)).collect();
        let (files, others): (Vec<_>, Vec<_>) = untracked.into_iter().partition(|(_, kind)| matches!(kind, Kind::File | Kind::Symlink));
        let names = |paths: Vec<(String, Kind)>| paths.into_iter().map(|(path, _)| path).collect();
        Ok(Self {
            head,
            staged: governed(staged),
            unstaged: governed(unstaged),
            untracked: names(files),
            skipped: names(others),
            unmerged,
            tracked: tracked(&index, scope)?,
            repository: repository.clone(),
            blobs,
        })
    }

    /// HEAD against the files, in one step, sorted by path bytes.
    pub fn changes(&self) -> Vec<Change> {
        join(&self.staged, &self.unstaged)
    }

    /// The blobs of both sides of every change.
    pub fn blobs(&self) -> Blobs {
        Blobs::with_overlay(&self.repository, self.blobs.clone())
    }
}

/// Ids that an operation in progress left in the private folder of the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Of several heads the first.
    pub merge_head: Option<String>,
    /// The commit that is being replayed.
    pub rebase_head: Option<String>,
    /// The commit that is being picked.
    pub cherry_pick_head: Option<String>,
    /// The commit that is being undone.
    pub revert_head: Option<String>,
    /// Sorted by bytes.
    pub unmerged_paths: Vec<String>,
    /// Digest of what `git ls-files --stage -z` prints: stat data do not count.
    pub index_sha256: String,
}

impl Operations {
    /// Of a repository's work tree.
    ///
    /// # Errors
    /// Operational `git.index`; usage `git.path-not-utf8` for an unmerged path.
    pub fn read(repository: &Repository) -> Result<Self, Failure> {
        let first = |name: &str| {
            let text = fs::read_to_string(repository.git_dir().join(name)).ok()?;
            text.lines().next().map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned)
        };
        let index = index(&repository.local())?;
        let mut staged = Vec::new();
        for entry in index.entries() {
            staged.extend_from_slice(format!("{:06o} {} {}\t", entry.mode.bits(), entry.id, entry.stage_raw()).as_bytes());
            staged.extend_from_slice(entry.path(&index));
            staged.push(0);
        }
        Ok(Self {
            merge_head: first("MERGE_HEAD"),
            rebase_head: first("REBASE_HEAD"),
            cherry_pick_head: first("CHERRY_PICK_HEAD"),
            revert_head: first("REVERT_HEAD"),
            unmerged_paths: unmerged(&index).iter().map(|path| fault::utf8_path(path)).collect::<Result<_, _>>()?,
            index_sha256: digest_bytes(&staged),
        })
    }
}

fn index(local: &gix::Repository) -> Result<State, Failure> {
    let index = local.index_or_empty().map_err(|error| fault::operational("git.index", "the index cannot be read", error))?;
    let state: &State = &index;
    Ok(state.clone())
}

fn unmerged(index: &State) -> Vec<BString> {
    let conflicts = index.entries().iter().filter(|entry| entry.stage() != Stage::Unconflicted);
    let mut paths: Vec<BString> = conflicts.map(|entry| entry.path(index).to_owned()).collect();
    paths.dedup();
    paths
}

/// The index with one entry for each unmerged path, so that its file is compared by content: ours, else theirs, else the common one.
fn merged(index: &State) -> State {
    let mut merged = index.clone();
    for path in unmerged(index) {
        let side = |stage| index.entry_by_path_and_stage(path.as_bstr(), stage);
        let Some(entry) = side(Stage::Ours).or_else(|| side(Stage::Theirs)).or_else(|| side(Stage::Base)) else { continue };
        merged.remove_entries(|_, other, _| other == path.as_bstr());
        merged.dangerously_push_entry(Stat::default(), entry.id, Flags::empty(), entry.mode, path.as_bstr());
        merged.sort_entries();
    }
    merged
}

fn tracked(index: &State, scope: &dyn Scope) -> Result<Vec<String>, Failure> {
    let paths = index.entries().iter().map(|entry| fault::utf8_path(entry.path(index)));
    Ok(paths.collect::<Result<Vec<_>, _>>()?.into_iter().filter(|path| scope.tracked(path)).collect())
}
