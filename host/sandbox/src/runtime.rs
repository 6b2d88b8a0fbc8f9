//! The engine, the imports and the compiled components of a process, made when the first plugin is loaded.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use wasmtime::{
    Engine,
    component::{Component, InstancePre, Linker},
};

use crate::{
    admission::{AdmissionError, admit, check_size},
    call::{self, CallState},
    compiled::{CompiledStore, Found, StoreError},
    engine,
    limits::COMPILE_CLOCK,
};

/// Everything that loading a plugin needs.
pub struct Runtime {
    engine: Engine,
    linker: Linker<CallState>,
    store: Option<CompiledStore>,
    /// By the component's digest: base and candidate mostly use the same plugins.
    loaded: Mutex<BTreeMap<String, Component>>,
    /// Held while compiling, which takes every processor anyway; who waits finds the result in `loaded`.
    compiling: Mutex<()>,
}

/// A component to load.
pub struct Wanted<'a> {
    /// The component.
    pub bytes: &'a [u8],
    /// Digest of `bytes`.
    pub sha256: &'a str,
    /// Raises the largest size.
    pub limit_mib: Option<u32>,
    /// Hears what is worth telling in verbose output.
    pub tell: &'a dyn Fn(String),
}

/// Why a component cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It may not come in.
    #[error(transparent)]
    NotAdmitted(#[from] AdmissionError),
    /// wasmtime refuses what admission let in.
    #[error("cannot be compiled: {0}")]
    NotCompiled(String),
    /// The watchdog ended its compilation.
    #[error("was still being compiled after {} s", .limit.as_secs_f32())]
    TimedOut {
        /// The time that it had.
        limit: Duration,
    },
}

impl Runtime {
    /// Starts the engine and opens the store. A store that cannot be used is reported beside the runtime, which works without it.
    pub fn start(cache_dir: Option<&Path>) -> wasmtime::Result<(Self, Option<StoreError>)> {
        let engine = engine::start()?;
        let linker = call::linker(&engine)?;
        let compatibility = engine::compatibility_digest(&engine);
        let (store, fault) = match cache_dir.map(|folder| CompiledStore::open(folder, compatibility)) {
            Some(Ok(store)) => (Some(store), None),
            Some(Err(fault)) => (None, Some(fault)),
            None => (None, None),
        };
        Ok((Self { engine, linker, store, loaded: Mutex::default(), compiling: Mutex::default() }, fault))
    }

    /// The engine that calls run on.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The component, ready to be instantiated: from this process, from the store, or admitted and compiled.
    pub fn load(&self, wanted: &Wanted<'_>) -> Result<InstancePre<CallState>, LoadError> {
        check_size(wanted.bytes.len(), wanted.limit_mib)?;
        let component = self.known(wanted).or_else(|| self.stored(wanted)).map_or_else(|| self.compiled(wanted), Ok)?;
        self.linker.instantiate_pre(&component).map_err(not_compiled)
    }

    /// Whether the store has code of these bytes that loads.
    pub fn is_stored(&self, sha256: &str) -> bool {
        self.store.as_ref().is_some_and(|store| matches!(store.load(&self.engine, sha256), Found::Code(_)))
    }

    fn known(&self, wanted: &Wanted<'_>) -> Option<Component> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).get(wanted.sha256).cloned()
    }

    fn stored(&self, wanted: &Wanted<'_>) -> Option<Component> {
        match self.store.as_ref()?.load(&self.engine, wanted.sha256) {
            Found::Code(component) => Some(self.remembered(wanted, component)),
            Found::Nothing => None,
            Found::Broken => {
                (wanted.tell)("its stored code was damaged or for another engine; it is compiled again".to_owned());
                None
            }
        }
    }

    /// Compiles unless another thread or process has done so in the meantime.
    fn compiled(&self, wanted: &Wanted<'_>) -> Result<Component, LoadError> {
        let _this_thread = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(component) = self.known(wanted) {
            return Ok(component);
        }
        let _this_process = self.store.as_ref().and_then(|store| store.turn(wanted.sha256));
        self.stored(wanted).map_or_else(|| self.compile(wanted), Ok)
    }

    fn compile(&self, wanted: &Wanted<'_>) -> Result<Component, LoadError> {
        admit(wanted.bytes, wanted.limit_mib)?;
        let component = compile_within(&self.engine, wanted.bytes, COMPILE_CLOCK)?;
        if let Some(store) = &self.store
            && let Err(error) = component.serialize().map(|code| store.keep(wanted.sha256, &code)).map_err(not_compiled)?
        {
            // A full or read-only disk costs the next run a compilation and this one nothing.
            (wanted.tell)(format!("its compiled code cannot be stored: {error}; it is compiled in every run"));
        }
        Ok(self.remembered(wanted, component))
    }

    fn remembered(&self, wanted: &Wanted<'_>, component: Component) -> Component {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(wanted.sha256.to_owned(), component.clone());
        component
    }
}

/// Compiles on a thread of its own. The compiler cannot be interrupted: after the limit the thread is left behind, and ends with the command.
fn compile_within(engine: &Engine, bytes: &[u8], limit: Duration) -> Result<Component, LoadError> {
    let (send, receive) = mpsc::channel();
    let (engine, bytes) = (engine.clone(), bytes.to_vec());
    let body = move || drop(send.send(Component::from_binary(&engine, &bytes)));
    let thread = thread::Builder::new().name("compiler".to_owned()).spawn(body);
    thread.map_err(|error| LoadError::NotCompiled(format!("no thread to compile it on: {error}")))?;
    match receive.recv_timeout(limit) {
        Ok(compiled) => compiled.map_err(not_compiled),
        Err(RecvTimeoutError::Timeout) => Err(LoadError::TimedOut { limit }),
        Err(RecvTimeoutError::Disconnected) => Err(LoadError::NotCompiled("the compiler panicked".to_owned())),
    }
}

fn not_compiled(error: wasmtime::Error) -> LoadError {
    LoadError::NotCompiled(format!("{error:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilation_beyond_its_time_is_no_result() {
        let engine = engine::start().expect("starts");
        let functions = "(func (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))".repeat(2000);
        let bytes = wat::parse_str(format!("(component (core module {functions}))")).expect("well-formed");
        let limit = Duration::from_millis(1);
        assert!(matches!(compile_within(&engine, &bytes, limit), Err(LoadError::TimedOut { limit: said }) if said == limit));
        assert!(compile_within(&engine, &bytes, COMPILE_CLOCK).is_ok());
    }
}
