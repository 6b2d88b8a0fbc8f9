//! Python.

use super::TemplateFile;

/// Every file.
pub const FILES: &[TemplateFile] = &[];
