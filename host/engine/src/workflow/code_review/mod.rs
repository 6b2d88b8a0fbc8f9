//! Code review: run directories, and the commands that fill and judge them.

mod around;
pub mod complete;
pub mod config;
pub mod discard;
pub mod finalize;
pub mod find;
pub mod gates;
pub mod git_state;
pub mod image;
pub mod import_pr;
pub mod members;
pub mod mirror;
pub mod notes;
pub mod path_roles;
mod pinned;
mod prior;
mod pull_request;
pub mod render;
mod reports;
pub mod reviewer_event;
mod role_cards;
pub mod route;
pub mod run;
pub mod scope;
pub mod start;
pub mod terms;
pub mod validate;

use code_polishy_core::{
    code_review::{codes::Code, violation::Violation},
    diagnostic::{Failure, FailureKind},
};

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

/// What a run violates, as the end of a command that goes on from it: exit 1.
fn refusal(violations: &[Violation]) -> Failure {
    Failure::new(FailureKind::Blocked, violations.iter().map(Violation::diagnostic).collect())
}

/// RFC 3339, UTC, whole seconds.
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Second).unwrap_or(now).to_string()
}
