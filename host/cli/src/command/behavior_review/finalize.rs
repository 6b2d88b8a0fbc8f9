//! `behavior-review finalize`.

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::workflow::finalize::finalize;

use crate::{
    arguments::Finalize,
    command::Context,
    reply::Reply,
    view::{human, json::Protocol},
};

/// Accepts the reviewer's result.
pub fn run(context: &Context, arguments: &Finalize) -> Result<Reply, Failure> {
    let finalized = finalize(&context.setup.workspace()?, &arguments.base)?;
    let document = Protocol::Review("finalize").done("finalized", "receipt", &finalized);
    Ok(Reply::lines(human::finalized(&finalized), document))
}
