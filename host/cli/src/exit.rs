//! How the process ends (BR-6).

use std::process::ExitCode;

use code_polishy_core::diagnostic::FailureKind;

/// The exit statuses, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, accepted, or nothing to run: 0.
    Done,
    /// A gate, a result, a proof or a precondition says no: 1.
    Blocked,
    /// Malformed input, policy, option or reference: 2.
    Usage,
    /// Git, files, locks, processes or a plugin failed: 3.
    Operational,
    /// A gate of a review ran out of time: 124.
    TimedOut,
    /// Interrupted, and cleaned up: 130.
    Interrupted,
}

impl Exit {
    /// The number that the caller sees.
    pub fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Blocked => FailureKind::Blocked.exit_status(),
            Self::Usage => FailureKind::Usage.exit_status(),
            Self::Operational => FailureKind::Operational.exit_status(),
            Self::TimedOut => 124,
            Self::Interrupted => FailureKind::Interrupted.exit_status(),
        }
    }
}

impl From<FailureKind> for Exit {
    fn from(kind: FailureKind) -> Self {
        match kind {
            FailureKind::Blocked => Self::Blocked,
            FailureKind::Usage => Self::Usage,
            FailureKind::Operational => Self::Operational,
            FailureKind::Interrupted => Self::Interrupted,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}
