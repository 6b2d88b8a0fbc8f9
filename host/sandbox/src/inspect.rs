//! What a plugin says about itself.

use code_polishy_core::plugin::{PluginFault, PluginKind, PluginSource};

pub use crate::convert::description::Description;
use crate::{
    handle::{PathRolesWorld, ReportRendererWorld, ReviewerAdapterWorld, SuiteRunnerWorld},
    host::Sandbox,
};

impl Sandbox {
    /// Loads the plugin and asks it, checking what it says.
    pub fn describe(&self, source: &PluginSource) -> Result<Description, PluginFault> {
        match source.kind {
            PluginKind::PathRoles => self.handle::<PathRolesWorld>(source)?.describe().answer,
            PluginKind::SuiteRunner => self.handle::<SuiteRunnerWorld>(source)?.describe().answer,
            PluginKind::ReportRenderer => self.handle::<ReportRendererWorld>(source)?.describe().answer,
            PluginKind::ReviewerAdapter => self.handle::<ReviewerAdapterWorld>(source)?.describe().answer,
        }
    }
}
