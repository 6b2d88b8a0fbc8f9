//! What is far away: components in OCI registries, fetched by digest and believed only when every digest is right.
//!
//! The only crate that opens a network connection, and only `plugin add` calls it: gates load what was added before. It keeps to the
//! layout of the CNCF's [wasm OCI artifacts](https://tag-runtime.cncf.io/wgs/wasm/deliverables/wasm-oci-artifact/): a manifest whose
//! configuration is `application/vnd.wasm.config.v0+json` and whose one layer is `application/wasm`.

mod address;
mod artifact;
mod client;
mod credentials;
mod fault;

pub use address::{Address, is_reference};
pub use artifact::MAX_COMPONENT_BYTES;
pub use client::{Fetched, fetch, resolve};
pub use fault::RegistryFault;
