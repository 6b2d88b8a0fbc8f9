//! `code-review discard`.

use code_polishy_core::{diagnostic::Failure, text::escape_line};
use code_polishy_engine::workflow::code_review::discard::{DiscardRequest, discard};

use crate::{arguments::code_review::Discard, command::Context, reply::Reply, view::json::code_review};

/// Moves the candidate of a run aside.
pub fn run(context: &Context, arguments: &Discard) -> Result<Reply, Failure> {
    let request = DiscardRequest { run: arguments.run.clone(), reason: arguments.reason.clone(), category: arguments.category.into() };
    let (run, discarded) = discard(&context.setup.cwd, &request)?;
    let document = code_review("discard", "discarded", Some(&run.text()), &discarded);
    let lines = vec![
        format!("discarded: {}", escape_line(&discarded.discarded)),
        format!("record: {}", escape_line(&discarded.record)),
        escape_line(&run.text()),
    ];
    Ok(Reply::lines(lines, document))
}
