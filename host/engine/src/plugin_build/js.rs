//! JavaScript: componentize-qjs puts QuickJS and the plugin's modules into a component.
//!
//! The tool comes from the plugin's own `node_modules`, so that `package-lock.json` pins its version. Two builds of equal sources differ in a
//! few bytes: a JavaScript plugin is pinned by the digest of the component that was reviewed, never by its sources.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use code_polishy_core::{diagnostic::Failure, plugin::PluginKind};
use serde::Deserialize;
use serde_json::json;
use tempfile::NamedTempFile;

use super::manifest::{Fields, Manifest, Places};
use super::tool::{self, Tool};
use super::{Built, Code, Language, Module, Toolchain, Tools, contract};

const QJS: Tool = Tool {
    name: "componentize-qjs",
    code: "plugin-build.tool",
    install: "run `npm install` in the plugin's folder; `npm install --save-dev componentize-qjs` when its package.json does not name the package",
};

const PLACES: Places = Places { file: "package.json", summary: "description", kind: "code-polishy.kind" };

/// The module that exports the plugin, unless package.json has a `main`.
const MAIN: &str = "plugin.js";

/// The component's first module: the plugin under the contract's names.
const ENTRY: &str = include_str!("js/entry.js");

/// Builds the folder's plugin.
pub fn build(dir: &Path, progress: &mut dyn FnMut(&str)) -> Result<Built, Failure> {
    let (manifest, main) = declared(dir)?;
    let builder = Builder::find(dir)?;
    let component = builder.run(dir, &manifest, &main, progress)?;
    let module = Module { package: manifest.name, version: manifest.version, code: Code::Component(component) };
    Ok(Built { modules: vec![module], toolchain: Toolchain::Tools(builder.tools) })
}

/// What package.json has to say; everything else is npm's.
#[derive(Deserialize)]
struct PackageJson {
    name: Option<String>,
    version: Option<String>,
    description: Option<String>,
    main: Option<String>,
    #[serde(default, rename = "code-polishy")]
    code_polishy: Section,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    kind: Option<String>,
}

/// The manifest, and the plugin's module.
fn declared(dir: &Path) -> Result<(Manifest, PathBuf), Failure> {
    let package: PackageJson =
        serde_json::from_str(&PLACES.read(dir)?).map_err(|error| PLACES.bad(format!("package.json: {error}"), "mend package.json"))?;
    let main = dir.join(package.main.as_deref().unwrap_or(MAIN));
    let fields = Fields { name: package.name, version: package.version, summary: package.description, kind: package.code_polishy.kind };
    let manifest = PLACES.manifest(fields)?;
    let main = main.canonicalize().map_err(|error| {
        PLACES.bad(format!("cannot read the plugin's module `{}`: {error}", main.display()), "write it, or name another one as `main`")
    })?;
    Ok((manifest, main))
}

/// componentize-qjs and the node that runs it.
struct Builder {
    /// The folder with the `node_modules` that has it: the plugin's, or the root of its npm workspace.
    root: PathBuf,
    tools: Tools,
}

impl Builder {
    fn find(dir: &Path) -> Result<Self, Failure> {
        let node = tool::answer(Command::new("node").arg("--version"), dir);
        let node = node.ok_or_else(|| tool::missing("node is not on the path", "install Node.js 18 or later: https://nodejs.org"))?;
        let found = dir.ancestors().find_map(|root| Some((root, version(root)?)));
        let (root, qjs) = found.ok_or_else(|| {
            let what = format!("componentize-qjs is not installed for `{}`", dir.display());
            tool::missing(&what, QJS.install)
        })?;
        let tools = BTreeMap::from([(QJS.name.to_owned(), qjs), ("node".to_owned(), node)]);
        Ok(Self { root: root.to_owned(), tools: Tools { language: Language::Js, tools } })
    }

    fn run(&self, dir: &Path, manifest: &Manifest, main: &Path, progress: &mut dyn FnMut(&str)) -> Result<Vec<u8>, Failure> {
        let workshop = contract::workshop()?;
        let component = workshop.path().join("component.wasm");
        let entry = self.entry(manifest, main).map_err(|error| {
            let message = format!("cannot write to `{}`: {error}", self.root.join("node_modules").display());
            QJS.failure(message, "make the folder writable")
        })?;
        let mut node = Command::new("node");
        node.current_dir(dir).arg(package(&self.root).join("bin").join(QJS.name));
        // Without `--sync` the component asks the host for asynchronous calls, without `--stub-wasi` for a system.
        node.args(["--stub-wasi", "--sync", "--opt-size", "--world", &contract::world(manifest.kind), "--wit"])
            .arg(workshop.path().join("wit"));
        node.arg("--js").arg(entry.path()).arg("--module-root").arg(&self.root).arg("--output").arg(&component);
        QJS.run(node, progress)?;
        std::fs::read(&component).map_err(|error| QJS.failure(format!("componentize-qjs left no component: {error}"), "build it again"))
    }

    /// A module beside the packages that the plugin may import, which is where the tool looks for them.
    fn entry(&self, manifest: &Manifest, main: &Path) -> io::Result<NamedTempFile> {
        let mut file = tempfile::Builder::new().prefix(".code-polishy-").suffix(".mjs").tempfile_in(self.root.join("node_modules"))?;
        let plugin = main.strip_prefix(&self.root).map_err(|_| io::Error::other(format!("`{}` is outside of it", main.display())))?;
        file.write_all(entry_text(manifest, plugin).as_bytes())?;
        file.flush()?;
        Ok(file)
    }
}

fn package(root: &Path) -> PathBuf {
    root.join("node_modules").join(QJS.name)
}

/// The version of the componentize-qjs that is installed here.
fn version(root: &Path) -> Option<String> {
    let text = std::fs::read_to_string(package(root).join("package.json")).ok()?;
    serde_json::from_str::<PackageJson>(&text).ok()?.version
}

fn entry_text(manifest: &Manifest, plugin: &Path) -> String {
    let segments = plugin.iter().map(|segment| segment.to_string_lossy()).collect::<Vec<_>>().join("/");
    let Manifest { name, version, summary, kind } = manifest;
    let described = json!({"name": name, "version": version, "summary": summary, "kind": kind.name()});
    let replaced = ENTRY.replace("EXPORTED", &exported(*kind)).replace("MANIFEST", &described.to_string());
    replaced.replace("PLUGIN", &json!(format!("../{segments}")).to_string())
}

/// The name under which a component exports the kind's interface: `suiteRunner`.
fn exported(kind: PluginKind) -> String {
    let mut name = contract::interface_name(kind);
    name[..1].make_ascii_lowercase();
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().expect("below the folder")).expect("writable");
            std::fs::write(file, text).expect("writable");
        }
        folder
    }

    const PACKAGE: &str =
        r#"{"name":"tap-lite","version":"0.1.0","description":"It's \"lite\"","code-polishy":{"kind":"suite-runner"},"private":true}"#;

    #[test]
    fn package_json_says_what_the_plugin_is_and_where() {
        let plugin = folder(&[("package.json", PACKAGE), ("plugin.js", "")]);
        let (manifest, main) = declared(plugin.path()).expect("whole");
        assert_eq!((manifest.name.as_str(), manifest.kind), ("tap-lite", PluginKind::SuiteRunner));
        assert!(main.ends_with("plugin.js"));
    }

    #[test]
    fn a_module_that_is_not_there_and_a_misspelt_key_are_refused() {
        let refusal = |files: &[(&str, &str)]| declared(folder(files).path()).expect_err("must be refused").diagnostics.remove(0);
        let absent = refusal(&[("package.json", PACKAGE)]);
        assert_eq!(absent.code, "plugin-build.bad-manifest");
        assert!(absent.message.contains("plugin.js"), "{absent:?}");
        let misspelt = refusal(&[("package.json", &PACKAGE.replace("kind", "kinds")), ("plugin.js", "")]);
        assert!(misspelt.message.contains("unknown field `kinds`"), "{misspelt:?}");
    }

    #[test]
    fn the_tool_is_found_where_npm_puts_it() {
        let installed = (r"node_modules/componentize-qjs/package.json", r#"{"version":"0.4.5"}"#);
        let workspace = folder(&[installed, ("plugins/tap/package.json", PACKAGE)]);
        let builder = Builder::find(&workspace.path().join("plugins/tap")).expect("is installed");
        assert_eq!((builder.root.as_path(), builder.tools.tools[QJS.name].as_str()), (workspace.path(), "0.4.5"));
        let alone = folder(&[("package.json", PACKAGE)]);
        let failure = Builder::find(alone.path()).err().expect("is not installed");
        assert_eq!((failure.diagnostics[0].code.as_str(), failure.kind.exit_status()), ("plugin-build.no-toolchain", 2));
        assert!(failure.diagnostics[0].next.contains("npm install"), "{failure:?}");
    }

    #[test]
    fn the_entry_is_a_module_whatever_the_manifest_says() {
        let plugin = folder(&[("package.json", PACKAGE), ("plugin.js", "")]);
        let (manifest, _) = declared(plugin.path()).expect("whole");
        let text = entry_text(&manifest, Path::new("plugins/tap \"x\"/plugin.js"));
        assert!(text.contains(r#"from "../plugins/tap \"x\"/plugin.js";"#), "{text}");
        assert!(text.contains("export const { describe, suiteRunner } = plugin.component({"), "{text}");
        assert!(text.contains(r#""summary":"It's \"lite\"""#), "{text}");
    }
}
