//! Reading blobs, within bounds.

use std::{collections::BTreeMap, sync::Arc};

use code_polishy_core::diagnostic::Failure;
use gix::prelude::FindExt;

use super::{
    fault,
    repository::{Repository, object_id},
};

/// A blob as far as the caller's limit allowed it to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blob {
    /// All of it.
    Whole(Vec<u8>),
    /// It has this many bytes, which is over the limit.
    Larger(u64),
}

impl Blob {
    /// Bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Whole(bytes) => bytes.len() as u64,
            Self::Larger(size) => *size,
        }
    }
}

/// The blobs of a repository, with those of the working tree laid over them. Cloned for each thread.
#[derive(Clone)]
pub struct Blobs {
    repository: gix::Repository,
    overlay: Arc<BTreeMap<String, Blob>>,
}

impl Blobs {
    /// The blobs in the repository's object database.
    pub fn of(repository: &Repository) -> Self {
        Self::with_overlay(repository, BTreeMap::new())
    }

    /// The same, with blobs by id that are not in the database.
    pub(super) fn with_overlay(repository: &Repository, overlay: BTreeMap<String, Blob>) -> Self {
        let mut local = repository.local();
        // A blob is read once.
        local.object_cache_size(None);
        Self { repository: local, overlay: Arc::new(overlay) }
    }

    /// Bytes of the blob.
    ///
    /// # Errors
    /// Operational `git.object` when it is missing; a partial clone has to fetch it first.
    pub fn size(&self, id: &str) -> Result<u64, Failure> {
        match self.overlay.get(id) {
            Some(blob) => Ok(blob.size()),
            None => Ok(self.repository.find_header(object_id(id)?).map_err(|error| missing(id, error))?.size()),
        }
    }

    /// All bytes of the blob.
    ///
    /// # Errors
    /// As [`Self::size`].
    pub fn read(&self, id: &str) -> Result<Vec<u8>, Failure> {
        match self.read_at_most(id, u64::MAX)? {
            Blob::Whole(bytes) => Ok(bytes),
            Blob::Larger(size) => Err(missing(id, format!("its {size} bytes were not kept"))),
        }
    }

    /// The blob, or its size when it has more than `limit` bytes.
    ///
    /// # Errors
    /// As [`Self::size`].
    pub fn read_at_most(&self, id: &str, limit: u64) -> Result<Blob, Failure> {
        let mut bytes = Vec::new();
        Ok(match self.read_into(id, limit, &mut bytes)? {
            Some(size) => Blob::Larger(size),
            None => Blob::Whole(bytes),
        })
    }

    /// Fills the buffer with the blob, or returns its size when it has more than `limit` bytes. A buffer that is used again spares memory.
    pub(super) fn read_into(&self, id: &str, limit: u64, buffer: &mut Vec<u8>) -> Result<Option<u64>, Failure> {
        match self.overlay.get(id) {
            Some(Blob::Larger(size)) => return Ok(Some(*size)),
            Some(Blob::Whole(bytes)) if bytes.len() as u64 > limit => return Ok(Some(bytes.len() as u64)),
            Some(Blob::Whole(bytes)) => {
                buffer.clone_from(bytes);
                return Ok(None);
            }
            None => {}
        }
        let object = object_id(id)?;
        if limit < u64::MAX {
            let size = self.repository.find_header(object).map_err(|error| missing(id, error))?.size();
            if size > limit {
                return Ok(Some(size));
            }
        }
        self.repository.objects.find_blob(&object, buffer).map(|_| None).map_err(|error| missing(id, error))
    }
}

fn missing(id: &str, error: impl std::fmt::Display) -> Failure {
    fault::operational("git.object", format_args!("the blob {id} cannot be read"), error)
}
