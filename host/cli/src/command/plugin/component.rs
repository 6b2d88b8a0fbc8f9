//! Which component a word of the command line means: a file, or a plugin by its name.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read},
    path::Path,
};

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::Failure,
    plugin::{PinnedComponent, PluginKind, PluginSource},
    policy::model::PluginLimits,
    text::escape_line,
};
use code_polishy_engine::{
    plugins::{Origin, PluginSet},
    workflow::policies::policy_for_pinning,
};
use code_polishy_sandbox::bundled;

use crate::command::Context;

/// Bytes of a component that are read at most; admission decides what may come in.
const MAX_BYTES: u64 = 256 << 20;

/// What the user's own store is called where plugins are listed.
pub const STORE: &str = "your store";

/// A component that somebody asks about.
pub struct Component {
    /// The plugin's name, or the file's without its ending.
    pub name: String,
    /// Where it was found, in words of `plugin list`.
    pub origin: String,
    /// Its bytes.
    pub bytes: Cow<'static, [u8]>,
    /// What it is used as by whoever pins or bundles it; a file does not say.
    pub kind: Option<PluginKind>,
    /// The digest that its pin demands and the limits that it gives.
    pin: Option<PinnedComponent>,
}

impl Component {
    /// A file of the caller's.
    pub fn of_file(context: &Context, file: &Path) -> Result<Self, Failure> {
        let name = file.file_stem().map_or_else(|| "plugin".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let bytes = read(&context.setup.path(file)).map_err(|error| unreadable(file, &error))?;
        Ok(Self { name, origin: "file".to_owned(), bytes: bytes.into(), kind: None, pin: None })
    }

    /// The file of this name in the user's store.
    pub fn of_store(context: &Context, name: &str) -> Result<Self, Failure> {
        let file = context.setup.places().plugins_path().join(format!("{name}.wasm"));
        let bytes = read(&file).map_err(|error| unreadable(&file, &error))?;
        Ok(Self { name: name.to_owned(), origin: STORE.to_owned(), bytes: bytes.into(), kind: None, pin: None })
    }

    /// What the word means: a file when it has a separator or the ending `.wasm`, else every bundled, pinned or stored plugin of that name.
    pub fn named(context: &Context, word: &Path) -> Result<Vec<Self>, Failure> {
        let name = word.to_string_lossy();
        if name.contains('/') || word.extension().is_some_and(|ending| ending == "wasm") {
            return Self::of_file(context, word).map(|file| vec![file]);
        }
        let found = [bundled_named(&name), pinned_named(context, &name)?, stored_named(context, &name)?].into_iter().flatten();
        let found: Vec<Self> = found.collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let message = format!("no plugin is named `{}`, bundled, pinned or in your store", escape_line(&name));
        Err(Failure::usage("plugin.unknown", message, "name a `.wasm` file, or a plugin that `code-polishy plugin list` shows"))
    }

    /// The one of these that is or may be of this kind, a pinned one before a bundled one, as a policy chooses.
    pub fn of_kind(found: Vec<Self>, kind: PluginKind) -> Option<Self> {
        let fits = |component: &Self| component.kind.is_none_or(|is| is == kind);
        found.into_iter().filter(fits).max_by_key(|component| component.pin.is_some())
    }

    /// The digest that its pin demands.
    pub fn pinned_sha256(&self) -> Option<&str> {
        self.pin.as_ref().map(|pin| pin.sha256.as_str())
    }

    /// The largest size in MiB: the caller's word, else its pin's.
    pub fn size_mib(&self, said: Option<u32>) -> Option<u32> {
        said.or_else(|| self.pin.as_ref().and_then(|pin| pin.size_mib))
    }

    /// What the sandbox loads, within what the caller allows or else its pin.
    pub fn source(&self, kind: PluginKind, limits: &PluginLimits) -> PluginSource {
        let bytes = self.bytes.to_vec();
        let PluginLimits { fuel, memory_mib, size_mib } = *limits;
        let pinned = match &self.pin {
            Some(pin) => PinnedComponent {
                bytes,
                sha256: pin.sha256.clone(),
                fuel: fuel.or(pin.fuel),
                memory_mib: memory_mib.or(pin.memory_mib),
                size_mib: self.size_mib(size_mib),
            },
            None => PinnedComponent { sha256: digest_bytes(&bytes), bytes, fuel, memory_mib, size_mib },
        };
        PluginSource { name: self.name.clone(), kind, pinned: Some(pinned), options: "{}".to_owned() }
    }
}

fn bundled_named(name: &str) -> Vec<Component> {
    let of = |plugin: &bundled::Bundled| Component {
        name: plugin.name.to_owned(),
        origin: "bundled".to_owned(),
        bytes: plugin.bytes.into(),
        kind: Some(plugin.kind),
        pin: None,
    };
    bundled::all().iter().filter(|plugin| plugin.name == name).map(of).collect()
}

/// Of the working policy; outside a repository there is none.
fn pinned_named(context: &Context, name: &str) -> Result<Vec<Component>, Failure> {
    let Some(workspace) = context.setup.workspace_if_any()? else { return Ok(Vec::new()) };
    let Some(policy) = policy_for_pinning(workspace.repository.root())? else { return Ok(Vec::new()) };
    let origin = Origin::Files(workspace.repository.root());
    let plugins = PluginSet { host: workspace.plugins, policy: &policy, origin, places: &workspace.places };
    let pins = policy.plugins.iter().filter(|pin| pin.name == name);
    let component = |pin: &code_polishy_core::policy::model::PluginPin| {
        let pinned = plugins.source(pin.kind, &pin.name, None)?.pinned.expect("it is pinned");
        let bytes = pinned.bytes.clone();
        let pin_alone = PinnedComponent { bytes: Vec::new(), ..pinned };
        Ok(Component {
            name: pin.name.clone(),
            origin: pin.source.clone(),
            bytes: bytes.into(),
            kind: Some(pin.kind),
            pin: Some(pin_alone),
        })
    };
    pins.map(component).collect()
}

fn stored_named(context: &Context, name: &str) -> Result<Vec<Component>, Failure> {
    if context.setup.places().plugins_path().join(format!("{name}.wasm")).exists() {
        Component::of_store(context, name).map(|component| vec![component])
    } else {
        Ok(Vec::new())
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    let fits = u64::try_from(bytes.len()).is_ok_and(|length| length <= MAX_BYTES);
    if fits { Ok(bytes) } else { Err(io::Error::other(format!("it has more than {} MiB", MAX_BYTES >> 20))) }
}

fn unreadable(file: &Path, error: &io::Error) -> Failure {
    Failure::usage("plugin.unreadable", format!("cannot read `{}`: {error}", file.display()), "name the `.wasm` file of a component")
}
