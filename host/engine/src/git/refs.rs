//! What a checkout knows of a forge without asking it: its remotes, and the refs that were fetched before.

use code_polishy_core::diagnostic::Failure;
use gix::bstr::ByteSlice;

use super::{fault, repository::Repository};

/// A configured remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// Its name.
    pub name: String,
    /// Where it is fetched from, as the repository's own configuration spells it.
    pub url: String,
}

/// A ref and the commit that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tip {
    /// Its full name.
    pub name: String,
    /// Full id.
    pub commit: String,
}

impl Repository {
    /// The remotes that have an address, by name.
    pub fn remotes(&self) -> Vec<Remote> {
        let local = self.local();
        let config = local.config_snapshot();
        let remote = |name: &gix::bstr::BStr| {
            let name = name.to_str().ok()?;
            let url = config.string(&format!("remote.{name}.url"))?;
            Some(Remote { name: name.to_owned(), url: url.to_str().ok()?.to_owned() })
        };
        local.remote_names().iter().filter_map(|name| remote(name.as_bstr())).collect()
    }

    /// The ref of this name, full or short; `None` when there is none, or when its commit is not here.
    ///
    /// # Errors
    /// Operational `git.refs` when the refs cannot be read.
    pub fn tip(&self, name: &str) -> Result<Option<Tip>, Failure> {
        let local = self.local();
        let Ok(name) = gix::refs::PartialName::try_from(name.to_owned()) else { return Ok(None) };
        let found =
            local.try_find_reference(name.as_ref()).map_err(|error| fault::operational("git.refs", "the refs cannot be read", error))?;
        let Some(mut reference) = found else { return Ok(None) };
        let Ok(commit) = reference.peel_to_commit().map(|commit| commit.id.to_string()) else { return Ok(None) };
        Ok(reference.name().as_bstr().to_str().ok().map(|name| Tip { name: name.to_owned(), commit }))
    }

    /// The commit of this full id is here.
    pub fn has_commit(&self, id: &str) -> bool {
        let local = self.local();
        gix::ObjectId::from_hex(id.as_bytes()).is_ok_and(|id| local.find_commit(id).is_ok())
    }

    /// The short name of the branch at HEAD; `None` when HEAD is detached.
    ///
    /// # Errors
    /// Operational `git.head`.
    pub fn branch(&self) -> Result<Option<String>, Failure> {
        let name = self.local().head_name().map_err(|error| fault::operational("git.head", "HEAD cannot be read", error))?;
        Ok(name.map(|name| name.shorten().to_str_lossy().into_owned()))
    }
}
