//! What can be wrong with a place in the store.

use std::io;

use code_polishy_core::diagnostic::{Diagnostic, Failure, FailureKind};

/// A place in the store that cannot be used. Always operational: exit 3, and what is there stays untouched.
#[derive(Debug, thiserror::Error)]
#[error("`{path}` {kind}")]
pub struct StoreFault {
    /// Relative to the root that the store was opened below, with `/`.
    pub path: String,
    /// What is wrong with it.
    pub kind: StoreFaultKind,
}

/// The ways in which a place cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreFaultKind {
    /// A symbolic link stands where a folder or a file belongs.
    #[error("is a symbolic link")]
    Link,
    /// Something else stands where a folder belongs.
    #[error("is not a directory")]
    NotDirectory,
    /// Something else stands where a regular file belongs.
    #[error("is not a regular file")]
    NotRegular,
    /// The file has more bytes than its reader takes.
    #[error("is larger than {limit} bytes")]
    TooLarge {
        /// Bytes that the reader takes.
        limit: u64,
    },
    /// The name has a separator, is empty, `.` or `..`, or belongs to temporary files.
    #[error("is not a name that the store gives to a file")]
    Name,
    /// The file system has no room left.
    #[error("cannot be {action}: no space left")]
    Full {
        /// Such as `written`.
        action: &'static str,
    },
    /// Any other fault of the system.
    #[error("cannot be {action}: {error}")]
    System {
        /// Such as `written`.
        action: &'static str,
        /// What the system said.
        error: io::Error,
    },
}

impl StoreFault {
    pub(crate) fn new(path: &str, kind: StoreFaultKind) -> Self {
        Self { path: path.to_owned(), kind }
    }

    /// What the system said while this was done to the place.
    pub(crate) fn system(path: &str, action: &'static str, error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreFaultKind::Full { action },
            _ => StoreFaultKind::System { action, error },
        };
        Self::new(path, kind)
    }

    fn code(&self) -> &'static str {
        match self.kind {
            StoreFaultKind::Link => "store.link",
            StoreFaultKind::NotDirectory => "store.not-directory",
            StoreFaultKind::NotRegular => "store.not-regular",
            StoreFaultKind::TooLarge { .. } => "store.too-large",
            StoreFaultKind::Name => "store.name",
            StoreFaultKind::Full { .. } => "store.full",
            StoreFaultKind::System { .. } => "store.system",
        }
    }

    fn next(&self) -> String {
        let path = &self.path;
        match &self.kind {
            StoreFaultKind::Link => format!("remove the link `{path}` (its target was not touched) and run the command again"),
            StoreFaultKind::NotDirectory | StoreFaultKind::NotRegular => format!("move `{path}` away and run the command again"),
            StoreFaultKind::TooLarge { limit } => format!("bring `{path}` below {limit} bytes, or remove it and make it anew"),
            StoreFaultKind::Name => "use letters, digits, `.`, `_` and `-`".to_owned(),
            StoreFaultKind::Full { .. } => "free some space and run the command again; the former content is still there".to_owned(),
            StoreFaultKind::System { error, .. } if error.kind() == io::ErrorKind::PermissionDenied => {
                format!("give the current user access to `{path}` and run the command again")
            }
            StoreFaultKind::System { .. } => "look at the file system, then run the command again".to_owned(),
        }
    }
}

impl From<StoreFault> for Failure {
    fn from(fault: StoreFault) -> Self {
        let diagnostic = Diagnostic::new(fault.code(), fault.to_string(), fault.next()).at_path(fault.path);
        Failure::new(FailureKind::Operational, vec![diagnostic])
    }
}
