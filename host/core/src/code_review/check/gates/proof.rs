//! The source proof of the tests is the one that follows from what is kept (CR-144 to CR-147).

use crate::{
    canonical::read_strict,
    code_review::{
        candidate::DependencyEvidence,
        codes,
        gates::{
            DEPENDENCIES_FILE, GateCheck, GateReason, GateStatus, OVERLAY_FILE, OverlayReceipt, ProofPlan, ProofStatus, SourceProof,
            UNTOLD, has_other_overlay, overlaid, overlays_folder,
        },
        image::RunImage,
        source_proof::{ProofFacts, Reviewed, Seen, derive, facts_file},
        t0::T0,
    },
};

/// What is wrong with the proof of a gate that ran; `None` when it follows from its facts.
pub(super) fn fault(check: &GateCheck, image: &RunImage, t0: &T0) -> Option<&'static str> {
    let command = check.command_path.as_deref().and_then(|path| image.text(path)).unwrap_or_default();
    let plan = ProofPlan::recorded(&check.id, check.runner.as_deref(), command).filter(|_| check.command_exit.is_some());
    let Some(plan) = plan else { return unproven(check) };
    let derived = match derived(check, image, t0, &plan) {
        Ok(derived) => derived,
        Err(fault) => return Some(fault),
    };
    if check.source_proof.as_ref() != Some(&derived) {
        return Some("the proof is not what follows from the kept facts");
    }
    let fits = match (check.gate_status, check.reason) {
        (GateStatus::Pass, _) => derived.status == ProofStatus::Pass,
        (_, Some(GateReason::SourceProofFailed)) => derived.status == ProofStatus::Fail,
        (_, Some(GateReason::SourceProofInconclusive)) => derived.status == ProofStatus::Inconclusive,
        // Of something else than the Python that changed.
        (_, Some(GateReason::SourceProofMissing)) => derived.status == ProofStatus::Pass && !derived.proves_python(),
        _ => true,
    };
    (!fits).then_some("the status of the gate is not what its proof makes of it")
}

/// What is wrong with the overlay that the tests were given; `None` when they were given none, or a prepared one (CR-229).
pub(super) fn overlay_fault(check: &GateCheck, image: &RunImage, t0: &T0, run_path: &str) -> Option<&'static str> {
    let overlays = format!("{}/{}", run_path.rsplit_once('/').map_or("", |(parent, _)| parent), overlays_folder(&t0.run.run_id));
    let path = check.environment.get("PYTHONPATH").map(String::as_str);
    let Some(bytes) = image.bytes(OVERLAY_FILE).filter(|_| check.artifacts.contains_key(OVERLAY_FILE)) else {
        return has_other_overlay(path.unwrap_or_default(), &overlays, None).then_some(UNTOLD);
    };
    let evidence = image.bytes(DEPENDENCIES_FILE).unwrap_or_default();
    let read = (read_strict::<OverlayReceipt>(bytes, "", ""), read_strict::<DependencyEvidence>(evidence, "", ""));
    let (Ok(receipt), Ok(evidence)) = read else { return Some("what is kept of the overlay and of its preparation cannot be read") };
    receipt.fault(&overlaid(&evidence, &|file| image.has(file)), &overlays, path)
}

/// Who proves nothing says so: there is no proof, or one of nothing.
fn unproven(check: &GateCheck) -> Option<&'static str> {
    let states_more = check.source_proof.as_ref().is_some_and(|proof| {
        proof.status != ProofStatus::None || proof.kind.is_some() || !proof.origins.is_empty() || !proof.processes.is_empty()
    });
    let foreign = matches!(check.reason, Some(GateReason::SourceProofFailed | GateReason::SourceProofInconclusive));
    (states_more || foreign).then_some("nothing was kept that the proof follows from")
}

/// The proof from the facts, which are the ones of this gate.
fn derived(check: &GateCheck, image: &RunImage, t0: &T0, plan: &ProofPlan) -> Result<SourceProof, &'static str> {
    let file = facts_file(&check.id);
    let bytes = image.bytes(&file).filter(|_| check.artifacts.contains_key(&file)).ok_or("the facts of the proof are not kept")?;
    let facts: ProofFacts =
        read_strict(bytes, codes::GATE_SOURCE_PROOF_INVALID.name, "").map_err(|_| "the facts of the proof cannot be read")?;
    let is_planned = facts.schema_version == 1
        && match (&facts.seen, plan) {
            (Seen::PytestImport { modules, records }, ProofPlan::PytestImport { modules: planned }) => {
                modules == planned && records.iter().all(|record| check.artifacts.contains_key(&record.path))
            }
            (Seen::CargoManifest { .. }, ProofPlan::CargoManifest) => true,
            _ => false,
        };
    if !is_planned {
        return Err("the facts of the proof are about something else than its command");
    }
    let reviewed = t0.snapshot.as_ref().map_or(Reviewed::Commit, Reviewed::Mirror);
    Ok(derive(&facts, &|path| image.bytes(path), reviewed))
}
