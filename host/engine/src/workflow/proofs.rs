//! Recorded proofs, held against what the repository says now (BR-62).

use std::collections::{BTreeMap, BTreeSet};

use code_polishy_core::{
    canonical::digest_bytes,
    diagnostic::{Diagnostic, Failure},
    packet::{FOLDER, MAX_BYTES, Packet},
    patch::Change,
    proof::{Proof, ProofContext, evidence_fault, faults, id_fault},
    review::ReviewResult,
};

use crate::{
    git::{Ancestry, changes, patch},
    store::Store,
    workflow::{change::ChangeSet, policies::Policies, roles::roles},
    workspace::Workspace,
};

/// The folder of proofs, below the review folder.
pub const PROOFS: &str = "proofs";

/// A valid proof and the digest of its record.
pub struct ValidProof {
    /// The record.
    pub proof: Proof,
    /// Digest of the record's bytes.
    pub sha256: String,
}

/// What became of each cited proof that has a record, by id.
pub type CheckedProofs = BTreeMap<String, Result<ValidProof, Vec<Diagnostic>>>;

/// Checks every proof that the result cites.
pub fn check_cited(
    workspace: &Workspace<'_>,
    change: &ChangeSet,
    packet: &Packet,
    result: &ReviewResult,
    store: &Store,
) -> Result<CheckedProofs, Failure> {
    let mut checked = CheckedProofs::new();
    let Some(folder) = store.child(PROOFS, false)? else { return Ok(checked) };
    for id in result.cited_proofs() {
        if id_fault(&id).is_some() {
            continue;
        }
        let Some(bytes) = folder.read(&format!("{id}.json"), MAX_BYTES)? else { continue };
        let outcome = match Proof::read(&bytes) {
            Err(fault) => Err(vec![fault.at_path(format!("{FOLDER}/{PROOFS}/{id}.json"))]),
            Ok(proof) if proof.id != id => Err(vec![Diagnostic::new(
                "proof.inconsistent",
                format!("proof `{id}`: its record names the id `{}`", code_polishy_core::text::escape_line(&proof.id)),
                "record the proof again with `code-polishy regression-proof --replace`",
            )]),
            Ok(proof) => check(workspace, change, packet, proof, &folder, digest_bytes(&bytes))?,
        };
        checked.insert(id, outcome);
    }
    Ok(checked)
}

/// Suites that cited proofs use, as their records say, sorted.
pub fn cited_suites(checked: &CheckedProofs) -> Vec<String> {
    let suites: BTreeSet<String> = checked.values().flatten().map(|valid| valid.proof.suite.clone()).collect();
    suites.into_iter().collect()
}

fn check(
    workspace: &Workspace<'_>,
    change: &ChangeSet,
    packet: &Packet,
    proof: Proof,
    folder: &Store,
    sha256: String,
) -> Result<Result<ValidProof, Vec<Diagnostic>>, Failure> {
    let range = base_in_range(workspace, packet, &proof.base)?;
    let (evidence_faults, evidence_patch_sha256) = match range {
        // The packet's candidate, which the record must name: what an edited record names may not exist.
        true => evidence(workspace, &proof.base, &packet.candidate, &proof.evidence)?,
        false => (Vec::new(), String::new()),
    };
    let context = ProofContext {
        review_id: &packet.review_id,
        review_base: &packet.base,
        candidate: &packet.candidate,
        selection_sha256: &packet.selection_sha256,
        decision_sha256: &packet.decision_sha256,
        selected_features: packet.selection.names(),
        full_candidate: packet.selection.full_candidate,
        allowed_red_kinds: &packet.allowed_red_kinds,
        suite: change.eligible_suite(workspace, &proof.suite)?.map(|(_, digest, runner)| (digest, runner)),
        base_in_range: range,
        evidence_faults,
        evidence_patch_sha256,
        logs: log_digests(&proof, folder)?,
    };
    let faults = faults(&proof, &context);
    Ok(if faults.is_empty() { Ok(ValidProof { proof, sha256 }) } else { Err(faults) })
}

/// The proof's base is a proper ancestor of the candidate, and the review base or a descendant of it (BR-55).
pub fn base_in_range(workspace: &Workspace<'_>, packet: &Packet, base: &str) -> Result<bool, Failure> {
    Ok(base != packet.candidate
        && Ancestry::of(&workspace.repository, &packet.candidate)?.contains(base)?
        && Ancestry::of(&workspace.repository, base)?.contains(&packet.base)?)
}

/// Why each path is no evidence (BR-56), and the digest of the canonical patch of exactly these paths.
pub fn evidence(workspace: &Workspace<'_>, base: &str, candidate: &str, paths: &[String]) -> Result<(Vec<String>, String), Failure> {
    let policies = Policies::at(&workspace.repository, base, candidate)?;
    let mut entries = Vec::new();
    for path in paths {
        entries.push(Change { path: path.clone(), old: policies.base.tree.entry(path)?, new: policies.candidate.tree.entry(path)? });
    }
    let present: Vec<Change> = entries.iter().filter(|entry| entry.new.is_some()).cloned().collect();
    let mut roles = roles(workspace, &policies, &present)?.into_iter();
    let mut faults = Vec::new();
    for entry in &entries {
        let of_path = if entry.new.is_some() { roles.next() } else { None };
        let reason = evidence_fault(entry.new.as_ref(), of_path.unwrap_or([code_polishy_core::plugin::Role::Test; 2]));
        faults.extend(
            reason.map(|reason| format!("the evidence {} is refused: {reason}", code_polishy_core::text::escape_line(&entry.path))),
        );
    }
    Ok((faults, evidence_patch_sha256(workspace, base, candidate, paths)?))
}

/// Changes of exactly these paths, by path bytes.
pub fn evidence_changes(workspace: &Workspace<'_>, base: &str, candidate: &str, paths: &[String]) -> Result<Vec<Change>, Failure> {
    let wanted: BTreeSet<&String> = paths.iter().collect();
    Ok(changes(&workspace.repository, base, candidate)?.into_iter().filter(|change| wanted.contains(&change.path)).collect())
}

fn evidence_patch_sha256(workspace: &Workspace<'_>, base: &str, candidate: &str, paths: &[String]) -> Result<String, Failure> {
    let changes = evidence_changes(workspace, base, candidate, paths)?;
    let patches = patch(&changes, &crate::git::Blobs::of(&workspace.repository))?;
    Ok(digest_bytes(patches.iter().map(|patch| patch.text.as_str()).collect::<String>().as_bytes()))
}

fn log_digests(proof: &Proof, folder: &Store) -> Result<BTreeMap<String, Option<String>>, Failure> {
    let prefix = format!("{FOLDER}/{PROOFS}/");
    let mut digests = BTreeMap::new();
    for log in proof.logs() {
        let own = log.path.strip_prefix(&prefix).filter(|name| name.starts_with(&format!("{}.", proof.id)) && !name.contains('/'));
        let bytes = match own {
            Some(name) => folder.read(name, MAX_BYTES)?,
            None => None,
        };
        digests.insert(log.path, bytes.as_deref().map(digest_bytes));
    }
    Ok(digests)
}
