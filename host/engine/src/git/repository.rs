//! Opening a repository the same way on every machine, and turning references into commits (BR-7, BR-83, BR-84).

use std::path::{Path, PathBuf};

use code_polishy_core::diagnostic::Failure;
use gix::odb::pack::cache::lru::MemoryCappedHashmap;

use super::fault;

/// Values that would change what is read. The repository's own are overridden; nobody else's are read.
const FIXED_SETTINGS: [&str; 4] =
    ["core.useReplaceRefs=false", "core.multiPackIndex=true", "core.disambiguate=commit", "gitoxide.core.useNsec=true"];

/// Bytes of decoded objects, and of the bases of deltas, that a thread keeps.
const CACHE_BYTES: usize = 16 * 1024 * 1024;

/// A repository with a work tree. Cheap to clone and to share between threads.
#[derive(Clone)]
pub struct Repository {
    shared: gix::ThreadSafeRepository,
    root: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
}

impl Repository {
    /// The repository that `start` is in, searching upwards.
    ///
    /// # Errors
    /// Usage `git.no-repository`, `git.bare-repository` or `git.unreadable-repository`.
    pub fn discover(start: &Path) -> Result<Self, Failure> {
        let (found, _) = gix::discover::upwards(start).map_err(|error| no_repository(start, &error))?;
        let (git_dir, work_tree) = found.into_repository_and_work_tree_directories();
        Self::open(&work_tree.unwrap_or(git_dir))
    }

    /// The repository at `path`, the folder of a work tree.
    ///
    /// # Errors
    /// As [`Self::discover`].
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let absolute = std::path::absolute(path).map_err(|error| no_repository(path, &error))?;
        let shared = isolated().open(absolute).map_err(|error| match gix::discover::is_git(path) {
            Err(_) if !path.join(".git").exists() => no_repository(path, &error),
            _ => unreadable(path, &error),
        })?;
        let Some(work_tree) = shared.work_dir() else { return Err(bare(path)) };
        let real = |path: &Path| path.canonicalize().map_err(|error| unreadable(path, &error));
        let local = shared.to_thread_local();
        let (root, git_dir, common_dir) = (real(work_tree)?, real(local.git_dir())?, real(local.common_dir())?);
        Ok(Self { root, git_dir, common_dir, shared })
    }

    /// The top folder of the work tree, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The private folder of this work tree: `.git`, or `.git/worktrees/<id>` of the main one.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The folder that all work trees share.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The commit at HEAD, attached or detached.
    ///
    /// # Errors
    /// Usage `git.unborn-head` before the first commit, `git.merge-in-progress` while a merge is not concluded.
    pub fn head(&self) -> Result<String, Failure> {
        if self.git_dir.join("MERGE_HEAD").exists() {
            return Err(merge_in_progress("a merge is not concluded"));
        }
        let local = self.local();
        let head = local.head().map_err(|error| fault::operational("git.head", "HEAD cannot be read", error))?;
        if head.is_unborn() {
            return Err(Failure::usage("git.unborn-head", "the repository has no commit yet", "make a first commit"));
        }
        let commit = head.into_peeled_id().map_err(|error| fault::operational("git.head", "HEAD names no commit", error))?;
        Ok(commit.to_string())
    }

    /// The commit at HEAD, whatever operation is in progress; `None` before the first commit.
    ///
    /// # Errors
    /// Operational `git.head`.
    pub fn head_as_is(&self) -> Result<Option<String>, Failure> {
        let local = self.local();
        let head = local.head().map_err(|error| fault::operational("git.head", "HEAD cannot be read", error))?;
        if head.is_unborn() {
            return Ok(None);
        }
        let commit = head.into_peeled_id().map_err(|error| fault::operational("git.head", "HEAD names no commit", error))?;
        Ok(Some(commit.to_string()))
    }

    /// The one commit that a reference names (BR-7).
    ///
    /// # Errors
    /// Usage `git.bad-reference` for its form, `git.unknown-reference` when it names no commit, with the fetch that helps in a shallow clone.
    pub fn resolve(&self, reference: &str) -> Result<String, Failure> {
        check_reference(reference)?;
        let local = self.local();
        let unknown = |error: &dyn std::fmt::Display| self.unknown_reference(reference, error);
        let object = local.rev_parse_single(reference).map_err(|error| unknown(&error))?.object().map_err(|error| unknown(&error))?;
        let commit = object.peel_tags_to_end().map_err(|error| unknown(&error))?.try_into_commit().map_err(|error| unknown(&error))?;
        Ok(commit.id.to_string())
    }

    /// Some of the history was never fetched.
    pub fn is_shallow(&self) -> bool {
        self.common_dir.join("shallow").metadata().is_ok_and(|file| file.len() > 0)
    }

    /// A handle for this thread.
    pub(super) fn local(&self) -> gix::Repository {
        let mut local = self.shared.to_thread_local();
        local.object_cache_size_if_unset(CACHE_BYTES);
        local.objects.set_pack_cache(|| Box::new(MemoryCappedHashmap::new(CACHE_BYTES)));
        local
    }

    fn unknown_reference(&self, reference: &str, error: &dyn std::fmt::Display) -> Failure {
        let next = match (self.is_shallow(), reference.split_once('/')) {
            (true, _) => "fetch the missing history: git fetch --unshallow".to_owned(),
            (false, Some(("origin", branch))) => format!("fetch it: git fetch origin {branch}"),
            (false, _) => format!("name an existing commit, or fetch it: git fetch origin {reference}"),
        };
        Failure::usage("git.unknown-reference", format!("`{reference}` names no commit of this repository: {error}"), next)
    }
}

/// An id of this project's records, which is always whole and hexadecimal.
///
/// # Errors
/// Usage `git.bad-id`.
pub(super) fn object_id(id: &str) -> Result<gix::ObjectId, Failure> {
    gix::ObjectId::from_hex(id.as_bytes())
        .map_err(|error| Failure::usage("git.bad-id", format!("`{id}` is no object id: {error}"), "give a full hexadecimal id"))
}

/// A merge whose conflicts or commit are still due.
pub(super) fn merge_in_progress(what: &str) -> Failure {
    Failure::usage("git.merge-in-progress", what, "conclude the merge, or give it up with git merge --abort")
}

/// Options that read the repository's own configuration and nothing else.
pub(super) fn isolated() -> gix::open::Options {
    gix::open::Options::isolated().with(gix::sec::Trust::Full).config_overrides(FIXED_SETTINGS)
}

fn check_reference(reference: &str) -> Result<(), Failure> {
    let fault = match reference {
        "" => "is empty",
        _ if reference.starts_with('-') => "starts with `-`",
        _ if reference.contains(char::is_whitespace) => "contains white space",
        _ if reference.contains('\0') => "contains a NUL",
        _ => return Ok(()),
    };
    Err(Failure::usage("git.bad-reference", format!("the reference {reference:?} {fault}"), "name a branch, a tag or a commit"))
}

fn no_repository(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(
        "git.no-repository",
        format!("{} is in no git repository: {error}", path.display()),
        "run the command in a repository, or name one with --repo",
    )
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(
        "git.unreadable-repository",
        format!("the repository at {} cannot be opened: {error}", path.display()),
        "check its configuration with git status",
    )
}

fn bare(path: &Path) -> Failure {
    Failure::usage(
        "git.bare-repository",
        format!("the repository at {} is bare: it has no work tree to review", path.display()),
        "run the command in a clone with a work tree",
    )
}
