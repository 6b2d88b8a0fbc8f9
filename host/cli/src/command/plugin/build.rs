//! `plugin build`: components from the sources of a folder.

use std::{fs, io, path::Path};

use code_polishy_core::{canonical::artifact_bytes, diagnostic::Failure, plugin::PluginKind, text::escape_line};
use code_polishy_engine::plugin_build::{self, Code, Module, Toolchain};
use code_polishy_sandbox::{admission::CONTRACT, componentize::componentize, limits::DEFAULT_COMPONENT_MIB};
use serde::Serialize;

use crate::{
    arguments::plugin::PluginBuild,
    command::Context,
    reply::Reply,
    view::{
        json::Protocol,
        lines::{OPEN, paint, size},
    },
};

/// The lock's file name.
const LOCK_FILE: &str = "plugins.lock.json";

/// The file `plugins.lock.json`: what was built, and by what.
#[derive(Debug, Serialize)]
struct Lock {
    version: u32,
    contract: String,
    toolchain: Toolchain,
    plugins: Vec<Entry>,
}

/// One component.
#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    kind: PluginKind,
    version: String,
    wit_version: String,
    size: usize,
    sha256: String,
}

/// Builds, admits and, with `--dist`, keeps the components.
pub fn run(context: &Context, arguments: &PluginBuild) -> Result<Reply, Failure> {
    let progress = &context.setup.progress;
    let built = plugin_build::build(&context.setup.path(&arguments.dir), &mut |line| progress.foreign(line))?;
    let components = built.modules.iter().map(|module| component(context, module)).collect::<Result<Vec<_>, _>>()?;
    let (bytes, plugins): (Vec<Vec<u8>>, Vec<Entry>) = components.into_iter().unzip();
    let lock = Lock { version: 1, contract: CONTRACT.to_string(), toolchain: built.toolchain, plugins };
    if let Some(dist) = &arguments.dist {
        let folder = context.setup.path(dist);
        keep(&folder, &lock, &bytes).map_err(|error| unwritable(&folder, &error))?;
    }
    let lines = lock.plugins.iter().flat_map(|entry| [Some(line(entry, arguments.dist.as_deref())), size_note(entry)]).flatten().collect();
    Ok(Reply::lines(lines, Protocol::Plugin("build").done("built", "build", &lock)))
}

fn component(context: &Context, module: &Module) -> Result<(Vec<u8>, Entry), Failure> {
    let bytes = componentized(module)?;
    // How large a component may be is for those to say who pin it.
    let admitted = context.setup.plugins.sandbox().admit(&module.package, &bytes, Some(mebibytes(bytes.len())))?;
    let entry = Entry {
        name: module.package.clone(),
        kind: admitted.kind,
        version: module.version.clone(),
        wit_version: admitted.wit_version.to_string(),
        size: admitted.size,
        sha256: admitted.sha256,
    };
    Ok((bytes, entry))
}

/// The module as a component, which is not admitted yet.
pub(super) fn componentized(module: &Module) -> Result<Vec<u8>, Failure> {
    match &module.code {
        Code::Component(bytes) => Ok(bytes.clone()),
        Code::Core(core) => componentize(core).map_err(|error| {
            let message = format!("`{}`: {error}", module.package);
            Failure::usage("plugin-build.component", message, "export a plugin with the SDK, and use nothing that needs a system")
        }),
    }
}

fn keep(folder: &Path, lock: &Lock, components: &[Vec<u8>]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (entry, bytes) in lock.plugins.iter().zip(components) {
        replace(&folder.join(format!("{}.wasm", entry.name)), bytes)?;
    }
    replace(&folder.join(LOCK_FILE), &artifact_bytes(lock))
}

/// Who reads meanwhile sees the old or the new file whole; it is not private, as it is made to be committed.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    fs::write(&beside, bytes)?;
    fs::rename(&beside, path)
}

fn line(entry: &Entry, dist: Option<&Path>) -> String {
    let Entry { name, kind, size: bytes, sha256, .. } = entry;
    let place = dist.map_or_else(|| "not kept without --dist".to_owned(), |dist| dist.join(format!("{name}.wasm")).display().to_string());
    format!("{name} ({kind}, {}, sha256 {sha256}): {}", size(*bytes), escape_line(&place))
}

/// What the author of a component with a language's runtime has to know before checking and pinning it.
fn size_note(entry: &Entry) -> Option<String> {
    let mib = mebibytes(entry.size);
    (mib > DEFAULT_COMPONENT_MIB).then(|| {
        let rule = format!("a component above {DEFAULT_COMPONENT_MIB} MiB is refused unless its pin has `limits.sizeMiB`");
        format!("{} {rule}: check it with `--size-mib {mib}`", paint(OPEN, "NOTE"))
    })
}

/// Whole mebibytes that hold this many bytes.
fn mebibytes(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1 << 20)).unwrap_or(u32::MAX)
}

fn unwritable(folder: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot write to `{}`: {error}", folder.display());
    Failure::operational("plugin-build.unwritable", message, "make the folder writable, or name another one with --dist")
}
