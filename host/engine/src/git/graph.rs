//! Ancestry: one pass over the commit graph a command (BR-24), and merge bases.

use std::{cell::RefCell, collections::VecDeque};

use code_polishy_core::diagnostic::Failure;
use gix::{ObjectId, hashtable::HashSet, traverse::commit::Either};

use super::{
    fault,
    repository::{Repository, object_id},
};

/// The history of a commit, or of several. It is walked once, and only as far as the questions need.
pub struct Ancestry {
    walk: RefCell<Walk>,
}

struct Walk {
    repository: gix::Repository,
    commit_graph: Option<gix::commitgraph::Graph>,
    /// Commits without parents here, although they have some elsewhere.
    shallow: HashSet,
    seen: HashSet,
    due: VecDeque<ObjectId>,
}

impl Ancestry {
    /// The history of `tip`, a full id.
    ///
    /// # Errors
    /// Operational `git.graph` when the repository's graph files cannot be read.
    pub fn of(repository: &Repository, tip: &str) -> Result<Self, Failure> {
        let tip = object_id(tip)?;
        let local = repository.local();
        let shallow: HashSet = local.shallow_commits().map_err(unreadable)?.map(|ids| ids.iter().copied().collect()).unwrap_or_default();
        // A graph file that was written before the clone became shallow knows parents that are gone.
        let commit_graph = if shallow.is_empty() { local.commit_graph_if_enabled().map_err(unreadable)? } else { None };
        let seen = HashSet::from_iter([tip]);
        Ok(Self { walk: RefCell::new(Walk { repository: local, commit_graph, shallow, seen, due: VecDeque::from([tip]) }) })
    }

    /// Counts the history of another tip, a full id, from now on.
    ///
    /// # Errors
    /// Usage `git.bad-id` when `tip` is no id.
    pub fn join(&self, tip: &str) -> Result<(), Failure> {
        let tip = object_id(tip)?;
        let mut walk = self.walk.borrow_mut();
        if walk.seen.insert(tip) {
            walk.due.push_back(tip);
        }
        Ok(())
    }

    /// `commit` is the tip or an ancestor of it. A commit that does not exist is in no history.
    ///
    /// # Errors
    /// Operational `git.graph` when a commit on the way is missing or broken.
    pub fn contains(&self, commit: &str) -> Result<bool, Failure> {
        let Ok(wanted) = ObjectId::from_hex(commit.as_bytes()) else { return Ok(false) };
        let mut walk = self.walk.borrow_mut();
        while !walk.seen.contains(&wanted) {
            if !walk.step()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Walk {
    /// Visits one more commit; `false` when none is due.
    fn step(&mut self) -> Result<bool, Failure> {
        let Some(id) = self.due.pop_front() else { return Ok(false) };
        for parent in self.parents(id)? {
            if self.seen.insert(parent) {
                self.due.push_back(parent);
            }
        }
        Ok(true)
    }

    fn parents(&self, id: ObjectId) -> Result<Vec<ObjectId>, Failure> {
        if self.shallow.contains(&id) {
            return Ok(Vec::new());
        }
        let mut buffer = Vec::new();
        let found = gix::traverse::commit::find(self.commit_graph.as_ref(), &self.repository.objects, &id, &mut buffer);
        match found.map_err(unreadable)? {
            Either::CommitRefIter(commit) => Ok(commit.parent_ids().collect()),
            Either::CachedCommit(commit) => self.cached_parents(&commit),
        }
    }

    fn cached_parents(&self, commit: &gix::commitgraph::file::Commit<'_>) -> Result<Vec<ObjectId>, Failure> {
        let Some(graph) = &self.commit_graph else { return Ok(Vec::new()) };
        commit.iter_parents().map(|parent| Ok(graph.commit_at(parent.map_err(unreadable)?).id().to_owned())).collect()
    }
}

/// The best common ancestors of two commits, sorted.
///
/// # Errors
/// Operational `git.graph`.
pub fn merge_bases(repository: &Repository, one: &str, other: &str) -> Result<Vec<String>, Failure> {
    let local = repository.local();
    let bases = local.merge_bases_many(object_id(one)?, &[object_id(other)?]).map_err(unreadable)?;
    let mut bases: Vec<_> = bases.into_iter().map(|id| id.to_string()).collect();
    bases.sort();
    Ok(bases)
}

/// The first parent of a commit; `None` for a root commit.
///
/// # Errors
/// Operational `git.graph`.
pub fn first_parent(repository: &Repository, commit: &str) -> Result<Option<String>, Failure> {
    let local = repository.local();
    let commit = local.find_commit(object_id(commit)?).map_err(unreadable)?;
    Ok(commit.parent_ids().next().map(|id| id.to_string()))
}

/// The one merge base of a reference and a commit: the base of a review (contract, section 1).
///
/// # Errors
/// Usage `git.no-merge-base`, `git.several-merge-bases`, and those of [`Repository::resolve`].
pub fn merge_base(repository: &Repository, reference: &str, head: &str) -> Result<String, Failure> {
    let mut bases = merge_bases(repository, &repository.resolve(reference)?, head)?;
    match bases.len() {
        1 => Ok(bases.remove(0)),
        0 => Err(no_merge_base(repository, reference)),
        _ => Err(Failure::usage(
            "git.several-merge-bases",
            format!("`{reference}` and HEAD have several merge bases: {}", bases.join(", ")),
            format!("merge {reference} into the branch, or name one of the merge bases"),
        )),
    }
}

fn no_merge_base(repository: &Repository, reference: &str) -> Failure {
    let message = format!("`{reference}` and HEAD share no commit");
    let next = match repository.is_shallow() {
        true => "fetch the missing history: git fetch --unshallow",
        false => "name a reference of the same history",
    };
    Failure::usage("git.no-merge-base", message, next)
}

fn unreadable(error: impl std::fmt::Display) -> Failure {
    fault::operational("git.graph", "the commit graph cannot be read", error)
}
