//! Core modules become components: the last step of building a plugin.

mod fault;
mod metadata;

use wit_component::ComponentEncoder;

pub use fault::ComponentizeError;

/// Wraps a core module and validates the result. A module that carries no WIT metadata (a `component-type` custom section, as Rust's
/// `wit-bindgen` embeds it) gets that of the contract's world whose interface it exports.
///
/// Deterministic: equal modules give equal components. Fails for bytes that are no core module, for a module that exports nothing of the
/// contract, and for one that imports something outside its world, such as `wasi_snapshot_preview1`.
pub fn componentize(core: &[u8]) -> Result<Vec<u8>, ComponentizeError> {
    let module = metadata::completed(core)?;
    let encoded = ComponentEncoder::default().validate(true).module(&module).and_then(|mut encoder| encoder.encode());
    encoded.map_err(ComponentizeError::of)
}
