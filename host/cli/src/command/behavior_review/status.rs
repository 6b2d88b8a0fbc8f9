//! `behavior-review status`.

use code_polishy_core::{diagnostic::Failure, gate::state::BehaviorState};
use code_polishy_engine::workflow::status::status;

use crate::{
    arguments::Status,
    command::Context,
    exit::Exit,
    reply::Reply,
    view::{
        human,
        json::{Protocol, word},
    },
};

/// Says how the review stands; every state that can be computed is a success unless `--exit-code` asks otherwise (BR-6).
pub fn run(context: &Context, arguments: &Status) -> Result<Reply, Failure> {
    let status = status(&context.setup.workspace()?, &arguments.base, arguments.boundary.into())?;
    let blocks = matches!(status.state, BehaviorState::Required | BehaviorState::Failed);
    let document = Protocol::Review("status").done(&word(&status.state), "status", &status);
    let mut reply = Reply::lines(human::status(&status, context.verbose), document);
    reply.remarks = status.diagnostics;
    Ok(if arguments.exit_code && blocks { reply.ending(Exit::Blocked) } else { reply })
}
