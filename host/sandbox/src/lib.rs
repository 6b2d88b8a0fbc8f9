//! What is foreign: WebAssembly plugins, admitted, compiled once, limited, and called with types.
//!
//! The only crate that knows wasmtime. The engine reaches plugins through the traits of [`code_polishy_core::plugin`], which [`Sandbox`] implements.

pub mod admission;
mod bindings;
pub mod bundled;
mod call;
mod compiled;
pub mod componentize;
mod convert;
mod engine;
mod fault;
mod handle;
mod host;
pub mod inspect;
pub mod limits;
mod note;
mod runtime;
mod shared;
mod source;

pub use host::Sandbox;
pub use note::{Level, Note};
