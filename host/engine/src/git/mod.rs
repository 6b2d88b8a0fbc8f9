//! What git knows, read in process (BR-44, BR-82 to BR-84): no git program, no hook, no filter program, no configuration from outside the
//! repository, no variable of the environment, no replace reference.

mod blobs;
mod changes;
mod checkout;
mod clean_filter;
mod diff;
mod disposable;
mod fault;
mod file_stat;
mod graph;
mod ignore;
mod local;
mod refs;
mod registration;
mod repository;
mod review_tree;
mod scan;
mod scope;
mod staged;
mod state;
mod tree;
mod unstaged;
mod utf16;
mod work;
mod worktree;

pub use blobs::{Blob, Blobs};
pub use changes::{additions, changes};
pub use diff::patch;
pub use graph::{Ancestry, first_parent, merge_base, merge_bases};
pub use ignore::is_ignored;
pub use local::{LocalChange, Operations};
pub use refs::{Remote, Tip};
pub use repository::Repository;
pub use review_tree::{add_review_tree, rewrite};
pub use scope::Scope;
pub use state::{Status, Untracked, WorkingState};
pub use tree::Tree;
pub use worktree::{Worktree, Worktrees};
