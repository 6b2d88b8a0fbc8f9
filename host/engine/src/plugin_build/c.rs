//! C: every `.c` file of the folder, compiled together by clang or zig for a system that is not there.
//!
//! The SDK lies in the plugin's folder, so that nothing beside it and the compiler decides the module's bytes. The module leaves without the
//! contract's types, because its exports tell them.

mod compiler;
mod sources;

use std::path::Path;

use code_polishy_core::diagnostic::Failure;
use serde::Deserialize;

use super::manifest::{Fields, Manifest, Places};
use super::{Built, Code, Module, Toolchain};
use compiler::Compiler;

const PLACES: Places = Places { file: "plugin.json", summary: "summary", kind: "kind" };

/// Builds the folder's plugin.
pub fn build(dir: &Path, progress: &mut dyn FnMut(&str)) -> Result<Built, Failure> {
    let manifest = declared(dir)?;
    let sources = sources::find(dir)?;
    let compiler = Compiler::find(dir)?;
    let core = compiler.run(dir, &manifest, &sources, progress)?;
    let module = Module { package: manifest.name, version: manifest.version, code: Code::Core(core) };
    Ok(Built { modules: vec![module], toolchain: Toolchain::Tools(compiler.tools) })
}

/// plugin.json, which is nobody else's: a key that is misspelt is refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PluginJson {
    name: Option<String>,
    version: Option<String>,
    summary: Option<String>,
    kind: Option<String>,
}

fn declared(dir: &Path) -> Result<Manifest, Failure> {
    let PluginJson { name, version, summary, kind } =
        serde_json::from_str(&PLACES.read(dir)?).map_err(|error| PLACES.bad(format!("plugin.json: {error}"), "mend plugin.json"))?;
    PLACES.manifest(Fields { name, version, summary, kind })
}

#[cfg(test)]
mod tests {
    use super::*;
    use code_polishy_core::plugin::PluginKind;

    fn read(text: &str) -> Result<Manifest, Failure> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("plugin.json"), text).expect("writable");
        declared(folder.path())
    }

    const MANIFEST: &str = r#"{"name":"tap-lite","version":"0.1.0","summary":"Reads lines","kind":"suite-runner"}"#;

    #[test]
    fn plugin_json_says_what_the_plugin_is() {
        let manifest = read(MANIFEST).expect("whole");
        assert_eq!((manifest.name.as_str(), manifest.kind), ("tap-lite", PluginKind::SuiteRunner));
    }

    #[test]
    fn a_misspelt_key_is_refused() {
        let diagnostic = read(&MANIFEST.replace("summary", "description")).expect_err("must be refused").diagnostics.remove(0);
        assert_eq!(diagnostic.code, "plugin-build.bad-manifest");
        assert!(diagnostic.message.contains("unknown field `description`"), "{diagnostic:?}");
    }
}
