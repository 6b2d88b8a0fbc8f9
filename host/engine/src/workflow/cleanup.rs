//! `cleanup`: removes all review artifacts together (BR-81).

use code_polishy_core::{diagnostic::Failure, packet::FOLDER};
use serde::Serialize;

use crate::{
    event::Event,
    lock,
    store::remove_tree,
    workflow::{capture::LOCK_FILE, suite::worktrees},
    workspace::Workspace,
};

/// What was removed: the typed member of 2.2.
#[derive(Clone, Debug, Serialize)]
pub struct Cleaned {
    /// Repository-relative.
    pub path: String,
    /// It was there.
    pub removed: bool,
    /// Registrations of left-over disposable worktrees that were removed.
    pub worktrees_pruned: usize,
}

/// Removes the folder under the journal's lock. Absent is success, and so is again.
pub fn cleanup(workspace: &Workspace<'_>) -> Result<Cleaned, Failure> {
    let root = workspace.repository.root();
    let on_wait = || workspace.observer.on(&Event::Waiting { what: "the journal lock" });
    let lock = lock::acquire_existing(root, FOLDER, LOCK_FILE, &workspace.interrupt, on_wait)?;
    let removed = remove_tree(root, FOLDER)?;
    drop(lock);
    Ok(Cleaned { path: FOLDER.to_owned(), removed, worktrees_pruned: worktrees(workspace)?.sweep()? })
}
