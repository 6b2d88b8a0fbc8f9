//! The step `gate-reconcile`: the result says of the gates what `gates.json` says (CR-127, CR-164, CR-167).

use crate::{
    code_review::{
        codes,
        confidence::Band,
        context::Context,
        gates::{GATES, Gates, GatesStatus},
        t0::T0,
        violation::{Sink, Violation},
        vocabulary::Status,
    },
    strict::{Node, list, quoted},
};

/// Compares `checks_run`, `checks_failed`, the status and the reviewed commit.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (Some(gates), Some(result), Some(t0)) = (&context.gates, &context.result, &context.t0) else { return };
    let file = context.result_file.unwrap_or_default();
    if texts(result, "checks_run") != GATES {
        let message = "`checks_run` is not the five gates in their order";
        let hint = format!("write {}", list(&GATES));
        sink.push(Violation::new(&codes::RESULT_CHECKS_RUN_GATE_MISMATCH, message, hint).at(file, "/checks_run"));
    }
    failed_checks(gates, result, file, sink);
    if (context.status == Some(Status::Timeout)) != (gates.status == GatesStatus::Timeout) {
        let message = "the status is `timeout` exactly when a gate timed out";
        let violation = Violation::new(&codes::RESULT_STATUS_TIMEOUT_MISMATCH, message, "take the status of `gates.json`");
        sink.push(violation.at(file, "/status"));
    }
    reviewed_commit(t0, gates, context.metadata(), file, sink);
}

fn texts<'n>(result: &'n Node, key: &str) -> Vec<&'n str> {
    result.get(key).map(Node::elements).unwrap_or_default().iter().filter_map(Node::text).collect()
}

/// Failed gates in order, then at most the check of a low confidence (CR-167).
fn failed_checks(gates: &Gates, result: &Node, file: &str, sink: &mut Sink) {
    let stated = texts(result, "checks_failed");
    let failed: Vec<&str> = gates.checks.iter().filter(|check| check.is_failing_or_absent()).map(|check| check.id.as_str()).collect();
    let (of_gates, others): (Vec<&str>, Vec<&str>) = stated.iter().partition(|check| GATES.contains(check));
    if of_gates != failed || !stated.starts_with(&failed) {
        let message = format!("the failed gates are {}", if failed.is_empty() { "none".to_owned() } else { list(&failed) });
        let violation = Violation::new(&codes::RESULT_CHECKS_FAILED_GATE_MISMATCH, message, "list exactly these first, in this order");
        sink.push(violation.at(file, "/checks_failed"));
    }
    let known: Vec<&str> = [Band::NotAcceptableFailed, Band::VeryQuestionable].into_iter().filter_map(Band::failed_check).collect();
    for other in others.iter().filter(|other| !known.contains(other)) {
        let message = format!("{} is no check of a review", quoted(other));
        let violation = Violation::new(&codes::RESULT_EXTRA_CHECK_INVALID, message, "remove it");
        sink.push(violation.subject(*other).at(file, "/checks_failed"));
    }
}

/// The commit comes from receipts, or from equal clean observations of the gates (CR-127).
fn reviewed_commit(t0: &T0, gates: &Gates, metadata: Option<&Node>, file: &str, sink: &mut Sink) {
    let bound = t0.reviewed_commit.clone().or_else(|| gates.observed_commit());
    let stated = metadata.and_then(|metadata| metadata.get("reviewed_commit_sha")).and_then(Node::text);
    let hint = match &bound {
        Some(bound) if stated == Some(bound.as_str()) => return,
        Some(bound) => format!("write {bound}"),
        None => "run the gates on the reviewed tree, so that they observe its commit".to_owned(),
    };
    let message = match &bound {
        Some(_) => "the reviewed commit is not the one that this run's receipts name",
        None => "no receipt and no observation of a gate names the reviewed commit",
    };
    let violation = Violation::new(&codes::REVIEW_COMMIT_SHA_UNBOUND, message, hint);
    sink.push(violation.at(file, "/metadata/reviewed_commit_sha"));
}
