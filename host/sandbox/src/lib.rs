//! What is foreign: WebAssembly plugins, admitted, compiled once, limited, and called with types.
//!
//! The only crate that knows wasmtime. The engine reaches plugins through the traits of [`code_polishy_core::plugin`].

pub mod componentize;
