//! C: `plugin.c`, compiled by clang beside the bindings that `wit-bindgen` generated.

use std::path::Path;

use code_polishy_core::diagnostic::Failure;

use super::{Built, tool};

/// Builds the folder's plugin.
pub fn build(dir: &Path, _progress: &mut dyn FnMut(&str)) -> Result<Built, Failure> {
    let what = format!("`{}` is a plugin in C, which this version does not build", dir.display());
    Err(tool::missing(&what, "build it with clang and wit-bindgen"))
}
