//! What happens: git facts, the contained store, locks, worktrees, processes and the workflows that join them with the core.

pub mod environment;
pub mod event;
mod failpoint;
pub mod git;
pub mod input;
pub mod interrupt;
pub mod lease;
pub mod lock;
pub mod parallel;
pub mod places;
pub mod plugin_add;
pub mod plugin_build;
pub mod plugins;
pub mod process;
pub mod store;
pub mod workflow;
pub mod workspace;
