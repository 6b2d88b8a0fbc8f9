//! The engine, the imports and the compiled components of a process, made when the first plugin is loaded.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Mutex, PoisonError},
};

use wasmtime::{
    Engine,
    component::{Component, InstancePre, Linker},
};

use crate::{
    admission::{AdmissionError, admit, check_size},
    call::{self, CallState},
    compiled::{CompiledStore, StoreError},
    engine,
};

/// Everything that loading a plugin needs.
pub struct Runtime {
    engine: Engine,
    linker: Linker<CallState>,
    compatibility: String,
    store: Option<CompiledStore>,
    /// By the component's digest: base and candidate mostly use the same plugins.
    loaded: Mutex<BTreeMap<String, Component>>,
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
}

impl Runtime {
    /// Starts the engine and opens the store. A store that cannot be used is reported beside the runtime, which works without it.
    pub fn start(cache_dir: Option<&Path>) -> wasmtime::Result<(Self, Option<StoreError>)> {
        let engine = engine::start()?;
        let linker = call::linker(&engine)?;
        let compatibility = engine::compatibility_digest(&engine);
        let (store, fault) = match cache_dir.map(CompiledStore::open) {
            Some(Ok(store)) => (Some(store), None),
            Some(Err(fault)) => (None, Some(fault)),
            None => (None, None),
        };
        Ok((Self { engine, linker, compatibility, store, loaded: Mutex::default() }, fault))
    }

    /// The engine that calls run on.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The component with these bytes and their digest, ready to be instantiated: from this process, from the store, or admitted and compiled.
    pub fn load(&self, bytes: &[u8], sha256: &str, limit_mib: Option<u32>) -> Result<InstancePre<CallState>, LoadError> {
        check_size(bytes.len(), limit_mib)?;
        let known = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).get(sha256).cloned();
        let component = match known {
            Some(component) => component,
            None => {
                let component = self.stored(sha256).map_or_else(|| self.compile(bytes, sha256, limit_mib), Ok)?;
                self.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(sha256.to_owned(), component.clone());
                component
            }
        };
        self.linker.instantiate_pre(&component).map_err(not_compiled)
    }

    /// Whether the store has code of these bytes that loads.
    pub fn is_stored(&self, sha256: &str) -> bool {
        self.stored(sha256).is_some()
    }

    fn stored(&self, sha256: &str) -> Option<Component> {
        self.store.as_ref()?.load(&self.engine, &self.compatibility, sha256)
    }

    fn compile(&self, bytes: &[u8], sha256: &str, limit_mib: Option<u32>) -> Result<Component, LoadError> {
        admit(bytes, limit_mib)?;
        let component = Component::from_binary(&self.engine, bytes).map_err(not_compiled)?;
        if let Some(store) = &self.store {
            // A full or read-only disk costs the next run a compilation and this one nothing.
            let _ = component.serialize().map(|code| store.keep(&self.compatibility, sha256, &code));
        }
        Ok(component)
    }
}

fn not_compiled(error: wasmtime::Error) -> LoadError {
    LoadError::NotCompiled(format!("{error:#}"))
}
