//! The folder that an exporter left: its files are read once, bounded, and never through a link.

use std::path::Path;

use code_polishy_core::code_review::{
    image::MAX_FILE_BYTES,
    pull_request::intake::{FILES, Files},
};

use crate::input::{InputFault, read_contained};

/// The files that are there; without the folder there are none.
pub(super) fn read(cwd: &Path, folder: &Path) -> Files {
    let mut files = Files::new();
    let Ok(folder) = cwd.join(folder).canonicalize() else { return files };
    for name in FILES {
        match read_contained(&folder, name, MAX_FILE_BYTES) {
            Ok(bytes) => drop(files.insert(name, Ok(bytes))),
            Err(InputFault::Absent) => {}
            Err(fault) => drop(files.insert(name, Err(fault.to_string()))),
        }
    }
    files
}
