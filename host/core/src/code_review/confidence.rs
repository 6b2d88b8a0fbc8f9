//! Confidence as the review states it (CR-110 to CR-113).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How sure the review is, in exact hundredths.
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
