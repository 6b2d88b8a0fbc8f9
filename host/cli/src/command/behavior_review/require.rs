//! `behavior-review require`.

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::workflow::require::require;

use crate::{
    arguments::Require,
    command::Context,
    reply::Reply,
    view::{human, json::Protocol},
};

/// Asks for the review of more features.
pub fn run(context: &Context, arguments: &Require) -> Result<Reply, Failure> {
    let required = require(&context.setup.workspace()?, &arguments.base, &arguments.feature)?;
    let document = Protocol::Review("require").done("required", "requirement", &required);
    Ok(Reply::lines(human::required(&required), document))
}
