//! `behavior-review cleanup`.

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::workflow::cleanup::cleanup;

use crate::{
    command::Context,
    reply::Reply,
    view::{human, json::Protocol},
};

/// Removes all review artifacts.
pub fn run(context: &Context) -> Result<Reply, Failure> {
    let cleaned = cleanup(&context.setup.workspace()?)?;
    let state = if cleaned.removed { "removed" } else { "absent" };
    let document = Protocol::Review("cleanup").done(state, "cleanup", &cleaned);
    Ok(Reply::lines(human::cleaned(&cleaned), document))
}
