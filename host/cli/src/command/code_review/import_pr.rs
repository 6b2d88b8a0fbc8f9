//! `code-review import-pr`.

use code_polishy_core::{diagnostic::Failure, text::escape_line};
use code_polishy_engine::workflow::code_review::import_pr::{ImportOutcome, ImportRequest, Imported, PriorSummary, Threads, import};

use super::start::terms;
use crate::{
    arguments::code_review::ImportPr,
    command::Context,
    exit::Exit,
    reply::Reply,
    view::{
        json::{code_review, word},
        lines::next,
        refused,
    },
};

/// Imports a pull request.
pub fn run(context: &Context, arguments: &ImportPr) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let request = ImportRequest {
        exports: arguments.exports.clone(),
        run: arguments.run.clone(),
        target: arguments.target.clone(),
        remote: arguments.remote.clone(),
        head_ref: arguments.head_ref.clone(),
        target_ref: arguments.target_ref.clone(),
        review_worktree: arguments.review_worktree.clone(),
        reports_dir: arguments.reports.reports_dir.clone(),
        terms: terms(&arguments.terms),
    };
    let (run, outcome) = import(&workspace, &context.setup.cwd, &request)?;
    let path = run.text();
    let reply = |status: &str, imported: &Imported, step: Option<String>| {
        let lines = lines(imported).into_iter().chain(step).chain([escape_line(&path)]);
        Reply::lines(lines.collect(), code_review("import-pr", status, Some(&path), imported))
    };
    Ok(match outcome {
        ImportOutcome::Collected(imported) => reply("collected", &imported, None),
        ImportOutcome::Unavailable(imported, failure) => {
            let step = Some(next(failure.next_step()));
            Reply { fault: Some(failure), ..reply("unavailable", &imported, step).ending(Exit::Blocked) }
        }
        ImportOutcome::Refused(failure) => refused("import-pr", &path, failure),
    })
}

fn lines(imported: &Imported) -> Vec<String> {
    let number = |number: u64| format!("pull request: #{number}");
    let mut lines = vec![format!("run id: {}", imported.run_id), format!("producer id: {}", escape_line(&imported.producer_id))];
    lines.extend(imported.pr.map(number));
    for (label, value) in [
        ("base", &imported.base_oid),
        ("head", &imported.head_oid),
        ("target branch", &imported.relation.as_ref().map(word)),
        ("review worktree", &imported.review_worktree),
        ("transport", &imported.transport.as_ref().map(word)),
    ] {
        lines.extend(value.as_deref().map(|value| format!("{label}: {}", escape_line(value))));
    }
    lines.extend(imported.threads.as_ref().map(threads));
    lines.extend(imported.prior_resolutions.as_ref().map(prior));
    lines.extend(imported.failure.as_ref().map(|failure| format!("unavailable: {failure}")));
    lines
}

fn threads(threads: &Threads) -> String {
    format!("review threads: {} ({}, unresolved: {})", threads.count, word(&threads.status), threads.unresolved)
}

fn prior(prior: &PriorSummary) -> String {
    let PriorSummary { source_run, resolutions, invalid_lines } = prior;
    format!("prior resolutions: {resolutions} (newest ledger: {source_run}, invalid lines: {invalid_lines})")
}
