//! The sandbox as the engine sees it: a source goes in, a typed plugin comes out, and nothing expensive happens before the first one.

use std::{path::PathBuf, sync::Arc};

use code_polishy_core::plugin::{
    PathRoles, PluginFault, PluginFaultKind, PluginHost, PluginIdentity, PluginKind, PluginSource, ReportRenderer, ReviewerAdapter,
    SuiteRunner,
};

use crate::{
    admission::{Admitted, admit},
    bundled,
    fault::{fault, not_admitted},
    handle::{Handle, PathRolesWorld, ReportRendererWorld, ReviewerAdapterWorld, SuiteRunnerWorld, World},
    note::Note,
    runtime::{LoadError, Wanted},
    shared::Shared,
    source::Component,
};

/// Loads plugins and calls them within limits.
#[derive(Clone)]
pub struct Sandbox {
    shared: Arc<Shared>,
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
        Self { shared: Arc::new(Shared::new(cache_dir, Box::new(listener))) }
    }

    /// Reads a component and compiles nothing. `size_mib` raises the largest size.
    pub fn admit(&self, plugin: &str, bytes: &[u8], size_mib: Option<u32>) -> Result<Admitted, PluginFault> {
        admit(bytes, size_mib).map_err(|error| not_admitted(plugin, &error))
    }

    /// Makes a later load cheap: admits, compiles and stores.
    pub fn warm(&self, source: &PluginSource) -> Result<(), PluginFault> {
        match source.kind {
            PluginKind::PathRoles => self.handle::<PathRolesWorld>(source).map(drop),
            PluginKind::SuiteRunner => self.handle::<SuiteRunnerWorld>(source).map(drop),
            PluginKind::ReportRenderer => self.handle::<ReportRendererWorld>(source).map(drop),
            PluginKind::ReviewerAdapter => self.handle::<ReviewerAdapterWorld>(source).map(drop),
        }
    }

    /// Whether the store has compiled code of the plugin that loads. Never with a sandbox that keeps nothing.
    pub fn is_warm(&self, source: &PluginSource) -> Result<bool, PluginFault> {
        let sha256 = Component::of(source)?.sha256;
        Ok(self.shared.runtime(&source.name)?.is_stored(&sha256))
    }

    /// Loads the plugin as this world.
    pub(crate) fn handle<W: World>(&self, source: &PluginSource) -> Result<Handle<W>, PluginFault> {
        let component = Component::of(source)?;
        if component.kind != W::KIND {
            return Err(wrong_kind(&source.name, component.kind, W::KIND));
        }
        let runtime = self.shared.runtime(&source.name)?;
        let tell = |text| self.shared.tell(Note::for_verbose(&source.name, text));
        let wanted = Wanted { bytes: component.bytes, sha256: &component.sha256, limit_mib: component.size_mib, tell: &tell };
        let pre = runtime.load(&wanted).map_err(|error| not_loaded(&source.name, error))?;
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
        Ok(Box::new(self.handle::<PathRolesWorld>(source)?))
    }

    fn suite_runner(&self, source: &PluginSource) -> Result<Box<dyn SuiteRunner + Send + Sync>, PluginFault> {
        Ok(Box::new(self.handle::<SuiteRunnerWorld>(source)?))
    }

    fn report_renderer(&self, source: &PluginSource) -> Result<Box<dyn ReportRenderer + Send + Sync>, PluginFault> {
        Ok(Box::new(self.handle::<ReportRendererWorld>(source)?))
    }

    fn reviewer_adapter(&self, source: &PluginSource) -> Result<Box<dyn ReviewerAdapter + Send + Sync>, PluginFault> {
        Ok(Box::new(self.handle::<ReviewerAdapterWorld>(source)?))
    }

    fn bundled(&self, kind: PluginKind, name: &str) -> Option<PluginIdentity> {
        bundled::find(kind, name).map(bundled::Bundled::identity)
    }

    fn bundled_component(&self, kind: PluginKind, name: &str) -> Option<&'static [u8]> {
        bundled::find(kind, name).map(|bundled| bundled.bytes)
    }
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
        LoadError::TimedOut { .. } => fault(
            plugin,
            PluginFaultKind::TimedOut,
            format!("it {error}"),
            "run the command again on a less busy machine, or report it to the plugin's author",
        ),
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
