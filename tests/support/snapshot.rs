//! Everything below a folder, for asking whether a command wrote something.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::sha256;

/// Each path below a folder with what it holds; empty when there is no folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot(BTreeMap<String, String>);

impl Snapshot {
    /// Reads a folder without following links.
    pub fn of(folder: &Path) -> Self {
        let mut entries = BTreeMap::new();
        collect(folder, folder, &mut entries);
        Self(entries)
    }

    /// Whether nothing is there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The paths at which two snapshots differ.
    pub fn differences(&self, other: &Self) -> BTreeSet<String> {
        let paths = self.0.keys().chain(other.0.keys());
        paths.filter(|path| self.0.get(*path) != other.0.get(*path)).cloned().collect()
    }

    /// The part in a folder, without the folder itself.
    pub fn below(&self, folder: &str) -> Self {
        let below = |path: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        Self(self.0.iter().filter(|(path, _)| below(path)).map(|(path, content)| (path.clone(), content.clone())).collect())
    }

    /// The part outside these folders.
    pub fn without(mut self, folders: &[&str]) -> Self {
        self.0.retain(|path, _| !folders.contains(&path.split('/').next().expect("a first part")));
        self
    }

    /// The paths, relative to the folder.
    pub fn paths(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}

fn collect(root: &Path, path: &Path, entries: &mut BTreeMap<String, String>) {
    let Ok(metadata) = fs::symlink_metadata(path) else { return };
    let name = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
    let content = if metadata.is_symlink() {
        format!("link {}", fs::read_link(path).expect("readable link").display())
    } else if metadata.is_dir() {
        for entry in fs::read_dir(path).expect("readable folder") {
            collect(root, &entry.expect("readable entry").path(), entries);
        }
        "folder".to_owned()
    } else {
        format!("file {}", sha256(fs::read(path).expect("readable file")))
    };
    entries.insert(name, content);
}
