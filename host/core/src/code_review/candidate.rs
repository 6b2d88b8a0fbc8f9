//! A candidate: one claim about the change, and what became of it (CR-74).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::{Disposition, Severity};
use crate::canonical::nullable;

/// Candidates of one run (CR-201).
pub const MAX_CANDIDATES: usize = 1_000;

/// The fields, in documented order.
pub const FIELDS: [&str; 20] = [
    "id",
    "severity",
    "claim",
    "source_revision",
    "contract",
    "trigger",
    "confirmation_evidence",
    "falsification_evidence",
    "counterevidence",
    "check",
    "result",
    "environment",
    "limits",
    "disposition",
    "reason",
    "feasible_checks_complete",
    "missing_prerequisite",
    "owner",
    "next_check",
    "closure_condition",
];

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
    #[serde(deserialize_with = "nullable")]
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

    /// `check` and `result` name the original and the current state: two different object ids or digests (CR-76).
    pub fn names_two_identities(&self) -> bool {
        let mut identities = identities(&self.check).chain(identities(&self.result));
        identities.next().is_some_and(|first| identities.any(|other| other != first))
    }
}

/// Full object ids and digests in a text: 40 or 64 lower-case hex digits that stand alone.
fn identities(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| matches!(word.len(), 40 | 64) && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
}

/// `dependency-evidence.json` (CR-79).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DependencyEvidence {
    /// 1.
    pub schema_version: u32,
    /// What was prepared for claims, or could not be.
    pub preparations: Vec<Preparation>,
}

/// One dependency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Preparation {
    /// Unique in the file.
    pub id: String,
    /// The package's name.
    pub package: String,
    /// The file of the reviewed tree that declares it.
    pub declared_in: String,
    /// What became of it.
    pub status: PreparationStatus,
    /// Its overlay; null unless prepared.
    #[serde(deserialize_with = "nullable")]
    pub overlay: Option<String>,
    /// Where it is imported from; null unless prepared.
    #[serde(deserialize_with = "nullable")]
    pub import_origin: Option<String>,
    /// The run's record of the preparation; null when there is none.
    #[serde(deserialize_with = "nullable")]
    pub receipt: Option<String>,
    /// Why it is not prepared; null when it is.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<String>,
}

/// What became of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PreparationStatus {
    /// It can be imported.
    Prepared,
    /// Its contract refuses it.
    Refused,
    /// Nothing that fits is published.
    NoCompatibleArtifact,
    /// The user or the machine denied it.
    Denied,
    /// It did not work.
    Failed,
}

/// `reproductions/<candidate>/receipt.json` (CR-80).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reproduction {
    /// 1.
    pub schema_version: u32,
    /// The one candidate that it serves.
    pub candidate_id: String,
    /// What was selected to run.
    pub selection: Vec<String>,
    /// The command.
    pub command: String,
    /// Its exit status; null when a signal ended it.
    #[serde(deserialize_with = "nullable")]
    pub command_exit: Option<i32>,
    /// The retained output, relative to the run.
    pub stdout: String,
    /// The retained diagnostics, relative to the run.
    pub stderr: String,
    /// The tree that it ran on: an object id or a digest.
    pub tree: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_whole_and_lower_case() {
        let id = "a".repeat(40);
        let digest = "0".repeat(64);
        let text = format!("from {id} to sha256:{digest}, not {}b nor {}", id, id.to_uppercase());
        assert_eq!(identities(&text).collect::<Vec<_>>(), [id.as_str(), digest.as_str()]);
    }
}
