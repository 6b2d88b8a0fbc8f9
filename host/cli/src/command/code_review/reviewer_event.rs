//! `code-review reviewer-event`.

use code_polishy_core::{diagnostic::Failure, text::escape_line};
use code_polishy_engine::workflow::code_review::reviewer_event::{Appended, EventRequest, ResponseFault, reviewer_event};

use crate::{
    arguments::code_review::ReviewerEvent,
    command::Context,
    reply::Reply,
    view::{
        json::{code_review, word},
        lines::next,
        refused,
    },
};

/// Appends an event.
pub fn run(context: &Context, arguments: &ReviewerEvent) -> Result<Reply, Failure> {
    let workspace = context.setup.workspace()?;
    let ReviewerEvent { run, event, role, attempt, mode, reviewer_id, at, files, adapter, claimed, observed, retry_reason, reason } =
        arguments.clone();
    let (context_file, output, receipt) = (files.context, files.output, files.receipt);
    let request = EventRequest {
        run,
        event,
        role,
        attempt,
        mode,
        reviewer_id,
        at,
        context: context_file,
        output,
        receipt,
        adapter,
        claimed,
        observed,
        retry_reason,
        reason,
    };
    let (run, outcome) = reviewer_event(&workspace, &context.setup.cwd, &request)?;
    let path = run.text();
    Ok(match outcome {
        Ok(appended) => Reply::lines(lines(&appended), code_review("reviewer-event", "appended", Some(&path), &appended)),
        Err(failure) => refused("reviewer-event", &path, failure),
    })
}

fn lines(appended: &Appended) -> Vec<String> {
    let Appended { seq, event, role, attempt, hash, evidence, adapter, adapter_reason, faults, pass, .. } = appended;
    let attempt = attempt.map(|attempt| format!(", attempt {attempt}")).unwrap_or_default();
    let mut lines = vec![format!("event {seq}: {event} ({role}{attempt})"), format!("evidence: {evidence}"), format!("hash: {hash}")];
    lines.extend(adapter.iter().map(|adapter| {
        let reason = adapter_reason.as_deref().filter(|reason| !reason.is_empty());
        let reason = reason.map(|reason| format!(": {}", escape_line(reason))).unwrap_or_default();
        format!("adapter {}: {}{reason}", adapter.name, adapter.answer)
    }));
    lines.extend(faults.iter().map(fault));
    if !faults.is_empty() {
        let attempt = "the response does not parse: ask for it again with `--event dispatched --retry-reason format-correction`";
        lines.push(next(&format!("{attempt}, or do the pass as a substitute")));
    }
    lines.extend(pass.as_ref().map(|pass| {
        let (mode, level, findings) = (word(&pass.mode), word(&pass.evidence_level), pass.blocking_findings);
        format!("pass of {role}: {mode}, {level}, confidence {}, critical and high findings: {findings}", pass.confidence)
    }));
    lines
}

fn fault(fault: &ResponseFault) -> String {
    let line = fault.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    format!("response: {line}{}", escape_line(&fault.message))
}
