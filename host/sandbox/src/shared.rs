//! What a sandbox and the plugins that it loaded have in common: one runtime, one listener.

use std::{path::PathBuf, sync::OnceLock};

use code_polishy_core::plugin::PluginFault;
use wasmtime::Engine;

use crate::{fault::host_failed, note::Note, runtime::Runtime};

/// Hears what is said about plugins.
pub(crate) type Listener = Box<dyn Fn(Note) + Send + Sync>;

/// What the sandbox shares with the plugins that it loaded.
pub(crate) struct Shared {
    cache_dir: Option<PathBuf>,
    listener: Listener,
    runtime: OnceLock<Result<Runtime, String>>,
}

impl Shared {
    /// Nothing is started before it is asked for.
    pub(crate) fn new(cache_dir: Option<PathBuf>, listener: Listener) -> Self {
        Self { cache_dir, listener, runtime: OnceLock::new() }
    }

    /// Says something about a plugin.
    pub(crate) fn tell(&self, note: Note) {
        (self.listener)(note);
    }

    /// The engine of a plugin that was loaded.
    pub(crate) fn engine(&self) -> &Engine {
        match self.runtime.get() {
            Some(Ok(runtime)) => runtime.engine(),
            _ => unreachable!("a plugin is loaded by a runtime"),
        }
    }

    /// The runtime, started by the first plugin; `plugin` is named when that fails.
    pub(crate) fn runtime(&self, plugin: &str) -> Result<&Runtime, PluginFault> {
        let started = self.runtime.get_or_init(|| {
            let (runtime, store) = Runtime::start(self.cache_dir.as_deref()).map_err(|error| format!("{error:#}"))?;
            if let Some(fault) = store {
                self.tell(Note::of_host(plugin, format!("{fault}; plugins are compiled in every run")));
            }
            Ok(runtime)
        });
        started.as_ref().map_err(|why| host_failed(plugin, format!("plugins cannot run on this machine: {why}")))
    }
}
