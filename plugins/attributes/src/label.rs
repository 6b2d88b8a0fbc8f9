//! Roles as options write them.

use code_polishy_sdk::{path_roles::Role, serde};

/// A role, or none: the path is left to the next classifier. In the order of how much review they ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(crate = "code_polishy_sdk::serde", rename_all = "kebab-case")]
pub enum Label {
    None,
    Generated,
    Changelog,
    Plan,
    Fixture,
    Test,
    Development,
    CurrentStateDocumentation,
    ProductInput,
    ProductionSource,
}

impl Label {
    /// The role that it stands for.
    pub fn role(self) -> Option<Role> {
        match self {
            Self::None => None,
            Self::Generated => Some(Role::Generated),
            Self::Changelog => Some(Role::Changelog),
            Self::Plan => Some(Role::Plan),
            Self::Fixture => Some(Role::Fixture),
            Self::Test => Some(Role::Test),
            Self::Development => Some(Role::Development),
            Self::CurrentStateDocumentation => Some(Role::CurrentStateDocumentation),
            Self::ProductInput => Some(Role::ProductInput),
            Self::ProductionSource => Some(Role::ProductionSource),
        }
    }
}
