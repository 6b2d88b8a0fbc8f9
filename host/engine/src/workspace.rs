//! Everything around a command that is not its arguments.

use std::ffi::OsString;

use code_polishy_core::{diagnostic::Failure, plugin::PluginHost};

use crate::{event::Observer, git::Repository, interrupt::Interrupt, places::Places, store::Store};

/// The repository that a command works on and the means it has.
pub struct Workspace<'a> {
    /// Opened once.
    pub repository: Repository,
    /// Where plugins come from.
    pub plugins: &'a dyn PluginHost,
    /// The wish that the command ends.
    pub interrupt: Interrupt,
    /// Folders of the user.
    pub places: Places,
    /// The caller's environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Hears what happens.
    pub observer: &'a dyn Observer,
}

impl Workspace<'_> {
    /// The folder of review artifacts, when it exists.
    pub fn review_store(&self) -> Result<Option<Store>, Failure> {
        Store::open(self.repository.root(), code_polishy_core::packet::FOLDER)
    }

    /// The folder of review artifacts, made when it is absent.
    pub fn create_review_store(&self) -> Result<Store, Failure> {
        Store::create(self.repository.root(), code_polishy_core::packet::FOLDER)
    }
}
