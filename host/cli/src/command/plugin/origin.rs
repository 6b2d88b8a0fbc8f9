//! Where a component comes from: a file, a folder that is built, or a registry.

use std::{fs::File, io::Read, path::Path};

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::{
    event::{Event, Observer},
    plugin_build::{self, Module},
};
use code_polishy_registry::{Address, Fetched, MAX_COMPONENT_BYTES, fetch, is_reference, resolve};
use serde::Serialize;

use super::build::componentized;
use crate::command::Context;

/// The bytes that a caller's word stands for.
pub struct Found {
    /// Neither admitted nor known to be a component.
    pub bytes: Vec<u8>,
    /// A name for messages until the component tells its own.
    pub word: String,
    /// Where they were found.
    pub origin: Origin,
}

/// Where a component was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A file.
    File(String),
    /// The folder with its sources.
    Folder(String),
    /// The reference with the digest of its manifest.
    Registry(String),
}

/// Reads, builds or fetches. What is on disk is never taken for a registry.
///
/// # Errors
/// `plugin-add.no-source`, `plugin-add.unreadable`, `plugin-add.several`, `plugin-add.no-digest`; those of the build and of the registry.
pub fn find(context: &Context, source: &str) -> Result<Found, Failure> {
    let path = context.setup.path(Path::new(source));
    let word = path.file_stem().map_or_else(|| "plugin".to_owned(), |stem| stem.to_string_lossy().into_owned());
    if path.is_dir() {
        return Ok(Found { bytes: built(context, &path)?, word, origin: Origin::Folder(source.to_owned()) });
    }
    if path.exists() {
        let bytes = read(&path).map_err(|reason| {
            Failure::usage("plugin-add.unreadable", format!("`{source}` {reason}"), "name the `.wasm` file of a component")
        })?;
        return Ok(Found { bytes, word, origin: Origin::File(source.to_owned()) });
    }
    if is_reference(source) {
        let (address, fetched) = fetched(context, source)?;
        return Ok(Found { bytes: fetched.bytes, word: source.to_owned(), origin: Origin::Registry(address.at(&fetched.manifest)) });
    }
    let message = format!("there is no `{source}`, and it does not begin with a registry's host");
    let next = "name a `.wasm` file, the folder of a plugin, or `registry/repository@sha256:DIGEST`";
    Err(Failure::usage("plugin-add.no-source", message, next))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| format!("cannot be read: {error}");
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        return Err("is not a regular file".to_owned());
    }
    file.take(MAX_COMPONENT_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_COMPONENT_BYTES { Err(format!("has more than {MAX_COMPONENT_BYTES} bytes")) } else { Ok(bytes) }
}

fn built(context: &Context, dir: &Path) -> Result<Vec<u8>, Failure> {
    let progress = &context.setup.progress;
    let built = plugin_build::build(dir, &mut |line| progress.foreign(line))?;
    componentized(only(&built.modules)?)
}

/// A workspace may hold several plugins, and a pin names one.
fn only(modules: &[Module]) -> Result<&Module, Failure> {
    match modules {
        [module] => Ok(module),
        several => {
            let names: Vec<&str> = several.iter().map(|module| module.package.as_str()).collect();
            let message = format!("the folder holds {} plugins: {}", several.len(), names.join(", "));
            Err(Failure::usage("plugin-add.several", message, "name the folder of one of them"))
        }
    }
}

fn fetched(context: &Context, source: &str) -> Result<(Address, Fetched), Failure> {
    let address = Address::parse(source)?;
    let (progress, interrupt) = (&context.setup.progress, &context.setup.interrupt);
    progress.on(&Event::Note { text: &format!("asking the registry {}", address.registry()) });
    let cancelled = || interrupt.is_set();
    if address.digest().is_none() {
        let digest = resolve(&address, &cancelled)?;
        let message = format!("`{source}` names a tag, which may name another component tomorrow; today it is `{digest}`");
        let next = format!("review that component, then run `code-polishy plugin add {}`", address.at(&digest));
        return Err(Failure::usage("plugin-add.no-digest", message, next));
    }
    let fetched = fetch(&address, &cancelled)?;
    Ok((address, fetched))
}

#[cfg(test)]
mod tests {
    use code_polishy_engine::plugin_build::Code;

    use super::*;

    #[test]
    fn one_plugin_of_a_workspace_is_asked_for() {
        let module =
            |name: &str| Module { package: name.to_owned(), version: "0.1.0".to_owned(), code: Code::Component(b"bytes".to_vec()) };
        assert_eq!(only(&[module("one")]).map(|module| module.package.as_str()), Ok("one"));
        let failure = only(&[module("one"), module("two")]).expect_err("two");
        assert_eq!((failure.kind.exit_status(), failure.diagnostics[0].code.as_str()), (2, "plugin-add.several"));
        assert!(failure.diagnostics[0].message.ends_with("one, two"));
    }
}
