//! What the black-box tests stand on: real git repositories, the real binary, and readers of its evidence that share no code with it.

mod author;
pub mod bench;
mod bulk;
mod digest;
mod edits;
mod finalized;
mod flow;
mod forge;
mod harness;
mod kill;
mod output;
mod passes;
pub mod policy;
mod project;
pub mod registry;
mod repo;
mod review;
mod reviewed;
mod reviewer;
mod routing;
mod running;
mod snapshot;
mod tmpfs;

pub use bulk::Bulk;
pub use digest::{digest, digest_without, sha256};
pub use edits::{Edit, edits};
pub use flow::{Flow, INTENT};
pub use forge::{FORGE_URL, Forge};
pub use harness::{ADAPTER, Harness};
pub use kill::Killed;
pub use output::Output;
pub use project::{File, Project};
pub use registry::Registry;
pub use repo::{Repo, World};
pub use review::{PRODUCER, ReviewRun};
pub use reviewer::Reviewer;
pub use running::{Running, processes, until};
pub use snapshot::Snapshot;
pub use tmpfs::Tmpfs;

/// The folder of the evidence, relative to a repository.
pub const EVIDENCE: &str = ".code-polishy-reports/behavior-review";
