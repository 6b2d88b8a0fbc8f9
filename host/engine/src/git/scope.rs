//! Which paths count, as the caller's policies say.

/// Which paths are governed (contract, section 1).
pub trait Scope: Sync {
    /// The tracked path counts.
    fn tracked(&self, path: &str) -> bool;
    /// The untracked path counts, unless a `.gitignore` hides it.
    fn untracked(&self, path: &str) -> bool;
    /// Some untracked path below the folder may count. Answering `false` spares the walk.
    fn enters(&self, folder: &str) -> bool {
        let _ = folder;
        true
    }
}
