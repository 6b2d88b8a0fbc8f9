//! `code-review notes`.

use code_polishy_core::{code_review::draft::Open, diagnostic::Failure, text::escape_line};
use code_polishy_engine::workflow::code_review::notes::{Drafted, NotesRequest, notes};

use crate::{
    arguments::code_review::Notes,
    command::Context,
    reply::Reply,
    view::{
        json::code_review,
        lines::{count, next},
        refused,
    },
};

/// Drafts the notes of a run.
pub fn run(context: &Context, arguments: &Notes) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let request = NotesRequest { run: arguments.run.clone(), metadata: arguments.metadata.clone() };
    let (run, drafted) = notes(&workspace, &context.setup.cwd, &request)?;
    let path = run.text();
    Ok(match drafted {
        Ok(drafted) => Reply::lines(lines(&drafted, &path), code_review("notes", "drafted", Some(&path), &drafted)),
        Err(failure) => refused("notes", &path, failure),
    })
}

fn lines(drafted: &Drafted, path: &str) -> Vec<String> {
    let gap = |open: &Open| escape_line(&format!("{}:{}: {}: {}", drafted.notes, open.line, open.section, open.what));
    let mut lines: Vec<String> = drafted.left.iter().map(gap).collect();
    lines.push(format!("notes: {}", escape_line(&format!("{path}/{}", drafted.notes))));
    lines.push(format!("left to write: {}", count(drafted.left.len(), "gap")));
    let step = if drafted.left.is_empty() {
        "validate the run, then finalize it"
    } else {
        "write what is left in the place of each gap, then draft again"
    };
    lines.push(next(step));
    lines
}
