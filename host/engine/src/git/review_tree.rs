//! The worktree that reviewers read: one commit, detached, in a place of the run's, and kept (CR-31, CR-33).

use std::{fs, io, path::Path};

use code_polishy_core::{diagnostic::Failure, patch::Entry};

use super::{changes, checkout, fault, registration::Registration, repository::Repository};

/// HEAD of a review worktree before the first commit: a branch that is never made.
const UNBORN: &str = "ref: refs/heads/code-polishy-review-unborn";

/// Checks out a commit, or nothing before the first one, into the new folder `path`. What fails half-way stays for diagnosis.
///
/// # Errors
/// Blocked `review-worktree-occupied` when something is at `path`; operational `git.object`, `git.files`.
pub fn add_review_tree(repository: &Repository, path: &Path, commit: Option<&str>) -> Result<(), Failure> {
    match fs::create_dir(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(occupied(path)),
        Err(error) => return Err(fault::files("cannot make the review worktree", path, error)),
    }
    let local = repository.local();
    let tree = match commit {
        Some(commit) => changes::root_tree(&local, commit)?.id,
        None => gix::ObjectId::empty_tree(local.object_hash()),
    };
    let registered = Registration::create(repository.common_dir(), path, commit.unwrap_or(UNBORN));
    let registration = registered.map_err(|error| fault::files("cannot register the review worktree", path, error))?;
    checkout::tree(&local, tree, path, registration.git_dir().join("index"))?;
    Ok(())
}

/// Writes files of a commit over what is in the review worktree.
///
/// # Errors
/// Operational `git.object`, `git.files`.
pub fn rewrite(repository: &Repository, files: &[(&str, &Entry)]) -> Result<(), Failure> {
    checkout::files(&repository.local(), files, repository.root()).map(drop)
}

fn occupied(path: &Path) -> Failure {
    let message = format!("something is at the place of the review worktree: {}", path.display());
    Failure::blocked("review-worktree-occupied", message, "move it away, or name another place with --review-worktree")
        .at_path(&path.display().to_string())
}
