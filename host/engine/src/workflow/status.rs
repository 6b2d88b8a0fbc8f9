//! `status`: what is asked of the change and how it stands; reads only (contract 2.1, 8.2).

use code_polishy_core::{
    diagnostic::{Diagnostic, Failure},
    gate::state::{BehaviorState, FinalState},
    packet::{FOLDER, Packet},
    policy::model::Boundary,
    review::FinalStateFinding,
    selection::{Selection, decision_sha256, requirement_sha256},
};
use serde::Serialize;

use crate::{
    git::Ancestry,
    workflow::{
        capture::JOURNAL_FILE,
        change::ChangeSet,
        derive::Demand,
        standing::{Standing, files, standing, suite_changes},
    },
    workspace::Workspace,
};

/// The state of the review: the typed member of 2.2.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// The behavior review.
    pub state: BehaviorState,
    /// The final state.
    pub final_state: FinalState,
    /// Where it is asked.
    pub boundary: Boundary,
    /// The merge base.
    pub base: String,
    /// HEAD.
    pub candidate: String,
    /// Features of both policies.
    pub configured: Vec<String>,
    /// Features that the change touches, whatever their level.
    pub affected: Vec<String>,
    /// Features that tasks asked for.
    pub task_requested: Vec<String>,
    /// Features that must be covered.
    pub required: Vec<String>,
    /// Required and accepted.
    pub completed: Vec<String>,
    /// Required and not accepted.
    pub missing: Vec<String>,
    /// The whole change must be covered.
    pub full_candidate: bool,
    /// As in the packet.
    pub selection: Selection,
    /// Its digest.
    pub selection_sha256: String,
    /// Digest of the applying requirements.
    pub requirement_sha256: String,
    /// Digest of both.
    pub decision_sha256: String,
    /// The prepared or accepted review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_id: Option<String>,
    /// The accepted receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_path: Option<String>,
    /// The current packet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packet_path: Option<String>,
    /// Of the current result.
    pub final_state_findings: Vec<FinalStateFinding>,
    /// Why the state is what it is.
    pub diagnostics: Vec<Diagnostic>,
    /// The next step; empty when nothing is to do.
    pub next: String,
    /// The two state lines.
    #[serde(skip)]
    pub lines: [String; 2],
    /// Sections of the policies that nothing enforces.
    #[serde(skip)]
    pub not_enforced: Vec<String>,
}

/// Computes the state; writes nothing.
pub fn status(workspace: &Workspace<'_>, reference: &str, boundary: Boundary) -> Result<Status, Failure> {
    let (change, tree) = ChangeSet::with_status(workspace, reference)?;
    let dirty = !tree.is_clean();
    let change = change.with_working_tree(&tree);
    let demand = Demand::of(workspace, &change, boundary)?;
    let selection = &demand.selection;
    let standing = standing(workspace, &change, selection, dirty)?;
    let requirements = demand.journal.as_ref().map(|journal| journal.requirements.as_slice()).unwrap_or_default();
    let required = if standing.state.scope.is_empty() { Vec::new() } else { selection.names() };
    let missing = required.iter().filter(|name| !standing.completed.contains(name)).cloned().collect();
    let (mut diagnostics, next) = next_step(workspace, &change, selection, &standing, dirty, reference)?;
    diagnostics.extend(moved_bases(workspace, &change, &demand)?);
    let requirement_sha256 = requirement_sha256(requirements);
    let selection_sha256 = selection.sha256();
    Ok(Status {
        state: standing.state.behavior,
        final_state: standing.state.final_state,
        boundary,
        base: change.base.clone(),
        candidate: change.candidate.clone(),
        configured: change.policies.configured_features(),
        affected: change.affected(),
        task_requested: demand.journal.as_ref().map(|journal| journal.requested_features()).unwrap_or_default(),
        required,
        completed: standing.completed.clone(),
        missing,
        full_candidate: selection.full_candidate,
        decision_sha256: decision_sha256(&selection_sha256, &requirement_sha256),
        selection_sha256,
        requirement_sha256,
        receipt_path: standing.receipt_path(),
        packet_path: standing.review_id.as_ref().map(|_| format!("{FOLDER}/{}", files::PACKET)),
        review_id: standing.review_id.clone(),
        final_state_findings: standing.final_state_findings.clone(),
        diagnostics,
        next,
        lines: standing.state.lines(),
        not_enforced: not_enforced(&change),
        selection: demand.selection,
    })
}

/// Sections of both policies that are accepted and not enforced (BR-12), in the candidate's order.
pub fn not_enforced(change: &ChangeSet) -> Vec<String> {
    let mut sections = change.policies.candidate.policy.not_enforced.clone();
    let base = change.policies.base.policy.not_enforced.iter();
    sections.extend(base.filter(|section| !change.policies.candidate.policy.not_enforced.contains(section)).cloned());
    sections
}

/// Why the review is not passed, and what to do about it (BR-10).
pub fn next_step(
    workspace: &Workspace<'_>,
    change: &ChangeSet,
    selection: &Selection,
    standing: &Standing,
    dirty: bool,
    reference: &str,
) -> Result<(Vec<Diagnostic>, String), Failure> {
    let mut reasons = standing.reasons.clone();
    if !standing.state.blocks() {
        return Ok((Vec::new(), String::new()));
    }
    if dirty {
        return Ok((reasons, "commit the candidate, then run `code-polishy behavior-review prepare`".to_owned()));
    }
    let suites = suite_changes(workspace, change, selection, &[])?;
    if let Some(changed) = suites.first() {
        let next = changed.next.clone();
        reasons.extend(suites.into_iter().filter(|change| !standing.reasons.contains(change)));
        return Ok((reasons, next));
    }
    let next = match standing.state.behavior {
        BehaviorState::Failed => match reasons.iter().find(|reason| reason.code.starts_with("result.")) {
            Some(reason) => reason.next.clone(),
            None => prepare_command(reference, selection),
        },
        _ if !request_is_captured(workspace)? => CAPTURE.to_owned(),
        _ if standing.review_id.is_none() => prepare_command(reference, selection),
        _ => format!(
            "give {FOLDER}/{} to an isolated reviewer, save its answer as {}, then run `code-polishy behavior-review finalize --base {reference}`",
            files::PACKET,
            code_polishy_core::packet::RESULT_PATH
        ),
    };
    Ok((reasons, next))
}

/// Without a request there is nothing that a review could hold the change against.
const CAPTURE: &str =
    "capture the request at the task's base, before the code: code-polishy behavior-review capture-intent --intent-file -";

fn request_is_captured(workspace: &Workspace<'_>) -> Result<bool, Failure> {
    workspace.review_store()?.map_or(Ok(false), |store| store.has(JOURNAL_FILE))
}

fn prepare_command(reference: &str, selection: &Selection) -> String {
    match selection.boundary {
        Boundary::Merge => format!("code-polishy behavior-review prepare --base {reference}"),
        Boundary::Checkpoint => format!("code-polishy behavior-review prepare --base {reference} --boundary checkpoint"),
    }
}

/// Requirements whose task base is no longer in the candidate's history still count (BR-33).
fn moved_bases(workspace: &Workspace<'_>, change: &ChangeSet, demand: &Demand) -> Result<Vec<Diagnostic>, Failure> {
    let Some(journal) = &demand.journal else { return Ok(Vec::new()) };
    if journal.requirements.is_empty() {
        return Ok(Vec::new());
    }
    let history = Ancestry::of(&workspace.repository, &change.candidate)?;
    let mut moved = Vec::new();
    for requirement in &journal.requirements {
        if !history.contains(&requirement.task_base)? {
            moved.push(Diagnostic::new(
                "requirement.moved-base",
                format!(
                    "the task base {} is not in the candidate's history; {} stay required",
                    requirement.task_base,
                    requirement.features.join(", ")
                ),
                "if the task is over, run `code-polishy behavior-review cleanup`",
            ));
        }
    }
    Ok(moved)
}

/// Notes about intents that a reader should know (BR-32).
pub fn intent_notes(packet: &Packet) -> Vec<String> {
    let note = |id: String| format!("the original request {id} is older than the base; entries of a finished task belong to `cleanup`");
    super::derive::older_originals(packet).into_iter().map(note).collect()
}
