//! The records beside the claims: dependencies that were prepared or could not be, and reproductions (CR-79, CR-80).

use std::collections::BTreeSet;

use crate::{
    code_review::{
        candidate::{Candidate, DependencyEvidence, Preparation, PreparationStatus, Reproduction},
        codes::{self, Code},
        context::Context,
        gates::DEPENDENCIES_FILE,
        image::RunImage,
        reading::{Reading, record},
        run::is_object_id,
        violation::{Sink, Violation},
    },
    strict::{Node, quoted},
};

/// Reads the records, and holds the claims that name them against them.
pub(super) fn check(context: &Context<'_>, candidates: &[(&Node, Candidate)], file: &str, sink: &mut Sink) {
    let unavailable = unavailable(context.facts.image, sink);
    for (node, candidate) in candidates {
        let named = candidate.limits.iter().filter_map(|limit| limit.split_once("dependency:")).map(|(_, id)| first_word(id));
        if candidate.missing_prerequisite.starts_with("package:") && !named.into_iter().any(|id| unavailable.contains(id)) {
            let message = "a missing package alone does not exhaust what can be checked";
            let hint = "prepare it and record that in `dependency-evidence.json`; name `dependency:<id>` in `limits` when it could not be prepared";
            let at = node.get("missing_prerequisite").map_or(&node.at, |node| &node.at);
            Reading::new(file, sink).refuse(&codes::REVIEW_CANDIDATE_PACKAGE_ABSENCE_ONLY, at, Some(&candidate.id), message, hint);
        }
        if candidate.check.contains("reproductions/") {
            reproduced(context.facts.image, candidate, sink);
        }
    }
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default().trim_end_matches(['.', ',', ';'])
}

/// The ids of what could not be prepared.
fn unavailable(image: &RunImage, sink: &mut Sink) -> BTreeSet<String> {
    let code = &codes::REVIEW_CANDIDATE_PACKAGE_ABSENCE_ONLY;
    if !image.has(DEPENDENCIES_FILE) {
        return BTreeSet::new();
    }
    let Some(evidence) = record::<DependencyEvidence>(image, DEPENDENCIES_FILE, code, code, sink) else { return BTreeSet::new() };
    let mut ids = BTreeSet::new();
    for (index, preparation) in evidence.preparations.iter().enumerate() {
        let at = format!("/preparations/{index}");
        for fault in faults(preparation, image) {
            refuse(code, DEPENDENCIES_FILE, &at, &preparation.id, fault, "record what was prepared, or why it could not be", sink);
        }
        if !ids.insert(preparation.id.clone()) {
            refuse(code, DEPENDENCIES_FILE, &at, &preparation.id, "another preparation has this id", "give each its own id", sink);
        }
    }
    let unavailable = evidence.preparations.into_iter().filter(|preparation| preparation.status != PreparationStatus::Prepared);
    unavailable.map(|preparation| preparation.id).collect()
}

/// What is wrong with a preparation: what was prepared has an overlay and an origin, the rest has a reason.
fn faults(preparation: &Preparation, image: &RunImage) -> Vec<&'static str> {
    let prepared = preparation.status == PreparationStatus::Prepared;
    let texts = [&preparation.id, &preparation.package, &preparation.declared_in].into_iter();
    let optional = [&preparation.overlay, &preparation.import_origin, &preparation.receipt, &preparation.reason].into_iter().flatten();
    let kept = preparation.receipt.as_ref().is_none_or(|receipt| image.has(receipt));
    let rules = [
        (texts.chain(optional).all(|text| !text.trim().is_empty()), "a text of the preparation is blank"),
        (prepared == preparation.overlay.is_some(), "an overlay is named exactly for what is prepared"),
        (prepared == preparation.import_origin.is_some(), "an origin is named exactly for what is prepared"),
        (prepared != preparation.reason.is_some(), "a reason is given exactly for what is not prepared"),
        (kept, "the receipt is not kept in the run"),
    ];
    rules.into_iter().filter(|(holds, _)| !holds).map(|(_, fault)| fault).collect()
}

/// The receipt is this candidate's, and its outputs are kept.
fn reproduced(image: &RunImage, candidate: &Candidate, sink: &mut Sink) {
    let code = &codes::REVIEW_CANDIDATE_REPRODUCTION_MISSING;
    let path = format!("reproductions/{}/receipt.json", candidate.id);
    let Some(receipt) = record::<Reproduction>(image, &path, code, code, sink) else { return };
    let told = |text: &String| !text.trim().is_empty();
    let tree = receipt.tree.strip_prefix("sha256:").unwrap_or(&receipt.tree);
    for (key, holds, fault) in [
        ("candidate_id", receipt.candidate_id == candidate.id, "the receipt is of another candidate"),
        ("selection", !receipt.selection.is_empty() && receipt.selection.iter().all(told), "nothing says what was selected to run"),
        ("command", told(&receipt.command), "nothing says what was run"),
        ("tree", is_object_id(tree), "the tree is no full object id and no digest"),
    ] {
        if !holds {
            refuse(code, &path, &format!("/{key}"), &candidate.id, fault, "keep one whole receipt for each candidate", sink);
        }
    }
    for (key, output) in [("stdout", &receipt.stdout), ("stderr", &receipt.stderr)].into_iter().filter(|(_, output)| !image.has(output)) {
        let fault = format!("the output {} is not kept", quoted(output));
        refuse(code, &path, &format!("/{key}"), &candidate.id, &fault, "keep the outputs beside the receipt", sink);
    }
}

fn refuse(code: &Code, file: &str, pointer: &str, subject: &str, message: &str, hint: &str, sink: &mut Sink) {
    sink.push(Violation::new(code, message, hint).subject(subject).at(file, pointer));
}
