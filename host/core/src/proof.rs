//! Red and green: one suite at two commits, and what it proves (contract 7).

mod judgement;
mod validity;

pub use judgement::{Expectation, RedGreen, Run, judge, judge_control, judge_red};
pub use validity::{ProofContext, faults};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    canonical::{nullable, read_strict},
    diagnostic::{Diagnostic, Failure},
    patch::{Entry, EntryMode},
    plugin::{CaseOutcome, Outcome, PluginIdentity, Role, Verdict},
    policy::model::RedKind,
};

/// The only version that is read and written.
pub const VERSION: u32 = 4;

/// The file `proofs/<id>.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// Always 4.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// The caller's id: 1..80 of `A-Za-z0-9._-`, alphanumeric first.
    #[schemars(regex(pattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"))]
    pub id: String,
    /// The packet's review.
    pub review_id: String,
    /// The packet's base.
    pub review_base: String,
    /// The commit that is red with the evidence.
    pub base: String,
    /// The commit that is green.
    pub candidate: String,
    /// The packet's selection.
    pub selection_sha256: String,
    /// The packet's decision.
    pub decision_sha256: String,
    /// Names of the packet's selected features, sorted.
    pub selected_features: Vec<String>,
    /// The packet selects the full candidate.
    pub full_candidate: bool,
    /// The suite's name.
    pub suite: String,
    /// Digest of its definition with runner and options (BR-40).
    pub suite_sha256: String,
    /// The runner's component.
    pub runner: PluginIdentity,
    /// Paths put on the base before the red run, sorted.
    #[schemars(length(min = 1), inner(length(min = 1)), extend("uniqueItems" = true))]
    pub evidence: Vec<String>,
    /// Digest of the canonical patch of exactly these paths.
    pub evidence_patch_sha256: String,
    /// 1..255.
    #[schemars(range(min = 1, max = 255))]
    pub expected_red_exit_status: i32,
    /// How the red run came to be red.
    pub red_kind: RedKind,
    /// Cases that the change turned green (BR-60); empty when the runner knows no cases.
    pub flipped_cases: Vec<String>,
    /// What was put on the base.
    pub apply_log: LogReference,
    /// The base without the evidence; null when the evidence patch is empty.
    #[serde(deserialize_with = "nullable")]
    pub control: Option<Execution>,
    /// The base with the evidence.
    pub baseline: Execution,
    /// The candidate.
    pub candidate_execution: Execution,
}

/// A log that the record binds, to notice edits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogReference {
    /// Repository-relative.
    pub path: String,
    /// Digest of the file's bytes.
    pub sha256: String,
}

/// What one run did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// The suite's exit status.
    pub exit_status: i32,
    /// The runner's judgement.
    pub outcome: Outcome,
    /// Counts; null when the runner knows only the exit status.
    #[serde(deserialize_with = "nullable")]
    pub cases: Option<CaseCounts>,
    /// Repository-relative.
    pub log_path: String,
    /// Digest of the log's bytes.
    pub log_sha256: String,
}

/// How many cases did what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseCounts {
    /// Passed.
    pub passed: u32,
    /// Failed.
    pub failed: u32,
    /// Skipped.
    pub skipped: u32,
}

impl CaseCounts {
    /// Counts the cases of a verdict; `None` when the runner knows none.
    pub fn of(verdict: &Verdict) -> Option<Self> {
        let mut counts = Self::default();
        for case in verdict.cases.as_ref()? {
            match case.outcome {
                CaseOutcome::Passed => counts.passed += 1,
                CaseOutcome::Failed => counts.failed += 1,
                CaseOutcome::Skipped => counts.skipped += 1,
            }
        }
        Some(counts)
    }
}

impl Proof {
    /// Reads a record strictly.
    pub fn read(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let proof: Self = read_strict(bytes, "proof.malformed", RECORD_AGAIN)?;
        if proof.version != VERSION {
            return Err(Box::new(
                Diagnostic::new("proof.version", format!("version {} is not {VERSION}", proof.version), RECORD_AGAIN)
                    .at_pointer("/version"),
            ));
        }
        Ok(proof)
    }

    /// Every log that the record binds, in the order of the runs.
    pub fn logs(&self) -> Vec<LogReference> {
        let of = |execution: &Execution| LogReference { path: execution.log_path.clone(), sha256: execution.log_sha256.clone() };
        let mut logs = vec![self.apply_log.clone()];
        logs.extend(self.control.as_ref().map(of));
        logs.extend([of(&self.baseline), of(&self.candidate_execution)]);
        logs
    }
}

const RECORD_AGAIN: &str = "record the proof again with `code-polishy regression-proof --replace`";

/// Why this cannot be the id of a proof (BR-55); `None` when it can.
pub fn id_fault(id: &str) -> Option<&'static str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    match id.as_bytes() {
        [] => Some("it is empty"),
        bytes if bytes.len() > 80 => Some("it is longer than 80 characters"),
        [first, ..] if !first.is_ascii_alphanumeric() => Some("it does not start with a letter or digit"),
        bytes if !bytes.iter().copied().all(allowed) => Some("it has a character other than A-Z, a-z, 0-9, `.`, `_` and `-`"),
        _ => None,
    }
}

/// Why a path cannot be evidence (BR-56): its entry in the candidate tree, and its roles under base and candidate policy.
pub fn evidence_fault(entry: Option<&Entry>, roles: [Role; 2]) -> Option<String> {
    let eligible = |role: Role| matches!(role, Role::Test | Role::Development | Role::Fixture);
    match entry.map(|entry| entry.mode) {
        None => Some("it is not in the candidate".to_owned()),
        Some(EntryMode::Link) => Some("it is a symbolic link".to_owned()),
        Some(EntryMode::Gitlink) => Some("it is a submodule".to_owned()),
        Some(EntryMode::File | EntryMode::Executable) => roles.into_iter().find(|role| !eligible(*role)).map(|role| {
            format!("its role is {}, not test, development or fixture", serde_json::to_string(&role).unwrap_or_default().trim_matches('"'))
        }),
    }
}

/// Refuses the id of a proof (BR-55).
pub fn check_id(id: &str) -> Result<(), Failure> {
    match id_fault(id) {
        None => Ok(()),
        Some(reason) => Err(Failure::usage(
            "proof.id",
            format!("the proof id {id:?} cannot be used: {reason}"),
            "use 1 to 80 of A-Z, a-z, 0-9, `.`, `_` and `-`, a letter or digit first",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_bounded() {
        assert_eq!(id_fault("checkout-submit.2"), None);
        for bad in ["", "-a", ".a", "a/b", "a b", "ü", &"a".repeat(81)] {
            assert!(id_fault(bad).is_some(), "{bad}");
        }
    }
}
