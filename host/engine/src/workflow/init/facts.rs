//! What a repository holds, as far as a starting policy depends on it. Links are not followed.

use std::{collections::BTreeSet, path::Path};

use code_polishy_core::diagnostic::Failure;

use super::{
    cargo::{self, Member},
    folder::{Folder, is_own},
};

/// Entries that are looked at in one top-level folder, and how deep.
const MAX_ENTRIES: usize = 5000;
const MAX_DEPTH: usize = 6;

/// Endings of files that people write and that can be wrong.
const SOURCES: [&str; 41] = [
    "c", "cc", "clj", "cpp", "cs", "css", "cxx", "dart", "erl", "ex", "exs", "fs", "go", "h", "hpp", "hs", "html", "java", "jl", "js",
    "jsx", "kt", "lua", "m", "ml", "mjs", "php", "pl", "py", "r", "rb", "rs", "scala", "sh", "sql", "svelte", "swift", "ts", "tsx", "vue",
    "zig",
];

/// How tests of a folder run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ecosystem {
    /// A Cargo package or workspace.
    Cargo {
        /// `Cargo.lock` is there.
        locked: bool,
    },
    /// A `package.json` with a test script.
    Node {
        /// `npm`, `pnpm`, `yarn` or `bun`, by the lock file.
        manager: &'static str,
        /// The script itself.
        script: String,
    },
    /// Python with pytest.
    Pytest,
    /// Python with tests of the standard library below this folder.
    Unittest {
        /// Relative to the ecosystem's folder.
        tests: String,
    },
    /// A Go module.
    Go,
    /// Maven, with its wrapper when it is there.
    Maven {
        /// `mvnw` is there.
        wrapper: bool,
    },
    /// Gradle, with its wrapper when it is there.
    Gradle {
        /// `gradlew` is there.
        wrapper: bool,
    },
    /// A Makefile with a target `test`.
    Make,
}

/// An ecosystem at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Repository-relative folder; empty for the root.
    pub folder: String,
    /// The file that says so; repository-relative.
    pub evidence: String,
    /// How its tests run.
    pub ecosystem: Ecosystem,
}

/// Everything that a proposal is made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// At the root first, then by folder.
    pub found: Vec<Found>,
    /// Members of the Cargo workspace at the root, by folder.
    pub members: Vec<Member>,
    /// Top-level folders with sources, sorted.
    pub folders: Vec<String>,
    /// Endings of sources at the root, sorted.
    pub root_sources: Vec<String>,
}

/// Looks at the root and at the folders in it.
pub fn read(root: &Path) -> Result<Facts, Failure> {
    let top = Folder::read(root, "")?;
    let own: Vec<&String> = top.folders.iter().filter(|name| is_own(name)).collect();
    let mut found = ecosystems(root, &top)?;
    let mut folders = Vec::new();
    for name in own {
        if has_sources(root, name)? {
            folders.push(name.clone());
        }
        let inner = ecosystems(root, &Folder::read(root, name)?)?;
        // What the root's own command covers is not run twice.
        let covered = |inner: &Found| found.iter().any(|outer| outer.folder.is_empty() && kind(&outer.ecosystem) == kind(&inner.ecosystem));
        let new: Vec<Found> = inner.into_iter().filter(|inner| !covered(inner)).collect();
        found.extend(new);
    }
    let root_sources: BTreeSet<String> = top.files.iter().filter_map(|name| source_ending(name)).map(str::to_owned).collect();
    let members = if top.has("Cargo.toml") { cargo::members(root)? } else { Vec::new() };
    Ok(Facts { found, members, folders, root_sources: root_sources.into_iter().collect() })
}

/// Python's two ways count as one ecosystem.
fn kind(ecosystem: &Ecosystem) -> &'static str {
    match ecosystem {
        Ecosystem::Cargo { .. } => "cargo",
        Ecosystem::Node { .. } => "node",
        Ecosystem::Pytest | Ecosystem::Unittest { .. } => "python",
        Ecosystem::Go => "go",
        Ecosystem::Maven { .. } => "maven",
        Ecosystem::Gradle { .. } => "gradle",
        Ecosystem::Make => "make",
    }
}

fn source_ending(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, ending)| ending).filter(|ending| SOURCES.binary_search(ending).is_ok())
}

fn has_sources(root: &Path, top: &str) -> Result<bool, Failure> {
    let mut waiting = vec![(top.to_owned(), 0)];
    let mut seen = 0;
    while let Some((path, depth)) = waiting.pop() {
        let folder = Folder::read(root, &path)?;
        if folder.files.iter().any(|name| source_ending(name).is_some()) {
            return Ok(true);
        }
        seen += folder.files.len() + folder.folders.len();
        if depth < MAX_DEPTH && seen < MAX_ENTRIES {
            waiting.extend(folder.folders.iter().filter(|name| is_own(name)).map(|name| (folder.at(name), depth + 1)));
        }
    }
    Ok(false)
}

fn ecosystems(root: &Path, folder: &Folder) -> Result<Vec<Found>, Failure> {
    let mut found: Vec<Found> = Vec::new();
    let mut add = |evidence: &str, ecosystem: Ecosystem| {
        found.push(Found { folder: folder.path.clone(), evidence: folder.at(evidence), ecosystem });
    };
    if folder.has("Cargo.toml") {
        add("Cargo.toml", Ecosystem::Cargo { locked: folder.has("Cargo.lock") });
    }
    if let Some(script) = folder.text(root, "package.json").as_deref().and_then(test_script) {
        add("package.json", Ecosystem::Node { manager: node_manager(folder), script });
    }
    if let Some((evidence, ecosystem)) = python(root, folder)? {
        add(&evidence, ecosystem);
    }
    if folder.has("go.mod") {
        add("go.mod", Ecosystem::Go);
    }
    if folder.has("pom.xml") {
        add("pom.xml", Ecosystem::Maven { wrapper: folder.has("mvnw") });
    }
    if let Some(evidence) = ["build.gradle", "build.gradle.kts"].into_iter().find(|name| folder.has(name)) {
        add(evidence, Ecosystem::Gradle { wrapper: folder.has("gradlew") });
    }
    let has_target = |name: &&str| folder.text(root, name).is_some_and(|text| text.lines().any(is_test_target));
    // A Makefile beside a manifest most likely calls the same command.
    if found.is_empty()
        && let Some(evidence) = ["GNUmakefile", "makefile", "Makefile"].into_iter().find(has_target)
    {
        found.push(Found { folder: folder.path.clone(), evidence: folder.at(evidence), ecosystem: Ecosystem::Make });
    }
    Ok(found)
}

fn is_test_target(line: &str) -> bool {
    line.strip_prefix("test").map(str::trim_start).is_some_and(|rest| rest.starts_with(':') && !rest.starts_with(":="))
}

/// The script `test`, unless it is the one that `npm init` writes.
fn test_script(manifest: &str) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_str(manifest).ok()?;
    let script = manifest.get("scripts")?.get("test")?.as_str()?.trim();
    (!script.is_empty() && !script.contains("no test specified")).then(|| script.to_owned())
}

fn node_manager(folder: &Folder) -> &'static str {
    let locks = [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("bun.lockb", "bun")];
    locks.into_iter().find(|(lock, _)| folder.has(lock)).map_or("npm", |(_, manager)| manager)
}

fn python(root: &Path, folder: &Folder) -> Result<Option<(String, Ecosystem)>, Failure> {
    let configured = [
        ("pytest.ini", ""),
        ("pyproject.toml", "[tool.pytest"),
        ("setup.cfg", "[tool:pytest]"),
        ("tox.ini", "[pytest]"),
        ("conftest.py", ""),
    ];
    for (name, mark) in configured {
        if folder.text(root, name).is_some_and(|text| text.contains(mark)) {
            return Ok(Some((name.to_owned(), Ecosystem::Pytest)));
        }
    }
    for tests in ["tests", "test"] {
        if !folder.folders.contains(tests) {
            continue;
        }
        let inner = Folder::read(root, &folder.at(tests))?;
        let Some(first) = inner.files.iter().find(|name| name.starts_with("test_") && name.ends_with(".py")) else { continue };
        let is_unittest = inner.text(root, first).is_some_and(|text| text.contains("unittest")) && !inner.has("conftest.py");
        let ecosystem = if is_unittest { Ecosystem::Unittest { tests: tests.to_owned() } } else { Ecosystem::Pytest };
        return Ok(Some((format!("{tests}/{first}"), ecosystem)));
    }
    Ok(None)
}
