//! The state of the invoking checkout that a review must leave alone (CR-34).

use code_polishy_core::{code_review::t0::GitState, diagnostic::Failure};

use crate::git::{Operations, Repository};

/// The state now.
///
/// # Errors
/// Operational `git.head`, `git.index`.
pub fn observe(repository: &Repository) -> Result<GitState, Failure> {
    let Operations { merge_head, rebase_head, cherry_pick_head, revert_head, unmerged_paths, index_sha256 } = Operations::read(repository)?;
    Ok(GitState {
        schema_version: 1,
        source_worktree: repository.root().display().to_string(),
        observed_at: super::now(),
        head: repository.head_as_is()?,
        merge_head,
        rebase_head,
        cherry_pick_head,
        revert_head,
        unmerged_paths,
        index_sha256,
    })
}
