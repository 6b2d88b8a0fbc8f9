//! `init`.

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::workflow::init::init;

use super::Context;
use crate::{reply::Reply, view::human};

/// Writes a starting policy.
pub fn run(context: &Context) -> Result<Reply, Failure> {
    let initialized = init(&context.setup.workspace()?)?;
    let document = serde_json::to_value(&initialized).expect("results have string keys");
    Ok(Reply::lines(human::initialized(&initialized), document))
}
