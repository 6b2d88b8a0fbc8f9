//! A reviewer's retained response (CR-68, CR-69).

mod read;

use super::vocabulary::{Readiness, Severity};

pub use read::{Fault, FaultKind, MAX_RESPONSE_BYTES, assessment, json, text};

/// What a response says, whichever of its two forms it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The rating and why.
    pub assessment: StatedAssessment,
    /// Paths that the reviewer says were inspected.
    pub inspected_paths: Vec<String>,
    /// 0 to 100.
    pub confidence: u8,
    /// What the confidence is about.
    pub confidence_scope: String,
    /// What it lacks.
    pub confidence_gaps: Vec<String>,
    /// The reviewer's findings; immutable (CR-92).
    pub findings: Vec<Original>,
}

/// The assessment that a response states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedAssessment {
    /// 1 to 5, or none.
    pub rating: Option<u8>,
    /// Of the reviewer's scope.
    pub readiness: Readiness,
    /// Why.
    pub rationale: String,
}

/// A finding as a reviewer wrote it (CR-70).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    /// Unique in the response.
    pub id: String,
    /// The reviewer's.
    pub severity: Severity,
    /// One line.
    pub title: String,
    /// The mechanism.
    pub summary: String,
    /// One proposal.
    pub required_change: String,
    /// What shows that it is closed.
    pub closure_evidence: String,
    /// Where.
    pub evidence: Vec<Cited>,
    /// The record as JSON, as it stands in the response.
    pub json: serde_json::Value,
}

/// Lines that a reviewer cites.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cited {
    /// In the base tree instead of the reviewed one (CR-221).
    pub base: bool,
    /// Repository-relative.
    pub path: String,
    /// From 1.
    pub start_line: u32,
    /// Not before the start.
    pub end_line: u32,
    /// Digest of the file.
    pub source_sha256: String,
}
