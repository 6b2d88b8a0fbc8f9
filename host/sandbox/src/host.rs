//! The sandbox as the engine sees it: a source goes in, a typed plugin comes out, and nothing expensive happens before the first one.

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use code_polishy_core::{
    canonical::digest_bytes,
    plugin::{PathRoles, PluginFault, PluginFaultKind, PluginHost, PluginIdentity, PluginKind, PluginSource, ReportRenderer, SuiteRunner},
};
use wasmtime::Engine;

use crate::{
    admission::{Admitted, admit, size_warning},
    bindings::{path_roles::PathRolesPluginPre, report_renderer::ReportRendererPluginPre, suite_runner::SuiteRunnerPluginPre},
    bundled,
    call::CallState,
    fault::{fault, host_failed, not_admitted},
    handle::{Handle, World},
    limits::Budget,
    note::Note,
    runtime::{LoadError, Runtime},
};

/// A classifier that is ready to be called.
pub(crate) type PathRolesHandle = Handle<PathRolesPluginPre<CallState>>;
/// A runner that is ready to be called.
pub(crate) type SuiteRunnerHandle = Handle<SuiteRunnerPluginPre<CallState>>;
/// A renderer that is ready to be called.
pub(crate) type ReportRendererHandle = Handle<ReportRendererPluginPre<CallState>>;

type Listener = Box<dyn Fn(Note) + Send + Sync>;

/// Loads plugins and calls them within limits.
#[derive(Clone)]
pub struct Sandbox {
    shared: Arc<Shared>,
}

/// What the sandbox shares with the plugins that it loaded.
pub(crate) struct Shared {
    cache_dir: Option<PathBuf>,
    listener: Listener,
    runtime: OnceLock<Result<Runtime, String>>,
}

impl Shared {
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

    fn runtime(&self, plugin: &str) -> Result<&Runtime, PluginFault> {
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

impl Sandbox {
    /// A sandbox that keeps compiled code in this folder of the user's cache, which is made when it is first needed; `None` keeps nothing.
    ///
    /// Costs nothing: the engine starts with the first plugin.
    pub fn new(cache_dir: Option<PathBuf>) -> Self {
        Self::with_listener(cache_dir, |_| {})
    }

    /// The same, with a listener for what plugins log and what the host has to say about them. It is called after each call, in order, on the
    /// thread that called.
    pub fn with_listener(cache_dir: Option<PathBuf>, listener: impl Fn(Note) + Send + Sync + 'static) -> Self {
        Self { shared: Arc::new(Shared { cache_dir, listener: Box::new(listener), runtime: OnceLock::new() }) }
    }

    /// Reads a component and compiles nothing. `size_mib` raises the largest size.
    pub fn admit(&self, plugin: &str, bytes: &[u8], size_mib: Option<u32>) -> Result<Admitted, PluginFault> {
        admit(bytes, size_mib).map_err(|error| not_admitted(plugin, &error))
    }

    /// Makes a later load cheap: admits, compiles and stores.
    pub fn warm(&self, source: &PluginSource) -> Result<(), PluginFault> {
        match source.kind {
            PluginKind::PathRoles => self.path_roles_handle(source).map(drop),
            PluginKind::SuiteRunner => self.suite_runner_handle(source).map(drop),
            PluginKind::ReportRenderer => self.report_renderer_handle(source).map(drop),
            PluginKind::ReviewerAdapter => Err(unsupported(source)),
        }
    }

    pub(crate) fn path_roles_handle(&self, source: &PluginSource) -> Result<PathRolesHandle, PluginFault> {
        self.handle(source)
    }

    pub(crate) fn suite_runner_handle(&self, source: &PluginSource) -> Result<SuiteRunnerHandle, PluginFault> {
        self.handle(source)
    }

    pub(crate) fn report_renderer_handle(&self, source: &PluginSource) -> Result<ReportRendererHandle, PluginFault> {
        self.handle(source)
    }

    fn handle<W: World>(&self, source: &PluginSource) -> Result<Handle<W>, PluginFault> {
        let component = Component::of(source)?;
        if component.kind != W::KIND {
            return Err(wrong_kind(&source.name, component.kind, W::KIND));
        }
        let runtime = self.shared.runtime(&source.name)?;
        let loaded = runtime.load(component.bytes, &component.sha256, component.size_mib);
        let pre = loaded.map_err(|error| not_loaded(&source.name, error))?;
        let world = W::find(pre).map_err(|error| no_world(&source.name, &component, W::KIND, &error))?;
        if let Some(warning) = component.warning() {
            self.shared.tell(Note::of_host(&source.name, warning));
        }
        Ok(Handle {
            shared: Arc::clone(&self.shared),
            world,
            identity: PluginIdentity { name: source.name.clone(), sha256: component.sha256 },
            options: source.options.clone(),
            budget: component.budget,
        })
    }
}

impl PluginHost for Sandbox {
    fn path_roles(&self, source: &PluginSource) -> Result<Box<dyn PathRoles + Send + Sync>, PluginFault> {
        Ok(Box::new(self.path_roles_handle(source)?))
    }

    fn suite_runner(&self, source: &PluginSource) -> Result<Box<dyn SuiteRunner + Send + Sync>, PluginFault> {
        Ok(Box::new(self.suite_runner_handle(source)?))
    }

    fn report_renderer(&self, source: &PluginSource) -> Result<Box<dyn ReportRenderer + Send + Sync>, PluginFault> {
        Ok(Box::new(self.report_renderer_handle(source)?))
    }

    fn bundled(&self, kind: PluginKind, name: &str) -> Option<PluginIdentity> {
        bundled::find(kind, name).map(bundled::Bundled::identity)
    }
}

/// A component's bytes, known to be the pinned ones.
pub(crate) struct Component<'a> {
    kind: PluginKind,
    pub(crate) bytes: &'a [u8],
    sha256: String,
    budget: Budget,
    pub(crate) size_mib: Option<u32>,
    bundled: bool,
}

impl<'a> Component<'a> {
    /// Finds the bytes and compares them with the pin, before anything reads them.
    pub(crate) fn of(source: &'a PluginSource) -> Result<Self, PluginFault> {
        match &source.pinned {
            Some(pinned) => {
                let sha256 = digest_bytes(&pinned.bytes);
                if sha256 != pinned.sha256 {
                    return Err(pin_mismatch(&source.name, &pinned.sha256, &sha256));
                }
                let budget = Budget::of_pin(pinned.fuel, pinned.memory_mib);
                Ok(Self { kind: source.kind, bytes: &pinned.bytes, sha256, budget, size_mib: pinned.size_mib, bundled: false })
            }
            None => {
                let bundled = bundled::find(source.kind, &source.name).ok_or_else(|| not_bundled(source))?;
                let sha256 = bundled.sha256().to_owned();
                Ok(Self { kind: bundled.kind, bytes: bundled.bytes, sha256, budget: Budget::default(), size_mib: None, bundled: true })
            }
        }
    }

    fn warning(&self) -> Option<String> {
        if self.bundled { None } else { size_warning(self.bytes.len()) }
    }
}

fn pin_mismatch(plugin: &str, pinned: &str, found: &str) -> PluginFault {
    fault(
        plugin,
        PluginFaultKind::PinMismatch,
        format!("its file has the digest {found}, the policy pins {pinned}"),
        "restore the pinned file, or review the new one and pin it with `code-polishy plugin add`",
    )
}

fn not_bundled(source: &PluginSource) -> PluginFault {
    let names: Vec<&str> = bundled::all().iter().filter(|bundled| bundled.kind == source.kind).map(|bundled| bundled.name).collect();
    fault(
        &source.name,
        PluginFaultKind::Unreadable,
        format!("there is no bundled {} plugin of this name", source.kind),
        format!("name a pinned plugin, or a bundled one: {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") }),
    )
}

fn unsupported(source: &PluginSource) -> PluginFault {
    fault(&source.name, PluginFaultKind::Incompatible, format!("this host calls no {} plugins", source.kind), "upgrade code-polishy")
}

fn wrong_kind(plugin: &str, is: PluginKind, wanted: PluginKind) -> PluginFault {
    fault(
        plugin,
        PluginFaultKind::Incompatible,
        format!("it is a {is} plugin and is used as a {wanted} plugin"),
        format!("correct `kind` of its pin, or name a {wanted} plugin"),
    )
}

fn not_loaded(plugin: &str, error: LoadError) -> PluginFault {
    match error {
        LoadError::NotAdmitted(error) => not_admitted(plugin, &error),
        LoadError::NotCompiled(why) => {
            fault(plugin, PluginFaultKind::Incompatible, format!("it cannot be compiled: {why}"), "rebuild the plugin with the current SDK")
        }
    }
}

/// The exports that the kind needs are missing or have other types; admission knows what it is instead.
fn no_world(plugin: &str, component: &Component<'_>, wanted: PluginKind, error: &wasmtime::Error) -> PluginFault {
    match admit(component.bytes, component.size_mib) {
        Ok(admitted) if admitted.kind != wanted => wrong_kind(plugin, admitted.kind, wanted),
        Ok(_) => {
            let message = format!("its exports have other types than the contract's: {error:#}");
            fault(plugin, PluginFaultKind::Incompatible, message, "rebuild the plugin with the current SDK")
        }
        Err(error) => not_admitted(plugin, &error),
    }
}
