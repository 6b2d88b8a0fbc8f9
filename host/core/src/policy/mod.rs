//! The policy: its values, how it is read, and what it says about paths, modules, features and documents.

pub(crate) mod code_review;
mod commands;
pub mod documentation;
pub mod features;
mod graph;
pub mod inputs;
pub mod keys;
pub mod load;
pub mod model;
pub mod modules;
pub mod names;
pub(crate) mod path_set;
pub mod paths;
pub mod pinning;
mod read;
pub mod reference;
pub mod schema;
pub mod scope;
pub mod suites;
pub mod verification;

pub use load::load;
pub use model::*;
