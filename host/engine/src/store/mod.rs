//! The contained store: folders and files below a repository that are reached without following a link (BR-78..BR-81).

mod atomic;
mod digest;
mod fault;
mod folder;
mod remove;
mod walk;

pub use digest::{digest_tree, remove_file_below};
pub use fault::{StoreFault, StoreFaultKind};
pub use folder::Store;
pub use remove::remove_tree;
pub(crate) use walk::{components, open_regular, read_open, same_file, step};
