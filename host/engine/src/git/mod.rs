//! What git knows, read in process (BR-44, BR-82 to BR-84): no git program, no hook, no filter program, no configuration from outside the
//! repository, no variable of the environment, no replace reference.

mod blobs;
mod changes;
mod diff;
mod fault;
mod graph;
mod repository;
mod tree;

pub use blobs::{Blob, Blobs};
pub use changes::changes;
pub use diff::patch;
pub use graph::{Ancestry, merge_base, merge_bases};
pub use repository::Repository;
pub use tree::Tree;
