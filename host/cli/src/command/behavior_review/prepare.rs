//! `behavior-review prepare`.

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::workflow::prepare::prepare;

use crate::{
    arguments::Prepare,
    command::Context,
    reply::Reply,
    view::{human, json::Protocol},
};

/// Writes the packet.
pub fn run(context: &Context, arguments: &Prepare) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let prepared = prepare(&workspace, &arguments.base, arguments.boundary.into(), arguments.follow_up.clone())?;
    let document = Protocol::Review("prepare").done("prepared", "packet", &prepared);
    Ok(Reply::lines(human::prepared(&prepared), document))
}
