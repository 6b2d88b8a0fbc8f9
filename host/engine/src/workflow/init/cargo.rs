//! The members of a Cargo workspace and what each builds on.

use std::{collections::BTreeSet, path::Path};

use code_polishy_core::{diagnostic::Failure, policy::paths::PathPattern};
use toml::Table;

use super::folder::{Folder, is_own, text};

/// How deep members are looked for.
const MAX_DEPTH: usize = 4;

/// A member of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Repository-relative.
    pub folder: String,
    /// The package's name.
    pub package: String,
    /// Names of packages that it is built from; tests may build on anybody.
    pub builds_on: BTreeSet<String>,
}

/// Members below the root, by folder. A manifest that cannot be read names none.
pub fn members(root: &Path) -> Result<Vec<Member>, Failure> {
    let Some(workspace) = manifest(root, "").and_then(|manifest| manifest.get("workspace")?.as_table().cloned()) else {
        return Ok(Vec::new());
    };
    let patterns = |key: &str| -> Vec<PathPattern> {
        let texts = workspace.get(key).and_then(toml::Value::as_array).into_iter().flatten().filter_map(toml::Value::as_str);
        texts.filter_map(|text| PathPattern::parse(text.trim_start_matches("./").trim_end_matches('/')).ok()).collect()
    };
    let (included, excluded) = (patterns("members"), patterns("exclude"));
    let is_member = |folder: &str| {
        let matched = |patterns: &[PathPattern]| patterns.iter().any(|pattern| pattern.matches(folder));
        matched(&included) && !matched(&excluded)
    };
    let mut members = Vec::new();
    let mut waiting = vec![(String::new(), 0)];
    while let Some((path, depth)) = waiting.pop() {
        let folder = Folder::read(root, &path)?;
        if folder.has("Cargo.toml") && is_member(&path) {
            members.extend(manifest(root, &path).and_then(|manifest| member(&path, &manifest)));
        }
        if depth < MAX_DEPTH {
            waiting.extend(folder.folders.iter().filter(|name| is_own(name)).map(|name| (folder.at(name), depth + 1)));
        }
    }
    members.sort_by(|one, two| one.folder.cmp(&two.folder));
    Ok(members)
}

fn manifest(root: &Path, folder: &str) -> Option<Table> {
    let path = if folder.is_empty() { "Cargo.toml".to_owned() } else { format!("{folder}/Cargo.toml") };
    text(root, &path)?.parse().ok()
}

fn member(folder: &str, manifest: &Table) -> Option<Member> {
    let package = manifest.get("package")?.get("name")?.as_str()?.to_owned();
    let tables = ["dependencies", "build-dependencies"].into_iter().filter_map(|key| manifest.get(key)?.as_table());
    let name = |(key, value): (&String, &toml::Value)| value.get("package").and_then(toml::Value::as_str).unwrap_or(key).to_owned();
    Some(Member { folder: folder.to_owned(), package, builds_on: tables.flatten().map(name).collect() })
}
