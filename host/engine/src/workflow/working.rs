//! The working tree under the policies of a command: what is not committed, and its refusal.

use code_polishy_core::{
    diagnostic::Failure,
    policy::{documentation::is_ordinary_documentation, model::Policy, modules::ChangedPath, scope::Governed},
    text::escape_line,
};

use crate::{
    git::{Scope, Status, WorkingState},
    workspace::Workspace,
};

/// Governed paths, without the one file that a command was given as input (BR-26).
struct Counted<'a> {
    governed: &'a Governed,
    input: Option<&'a str>,
}

impl Scope for Counted<'_> {
    fn tracked(&self, path: &str) -> bool {
        self.governed.tracked(path)
    }

    fn untracked(&self, path: &str) -> bool {
        self.input != Some(path) && self.governed.untracked(path)
    }

    fn enters(&self, folder: &str) -> bool {
        !self.governed.skips_folder(folder)
    }
}

/// What differs from HEAD, not yet digested.
pub fn status(workspace: &Workspace<'_>, governed: &Governed) -> Result<Status, Failure> {
    Status::read(&workspace.repository, &Counted { governed, input: None })
}

/// The digested state (4.2), without the input file.
pub fn state(workspace: &Workspace<'_>, governed: &Governed, input: Option<&str>) -> Result<WorkingState, Failure> {
    WorkingState::read(&workspace.repository, &Counted { governed, input })
}

/// Refuses staged, unstaged or untracked governed paths, naming the first of them.
pub fn require_clean(workspace: &Workspace<'_>, governed: &Governed) -> Result<(), Failure> {
    let status = status(workspace, governed)?;
    if status.is_clean() { Ok(()) } else { Err(dirty(&status.paths())) }
}

/// Does the work while another thread makes sure that the tree is clean; the refusal of a dirty tree outranks the work's.
pub fn while_clean<T>(workspace: &Workspace<'_>, governed: &Governed, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        let check = scope.spawn(|| require_clean(workspace, governed));
        let outcome = work();
        check.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        outcome
    })
}

/// The refusal of a working tree with these paths.
pub fn dirty(paths: &[&str]) -> Failure {
    const SHOWN: usize = 5;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(|path| escape_line(path)).collect();
    let more = paths.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message = format!("the candidate has uncommitted paths: {}{more}", shown.join(", "));
    Failure::blocked("candidate.dirty", message, "commit or remove them")
}

/// Uncommitted paths, for ownership.
pub fn changed_paths(status: &Status) -> impl Iterator<Item = ChangedPath> + '_ {
    status.paths().into_iter().map(|path| ChangedPath { path: path.to_owned(), below: false })
}

/// Whether everything uncommitted is ordinary documentation (BR-21).
pub fn is_documentation(status: &Status, base: &Policy, candidate: &Policy) -> bool {
    let changes = status.tracked_changes();
    changes.len() == status.paths().len() && is_ordinary_documentation(&changes, base, candidate)
}
