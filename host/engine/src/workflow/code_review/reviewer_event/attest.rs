//! What an adapter says of a receipt (CR-62).

use code_polishy_core::{
    code_review::{
        codes,
        events::{AdapterAnswer, Event, EventLog},
        t0::T0,
        vocabulary::PassMode,
    },
    diagnostic::Failure,
    plugin::{PluginKind, ReceiptFacts},
};

use super::files::Files;
use crate::{
    workflow::code_review::{pinned::with_plugins, usage},
    workspace::Workspace,
};

/// Bytes of a receipt that an adapter judges.
const MAX_RECEIPT_BYTES: usize = 1 << 20;

/// Asks the adapter of this name for the receipt of the event, and keeps its answer in the event; the adapter's reason.
///
/// # Errors
/// Exit 2 `missing-required`, `usage-error`: there is no receipt, or the run has no such adapter; `plugin.*` of a pin that does not fit.
/// Exit 3: the adapter ends without an answer.
pub(super) fn attest(
    workspace: &Workspace<'_>,
    t0: &T0,
    adapter: &str,
    (log, files): (&EventLog, &Files<'_>),
    event: &mut Event,
) -> Result<String, Failure> {
    let known = &t0.config.code_review.reviewer_adapters;
    if !known.iter().any(|name| name == adapter) {
        let message = format!("the run has no adapter `{adapter}`");
        let next = match known.as_slice() {
            [] => "name it in `codeReview.reviewerAdapters` before a run is started".to_owned(),
            names => format!("use one of {}", names.join(", ")),
        };
        return Err(usage(&codes::USAGE_ERROR, message, next));
    }
    let receipts = receipts(log, files, event)?;
    let (identity, verification) = with_plugins(workspace, t0, |plugins| {
        let identity = plugins.identity(PluginKind::ReviewerAdapter, adapter)?;
        Ok((identity, plugins.adapter(adapter)?.verify(&t0.run.run_id, &receipts)?))
    })?;
    event.adapter = Some(AdapterAnswer { name: identity.name, sha256: identity.sha256, answer: verification.answer });
    Ok(verification.reason)
}

/// Those of the attempt, in order, and at last the event's own.
fn receipts(log: &EventLog, files: &Files<'_>, event: &Event) -> Result<Vec<ReceiptFacts>, Failure> {
    let is_judged = event.receipt_path.is_some() && event.mode != PassMode::Substituted;
    if !is_judged {
        let next = "name the receipt with --receipt; a substitute has none";
        return Err(usage(&codes::MISSING_REQUIRED, "an adapter judges the receipt of a reviewer's event", next));
    }
    let earlier = log.events.iter().filter(|other| (other.role, other.attempt) == (event.role, event.attempt));
    let facts = |event: &Event| -> Result<Option<ReceiptFacts>, Failure> {
        let Some(path) = &event.receipt_path else { return Ok(None) };
        let content = files.bytes(path)?;
        if content.len() > MAX_RECEIPT_BYTES {
            let message = format!("the receipt `{path}` has more than {MAX_RECEIPT_BYTES} bytes");
            return Err(usage(&codes::USAGE_ERROR, message, "hand in the receipt alone, without what it is about"));
        }
        Ok(Some(ReceiptFacts {
            event: event.event,
            role: event.role.to_string(),
            attempt: event.attempt.unwrap_or_default(),
            mode: event.mode,
            reviewer_id: event.reviewer_id.clone().unwrap_or_default(),
            at: event.at.clone(),
            context_sha256: event.context_sha256.clone(),
            output_sha256: event.output_sha256.clone(),
            content,
        }))
    };
    earlier.chain([event]).filter_map(|event| facts(event).transpose()).collect()
}
