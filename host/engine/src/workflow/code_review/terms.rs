//! Under which terms a run is made: who drives it, and what its caller and its user demand (CR-13, CR-19, CR-63).

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::hex,
    code_review::{
        codes,
        run::{CallerContract, RevisedScope, RunRecord, target_label},
        vocabulary::{PROTOCOL, Scope},
    },
    diagnostic::Failure,
};

use super::{config::Effective, operational, run::Run, scope::Capture, usage};
use crate::workspace::Workspace;

/// Under which terms a run is made.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// `--producer-id`; one is made when it is absent (CR-19).
    pub producer_id: Option<String>,
    /// `--independence-required`.
    pub independence_required: Option<String>,
    /// `--caller-contract`.
    pub caller_contract: Option<String>,
    /// `--caller-contract-evidence`.
    pub caller_contract_evidence: Option<String>,
    /// `--revised-scope-of`.
    pub revised_scope_of: Option<PathBuf>,
    /// `--waiver`.
    pub waiver: Option<String>,
}

/// Terms whose parts fit together.
#[derive(Clone, Debug)]
pub struct Resolved {
    run_id: String,
    producer_id: String,
    independence: Option<String>,
    caller_contract: Option<CallerContract>,
    revised_scope: Option<RevisedScope>,
}

impl Terms {
    /// Something else than the producer is demanded.
    pub(super) fn beside_the_producer(&self) -> bool {
        let Self { producer_id: _, independence_required, caller_contract, caller_contract_evidence, revised_scope_of, waiver } = self;
        revised_scope_of.is_some()
            || [independence_required, caller_contract, caller_contract_evidence, waiver].into_iter().any(Option::is_some)
    }

    /// Checks the terms, and makes a producer id when there is none.
    ///
    /// # Errors
    /// Exit 2 `caller-contract-evidence-missing`, `waiver-run-invalid`, `usage-error`.
    pub fn resolve(&self, cwd: &Path) -> Result<Resolved, Failure> {
        for (flag, text) in [
            ("--producer-id", &self.producer_id),
            ("--independence-required", &self.independence_required),
            ("--caller-contract", &self.caller_contract),
            ("--waiver", &self.waiver),
        ] {
            if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
                return Err(usage(&codes::USAGE_ERROR, format!("the value of {flag} is blank"), format!("write it behind {flag}")));
            }
        }
        let caller_contract = match (&self.caller_contract, self.caller_contract_evidence.as_ref().filter(|text| !text.trim().is_empty())) {
            (None, None) => None,
            (Some(format), Some(evidence)) => Some(CallerContract { format: format.clone(), evidence: evidence.clone() }),
            _ => {
                let message = "a caller's format and the caller's words that ask for it come together";
                let next = "name the format with --caller-contract, and the words with --caller-contract-evidence";
                return Err(usage(&codes::CALLER_CONTRACT_EVIDENCE_MISSING, message, next));
            }
        };
        Ok(Resolved {
            run_id: uuid()?,
            producer_id: self.producer_id.clone().map_or_else(generated_producer, Ok)?,
            independence: self.independence_required.clone(),
            caller_contract,
            revised_scope: self.revised_scope(cwd)?,
        })
    }

    /// A waiver is given for a run that required independence (CR-63).
    fn revised_scope(&self, cwd: &Path) -> Result<Option<RevisedScope>, Failure> {
        let invalid = |message: String| {
            let next = "name a run that required independent review with --revised-scope-of, and the user's words with --waiver";
            usage(&codes::WAIVER_RUN_INVALID, message, next)
        };
        match (&self.revised_scope_of, &self.waiver) {
            (None, None) => Ok(None),
            (Some(run), Some(waiver)) => {
                let unknown =
                    |failure: Failure| invalid(failure.diagnostics.first().map(|first| first.message.clone()).unwrap_or_default());
                let original = Run::open(cwd, run).and_then(|run| run.record()).map_err(unknown)?;
                if !original.independence_required {
                    return Err(invalid(format!("the run {} required no independent review", original.run_id)));
                }
                Ok(Some(RevisedScope { original_run: original.run_id, waiver_evidence: waiver.clone() }))
            }
            _ => Err(invalid("a waiver and the run that it is for come together".to_owned())),
        }
    }
}

impl Resolved {
    /// The record of a run on this change.
    pub(super) fn record(
        &self,
        workspace: &Workspace<'_>,
        scope: Scope,
        capture: &Capture,
        place: Option<&Path>,
        effective: &Effective,
    ) -> RunRecord {
        RunRecord {
            scope,
            targets: capture.targets.clone(),
            target_label: target_label(scope, &capture.targets, capture.base.as_deref(), capture.head.as_deref()),
            review_worktree: place.map(|place| place.display().to_string()),
            base_oid: capture.base.clone(),
            head_oid: capture.head.clone(),
            ..self.base_record(workspace, effective)
        }
    }

    /// Everything of a record that does not depend on the source; a caller fills in the rest.
    pub(super) fn base_record(&self, workspace: &Workspace<'_>, effective: &Effective) -> RunRecord {
        RunRecord {
            schema_version: 1,
            protocol: PROTOCOL.to_owned(),
            run_id: self.run_id.clone(),
            producer_id: self.producer_id.clone(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            created_at: super::now(),
            scope: Scope::WorkingTree,
            targets: Vec::new(),
            target_label: String::new(),
            source_worktree: workspace.repository.root().display().to_string(),
            review_worktree: None,
            base_oid: None,
            head_oid: None,
            config_sha256: effective.sha256(),
            config_origin: effective.origin.clone(),
            independence_required: self.independence.is_some(),
            independence_requirement_evidence: self.independence.clone(),
            caller_contract: self.caller_contract.clone(),
            revised_scope: self.revised_scope.clone(),
        }
    }
}

fn generated_producer() -> Result<String, Failure> {
    Ok(format!("local-{}", hex(&random::<8>()?)))
}

/// A random UUID (version 4).
fn uuid() -> Result<String, Failure> {
    let mut bytes = random::<16>()?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex(&bytes);
    Ok([&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-"))
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES], Failure> {
    let mut bytes = [0; BYTES];
    let read = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes));
    read.map_err(|error| {
        operational(&codes::IO_ERROR, format!("the system gives no random bytes: {error}"), "make /dev/urandom readable")
    })?;
    Ok(bytes)
}
