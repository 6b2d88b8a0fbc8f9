//! What happens: git facts, the contained store, locks, worktrees, processes and the workflows that join them with the core.

pub mod git;
