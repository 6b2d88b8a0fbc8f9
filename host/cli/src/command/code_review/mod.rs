//! `code-review`: one file a command.

mod complete;
mod discard;
mod finalize;
mod find;
mod gates;
mod import_pr;
mod notes;
mod reviewer_event;
mod route;
mod start;
mod validate;

use code_polishy_core::diagnostic::Failure;

use super::Context;
use crate::{arguments::CodeReview, reply::Reply};

/// Runs the command.
pub fn run(context: &Context, command: &CodeReview) -> Result<Reply, Failure> {
    match command {
        CodeReview::Complete(arguments) => complete::run(context, arguments),
        CodeReview::Find(arguments) => find::run(context, arguments),
        CodeReview::Discard(arguments) => discard::run(context, arguments),
        CodeReview::Finalize(arguments) => finalize::run(context, arguments),
        CodeReview::ReviewerEvent(arguments) => reviewer_event::run(context, arguments),
        CodeReview::ImportPr(arguments) => import_pr::run(context, arguments),
        CodeReview::Route(arguments) => route::run(context, arguments),
        CodeReview::Gates(arguments) => gates::run(context, arguments),
        CodeReview::Notes(arguments) => notes::run(context, arguments),
        CodeReview::Start(arguments) => start::run(context, arguments),
        CodeReview::Validate(arguments) => validate::run(context, arguments),
    }
}

/// `--producer-id`, or what the environment says (CR-19).
fn producer_id(flag: Option<&String>) -> Option<String> {
    flag.cloned().or_else(|| std::env::var("CODE_POLISHY_PRODUCER_ID").ok().filter(|id| !id.is_empty()))
}
