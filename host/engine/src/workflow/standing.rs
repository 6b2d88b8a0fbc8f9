//! How the stored evidence stands to what is asked now (contract 8, BR-46, BR-65).

use std::collections::{BTreeMap, BTreeSet};

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::{Diagnostic, Failure},
    gate::state::{ReceiptStanding, ResultStanding, ReviewState, StateFacts},
    packet::{FOLDER, MAX_BYTES, Marker, PREPARE_AGAIN, Packet, differences},
    receipt::{ProofReference, Receipt, uncovered},
    review::{self, Assessment, DeclaredSuites, FinalStateFinding, ReviewResult, assess},
    selection::Selection,
};

use crate::{
    store::Store,
    workflow::{
        change::ChangeSet,
        derive::{Demand, packet as derive_packet},
        proofs::{CheckedProofs, check_cited, cited_suites},
    },
    workspace::Workspace,
};

/// File names in the review folder.
pub mod files {
    /// The packet.
    pub const PACKET: &str = "packet.json";
    /// Its marker.
    pub const MARKER: &str = "prepare.json";
    /// The caller's copy of the reviewer's result.
    pub const RESULT: &str = "result.json";
    /// The accepted copy.
    pub const REVIEW: &str = "review.json";
    /// The receipt.
    pub const RECEIPT: &str = "receipt.json";
    /// The folder of refused results.
    pub const REFUSED: &str = "refused";
}

/// A packet that is exactly what the repository gives (BR-46).
pub struct CurrentPacket {
    /// The packet.
    pub packet: Packet,
    /// Digest of `packet.json`.
    pub packet_sha256: String,
    /// Digest of `prepare.json`.
    pub marker_sha256: String,
}

/// Reads packet and marker and derives both again; any difference is stale (exit 1).
pub fn current_packet(workspace: &Workspace<'_>, change: &ChangeSet, store: &Store) -> Result<CurrentPacket, Failure> {
    read_current(workspace, change, store).map_err(|failure| {
        let of_packet = failure.diagnostics.iter().all(|fault| fault.code.starts_with("packet.") || fault.code.starts_with("marker."));
        let prepare = format!("code-polishy behavior-review prepare --base {}", change.reference);
        if of_packet { failure.with_next(prepare) } else { failure }
    })
}

fn read_current(workspace: &Workspace<'_>, change: &ChangeSet, store: &Store) -> Result<CurrentPacket, Failure> {
    let (Some(packet_bytes), Some(marker_bytes)) = (store.read(files::PACKET, MAX_BYTES)?, store.read(files::MARKER, MAX_BYTES)?) else {
        return Err(no_packet());
    };
    let blocked = |fault: Box<Diagnostic>, name: &str| Failure {
        kind: code_polishy_core::diagnostic::FailureKind::Blocked,
        ..Failure::from(fault.at_path(format!("{FOLDER}/{name}")))
    };
    let packet = Packet::read(&packet_bytes).map_err(|fault| blocked(fault, files::PACKET))?;
    let marker = Marker::read(&marker_bytes).map_err(|fault| blocked(fault, files::MARKER))?;
    let derived = derive_again(workspace, change, &packet)?;
    let parts = differences(&packet, &derived);
    if !parts.is_empty() {
        return Err(stale(format!("the packet is stale or edited: {} differ from what the repository gives", parts.join(", "))));
    }
    if packet_bytes != derived.to_bytes()?
        || marker != Marker::of(&derived, &packet_bytes)
        || marker_bytes != code_polishy_core::canonical::artifact_bytes(&marker)
    {
        return Err(stale("packet.json or prepare.json was edited after preparation".to_owned()));
    }
    Ok(CurrentPacket { packet, packet_sha256: marker.packet_sha256, marker_sha256: digest_bytes(&marker_bytes) })
}

fn derive_again(workspace: &Workspace<'_>, change: &ChangeSet, packet: &Packet) -> Result<Packet, Failure> {
    if packet.base != change.base || packet.candidate != change.candidate {
        let message =
            format!("the packet is stale: it reviews {} to {}, not {} to {}", packet.base, packet.candidate, change.base, change.candidate);
        return Err(stale(message));
    }
    let demand = Demand::of(workspace, change, packet.selection.boundary)?;
    if demand.selection.is_empty() {
        return Err(stale("the packet is stale: nothing is selected any more".to_owned()));
    }
    derive_packet(workspace, change, demand, packet.follow_up.clone())
}

fn no_packet() -> Failure {
    Failure::blocked("packet.none", "no review is prepared", "run `code-polishy behavior-review prepare --base REF`")
}

fn stale(message: String) -> Failure {
    Failure::blocked("packet.stale", message, PREPARE_AGAIN)
}

/// Suites that each selected feature declares: at the base, when it is defined there (BR-50).
pub fn declared_suites(change: &ChangeSet, selection: &Selection) -> DeclaredSuites {
    let sides = [&change.policies.base.policy, &change.policies.candidate.policy];
    let of = |name: &str| -> BTreeSet<String> {
        let defined = sides.iter().find_map(|policy| policy.feature(name));
        defined.map(|feature| feature.suites.iter().cloned().collect()).unwrap_or_default()
    };
    selection.features.iter().map(|feature| (feature.name.clone(), of(&feature.name))).collect()
}

/// A result held against a current packet.
pub struct Judged {
    /// The result.
    pub result: ReviewResult,
    /// What it comes to.
    pub assessment: Assessment,
    /// Its proofs.
    pub proofs: CheckedProofs,
    /// Suites that may not change and did (BR-40).
    pub suite_changes: Vec<Diagnostic>,
}

impl Judged {
    /// Nothing speaks against it.
    pub fn is_accepted(&self) -> bool {
        self.assessment.is_accepted() && self.suite_changes.is_empty()
    }

    /// Every valid cited proof, by id.
    pub fn references(&self) -> Vec<ProofReference> {
        let valid = self.proofs.values().flatten();
        valid
            .map(|valid| ProofReference {
                id: valid.proof.id.clone(),
                sha256: valid.sha256.clone(),
                red_kind: valid.proof.red_kind,
                flipped_cases: valid.proof.flipped_cases.clone(),
            })
            .collect()
    }
}

/// Reads a result strictly and judges it; `Err` are the violations of its form.
pub fn judge(
    workspace: &Workspace<'_>,
    change: &ChangeSet,
    packet: &Packet,
    bytes: &[u8],
    store: &Store,
) -> Result<Result<Judged, Vec<Diagnostic>>, Failure> {
    let result = match review::read(bytes) {
        Ok(result) => result,
        Err(violations) => return Ok(Err(violations)),
    };
    let proofs = check_cited(workspace, change, packet, &result, store)?;
    let standings: BTreeMap<String, Result<String, Vec<Diagnostic>>> = proofs
        .iter()
        .map(|(id, outcome)| (id.clone(), outcome.as_ref().map(|valid| valid.proof.suite.clone()).map_err(Clone::clone)))
        .collect();
    let assessment = assess(&result, packet, &declared_suites(change, &packet.selection), &standings);
    let suite_changes = suite_changes(workspace, change, &packet.selection, &cited_suites(&proofs))?;
    Ok(Ok(Judged { result, assessment, proofs, suite_changes }))
}

/// Suites that must be what they were at the base and are not, with both definitions (BR-40).
pub fn suite_changes(
    workspace: &Workspace<'_>,
    change: &ChangeSet,
    selection: &Selection,
    cited: &[String],
) -> Result<Vec<Diagnostic>, Failure> {
    let changed = change.changed_suites(workspace, selection, cited)?;
    let describe = |suite: code_polishy_core::selection::SuiteChange| {
        let now = suite.candidate.unwrap_or_else(|| "removed".to_owned());
        Diagnostic::new(
            "selection.suite-changed",
            format!(
                "the suite `{}` that judges the change was changed by it; at the base: {}; at the candidate: {now}",
                suite.name, suite.base
            ),
            "restore the suite's definition and runner, or change them in a merge of their own",
        )
    };
    Ok(changed.into_iter().map(describe).collect())
}

/// Everything that `status` and gates say of the stored evidence.
pub struct Standing {
    /// The state.
    pub state: ReviewState,
    /// Why it is not passed.
    pub reasons: Vec<Diagnostic>,
    /// Final-state findings of a usable result.
    pub final_state_findings: Vec<FinalStateFinding>,
    /// The current or accepted review.
    pub review_id: Option<String>,
    /// The accepted review's result and proofs.
    pub accepted: Option<Judged>,
    /// Names of features that the accepted receipt covers.
    pub completed: Vec<String>,
}

impl Standing {
    /// Repository-relative path of the accepted receipt.
    pub fn receipt_path(&self) -> Option<String> {
        self.accepted.as_ref().map(|_| format!("{FOLDER}/{}", files::RECEIPT))
    }
}

/// How the evidence stands. `dirty` is the working tree's state where the command reports one.
pub fn standing(workspace: &Workspace<'_>, change: &ChangeSet, selection: &Selection, dirty: bool) -> Result<Standing, Failure> {
    let changed = change.base != change.candidate || dirty;
    let mut facts = StateFacts { selected: !selection.is_empty() && changed, dirty, ..StateFacts::default() };
    let mut evidence = Evidence::default();
    if facts.selected
        && !dirty
        && let Some(store) = workspace.review_store()?
    {
        evidence = Evidence::read(workspace, change, selection, &store)?;
    }
    (facts.receipt, facts.result) = (evidence.receipt, evidence.result);
    let accepted = evidence.accepted;
    Ok(Standing {
        state: ReviewState::decide(facts, selection.scope()),
        reasons: evidence.reasons,
        final_state_findings: evidence.final_state_findings,
        review_id: evidence.review_id,
        completed: if accepted.is_some() { selection.names() } else { Vec::new() },
        accepted,
    })
}

#[derive(Default)]
struct Evidence {
    receipt: ReceiptStanding,
    result: ResultStanding,
    reasons: Vec<Diagnostic>,
    final_state_findings: Vec<FinalStateFinding>,
    review_id: Option<String>,
    accepted: Option<Judged>,
}

impl Evidence {
    fn read(workspace: &Workspace<'_>, change: &ChangeSet, selection: &Selection, store: &Store) -> Result<Self, Failure> {
        let mut evidence = Self::default();
        let receipt_bytes = store.read(files::RECEIPT, MAX_BYTES)?;
        let receipt = receipt_bytes.as_deref().map(Receipt::read);
        if receipt_bytes.is_none() && !store.has(files::PACKET)? {
            return Ok(evidence);
        }
        match current_packet(workspace, change, store) {
            Ok(current) => evidence.against(workspace, change, selection, store, &current, receipt)?,
            Err(failure) if failure.kind == code_polishy_core::diagnostic::FailureKind::Blocked => {
                evidence.receipt = without_packet(change, store, receipt)?;
                evidence.reasons = failure.diagnostics;
            }
            Err(failure) => return Err(failure),
        }
        Ok(evidence)
    }

    fn against(
        &mut self,
        workspace: &Workspace<'_>,
        change: &ChangeSet,
        selection: &Selection,
        store: &Store,
        current: &CurrentPacket,
        receipt: Option<Result<Receipt, Box<Diagnostic>>>,
    ) -> Result<(), Failure> {
        self.review_id = Some(current.packet.review_id.clone());
        self.result = self.stored_result(workspace, change, store, current)?;
        let Some(receipt) = receipt else { return Ok(()) };
        if receipt.as_ref().is_ok_and(|receipt| is_unrelated(receipt, change, Some(&current.packet.review_id))) {
            self.receipt = ReceiptStanding::Unrelated;
            return Ok(());
        }
        match accept(workspace, change, selection, store, current, receipt)? {
            Ok(judged) => {
                self.receipt = ReceiptStanding::Accepted;
                self.accepted = Some(judged);
            }
            Err(reasons) => {
                self.receipt = ReceiptStanding::Refused;
                self.reasons.extend(reasons);
            }
        }
        Ok(())
    }

    /// The current result; a refused one of this review counts before any later one (BR-54).
    fn stored_result(
        &mut self,
        workspace: &Workspace<'_>,
        change: &ChangeSet,
        store: &Store,
        current: &CurrentPacket,
    ) -> Result<ResultStanding, Failure> {
        let bytes = match refused(store, &current.packet.review_id)? {
            Some(bytes) => Some(bytes),
            None => store.read(files::RESULT, review::MAX_BYTES)?,
        };
        let Some(bytes) = bytes else { return Ok(ResultStanding::Unusable) };
        let Ok(judged) = judge(workspace, change, &current.packet, &bytes, store)? else { return Ok(ResultStanding::Unusable) };
        if !judged.assessment.is_usable() {
            return Ok(ResultStanding::Unusable);
        }
        if judged.assessment.blocking.is_empty() {
            return Ok(ResultStanding::Clean);
        }
        self.reasons.extend(judged.assessment.blocking);
        self.final_state_findings = judged.result.final_state_findings;
        Ok(ResultStanding::Blocking { final_state: !self.final_state_findings.is_empty() })
    }
}

/// Whether a receipt belongs to another base or to a review before the newest prepared one (8.2).
fn is_unrelated(receipt: &Receipt, change: &ChangeSet, newest: Option<&str>) -> bool {
    receipt.base != change.base || newest.is_some_and(|review_id| review_id != receipt.review_id)
}

/// Without a current packet a receipt is refused, unless it is unrelated.
fn without_packet(
    change: &ChangeSet,
    store: &Store,
    receipt: Option<Result<Receipt, Box<Diagnostic>>>,
) -> Result<ReceiptStanding, Failure> {
    let Some(receipt) = receipt else { return Ok(ReceiptStanding::Absent) };
    let Ok(receipt) = receipt else { return Ok(ReceiptStanding::Refused) };
    let newest = store.read(files::MARKER, MAX_BYTES)?.and_then(|bytes| Marker::read(&bytes).ok());
    let newest = newest.as_ref().map(|marker| marker.review_id.as_str());
    Ok(if is_unrelated(&receipt, change, newest) { ReceiptStanding::Unrelated } else { ReceiptStanding::Refused })
}

/// Accepts a receipt, or says every reason why not (BR-65).
fn accept(
    workspace: &Workspace<'_>,
    change: &ChangeSet,
    selection: &Selection,
    store: &Store,
    current: &CurrentPacket,
    receipt: Result<Receipt, Box<Diagnostic>>,
) -> Result<Result<Judged, Vec<Diagnostic>>, Failure> {
    let receipt = match receipt {
        Ok(receipt) => receipt,
        Err(fault) => return Ok(Err(vec![fault.at_path(format!("{FOLDER}/{}", files::RECEIPT))])),
    };
    let review = store.read(files::REVIEW, review::MAX_BYTES)?.unwrap_or_default();
    if refused(store, &current.packet.review_id)?.is_some() {
        return Ok(Err(vec![refuse("the review has a refused result")]));
    }
    let judged = match judge(workspace, change, &current.packet, &review, store)? {
        Ok(judged) => judged,
        Err(violations) => return Ok(Err(violations)),
    };
    let mut reasons = Vec::new();
    if receipt != receipt_of(current, &review, &judged) {
        reasons.push(refuse("the receipt is not the one that this review gives"));
    }
    let missing = uncovered(&receipt.selection, selection);
    if !missing.is_empty() {
        reasons.push(refuse(&format!("the receipt does not cover {}", missing.join(", "))));
    }
    reasons.extend(judged.suite_changes.clone());
    reasons.extend(judged.assessment.clone().diagnostics());
    Ok(if reasons.is_empty() { Ok(judged) } else { Err(reasons) })
}

fn refuse(message: &str) -> Diagnostic {
    Diagnostic::new("receipt.refused", message, "run `code-polishy behavior-review finalize --base REF` again, or prepare a new review")
        .at_path(format!("{FOLDER}/{}", files::RECEIPT))
}

/// The receipt of a judged result with these bytes.
pub fn receipt_of(current: &CurrentPacket, review: &[u8], judged: &Judged) -> Receipt {
    let packet = &current.packet;
    Receipt {
        version: code_polishy_core::receipt::VERSION,
        review_id: packet.review_id.clone(),
        base: packet.base.clone(),
        candidate: packet.candidate.clone(),
        intent_sha256: packet.intent_sha256.clone(),
        selection: packet.selection.clone(),
        selection_sha256: packet.selection_sha256.clone(),
        requirement_sha256: packet.requirement_sha256.clone(),
        decision_sha256: packet.decision_sha256.clone(),
        packet_sha256: current.packet_sha256.clone(),
        prepare_sha256: current.marker_sha256.clone(),
        review_sha256: digest_bytes(review),
        proofs: judged.references(),
    }
}

/// The remembered refused result of a review (BR-54).
pub fn refused(store: &Store, review_id: &str) -> Result<Option<Vec<u8>>, Failure> {
    match store.child(files::REFUSED, false)? {
        None => Ok(None),
        Some(folder) => folder.read(&format!("{review_id}.json"), review::MAX_BYTES),
    }
}
