//! `finalize`: accepts the reviewer's result and binds it in a receipt (BR-54).

use code_polishy_core::{
    canonical::{artifact_bytes, digest_bytes},
    diagnostic::{Diagnostic, Failure, FailureKind},
    packet::{FOLDER, RESULT_PATH},
    receipt::ProofReference,
    review,
};
use serde::Serialize;

use crate::{
    input::{InputFault, read_contained},
    store::Store,
    workflow::{
        change::ChangeSet,
        standing::{CurrentPacket, Judged, current_packet, files, judge, receipt_of, refused},
    },
    workspace::Workspace,
};

/// The accepted review: the typed member of 2.2.
#[derive(Clone, Debug, Serialize)]
pub struct Finalized {
    /// The review.
    pub review_id: String,
    /// The merge base.
    pub base: String,
    /// HEAD.
    pub candidate: String,
    /// Repository-relative.
    pub receipt_path: String,
    /// Digest of the receipt's bytes.
    pub receipt_sha256: String,
    /// Every cited proof.
    pub proofs: Vec<ProofReference>,
}

/// What the caller does with findings; never a command that reviews again (BR-10).
pub const REPORT_FINDINGS: &str = "report the findings to the caller; another review needs its authorization";

/// Finalizes, or refuses with every violation that can be reached.
pub fn finalize(workspace: &Workspace<'_>, reference: &str) -> Result<Finalized, Failure> {
    let change = ChangeSet::clean_since(workspace, reference)?;
    let Some(store) = workspace.review_store()? else {
        return Err(Failure::blocked(
            "packet.none",
            "no review is prepared",
            format!("code-polishy behavior-review prepare --base {reference}"),
        ));
    };
    let current = current_packet(workspace, &change, &store)?;
    let bytes = read_result(workspace)?;
    if refused(&store, &current.packet.review_id)?.is_some() {
        return Err(Failure::blocked(
            "review.refused",
            format!("the review {} has a refused result; a later result for it is not taken", current.packet.review_id),
            REPORT_FINDINGS,
        ));
    }
    let judged = match judge(workspace, &change, &current.packet, &bytes, &store)? {
        Ok(judged) => judged,
        Err(violations) => return Err(Failure::new(FailureKind::Blocked, at_result(violations))),
    };
    if judged.is_accepted() {
        return accept(&store, &current, &bytes, &judged);
    }
    let blocking = judged.assessment.is_usable() && !judged.assessment.blocking.is_empty();
    if blocking {
        remember(&store, &current, &bytes)?;
    }
    let diagnostics = [at_result(judged.assessment.diagnostics()), judged.suite_changes].concat();
    let failure = Failure::new(FailureKind::Blocked, diagnostics);
    Err(if blocking { failure.with_next(REPORT_FINDINGS) } else { failure })
}

/// `review.json`, then `receipt.json`: a crash between them leaves no receipt.
fn accept(store: &Store, current: &CurrentPacket, result: &[u8], judged: &Judged) -> Result<Finalized, Failure> {
    let receipt = receipt_of(current, result, judged);
    let bytes = artifact_bytes(&receipt);
    store.write(files::REVIEW, result)?;
    store.write(files::RECEIPT, &bytes)?;
    Ok(Finalized {
        review_id: receipt.review_id,
        base: receipt.base,
        candidate: receipt.candidate,
        receipt_path: format!("{FOLDER}/{}", files::RECEIPT),
        receipt_sha256: digest_bytes(&bytes),
        proofs: receipt.proofs,
    })
}

/// Keeps a refused result, so that no cleaned one can take its place.
fn remember(store: &Store, current: &CurrentPacket, result: &[u8]) -> Result<(), Failure> {
    let folder = store.child(files::REFUSED, true)?.expect("the folder is made when it is absent");
    folder.write(&format!("{}.json", current.packet.review_id), result)
}

fn read_result(workspace: &Workspace<'_>) -> Result<Vec<u8>, Failure> {
    read_contained(workspace.repository.root(), RESULT_PATH, review::MAX_BYTES).map_err(|fault| {
        match fault {
            InputFault::Absent => Failure::blocked(
                "result.none",
                "the reviewer's result is not there",
                format!("give {FOLDER}/{} to an isolated reviewer and save its answer as {RESULT_PATH}", files::PACKET),
            ),
            fault => {
                Failure::blocked("result.unusable", format!("the result {fault}"), "save the reviewer's JSON object as a regular file")
            }
        }
        .at_path(RESULT_PATH)
    })
}

fn at_result(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let of_result =
        |diagnostic: Diagnostic| if diagnostic.code.starts_with("result.") { diagnostic.at_path(RESULT_PATH) } else { diagnostic };
    diagnostics.into_iter().map(of_result).collect()
}
