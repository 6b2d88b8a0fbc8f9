//! A candidate: one claim about the change, and what became of it (CR-74).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::{Disposition, Severity};

/// Exactly these twenty fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Stable, unique in the run.
    pub id: String,
    /// By demonstrated impact (CR-98).
    pub severity: Severity,
    /// What is claimed.
    pub claim: String,
    /// `head:<oid>` or `sha256:<digest>` of what was inspected (CR-76).
    pub source_revision: String,
    /// The contract that the source breaks.
    pub contract: String,
    /// What brings it about.
    pub trigger: String,
    /// What speaks for the claim.
    pub confirmation_evidence: String,
    /// What would speak against it, and whether it was looked for.
    pub falsification_evidence: String,
    /// What speaks against it.
    pub counterevidence: Vec<String>,
    /// The check that was made.
    pub check: String,
    /// What it gave.
    pub result: String,
    /// Where it was made.
    pub environment: String,
    /// What the check does not show.
    pub limits: Vec<String>,
    /// Null while feasible work is left.
    pub disposition: Option<Disposition>,
    /// Why.
    pub reason: String,
    /// False exactly while the disposition is null (CR-77).
    pub feasible_checks_complete: bool,
    /// What is not available; empty only in closed candidates.
    pub missing_prerequisite: String,
    /// Who closes it.
    pub owner: String,
    /// How.
    pub next_check: String,
    /// What is observed when it is closed.
    pub closure_condition: String,
}

impl Candidate {
    /// Unverified, or with feasible work left.
    pub fn is_open(&self) -> bool {
        matches!(self.disposition, None | Some(Disposition::Unverified))
    }
}
