//! The step `pr-scope`: the receipts of the pull request are there, hold together, and take source from the checkout only (section 4.2).

mod joins;
mod online;
mod receipts;
mod sources;

use crate::code_review::{
    context::Context,
    pull_request::{PullRequest, export::ThreadsStatus, online::item_ids},
    violation::Sink,
};

use receipts::Receipts;

const IMPORT_AGAIN: &str = "receipts are never repaired: restore the run as it was written, or import the pull request again";

/// Checks the step.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let Some(t0) = &context.t0 else { return };
    let receipts = Receipts::read(context.facts.image, sink);
    sources::check_image(context.facts.image, sink);
    if let Some(result) = &context.result {
        sources::check_evidence(&result.value(), context.result_file.unwrap_or_default(), sink);
    }
    let Some(receipts) = receipts else { return };
    joins::check(&receipts, &t0.run, sink);
    sources::check_commands(&receipts, sink);
    online::check(&receipts, context.facts.image, sink);
    context.pr = Some(pull_request(receipts));
}

fn pull_request(receipts: Receipts) -> PullRequest {
    let Receipts { metadata, summary, online, .. } = receipts;
    let id = |thread: &serde_json::Value| thread.get("id").and_then(serde_json::Value::as_str).map(str::to_owned);
    PullRequest {
        number: metadata.number,
        url: metadata.url,
        title: metadata.title,
        author: metadata.author.map(|author| author.login),
        status_checks: metadata.status_check_rollup,
        head_oid: metadata.head_ref_oid,
        base_oid: metadata.base_ref_oid,
        item_ids: item_ids(&summary.parents),
        unresolved_threads: online.unresolved().iter().filter_map(id).collect(),
        threads_unavailable: summary.review_threads_status == ThreadsStatus::Unavailable,
        fallback: summary.limited_data.then_some(summary.unavailable_evidence),
    }
}

#[cfg(test)]
mod tests;
