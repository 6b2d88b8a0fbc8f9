//! Confidence as the review states it, in exact hundredths (CR-110 to CR-114).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    gates::{GateStatus, Gates, ProofStatus},
    manifest::{Manifest, PassMode},
    pull_request::PullRequest,
};

/// The most that a review on the fallback transport may claim (CR-44).
pub const FALLBACK_CAP: u8 = 89;

/// How sure the review is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confidence {
    /// 0 to 100.
    pub hundredths: u8,
    /// `confidence_recovery.initial_confidence`, 0 to 100.
    pub initial: u8,
    /// The declared gaps, in order.
    pub gaps: Vec<String>,
    /// One per gap, in the order of the gaps.
    pub closures: Vec<Closure>,
    /// The declared band.
    pub band: Band,
    /// `confidence_recovery.evidence`.
    pub evidence: Vec<String>,
    /// `confidence_recovery.recovery_actions`.
    pub recovery_actions: Vec<String>,
    /// `confidence_recovery.remaining_limits`.
    pub remaining_limits: Vec<String>,
}

/// What became of a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closure {
    /// The gap's text.
    pub gap: String,
    /// What became of it.
    pub status: ClosureStatus,
    /// `evidence` of a closed gap, `rationale` of another; begins with its deduction.
    pub text: String,
}

/// What became of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClosureStatus {
    /// Settled; deducts nothing.
    Closed,
    /// Could not be settled.
    Unresolved,
    /// Left for later.
    Deferred,
}

impl ClosureStatus {
    /// Its words.
    pub const WORDS: &'static [(&'static str, Self)] =
        &[("closed", Self::Closed), ("unresolved", Self::Unresolved), ("deferred", Self::Deferred)];

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Unresolved => "unresolved",
            Self::Deferred => "deferred",
        }
    }
}

/// The band of a score (CR-111).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Band {
    /// Up to 0.80.
    NotAcceptableFailed,
    /// 0.81 to 0.84.
    VeryQuestionable,
    /// 0.85 to 0.89.
    CautiousLow,
    /// From 0.90.
    Fair,
}

impl Band {
    /// Its words.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("not-acceptable-failed", Self::NotAcceptableFailed),
        ("very-questionable", Self::VeryQuestionable),
        ("cautious-low", Self::CautiousLow),
        ("fair", Self::Fair),
    ];

    /// The band of a score in hundredths.
    pub fn of(hundredths: u8) -> Self {
        match hundredths {
            0..=80 => Self::NotAcceptableFailed,
            81..=84 => Self::VeryQuestionable,
            85..=89 => Self::CautiousLow,
            _ => Self::Fair,
        }
    }

    /// The word.
    pub fn as_str(self) -> &'static str {
        Self::WORDS.iter().find(|(_, band)| *band == self).map_or("fair", |(word, _)| word)
    }

    /// The entry of `checks_failed` that the band asks for; the status is then not `pass`.
    pub fn failed_check(self) -> Option<&'static str> {
        match self {
            Self::NotAcceptableFailed => Some("confidence-not-acceptable"),
            Self::VeryQuestionable => Some("confidence-very-questionable"),
            Self::CautiousLow | Self::Fair => None,
        }
    }
}

/// A score as it is written, in hundredths: 0 to 1 with at most two decimals, without sign and exponent.
pub fn hundredths(number: &str) -> Option<u8> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() != 1 || decimals.len() > 2 || !digits(whole) || !digits(decimals) {
        return None;
    }
    let value: u16 = format!("{whole}{decimals:0<2}").parse().ok()?;
    u8::try_from(value).ok().filter(|value| *value <= 100)
}

/// A score in hundredths as people read it: `0.86`.
pub fn score(hundredths: u8) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// The deduction that a closure text or a limit begins with, in hundredths: `(-0.04) …` (CR-113).
pub fn deduction(text: &str) -> Option<u8> {
    let (number, _) = text.strip_prefix("(-")?.split_once(')')?;
    let exact = number.len() == 4 && number.starts_with("0.");
    exact.then(|| hundredths(number)).flatten()
}

/// The gap of a review whose threads could not be read (CR-114).
pub const THREADS_GAP: &str = "PR review-thread resolution status was unavailable; online review triage may be incomplete.";

/// The gap of a tests gate that passed without source proof (CR-114).
pub const NO_PROOF_GAP: &str = "Tests gate passed without source proof.";

/// The gap of a run whose independence requirement was waived (CR-63).
pub const WAIVER_GAP: &str = "Independent review waived for the revised scope.";

/// The gap of the fallback transport (CR-114).
pub fn fallback_gap(unavailable: &[String]) -> String {
    format!("Public HTTPS PR metadata fallback omitted evidence: {}.", unavailable.join(", "))
}

/// The gap of a pass that the parent did itself (CR-114).
pub fn substitute_gap(label: &str) -> String {
    format!("Specialist pass substituted by the parent: {label}.")
}

/// Every gap that the facts demand, in exactly these words; none of them is ever `closed` (CR-114, CR-226).
pub fn canonical_gaps(pull_request: Option<&PullRequest>, manifest: Option<&Manifest>, gates: Option<&Gates>) -> Vec<String> {
    let mut gaps = Vec::new();
    if let Some(pull_request) = pull_request {
        gaps.extend(pull_request.threads_unavailable.then(|| THREADS_GAP.to_owned()));
        gaps.extend(pull_request.fallback.as_deref().map(fallback_gap));
    }
    let passes = manifest.into_iter().flat_map(|manifest| &manifest.passes);
    gaps.extend(passes.filter(|pass| pass.mode == PassMode::Substituted).map(|pass| substitute_gap(&pass.role.label())));
    gaps.extend(gates.is_some_and(tests_lack_proof).then(|| NO_PROOF_GAP.to_owned()));
    let changed = gates.into_iter().flat_map(|gates| &gates.checks).filter(|check| check.changed_command().is_some());
    gaps.extend(changed.map(|check| changed_gap(&check.id)));
    gaps
}

/// The gap of a gate whose failure another command replaced (CR-227).
pub fn changed_gap(gate: &str) -> String {
    format!("The command of the {gate} gate was changed after a failure.")
}

fn tests_lack_proof(gates: &Gates) -> bool {
    let proven = |status: ProofStatus| status == ProofStatus::Pass;
    let tests = gates.checks.iter().find(|check| check.id == "tests");
    tests.is_some_and(|check| {
        check.gate_status == GateStatus::Pass && !check.source_proof.as_ref().is_some_and(|proof| proven(proof.status))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_exact() {
        let read = ["0", "1", "0.9", "0.90", "1.00", "0.05", "0.86"].map(hundredths);
        assert_eq!(read, [Some(0), Some(100), Some(90), Some(90), Some(100), Some(5), Some(86)]);
        for wrong in ["0.857", "1.01", "2", "-0.5", "9e-1", ".5", "0.5e0", "00.5", "", "1.1"] {
            assert_eq!(hundredths(wrong), None, "{wrong}");
        }
        assert_eq!((score(100), score(86), score(5)), ("1.00".to_owned(), "0.86".to_owned(), "0.05".to_owned()));
    }

    #[test]
    fn bands_meet_without_a_gap() {
        let bands = [80, 81, 84, 85, 89, 90].map(|score| Band::of(score).as_str());
        assert_eq!(bands, ["not-acceptable-failed", "very-questionable", "very-questionable", "cautious-low", "cautious-low", "fair"]);
    }

    #[test]
    fn a_deduction_stands_first_and_has_two_decimals() {
        assert_eq!((deduction("(-0.04) No staging."), deduction("(-0.00) Replayed.")), (Some(4), Some(0)));
        for wrong in ["(-0.4) x", " (-0.04) x", "(0.04) x", "(-1.00) x", "(-0.041) x", "-0.04 x", "(-0.04"] {
            assert_eq!(deduction(wrong), None, "{wrong}");
        }
    }
}
