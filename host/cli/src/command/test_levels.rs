//! `test-levels`.

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::workflow::levels::levels;

use super::Context;
use crate::{arguments::TestLevels, reply::Reply, view};

/// Shows what is configured, and with a base what a merge gate would run.
pub fn run(context: &Context, arguments: &TestLevels) -> Result<Reply, Failure> {
    let levels = levels(&context.setup.workspace()?, arguments.base.as_deref())?;
    let document = serde_json::to_value(&levels).expect("results have string keys");
    let mut reply = Reply::lines(view::levels::lines(&levels, context.verbose), document);
    reply.remarks = levels.plan.map(|plan| plan.refusals).unwrap_or_default();
    Ok(reply)
}
