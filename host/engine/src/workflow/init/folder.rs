//! One folder of a repository: its names, and the text of small files in it. Links are not followed.

use std::{collections::BTreeSet, fs, path::Path};

use code_polishy_core::diagnostic::Failure;

use crate::input::read_contained;

/// Bytes of a manifest.
const MAX_MANIFEST_BYTES: u64 = 1024 * 1024;
/// Folders of tools and of other people's code.
const FOREIGN: [&str; 9] = ["node_modules", "target", "dist", "build", "coverage", "vendor", "third_party", "venv", "__pycache__"];

/// The names in a folder.
pub struct Folder {
    /// Repository-relative; empty for the root.
    pub path: String,
    /// Names of the regular files in it.
    pub files: BTreeSet<String>,
    /// Names of the folders in it.
    pub folders: BTreeSet<String>,
}

impl Folder {
    /// Lists a repository-relative folder; names that are not UTF-8 are nobody's manifest.
    pub fn read(root: &Path, path: &str) -> Result<Self, Failure> {
        let fault = |error: std::io::Error| {
            let shown = if path.is_empty() { "." } else { path };
            Failure::operational("init.unreadable", format!("the folder `{shown}` cannot be read: {error}"), "check the folder's rights")
        };
        let mut folder = Self { path: path.to_owned(), files: BTreeSet::new(), folders: BTreeSet::new() };
        for entry in fs::read_dir(root.join(path)).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let (Ok(name), kind) = (entry.file_name().into_string(), entry.file_type().map_err(fault)?) else { continue };
            if kind.is_dir() {
                folder.folders.insert(name);
            } else if kind.is_file() {
                folder.files.insert(name);
            }
        }
        Ok(folder)
    }

    /// The repository-relative path of a name in it.
    pub fn at(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}/{name}", self.path) }
    }

    /// A file of this name is in it.
    pub fn has(&self, name: &str) -> bool {
        self.files.contains(name)
    }

    /// The text of a small file in it.
    pub fn text(&self, root: &Path, name: &str) -> Option<String> {
        if self.has(name) { text(root, &self.at(name)) } else { None }
    }
}

/// The text of a small file; what cannot be read says nothing.
pub fn text(root: &Path, path: &str) -> Option<String> {
    String::from_utf8(read_contained(root, path, MAX_MANIFEST_BYTES).ok()?).ok()
}

/// Whether the folder's content is the repository's own work.
pub fn is_own(name: &str) -> bool {
    !name.starts_with('.') && !FOREIGN.contains(&name)
}
