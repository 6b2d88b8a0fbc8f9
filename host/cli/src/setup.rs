//! Everything around a command: the repository, the user's folders, signals, plugins and progress.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use code_polishy_core::{
    diagnostic::Failure,
    plugin::{PathRoles, PluginFault, PluginHost, PluginIdentity, PluginKind, PluginSource, ReportRenderer, ReviewerAdapter, SuiteRunner},
};
use code_polishy_engine::{
    event::{Event, Observer},
    git::Repository,
    interrupt::Interrupt,
    places::Places,
    workspace::Workspace,
};
use code_polishy_sandbox::{Sandbox, bundled};

use crate::{arguments::Global, progress::Progress};

/// What commands work with. Nothing is opened or made before it is asked for.
pub struct Setup {
    /// Where relative paths of the caller start.
    pub cwd: PathBuf,
    /// The wish that the command ends.
    pub interrupt: Interrupt,
    /// Tells what happens.
    pub progress: Arc<Progress>,
    /// Loads plugins.
    pub plugins: Plugins,
    places: Places,
    start: PathBuf,
}

impl Setup {
    /// Reads the environment and catches signals.
    pub fn new(global: &Global) -> Result<Self, Failure> {
        let places = Places::new(|name| std::env::var_os(name))?;
        let cwd = std::env::current_dir().map_err(|error| {
            Failure::operational(
                "cwd.unreadable",
                format!("cannot tell the working directory: {error}"),
                "run the command in a folder that exists",
            )
        })?;
        let progress = Arc::new(Progress::new(global));
        Ok(Self {
            start: global.repo.as_ref().map_or_else(|| cwd.clone(), |repo| cwd.join(repo)),
            interrupt: Interrupt::install()?,
            plugins: Plugins { places: places.clone(), progress: Arc::clone(&progress), sandbox: OnceLock::new(), quiet: OnceLock::new() },
            cwd,
            progress,
            places,
        })
    }

    /// The repository, with the means that a workflow has.
    pub fn workspace(&self) -> Result<Workspace<'_>, Failure> {
        Ok(Workspace {
            repository: Repository::discover(&self.start)?,
            plugins: &self.plugins,
            interrupt: self.interrupt.clone(),
            places: self.places.clone(),
            environment: std::env::vars_os().collect(),
            observer: self.progress.as_ref(),
        })
    }

    /// The same, or `None` outside a repository.
    pub fn workspace_if_any(&self) -> Result<Option<Workspace<'_>>, Failure> {
        match self.workspace() {
            Ok(workspace) => Ok(Some(workspace)),
            Err(failure) if failure.diagnostics.iter().any(|diagnostic| diagnostic.code == "git.no-repository") => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The user's folders.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// A path that the caller wrote.
    pub fn path(&self, operand: &Path) -> PathBuf {
        self.cwd.join(operand)
    }
}

/// The sandbox, started with the first plugin: most commands need none, and must not make a cache folder.
pub struct Plugins {
    places: Places,
    progress: Arc<Progress>,
    sandbox: OnceLock<Sandbox>,
    quiet: OnceLock<Sandbox>,
}

impl Plugins {
    /// The sandbox. Without a usable cache folder it works too, and compiles plugins in every run.
    pub fn sandbox(&self) -> &Sandbox {
        self.sandbox.get_or_init(|| {
            let cache = self.places.cache().map_err(|failure| self.tell_uncached(&failure)).ok();
            let progress = Arc::clone(&self.progress);
            Sandbox::with_listener(cache, move |note| progress.note(&note))
        })
    }

    /// A sandbox whose plugins' messages nobody hears, for calls that provoke them.
    pub fn quiet_sandbox(&self) -> &Sandbox {
        self.quiet.get_or_init(|| Sandbox::new(self.places.cache().ok()))
    }

    fn tell_uncached(&self, failure: &Failure) {
        let reasons: Vec<&str> = failure.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        self.progress.on(&Event::Note { text: &format!("{}; plugins are compiled in every run", reasons.join("; ")) });
    }
}

impl PluginHost for Plugins {
    fn path_roles(&self, source: &PluginSource) -> Result<Box<dyn PathRoles + Send + Sync>, PluginFault> {
        self.sandbox().path_roles(source)
    }

    fn suite_runner(&self, source: &PluginSource) -> Result<Box<dyn SuiteRunner + Send + Sync>, PluginFault> {
        self.sandbox().suite_runner(source)
    }

    fn report_renderer(&self, source: &PluginSource) -> Result<Box<dyn ReportRenderer + Send + Sync>, PluginFault> {
        self.sandbox().report_renderer(source)
    }

    fn reviewer_adapter(&self, source: &PluginSource) -> Result<Box<dyn ReviewerAdapter + Send + Sync>, PluginFault> {
        self.sandbox().reviewer_adapter(source)
    }

    fn bundled(&self, kind: PluginKind, name: &str) -> Option<PluginIdentity> {
        bundled::find(kind, name).map(bundled::Bundled::identity)
    }

    fn bundled_component(&self, kind: PluginKind, name: &str) -> Option<&'static [u8]> {
        bundled::find(kind, name).map(|bundled| bundled.bytes)
    }
}
