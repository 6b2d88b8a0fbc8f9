//! The policy: its values, how it is read, and what it says about paths, modules, features and documents.

pub mod model;
pub mod modules;
pub mod paths;

pub use model::*;
