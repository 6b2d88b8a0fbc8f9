//! `prepare`: writes the packet of a selected change (contract 5, BR-42).

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::{Failure, FailureKind},
    packet::{FOLDER, MAX_BYTES, Marker, PROOF_DIRECTORY, Packet, RESULT_PATH},
    policy::model::Boundary,
    selection::{Selection, required_suites},
};
use serde::Serialize;

use crate::{
    event::Event,
    failpoint,
    store::{Store, remove_tree},
    workflow::{
        change::ChangeSet,
        derive::{Demand, packet},
        proofs::PROOFS,
        standing::{files, refused, suite_changes},
        status::intent_notes,
        working,
    },
    workspace::Workspace,
};

/// What was prepared: the typed member of 2.2.
#[derive(Clone, Debug, Serialize)]
pub struct Prepared {
    /// The review.
    pub review_id: String,
    /// The merge base.
    pub base: String,
    /// HEAD.
    pub candidate: String,
    /// Repository-relative.
    pub packet_path: String,
    /// Digest of the packet's bytes.
    pub packet_sha256: String,
    /// Where the reviewer's result is to be saved.
    pub result_path: String,
    /// Where proofs are recorded.
    pub proof_directory: String,
    /// What the review must cover.
    pub selection: Selection,
    /// Size of the packet.
    pub bytes: u64,
}

/// Prepares; equal inputs give equal bytes, and a refusal writes nothing.
pub fn prepare(workspace: &Workspace<'_>, reference: &str, boundary: Boundary, follow_up: Option<String>) -> Result<Prepared, Failure> {
    let follow_up = follow_up.map(check_reason).transpose()?;
    let change = ChangeSet::since(workspace, reference)?;
    let (packet, bytes) = working::while_clean(workspace, &change.policies.governed, || derive(workspace, &change, boundary, follow_up))?;
    refuse_refused(workspace, &packet)?;
    for note in intent_notes(&packet) {
        workspace.observer.on(&Event::Note { text: &note });
    }
    write(workspace, &packet, &bytes)?;
    Ok(Prepared {
        review_id: packet.review_id,
        base: packet.base,
        candidate: packet.candidate,
        packet_path: format!("{FOLDER}/{}", files::PACKET),
        packet_sha256: digest_bytes(&bytes),
        result_path: RESULT_PATH.to_owned(),
        proof_directory: PROOF_DIRECTORY.to_owned(),
        selection: packet.selection,
        bytes: bytes.len() as u64,
    })
}

/// The packet of a change that selects something and leaves the suites that judge it alone.
fn derive(
    workspace: &Workspace<'_>,
    change: &ChangeSet,
    boundary: Boundary,
    follow_up: Option<String>,
) -> Result<(Packet, Vec<u8>), Failure> {
    let demand = Demand::of(workspace, change, boundary)?;
    if demand.selection.is_empty() || change.base == change.candidate {
        return Err(nothing_selected(change));
    }
    let changed = suite_changes(workspace, change, &demand.selection, &[])?;
    if !changed.is_empty() {
        return Err(Failure::new(FailureKind::Blocked, changed));
    }
    required_suites(&change.policies.candidate.policy, &demand.selection)?;
    let packet = packet(workspace, change, demand, follow_up)?;
    let bytes = packet.to_bytes()?;
    Ok((packet, bytes))
}

/// Packet, then marker (BR-42), after the evidence of another review is gone (BR-67).
///
/// The old marker stays until the new one replaces it: whatever is killed between, the next preparation sees another review and starts over.
fn write(workspace: &Workspace<'_>, packet: &Packet, bytes: &[u8]) -> Result<(), Failure> {
    let store = workspace.create_review_store()?;
    let previous = store.read(files::MARKER, MAX_BYTES)?.and_then(|bytes| Marker::read(&bytes).ok());
    if previous.is_none_or(|marker| marker.review_id != packet.review_id) {
        forget(workspace, &store)?;
    }
    store.write(files::PACKET, bytes)?;
    failpoint::reached("prepare.packet-written");
    store.write(files::MARKER, &code_polishy_core::canonical::artifact_bytes(&Marker::of(packet, bytes)))
}

fn forget(workspace: &Workspace<'_>, store: &Store) -> Result<(), Failure> {
    for name in [files::RECEIPT, files::REVIEW, files::RESULT] {
        store.remove(name)?;
    }
    remove_tree(workspace.repository.root(), &format!("{FOLDER}/{PROOFS}"))?;
    Ok(())
}

/// A review with a refused result is over; only another one, with the caller's reason, may follow (BR-54).
fn refuse_refused(workspace: &Workspace<'_>, packet: &Packet) -> Result<(), Failure> {
    let Some(store) = workspace.review_store()? else { return Ok(()) };
    if refused(&store, &packet.review_id)?.is_none() {
        return Ok(());
    }
    Err(Failure::blocked(
        "review.refused",
        format!("the review {} of this candidate has a refused result", packet.review_id),
        "report the findings to the caller; another review needs its authorization",
    ))
}

fn check_reason(reason: String) -> Result<String, Failure> {
    let blank = reason.chars().all(char::is_whitespace);
    if blank || reason.len() > 1024 || !code_polishy_core::text::control_free(&reason, false) {
        let message = "the reason of --follow-up is blank, longer than 1024 bytes or has control characters";
        return Err(Failure::usage("follow-up.reason", message, "say in one line who authorised another review, and why"));
    }
    Ok(reason)
}

fn nothing_selected(change: &ChangeSet) -> Failure {
    let message = match change.base == change.candidate {
        true => "base and candidate are the same commit: there is nothing to review",
        false => "neither policy nor a task selects a review of this change",
    };
    Failure::blocked(
        "selection.empty",
        message,
        "nothing is to do; to ask for a review, run `code-polishy behavior-review require --base TASK_BASE --feature NAME`",
    )
}
