//! Code review: run directories, and the commands that fill and judge them.

mod around;
pub mod complete;
pub mod config;
pub mod discard;
pub mod git_state;
pub mod image;
pub mod members;
pub mod mirror;
pub mod notes;
pub mod path_roles;
mod render;
pub mod reports;
mod role_cards;
pub mod route;
pub mod run;
pub mod scope;
pub mod start;
pub mod validate;

use code_polishy_core::{code_review::codes::Code, diagnostic::Failure};

/// The refusal of a command line or a configuration: exit 2, nothing was written.
pub fn usage(code: &Code, message: impl Into<String>, next: impl Into<String>) -> Failure {
    Failure::usage(code.name, message, next)
}

/// A precondition says no: exit 1.
pub fn blocked(code: &Code, message: impl Into<String>, next: impl Into<String>) -> Failure {
    Failure::blocked(code.name, message, next)
}

/// Something outside failed: exit 3.
pub fn operational(code: &Code, message: impl Into<String>, next: impl Into<String>) -> Failure {
    Failure::operational(code.name, message, next)
}

/// RFC 3339, UTC, whole seconds.
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Second).unwrap_or(now).to_string()
}
