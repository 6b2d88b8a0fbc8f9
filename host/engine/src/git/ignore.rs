//! Whether git ignores a path: `.gitignore` files and `info/exclude`, nothing of the user's.

use code_polishy_core::diagnostic::Failure;
use gix::{index::entry::Mode, worktree::stack::state::ignore::Source};

use super::{fault, repository::Repository};

/// Git ignores the folder, which need not exist.
///
/// # Errors
/// Operational `git.index`, `git.files`.
pub fn is_ignored(repository: &Repository, folder: &str) -> Result<bool, Failure> {
    let local = repository.local();
    let index = local.index_or_empty().map_err(|error| fault::operational("git.index", "the index cannot be read", error))?;
    let failed = |error: &dyn std::fmt::Display| fault::operational("git.files", "the ignore rules cannot be read", error);
    let mut rules = local.excludes(&index, None, Source::WorktreeThenIdMappingIfNotSkipped).map_err(|error| failed(&error))?;
    let platform = rules.at_entry(folder, Some(Mode::DIR)).map_err(|error| failed(&error))?;
    Ok(platform.is_excluded())
}
