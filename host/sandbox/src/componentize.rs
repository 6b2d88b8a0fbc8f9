//! Core modules become components: the last step of building a plugin.

use wit_component::ComponentEncoder;

/// Why a core module cannot become a component.
#[derive(Debug, thiserror::Error)]
#[error("cannot make a component of the module: {0}")]
pub struct ComponentizeError(String);

/// Wraps a core module that carries WIT metadata (a `component-type` custom section, as `wit-bindgen` embeds it) and validates the result.
///
/// Deterministic: equal modules give equal components. Fails for bytes that are no core module, for a module without metadata, and for one that
/// imports something outside its world, such as `wasi_snapshot_preview1`.
pub fn componentize(core: &[u8]) -> Result<Vec<u8>, ComponentizeError> {
    ComponentEncoder::default()
        .validate(true)
        .module(core)
        .and_then(|mut encoder| encoder.encode())
        .map_err(|error| ComponentizeError(format!("{error:#}")))
}
