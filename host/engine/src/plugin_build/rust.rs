//! Core modules from the Rust sources of plugins.
//!
//! Equal sources, lock file and [`RustToolchain`] give equal bytes, whichever folder they are built in: each package is built alone, so that
//! its neighbours cannot switch on features, paths are remapped, and the caller's flags and profiles are kept out.

mod toolchain;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use code_polishy_core::diagnostic::Failure;
use serde::Deserialize;

use super::tool::Tool;
use super::{Built, Code, Module, Toolchain};
use toolchain::{Compiler, TARGET};
pub use toolchain::{Route, RustToolchain};

const CARGO: Tool = Tool { name: "cargo", code: "plugin-build.cargo", install: "install Rust: https://rustup.rs" };

/// Builds the package in this folder or, when the folder is the root of a workspace and no package itself, its default members that are
/// plugins (crate type `cdylib`).
pub fn build(dir: &Path, progress: &mut dyn FnMut(&str)) -> Result<Built, Failure> {
    let manifest = Manifest::of(dir);
    let workspace = Workspace::read(&manifest, progress)?;
    let plugins = workspace.plugins(&manifest.file);
    if plugins.is_empty() {
        let message = format!("no package in `{}` has the crate type `cdylib`", dir.display());
        return Err(Failure::usage("plugin-build.no-plugin", message, "add `crate-type = [\"cdylib\", \"lib\"]` to `[lib]` in Cargo.toml"));
    }
    let compiler = Compiler::find(&manifest.dir)?;
    let flags = compiler.flags(&workspace.source_roots());
    let modules = plugins
        .into_iter()
        .map(|package| {
            let core = build_package(&manifest, package, &compiler, &flags, progress)?;
            Ok(Module { package: package.name.clone(), version: package.version.clone(), code: Code::Core(core) })
        })
        .collect::<Result<_, Failure>>()?;
    Ok(Built { modules, toolchain: Toolchain::Rust(compiler.toolchain) })
}

struct Manifest {
    dir: PathBuf,
    file: PathBuf,
}

impl Manifest {
    fn of(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), file: dir.join("Cargo.toml") }
    }
}

/// What `cargo metadata` tells, as far as it is needed.
#[derive(Deserialize)]
struct Workspace {
    packages: Vec<Package>,
    workspace_default_members: Vec<String>,
    workspace_root: PathBuf,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    id: String,
    manifest_path: PathBuf,
    targets: Vec<CrateTarget>,
}

#[derive(Deserialize)]
struct CrateTarget {
    crate_types: Vec<String>,
}

impl CrateTarget {
    fn is_plugin(&self) -> bool {
        self.crate_types.iter().any(|kind| kind == "cdylib")
    }
}

impl Workspace {
    fn read(manifest: &Manifest, progress: &mut dyn FnMut(&str)) -> Result<Self, Failure> {
        let mut cargo = cargo(manifest);
        cargo.args(["metadata", "--format-version=1", "--manifest-path"]).arg(&manifest.file);
        let output = CARGO.run(cargo, progress)?;
        serde_json::from_reader(BufReader::new(output))
            .map_err(|error| failure(format!("cannot read what `cargo metadata` said: {error}"), "use the cargo of a current Rust"))
    }

    /// The packages to build, by name.
    fn plugins(&self, manifest: &Path) -> Vec<&Package> {
        let here = self.packages.iter().find(|package| package.manifest_path == manifest);
        let wanted = |package: &&Package| match here {
            Some(here) => package.id == here.id,
            None => self.workspace_default_members.contains(&package.id),
        };
        let plugins = self.packages.iter().filter(wanted).filter(|package| package.targets.iter().any(CrateTarget::is_plugin));
        plugins.map(|package| (package.name.as_str(), package)).collect::<BTreeMap<_, _>>().into_values().collect()
    }

    /// Folders whose paths may end up in a module, and the names they get there; a later one is more specific.
    fn source_roots(&self) -> Vec<(PathBuf, String)> {
        let mut roots = vec![(self.workspace_root.clone(), "/src".to_owned()), (self.target_directory.clone(), "/target".to_owned())];
        let name = |package: &Package| format!("/{}-{}", package.name, package.version);
        roots.extend(self.packages.iter().filter_map(|package| Some((package.manifest_path.parent()?.to_owned(), name(package)))));
        roots
    }
}

/// One message of `cargo build --message-format=json`, as far as it is needed.
#[derive(Deserialize)]
struct BuildMessage {
    reason: String,
    #[serde(default)]
    package_id: String,
    target: Option<CrateTarget>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

fn build_package(
    manifest: &Manifest,
    package: &Package,
    compiler: &Compiler,
    flags: &str,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<u8>, Failure> {
    let mut cargo = cargo(manifest);
    cargo.args(["build", "--release", "--lib", "--target", TARGET, "--message-format=json-render-diagnostics", "--package", &package.id]);
    cargo.arg("--manifest-path").arg(&manifest.file).env("CARGO_ENCODED_RUSTFLAGS", flags);
    compiler.configure(&mut cargo);
    let lines = BufReader::new(CARGO.run(cargo, progress)?).lines();
    let module = lines.map_while(Result::ok).find_map(|line| module_path(&line, &package.id));
    let path = module.ok_or_else(|| failure(format!("cargo built no module of `{}`", package.name), "build it with cargo to see why"))?;
    std::fs::read(&path).map_err(|error| failure(format!("cannot read `{}`: {error}", path.display()), "build it again"))
}

fn module_path(line: &str, package: &str) -> Option<PathBuf> {
    let message: BuildMessage = serde_json::from_str(line).ok()?;
    let is_it = message.reason == "compiler-artifact" && message.package_id == package && message.target.is_some_and(|it| it.is_plugin());
    is_it.then(|| message.filenames.into_iter().find(|file| file.extension().is_some_and(|end| end == "wasm")))?
}

/// Cargo without what the caller's environment says about how to build.
fn cargo(manifest: &Manifest) -> Command {
    let mut cargo = Command::new("cargo");
    let steers = |name: &str| {
        let named = ["RUSTC", "RUSTC_BOOTSTRAP", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"];
        let grouped = ["CARGO_BUILD_RUST", "CARGO_BUILD_TARGET", "CARGO_PROFILE_", "CARGO_TARGET_WASM32_", "CARGO_UNSTABLE_"];
        // The folder of the output is the caller's to choose.
        name != "CARGO_BUILD_TARGET_DIR" && (named.contains(&name) || grouped.iter().any(|start| name.starts_with(start)))
    };
    for name in std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).filter(|name| steers(name)) {
        cargo.env_remove(name);
    }
    // Cargo reads its configuration from the working directory upwards.
    cargo.current_dir(&manifest.dir);
    cargo
}

fn failure(message: String, next: &str) -> Failure {
    CARGO.failure(message, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().expect("below the folder")).expect("writable");
            std::fs::write(file, text).expect("writable");
        }
        folder
    }

    fn refusal(dir: &Path) -> (String, u8) {
        let failure = build(dir, &mut |_| {}).expect_err("has nothing to build");
        (failure.diagnostics[0].code.clone(), failure.kind.exit_status())
    }

    fn package(name: &str, crate_type: &str) -> String {
        format!("[package]\nname = \"{name}\"\nversion = \"1.2.3\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"{crate_type}\"]\n")
    }

    #[test]
    fn a_folder_without_a_plugin_is_refused() {
        let library = folder(&[("Cargo.toml", &package("plain", "lib")), ("src/lib.rs", "")]);
        assert_eq!(refusal(library.path()), ("plugin-build.no-plugin".to_owned(), 2));
    }

    #[test]
    fn what_cargo_reports_is_shown() {
        let broken = folder(&[("Cargo.toml", "[package]\nname = 1\n")]);
        let failure = build(broken.path(), &mut |_| {}).expect_err("no manifest");
        assert_eq!((failure.diagnostics[0].code.as_str(), failure.kind.exit_status()), ("plugin-build.cargo", 3));
        assert!(failure.diagnostics[0].message.contains("invalid type: integer"), "{failure:?}");
    }

    fn chosen(dir: &Path) -> Vec<String> {
        let manifest = Manifest::of(&dir.canonicalize().expect("a folder"));
        let workspace = Workspace::read(&manifest, &mut |_| {}).expect("a workspace");
        workspace.plugins(&manifest.file).into_iter().map(|package| package.name.clone()).collect()
    }

    #[test]
    fn a_workspace_is_built_whole_and_a_member_alone() {
        let workspace = folder(&[
            ("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\nexclude = [\"target\"]\n"),
            ("zebra/Cargo.toml", &package("zebra", "cdylib")),
            ("zebra/src/lib.rs", ""),
            ("ant/Cargo.toml", &package("ant", "cdylib")),
            ("ant/src/lib.rs", ""),
            ("shared/Cargo.toml", &package("shared", "lib")),
            ("shared/src/lib.rs", ""),
        ]);
        assert_eq!(chosen(workspace.path()), ["ant", "zebra"]);
        assert_eq!(chosen(&workspace.path().join("zebra")), ["zebra"]);
    }

    #[test]
    fn the_module_is_the_artifact_of_the_package_itself() {
        let artifact = |package: &str, kind: &str, file: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"{package}","target":{{"crate_types":["{kind}"]}},"filenames":["/t/{file}"]}}"#
            )
        };
        assert_eq!(module_path(&artifact("me", "cdylib", "me.wasm"), "me"), Some(PathBuf::from("/t/me.wasm")));
        assert_eq!(module_path(&artifact("other", "cdylib", "other.wasm"), "me"), None);
        assert_eq!(module_path(&artifact("me", "lib", "libme.rlib"), "me"), None);
        assert_eq!(module_path(r#"{"reason":"build-finished","success":true}"#, "me"), None);
    }
}
