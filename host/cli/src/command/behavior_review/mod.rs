//! `behavior-review`: one file an action.

mod capture_intent;
mod cleanup;
mod finalize;
mod prepare;
mod require;
mod status;

use code_polishy_core::diagnostic::Failure;

use super::Context;
use crate::{arguments::BehaviorReview, reply::Reply};

/// Runs the action.
pub fn run(context: &Context, action: &BehaviorReview) -> Result<Reply, Failure> {
    match action {
        BehaviorReview::CaptureIntent(arguments) => capture_intent::run(context, arguments),
        BehaviorReview::Require(arguments) => require::run(context, arguments),
        BehaviorReview::Status(arguments) => status::run(context, arguments),
        BehaviorReview::Prepare(arguments) => prepare::run(context, arguments),
        BehaviorReview::Finalize(arguments) => finalize::run(context, arguments),
        BehaviorReview::Cleanup => cleanup::run(context),
    }
}
