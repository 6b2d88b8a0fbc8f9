//! What is true: the decisions of `code-polishy` as pure functions over values.
//!
//! Nothing here touches files, the clock, the environment, processes, git or WebAssembly: facts come in as values,
//! decisions go out as values. Rules are cited by their number in the contract (`BR-n`).

pub mod canonical;
pub mod code_review;
pub mod codes;
pub mod diagnostic;
pub mod explain;
pub mod gate;
pub mod journal;
pub mod markdown;
pub mod packet;
pub mod patch;
pub mod plugin;
pub mod plugin_case;
pub mod policy;
pub mod proof;
pub mod receipt;
pub mod review;
pub mod schema;
pub mod selection;
mod strict;
pub mod text;
