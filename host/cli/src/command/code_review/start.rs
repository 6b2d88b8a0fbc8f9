//! `code-review start`.

use code_polishy_core::{diagnostic::Failure, text::escape_line};
use code_polishy_engine::workflow::code_review::{
    start::{StartOutcome, StartRequest, Started, start},
    terms::Terms,
};

use crate::{
    arguments::code_review::{Start, Terms as TermsArguments},
    command::Context,
    reply::Reply,
    view::{json::code_review, refused},
};

/// Starts a run.
pub fn run(context: &Context, arguments: &Start) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let request = StartRequest {
        scope: arguments.scope.clone(),
        targets: arguments.target.clone(),
        base: arguments.base.clone(),
        review_worktree: arguments.review_worktree.clone(),
        reports_dir: arguments.reports.reports_dir.clone(),
        ci_rollup: arguments.ci_rollup.clone(),
        terms: terms(&arguments.terms),
    };
    let (run, outcome) = start(&workspace, &context.setup.cwd, &request)?;
    let path = run.text();
    Ok(match outcome {
        StartOutcome::Started(started) => {
            let document = code_review("start", "started", Some(&path), &started);
            Reply::lines(lines(&started, &path), document)
        }
        StartOutcome::Refused(failure) => refused("start", &path, failure),
    })
}

/// The terms, as the workflow takes them.
pub fn terms(arguments: &TermsArguments) -> Terms {
    Terms {
        producer_id: super::producer_id(arguments.producer_id.as_ref()),
        independence_required: arguments.independence_required.clone(),
        caller_contract: arguments.caller_contract.clone(),
        caller_contract_evidence: arguments.caller_contract_evidence.clone(),
        revised_scope_of: arguments.revised_scope_of.clone(),
        waiver: arguments.waiver.clone(),
    }
}

fn lines(started: &Started, path: &str) -> Vec<String> {
    let or_none = |text: &Option<String>| text.as_deref().map_or_else(|| "none".to_owned(), escape_line);
    let mut lines = vec![
        format!("scope: {}", started.scope),
        format!("run id: {}", started.run_id),
        format!("producer id: {}", escape_line(&started.producer_id)),
        format!("base: {}", or_none(&started.base_oid)),
        format!("head: {}", or_none(&started.head_oid)),
        format!("review worktree: {}", or_none(&started.review_worktree)),
        format!("changed files: {}", started.files),
        format!("untracked files: {}", started.untracked),
    ];
    lines.extend(started.diff_sha256.iter().map(|digest| format!("diff sha256: {digest}")));
    lines.extend(started.source_snapshot_sha256.iter().map(|digest| format!("source snapshot sha256: {digest}")));
    lines.push(escape_line(path));
    lines
}
