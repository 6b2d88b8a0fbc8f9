//! Core modules become components: the last step of building a plugin.

use std::fmt;

use wit_component::ComponentEncoder;

use crate::metadata;

/// Why a core module cannot become a component.
#[derive(Debug, thiserror::Error)]
#[error("cannot make a component of the module: {0}")]
pub struct ComponentizeError(String);

impl ComponentizeError {
    /// With every cause.
    pub(crate) fn of(error: impl fmt::Display) -> Self {
        Self(format!("{error:#}"))
    }
}

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
