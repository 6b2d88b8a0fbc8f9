//! Plugins from their sources: one file a language, told apart by what the folder holds.
//!
//! The languages' own tools compile; what they leave is a core module, which the sandbox still has to make a component of, or a finished
//! component. Nothing is downloaded here: a tool that is missing is named, with the command that installs it.

mod c;
mod contract;
mod js;
mod manifest;
mod python;
mod rust;
mod tool;

use std::{collections::BTreeMap, path::Path};

use code_polishy_core::diagnostic::Failure;
use serde::{Deserialize, Serialize};

pub use rust::{Route, RustToolchain};

/// The folder's plugins and what built them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// Ordered by package name; at least one.
    pub modules: Vec<Module>,
    /// What decides their bytes beside their sources.
    pub toolchain: Toolchain,
}

/// One plugin as its language's tools left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The package's name.
    pub package: String,
    /// The package's version.
    pub version: String,
    /// The code.
    pub code: Code,
}

/// How far the language's tools went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// A core module, of which `code_polishy_sandbox::componentize` makes a component.
    Core(Vec<u8>),
    /// A component.
    Component(Vec<u8>),
}

/// What decides the bytes of a module beside its sources; the lock file keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Toolchain {
    /// Equal toolchains give equal bytes.
    Rust(RustToolchain),
    /// Equal tools give equal behaviour; whether they give equal bytes is theirs to say.
    Tools(Tools),
}

/// The tools of a language other than Rust.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tools {
    /// What the sources are written in.
    pub language: Language,
    /// Names, and the versions that the tools themselves state.
    pub tools: BTreeMap<String, String>,
}

/// The languages that `plugin build` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// `Cargo.toml`.
    Rust,
    /// `package.json`.
    Js,
    /// `pyproject.toml`.
    Python,
    /// `plugin.c` and `plugin.json`.
    C,
}

impl Language {
    /// In the order in which a folder is asked: a Rust plugin may carry tools of another language beside it.
    const MARKS: [(&str, Self); 4] =
        [("Cargo.toml", Self::Rust), ("package.json", Self::Js), ("pyproject.toml", Self::Python), ("plugin.c", Self::C)];

    /// The language of the plugin in this folder; `None` when nothing marks one.
    pub fn of(dir: &Path) -> Option<Self> {
        Self::MARKS.into_iter().find(|(file, _)| dir.join(file).is_file()).map(|(_, language)| language)
    }
}

/// Builds the plugin in this folder; a Cargo workspace may hold several.
///
/// `progress` gets the tools' own lines, as they come. The first build of a machine that has to build Rust's standard library takes a minute.
///
/// # Errors
///
/// `plugin-build.no-manifest`, `plugin-build.bad-manifest` and `plugin-build.no-plugin` (exit 2) say that the folder has nothing to build,
/// `plugin-build.no-toolchain` (exit 2) what to install; `plugin-build.cargo` and `plugin-build.tool` (exit 3) show the end of what the tool
/// said.
pub fn build(dir: &Path, progress: &mut dyn FnMut(&str)) -> Result<Built, Failure> {
    let none = |reason: String| {
        Failure::usage("plugin-build.no-manifest", reason, "name the folder of a plugin, or start one: `code-polishy plugin new`")
    };
    let dir = dir.canonicalize().map_err(|error| none(format!("cannot open the folder `{}`: {error}", dir.display())))?;
    match Language::of(&dir) {
        Some(Language::Rust) => rust::build(&dir, progress),
        Some(Language::Js) => js::build(&dir, progress),
        Some(Language::Python) => python::build(&dir, progress),
        Some(Language::C) => c::build(&dir, progress),
        None => {
            let files = Language::MARKS.map(|(file, _)| file).join(", ");
            Err(none(format!("`{}` is no plugin: it has none of {files}", dir.display())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(dir: &Path) -> (String, u8) {
        let failure = build(dir, &mut |_| {}).expect_err("has nothing to build");
        (failure.diagnostics[0].code.clone(), failure.kind.exit_status())
    }

    #[test]
    fn a_folder_without_a_manifest_is_refused() {
        assert_eq!(refusal(Path::new("/nowhere/at/all")), ("plugin-build.no-manifest".to_owned(), 2));
        let empty = tempfile::tempdir().expect("a temporary folder");
        assert_eq!(refusal(empty.path()), ("plugin-build.no-manifest".to_owned(), 2));
    }

    #[test]
    fn the_manifest_tells_the_language() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (file, language) in Language::MARKS.into_iter().rev() {
            std::fs::write(folder.path().join(file), "").expect("writable");
            assert_eq!(Language::of(folder.path()), Some(language), "{file} is asked before those that are there");
        }
    }

    #[test]
    fn the_lock_keeps_a_rust_toolchain_flat_and_the_tools_of_others_by_name() {
        let rust = r#"{"rustc":"rustc 1.96.0","cargo":"cargo 1.95.0","host":"x86_64-unknown-linux-gnu","route":"build-std"}"#;
        let js = r#"{"language":"js","tools":{"componentize-qjs":"0.4.5","node":"v20.1.0"}}"#;
        for text in [rust, js] {
            let toolchain: Toolchain = serde_json::from_str(text).expect("a toolchain");
            assert_eq!(serde_json::to_string(&toolchain).expect("text"), text);
        }
    }
}
