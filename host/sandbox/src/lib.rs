//! What is foreign: WebAssembly plugins, admitted, compiled once, limited, and called with types.
//!
//! The only crate that knows wasmtime. The engine reaches plugins through the traits of [`code_polishy_core::plugin`], which [`Sandbox`] implements.

pub mod admission;
mod ask;
mod bindings;
pub mod bundled;
mod call;
pub mod check;
mod compiled;
pub mod componentize;
mod convert;
mod engine;
mod evict;
mod fault;
mod handle;
mod host;
pub mod inspect;
pub mod limits;
mod note;
mod payload;
mod runtime;
mod shared;
mod source;
mod turn;

pub use ask::Asked;
pub use host::Sandbox;
pub use note::{Level, Note};
