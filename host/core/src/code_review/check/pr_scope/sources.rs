//! Source comes from the checkout, and nothing is forced (CR-41, CR-42, CR-217).

use serde_json::Value;

use super::{IMPORT_AGAIN, receipts::Receipts};
use crate::code_review::{
    codes::{self, Code},
    image::RunImage,
    pull_request::{command, receipt::*},
    violation::{Sink, Violation},
};

/// A folder for copies of single files.
const COPIES: &str = "head-files";
/// Receipts that name where something was taken from.
const PROVENANCE: [&str; 5] = [ROUTING_FILE, REMOTE_FILE, TARGET_BRANCH_FILE, HEAD_FETCH_FILE, CHECKOUT_STATE_FILE];
const READ_CHECKOUT: &str = "read the source in the review worktree; raw files and copies are no source of a review";

/// The two recorded commands are the ones that the other receipts give; of another one the worst that it contains is named.
pub(super) fn check_commands(receipts: &Receipts, sink: &mut Sink) {
    let (checkout, metadata) = (&receipts.checkout, &receipts.metadata);
    let diff_source = checkout.diff_source == DIFF_SOURCE;
    let provenance = &codes::PR_LOCAL_DIFF_PROVENANCE_INVALID;
    if !diff_source {
        let violation = Violation::new(provenance, format!("the diff does not come from a {DIFF_SOURCE}"), IMPORT_AGAIN);
        sink.push(violation.subject("diff_source").at(CHECKOUT_FILE, "/diff_source"));
    }
    let expected = command::checkout(&checkout.worktree, &metadata.head_ref_oid);
    check_command("command", &checkout.command, &expected, &codes::PR_LOCAL_CHECKOUT_INVALID, sink);
    let expected = command::diff(&metadata.base_ref_oid, &metadata.head_ref_oid);
    check_command("diff_command", &checkout.diff_command, &expected, provenance, sink);
}

fn check_command(key: &str, recorded: &str, expected: &str, code: &Code, sink: &mut Sink) {
    if recorded == expected {
        return;
    }
    let mut refuse = |code: &Code, message: String| {
        sink.push(Violation::new(code, message, IMPORT_AGAIN).subject(key).at(CHECKOUT_FILE, format!("/{key}")));
    };
    refuse(code, format!("the recorded command is not `{expected}`"));
    if let Some(word) = command::force(recorded) {
        refuse(&codes::PR_FORCE_FORBIDDEN, format!("the recorded command forces git with `{word}`"));
    }
    if let Some(word) = command::raw_source(recorded) {
        refuse(&codes::PR_RAW_SOURCE_FORBIDDEN, format!("the recorded command takes source from `{word}`"));
    }
}

/// The run has no copies of single files, and no receipt names where to download them.
pub(super) fn check_image(image: &RunImage, sink: &mut Sink) {
    if let Some(path) = image.below(COPIES).next() {
        let message = format!("the run has the folder `{COPIES}`");
        sink.push(Violation::new(&codes::PR_RAW_SOURCE_FORBIDDEN, message, READ_CHECKOUT).subject(COPIES).file(path));
    }
    for file in PROVENANCE.into_iter().filter(|file| image.text(file).is_some_and(command::names_raw_host)) {
        let message = format!("`{file}` names a host of raw files");
        sink.push(Violation::new(&codes::PR_RAW_SOURCE_FORBIDDEN, message, READ_CHECKOUT).subject(file).file(file));
    }
}

/// Evidence may speak of downloads; it may not begin with one.
pub(super) fn check_evidence(result: &Value, file: &str, sink: &mut Sink) {
    let mut refuse = |owner: &Value, text: &Value, pointer: String| {
        if text.as_str().is_some_and(command::is_raw_evidence) {
            let message = "this evidence is a raw file, not the checkout";
            let violation = Violation::new(&codes::PR_RAW_SOURCE_FORBIDDEN, message, READ_CHECKOUT);
            sink.push(violation.subject(owner["id"].as_str().unwrap_or_default()).at(file, pointer));
        }
    };
    let list = |pointer: &str| result.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (index, finding) in list("/metadata/review_findings").iter().enumerate() {
        for (position, text) in finding["evidence"].as_array().into_iter().flatten().enumerate() {
            refuse(finding, text, format!("/metadata/review_findings/{index}/evidence/{position}"));
        }
    }
    for (index, candidate) in list("/metadata/review_validation/candidates").iter().enumerate() {
        for key in ["confirmation_evidence", "falsification_evidence"] {
            refuse(candidate, &candidate[key], format!("/metadata/review_validation/candidates/{index}/{key}"));
        }
    }
}
