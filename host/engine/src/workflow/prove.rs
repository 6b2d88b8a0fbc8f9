//! `regression-proof`: one suite is red at the base with the evidence and green at the candidate (contract 7).

mod runs;

use std::collections::BTreeSet;

use code_polishy_core::{
    canonical::{artifact_bytes, digest_bytes},
    diagnostic::{Diagnostic, Failure, FailureKind},
    packet::{FOLDER, Packet},
    patch::Change,
    plugin::{PluginIdentity, SuiteRunner},
    policy::model::{RedKind, Suite},
    proof::{self, CaseCounts, Execution, LogReference, Proof},
    text::escape_line,
};
pub use runs::{Bench, Finished, Place, Runs};
use serde::Serialize;

use crate::{
    store::Store,
    workflow::{
        change::ChangeSet,
        guard::Guard,
        proofs::{PROOFS, base_in_range, evidence, evidence_changes},
        standing::current_packet,
    },
    workspace::Workspace,
};

/// What the caller asks for.
#[derive(Clone, Debug)]
pub struct ProofRequest {
    /// The commit before the fix, as a reference.
    pub base: String,
    /// The suite.
    pub suite: String,
    /// The id of the proof.
    pub id: String,
    /// Repository-relative paths, at least one.
    pub evidence: Vec<String>,
    /// Expected exit status of red, 1..255.
    pub red_exit: i32,
    /// Take an id that is in use.
    pub replace: bool,
}

/// What was proved: the typed member of 2.2.
#[derive(Clone, Debug, Serialize)]
pub struct Proved {
    /// The proof's id.
    pub id: String,
    /// The suite.
    pub suite: String,
    /// The red commit.
    pub base: String,
    /// The green commit.
    pub candidate: String,
    /// Repository-relative.
    pub proof_path: String,
    /// Digest of the record's bytes.
    pub proof_sha256: String,
    /// How red came to be red.
    pub red_kind: RedKind,
    /// Cases that turned green.
    pub flipped_cases: Vec<String>,
}

/// Checks in the order of BR-55, runs, and records last and only on success.
pub fn prove(workspace: &Workspace<'_>, request: &ProofRequest) -> Result<Proved, Failure> {
    proof::check_id(&request.id)?;
    let candidate = workspace.repository.head()?;
    let base = workspace.repository.resolve(&request.base)?;
    let paths = evidence_paths(&request.evidence)?;
    let Some(store) = workspace.review_store()? else { return Err(no_packet()) };
    let packet = prepared(workspace, &candidate, &store)?;
    if !base_in_range(workspace, &packet, &base)? {
        return Err(bad_base(&request.base, &packet));
    }
    let change = ChangeSet::between(workspace, &packet.base, &candidate)?;
    let plan = Plan::of(workspace, &change, &packet, request, base, paths)?;
    refuse_used_id(&store, request)?;
    let guard = Guard::take(workspace, &change.policies.governed, &plan.base, &request.base)?;
    let runs = Bench::new(workspace, &guard)?.telling().runs(&plan)?;
    record(workspace, &store, &packet, &plan, request, &runs)
}

/// The packet must be current: derived again from its own base (BR-55).
fn prepared(workspace: &Workspace<'_>, candidate: &str, store: &Store) -> Result<Packet, Failure> {
    let marker = store.read(super::standing::files::MARKER, code_polishy_core::packet::MAX_BYTES)?.ok_or_else(no_packet)?;
    let marker = code_polishy_core::packet::Marker::read(&marker)
        .map_err(|fault| Failure { kind: FailureKind::Blocked, ..Failure::from(*fault) })?;
    let base = workspace.repository.resolve(&marker.base)?;
    let change = ChangeSet::between(workspace, &base, candidate)?;
    change.require_clean(workspace)?;
    Ok(current_packet(workspace, &change, store)?.packet)
}

/// Everything that the runs need.
pub struct Plan {
    /// The red commit.
    pub base: String,
    /// The green commit.
    pub candidate: String,
    /// The suite of the candidate's policy.
    pub suite: Suite,
    /// Its digest.
    pub suite_sha256: String,
    /// Its runner.
    pub runner: PluginIdentity,
    loaded: Box<dyn SuiteRunner + Send + Sync>,
    /// Evidence paths, sorted.
    pub paths: Vec<String>,
    /// What putting the evidence on the base changes; may be empty.
    pub changes: Vec<Change>,
    patch_sha256: String,
    red_exit: i32,
    allowed_red_kinds: Vec<RedKind>,
}

impl Plan {
    fn of(
        workspace: &Workspace<'_>,
        change: &ChangeSet,
        packet: &Packet,
        request: &ProofRequest,
        base: String,
        paths: Vec<String>,
    ) -> Result<Self, Failure> {
        let (suite, suite_sha256, runner) = change.eligible_suite(workspace, &request.suite)?.map_err(|reason| bad_suite(&reason))?;
        let selected = packet.selection.full_candidate || packet.selection.suites().contains(suite.name.as_str());
        if !selected {
            return Err(bad_suite(&format!("no selected feature declares the suite `{}`", suite.name)));
        }
        let changed = super::standing::suite_changes(workspace, change, &packet.selection, std::slice::from_ref(&suite.name))?;
        if !changed.is_empty() {
            return Err(Failure::new(FailureKind::Blocked, changed));
        }
        let (faults, patch_sha256) = evidence(workspace, &base, &change.candidate, &paths)?;
        if !faults.is_empty() {
            let next = "name tests, fixtures or development files that the candidate has committed";
            let diagnostics = faults.into_iter().map(|fault| Diagnostic::new("proof.evidence", fault, next)).collect();
            return Err(Failure::new(FailureKind::Blocked, diagnostics));
        }
        Ok(Self {
            changes: evidence_changes(workspace, &base, &change.candidate, &paths)?,
            loaded: change.policies.candidate.plugins(workspace).runner(&suite)?,
            base,
            candidate: change.candidate.clone(),
            suite,
            suite_sha256,
            runner,
            paths,
            patch_sha256,
            red_exit: request.red_exit,
            allowed_red_kinds: packet.allowed_red_kinds.clone(),
        })
    }

    /// The plan that replays a valid proof (BR-63).
    pub fn replay(workspace: &Workspace<'_>, change: &ChangeSet, proof: &Proof, allowed_red_kinds: &[RedKind]) -> Result<Self, Failure> {
        let (suite, suite_sha256, runner) = change.eligible_suite(workspace, &proof.suite)?.map_err(|reason| bad_suite(&reason))?;
        Ok(Self {
            changes: evidence_changes(workspace, &proof.base, &proof.candidate, &proof.evidence)?,
            loaded: change.policies.candidate.plugins(workspace).runner(&suite)?,
            base: proof.base.clone(),
            candidate: proof.candidate.clone(),
            suite,
            suite_sha256,
            runner,
            paths: proof.evidence.clone(),
            patch_sha256: proof.evidence_patch_sha256.clone(),
            red_exit: proof.expected_red_exit_status,
            allowed_red_kinds: allowed_red_kinds.to_vec(),
        })
    }
}

/// Logs first, the record last (BR-55).
fn record(
    workspace: &Workspace<'_>,
    store: &Store,
    packet: &Packet,
    plan: &Plan,
    request: &ProofRequest,
    runs: &Runs,
) -> Result<Proved, Failure> {
    let proved = runs.outcome.clone().map_err(|refusal| Failure::new(FailureKind::Blocked, vec![*refusal]))?;
    workspace.interrupt.check()?;
    let folder = store.child(PROOFS, true)?.expect("the folder is made when it is absent");
    let id = &request.id;
    folder.remove(&format!("{id}.json"))?;
    let log = |kind: &str, bytes: &[u8]| -> Result<LogReference, Failure> {
        let name = format!("{id}.{kind}.log");
        folder.write(&name, bytes)?;
        Ok(LogReference { path: format!("{FOLDER}/{PROOFS}/{name}"), sha256: digest_bytes(bytes) })
    };
    let execution = |place: Place| -> Result<Option<Execution>, Failure> {
        let Some(finished) = runs.at(place) else { return Ok(None) };
        let log = log(place.name(), &finished.log)?;
        Ok(Some(Execution {
            exit_status: finished.run.exit_status,
            outcome: finished.run.verdict.outcome,
            cases: CaseCounts::of(&finished.run.verdict),
            log_path: log.path,
            log_sha256: log.sha256,
        }))
    };
    let record = Proof {
        version: proof::VERSION,
        id: id.clone(),
        review_id: packet.review_id.clone(),
        review_base: packet.base.clone(),
        base: plan.base.clone(),
        candidate: plan.candidate.clone(),
        selection_sha256: packet.selection_sha256.clone(),
        decision_sha256: packet.decision_sha256.clone(),
        selected_features: packet.selection.names(),
        full_candidate: packet.selection.full_candidate,
        suite: plan.suite.name.clone(),
        suite_sha256: plan.suite_sha256.clone(),
        runner: plan.runner.clone(),
        evidence: plan.paths.clone(),
        evidence_patch_sha256: plan.patch_sha256.clone(),
        expected_red_exit_status: plan.red_exit,
        red_kind: proved.red_kind,
        flipped_cases: proved.flipped_cases.clone(),
        apply_log: log("apply", apply_log(&plan.base, &plan.changes).as_bytes())?,
        control: execution(Place::Control)?,
        baseline: execution(Place::Baseline)?.expect("red was judged"),
        candidate_execution: execution(Place::Candidate)?.expect("green was judged"),
    };
    let bytes = artifact_bytes(&record);
    folder.write(&format!("{id}.json"), &bytes)?;
    Ok(Proved {
        id: id.clone(),
        suite: plan.suite.name.clone(),
        base: plan.base.clone(),
        candidate: plan.candidate.clone(),
        proof_path: format!("{FOLDER}/{PROOFS}/{id}.json"),
        proof_sha256: digest_bytes(&bytes),
        red_kind: proved.red_kind,
        flipped_cases: proved.flipped_cases,
    })
}

/// What was put on the base, one line a path.
fn apply_log(base: &str, changes: &[Change]) -> String {
    let mut log = format!("evidence on {base}\n");
    if changes.is_empty() {
        log.push_str("nothing: the base already holds it\n");
    }
    for change in changes {
        let what = match &change.new {
            Some(entry) => format!("{} {}", entry.mode.octal(), entry.id),
            None => "deleted".to_owned(),
        };
        log.push_str(&format!("{what} {}\n", escape_line(&change.path)));
    }
    log
}

fn evidence_paths(paths: &[String]) -> Result<Vec<String>, Failure> {
    let unique: BTreeSet<&String> = paths.iter().collect();
    let next = "name each file once, relative to the repository's root with `/`";
    if unique.len() != paths.len() {
        return Err(Failure::usage("proof.evidence-path", "an evidence path is named twice", next));
    }
    if let Some((path, fault)) = paths.iter().find_map(|path| code_polishy_core::policy::names::path_fault(path).map(|fault| (path, fault)))
    {
        let message = format!("the evidence path {} cannot be used: {fault}", escape_line(path));
        return Err(Failure::usage("proof.evidence-path", message, next));
    }
    Ok(unique.into_iter().cloned().collect())
}

fn refuse_used_id(store: &Store, request: &ProofRequest) -> Result<(), Failure> {
    let used = match store.child(PROOFS, false)? {
        Some(folder) => folder.has(&format!("{}.json", request.id))?,
        None => false,
    };
    if used && !request.replace {
        let message = format!("the proof `{}` is already recorded", request.id);
        return Err(Failure::blocked("proof.id-in-use", message, "choose another id, or pass --replace"));
    }
    Ok(())
}

fn no_packet() -> Failure {
    Failure::blocked("packet.none", "no review is prepared", "run `code-polishy behavior-review prepare --base REF`")
}

fn bad_base(reference: &str, packet: &Packet) -> Failure {
    Failure::blocked(
        "proof.base",
        format!("`{reference}` is not a proper ancestor of the candidate at or after the review base {}", packet.base),
        "name the commit before the fix, between the review base and the candidate",
    )
}

fn bad_suite(reason: &str) -> Failure {
    Failure::blocked("proof.suite", reason, "name a suite that a selected feature declares")
}
