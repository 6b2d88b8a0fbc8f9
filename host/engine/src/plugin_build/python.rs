//! Python: componentize-py puts CPython, the standard library and the plugin's modules into a component.
//!
//! Two builds of equal sources differ: a Python plugin is pinned by the digest of the component that was reviewed, never by its sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use code_polishy_core::diagnostic::Failure;
use serde::Deserialize;
use serde_json::json;

use super::manifest::{Fields, Manifest, Places};
use super::tool::{self, Tool};
use super::{Built, Code, Language, Module, Toolchain, Tools, contract};

const PY: Tool = Tool {
    name: "componentize-py",
    code: "plugin-build.tool",
    install: "in the plugin's folder: `python3 -m venv .venv && .venv/bin/pip install -r requirements.txt`",
};

const PLACES: Places = Places { file: "pyproject.toml", summary: "description", kind: "tool.code-polishy.kind" };

/// The plugin's module.
const MAIN: &str = "plugin.py";

/// The component's first module, which is no name that a plugin would use.
const ENTRY_NAME: &str = "code_polishy_entry";

/// The plugin under the contract's names.
const ENTRY: &str = include_str!("python/entry.py");

/// Builds the folder's plugin.
pub fn build(dir: &Path, progress: &mut dyn FnMut(&str)) -> Result<Built, Failure> {
    let manifest = declared(dir)?;
    let builder = Builder::find(dir)?;
    let component = builder.run(dir, &manifest, progress)?;
    let module = Module { package: manifest.name, version: manifest.version, code: Code::Component(component) };
    Ok(Built { modules: vec![module], toolchain: Toolchain::Tools(builder.tools) })
}

/// What pyproject.toml has to say; everything else belongs to other tools.
#[derive(Deserialize)]
struct PyProject {
    #[serde(default)]
    project: Project,
    #[serde(default)]
    tool: Tables,
}

#[derive(Default, Deserialize)]
struct Project {
    name: Option<String>,
    version: Option<String>,
    description: Option<String>,
}

#[derive(Default, Deserialize)]
struct Tables {
    #[serde(default, rename = "code-polishy")]
    code_polishy: Section,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    kind: Option<String>,
}

fn declared(dir: &Path) -> Result<Manifest, Failure> {
    let PyProject { project, tool } =
        toml::from_str(&PLACES.read(dir)?).map_err(|error| PLACES.bad(format!("pyproject.toml: {error}"), "mend pyproject.toml"))?;
    let fields = Fields { name: project.name, version: project.version, summary: project.description, kind: tool.code_polishy.kind };
    let manifest = PLACES.manifest(fields)?;
    if dir.join(MAIN).is_file() {
        return Ok(manifest);
    }
    Err(PLACES.bad(format!("`{}` has no {MAIN}", dir.display()), "write the plugin there"))
}

/// componentize-py, and the environment that the plugin's packages are in.
struct Builder {
    program: PathBuf,
    environment: Option<PathBuf>,
    tools: Tools,
}

impl Builder {
    /// The plugin's own environment comes first, then what the path has.
    fn find(dir: &Path) -> Result<Self, Failure> {
        let own = dir.join(".venv");
        let places = [(own.join("bin").join(PY.name), Some(&own)), (own.join("Scripts").join(PY.name), Some(&own)), (PY.name.into(), None)];
        let found = places.into_iter().find_map(|(program, environment)| {
            let said = tool::answer(Command::new(&program).arg("--version"), dir)?;
            Some((program, environment.cloned(), said))
        });
        let (program, environment, said) = found.ok_or_else(|| {
            let what = format!("componentize-py is neither in `{}` nor on the path", own.display());
            tool::missing(&what, PY.install)
        })?;
        let version = said.strip_prefix(PY.name).unwrap_or(&said).trim().to_owned();
        let tools = Tools { language: Language::Python, tools: BTreeMap::from([(PY.name.to_owned(), version)]) };
        Ok(Self { program, environment, tools })
    }

    fn run(&self, dir: &Path, manifest: &Manifest, progress: &mut dyn FnMut(&str)) -> Result<Vec<u8>, Failure> {
        let workshop = contract::workshop()?;
        let component = workshop.path().join("component.wasm");
        let modules = workshop.path().join("modules");
        let entry = std::fs::create_dir(&modules).and_then(|()| {
            let file = modules.join(ENTRY_NAME).with_extension("py");
            std::fs::write(file, entry_text(manifest))
        });
        entry.map_err(|error| {
            PY.failure(format!("cannot write to `{}`: {error}", modules.display()), "make room, or name another TMPDIR")
        })?;
        let mut command = Command::new(&self.program);
        command.current_dir(dir).arg("--wit-path").arg(workshop.path().join("wit")).args(["--world", &contract::world(manifest.kind)]);
        // Without `--stub-wasi` the component asks the host for a system.
        command.args(["componentize", "--stub-wasi", ENTRY_NAME, "--python-path"]).arg(&modules).arg("--python-path").arg(dir);
        command.arg("--output").arg(&component);
        if let Some(environment) = &self.environment {
            command.env("VIRTUAL_ENV", environment);
        }
        PY.run(command, progress)?;
        std::fs::read(&component).map_err(|error| PY.failure(format!("componentize-py left no component: {error}"), "build it again"))
    }
}

fn entry_text(manifest: &Manifest) -> String {
    let Manifest { name, version, summary, kind } = manifest;
    let described = json!({"name": name, "version": version, "summary": summary, "kind": kind.name()}).to_string();
    ENTRY.replace("EXPORTED", &contract::interface_name(*kind)).replace("MANIFEST", &python_string(&described))
}

/// A literal of this text.
fn python_string(text: &str) -> String {
    let plain = |character: char| matches!(character, ' '..='~') && !matches!(character, '"' | '\\');
    let escape = |character| if plain(character) { character.to_string() } else { format!("\\U{:08x}", u32::from(character)) };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

#[cfg(test)]
mod tests {
    use code_polishy_core::plugin::PluginKind;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        folder
    }

    const PROJECT: &str = "[project]\nname = \"tap-lite\"\nversion = \"0.1.0\"\ndescription = \"It's \\\"lite\\\" \u{1f600}\"\n\
        [tool.ruff]\nline-length = 100\n[tool.code-polishy]\nkind = \"path-roles\"\n";

    #[test]
    fn pyproject_says_what_the_plugin_is() {
        let manifest = declared(folder(&[("pyproject.toml", PROJECT), ("plugin.py", "")]).path()).expect("whole");
        assert_eq!((manifest.name.as_str(), manifest.kind), ("tap-lite", PluginKind::PathRoles));
    }

    #[test]
    fn a_plugin_that_is_not_there_and_a_misspelt_key_are_refused() {
        let refusal = |files: &[(&str, &str)]| declared(folder(files).path()).expect_err("must be refused").diagnostics.remove(0);
        let absent = refusal(&[("pyproject.toml", PROJECT)]);
        assert_eq!(absent.code, "plugin-build.bad-manifest");
        assert!(absent.message.contains("has no plugin.py"), "{absent:?}");
        let misspelt = refusal(&[("pyproject.toml", &PROJECT.replace("kind", "kinds")), ("plugin.py", "")]);
        assert!(misspelt.message.contains("unknown field `kinds`"), "{misspelt:?}");
    }

    #[test]
    fn the_entry_is_a_module_whatever_the_manifest_says() {
        let manifest = declared(folder(&[("pyproject.toml", PROJECT), ("plugin.py", "")]).path()).expect("whole");
        let text = entry_text(&manifest);
        assert!(text.contains("WitWorld, PathRoles = component(plugin.Plugin, json.loads(\""), "{text}");
        assert!(text.contains(r"It's \U0000005c\U00000022lite\U0000005c\U00000022 \U0001f600"), "{text}");
    }
}
