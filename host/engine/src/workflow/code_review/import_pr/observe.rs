//! The invoking checkout before and after a collection: it stays as it is (CR-3).

use std::{collections::BTreeSet, path::Path};

use code_polishy_core::{code_review::pull_request::receipt::SourceObservation, diagnostic::Failure};

use crate::{git::Repository, workflow::code_review::scope::capture_local};

/// HEAD, branch and dirty paths now; the reports of this product do not count.
///
/// # Errors
/// Exit 3 of git.
pub(super) fn checkout(repository: &Repository, cwd: &Path, reports: Option<&str>) -> Result<SourceObservation, Failure> {
    let capture = capture_local(repository, cwd, &[], reports)?;
    let mut dirty: BTreeSet<&String> = capture.untracked.iter().collect();
    if let Some(local) = &capture.local {
        dirty.extend(local.staged.iter().chain(&local.unstaged).map(|change| &change.path).chain(&local.unmerged));
    }
    Ok(SourceObservation { dirty_paths: dirty.into_iter().cloned().collect(), branch: repository.branch()?, head: capture.head })
}
