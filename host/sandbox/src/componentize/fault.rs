//! Why a core module stays one.

use std::fmt;

/// Why a core module cannot become a component.
#[derive(Debug, thiserror::Error)]
#[error("cannot make a component of the module: {0}")]
pub struct ComponentizeError(String);

impl ComponentizeError {
    /// With every cause.
    pub(super) fn of(error: impl fmt::Display) -> Self {
        Self(format!("{error:#}"))
    }
}
