//! The user's own store of compiled code: a plugin is compiled once on a machine, and only loaded afterwards.
//!
//! Compiled code runs with the host's rights, so the folder is the user's alone (mode 0700) and never inside a repository. A file that is missing, cut
//! off, edited by accident or made by another engine is a miss, and a store that cannot be used is no store: neither is ever an error.
//!
//! Reading takes no lock. A file appears whole, by a rename, and may disappear at any time: whoever misses it compiles again.

use std::{
    fs, io,
    io::{Read, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use code_polishy_core::canonical::digest_bytes;
use sha2::{Digest, Sha256};
use wasmtime::{Engine, component::Component};

use crate::{
    evict::{EXTENSION, ROOM, TEMPORARY, evict, mark_used},
    turn::Turn,
};

/// Raised when admission becomes stricter, so that what was compiled under weaker rules is admitted anew.
const ADMISSION_RULES: u32 = 2;

/// Bytes of the digest that stands before the code in a file.
const DIGEST_BYTES: usize = 32;

/// A folder of compiled components, seen by one engine.
#[derive(Clone, Debug)]
pub struct CompiledStore {
    folder: PathBuf,
    compatibility: String,
}

/// What the store has for a component.
pub enum Found {
    /// Its code.
    Code(Component),
    /// No file.
    Nothing,
    /// A file that is not what was written, or not for this engine. It is removed.
    Broken,
}

/// Why nothing is stored; said once in verbose output.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be made or read.
    #[error("cannot use the folder {folder} for compiled plugins: {source}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The folder can be written by others.
    #[error("the folder {folder} for compiled plugins belongs to, or can be written by, somebody else")]
    Shared {
        /// The folder.
        folder: PathBuf,
    },
}

impl CompiledStore {
    /// Opens the folder, making it with mode 0700 when it is missing. `compatibility` is [`crate::engine::compatibility_digest`].
    pub fn open(folder: &Path, compatibility: String) -> Result<Self, StoreError> {
        let fault = |source| StoreError::Folder { folder: folder.to_owned(), source };
        make_private(folder).map_err(fault)?;
        if !is_private(folder).map_err(fault)? {
            return Err(StoreError::Shared { folder: folder.to_owned() });
        }
        Ok(Self { folder: folder.to_owned(), compatibility })
    }

    /// The code compiled from the bytes with this digest, if a whole and fitting file is there.
    pub fn load(&self, engine: &Engine, component_sha256: &str) -> Found {
        let path = self.path(component_sha256);
        let Ok(file) = read(&path) else { return Found::Nothing };
        match verified(&file).and_then(|code| deserialize(engine, code)) {
            Some(component) => Found::Code(component),
            None => {
                // The next load would fail on it again; that it cannot be removed changes nothing.
                let _ = fs::remove_file(&path);
                Found::Broken
            }
        }
    }

    /// Waits while another process compiles the same component. Whoever has the turn looks for its result before it compiles itself.
    pub fn turn(&self, component_sha256: &str) -> Option<Turn> {
        Turn::take(self.path(component_sha256).with_extension("turn"))
    }

    /// Keeps compiled code: a temporary file, synchronised, renamed, so that a reader sees the whole or nothing. Then makes room.
    pub fn keep(&self, component_sha256: &str, code: &[u8]) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&self.folder)?;
        file.write_all(&Sha256::digest(code))?;
        file.write_all(code)?;
        file.as_file().sync_all()?;
        let path = self.path(component_sha256);
        file.persist(&path)?;
        evict(&self.folder, &path, ROOM, SystemTime::now());
        Ok(())
    }

    fn path(&self, component_sha256: &str) -> PathBuf {
        let key = format!("{component_sha256}\n{}\n{}\n{ADMISSION_RULES}\n", self.compatibility, env!("CARGO_PKG_VERSION"));
        self.folder.join(format!("{}.{EXTENSION}", digest_bytes(key.as_bytes())))
    }
}

/// The whole file, which counts as used now.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = fs::File::open(path)?;
    let metadata = file.metadata()?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    file.read_to_end(&mut bytes)?;
    mark_used(&file, &metadata, SystemTime::now());
    Ok(bytes)
}

/// The code of a file whose digest is right.
fn verified(file: &[u8]) -> Option<&[u8]> {
    let (digest, code) = file.split_at_checked(DIGEST_BYTES)?;
    (Sha256::digest(code).as_slice() == digest).then_some(code)
}

#[allow(unsafe_code, reason = "wasmtime cannot check compiled code, only its header")]
fn deserialize(engine: &Engine, code: &[u8]) -> Option<Component> {
    // SAFETY: the bytes were written by `keep` from `Engine::precompile_component`: they lie in a folder that only this user can write, and their
    // digest is the one recorded with them. Code of another engine is refused by its header.
    unsafe { Component::deserialize(engine, code) }.ok()
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(unix)]
fn is_private(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::symlink_metadata(folder)?;
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    Ok(metadata.is_dir() && own && metadata.mode() & 0o022 == 0)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// The cache folder of a Windows user is private by its inherited access list.
#[cfg(not(unix))]
fn is_private(folder: &Path) -> io::Result<bool> {
    Ok(fs::symlink_metadata(folder)?.is_dir())
}
