//! Canonical actions: confirmed findings, and project actions that are no source finding (CR-81, CR-85).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::Severity;

/// Findings of one review (CR-201).
pub const MAX_FINDINGS: usize = 500;

/// Evidence texts of one action (CR-201).
pub const MAX_EVIDENCE: usize = 50;

/// A confirmed candidate as the reader of a review sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The candidate's id.
    pub id: String,
    /// The candidate's severity.
    pub severity: Severity,
    /// One line.
    pub title: String,
    /// The mechanism.
    pub summary: String,
    /// One short proposal.
    pub required_change: String,
    /// Not empty, in order.
    pub evidence: Vec<String>,
    /// What shows that it is closed.
    pub closure_evidence: String,
    /// Labels of assessments; not empty, unique.
    pub authors: Vec<String>,
}

/// A project action that is no source finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blocker {
    /// Unique, and no finding's.
    pub id: String,
    /// One line.
    pub title: String,
    /// One short proposal.
    pub required_change: String,
    /// Not empty, in order.
    pub evidence: Vec<String>,
    /// Labels of assessments; not empty, unique.
    pub authors: Vec<String>,
}
