//! `metadata.close_decision`: why closing is advised, and what makes it conclusive (CR-193 to CR-195).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::{
    code_review::{
        codes::{self, Code},
        confidence,
        handoff::CloseEvidence,
        pull_request::PullRequest,
        reading::MAX_TEXT_CHARACTERS,
        violation::Violation,
    },
    text::control_free,
};

/// Why a pull request is closed without a detailed review (CR-194).
pub const CLOSE_CODES: [&str; 8] = [
    "FALSE_GOAL",
    "BREAKING_CONDUCT",
    "WRONG_SCOPE",
    "WRONG_PROVENANCE",
    "DUPLICATE",
    "UNADDRESSED_REVERT",
    "SPAM",
    "ARCHITECTURE_VIOLATION",
];

/// The least confidence of a close decision, in hundredths.
pub const CLOSE_MINIMUM: u8 = 90;

/// The decision; exactly these fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CloseDecision {
    /// 1.
    pub schema_version: u32,
    /// `FALSE_GOAL`, `BREAKING_CONDUCT`, `WRONG_SCOPE`, `WRONG_PROVENANCE`, `DUPLICATE`, `UNADDRESSED_REVERT`, `SPAM` or
    /// `ARCHITECTURE_VIOLATION`.
    pub code: String,
    /// True: nobody but a person closes anything.
    pub advisory_only: bool,
    /// The verified head: full id.
    pub head_sha: String,
    /// One sentence.
    pub summary: String,
    /// Why it follows.
    pub rationale: String,
    /// From 0.90 to 1, with at most two decimals.
    pub confidence: Number,
    /// Two or more, of two sources or more.
    pub evidence: Vec<CloseEvidence>,
    /// One or more: what was looked for against it.
    pub counterevidence_checked: Vec<String>,
}

impl CloseDecision {
    /// The confidence in hundredths; `None` with more decimals.
    pub fn hundredths(&self) -> Option<u8> {
        confidence::hundredths(&self.confidence.to_string())
    }
}

/// Everything that makes a decision inconclusive; `pr` is the collected pull request.
pub fn faults(decision: &CloseDecision, pr: &PullRequest) -> Vec<Violation> {
    let CloseDecision { code, advisory_only, head_sha, evidence, counterevidence_checked, .. } = decision;
    let mut found = Vec::new();
    let mut refuse = |broken: bool, code: &Code, key: &str, message: &str| {
        if broken {
            found.push(Violation::of(code, message).subject(key));
        }
    };
    let texts = [&decision.summary, &decision.rationale].into_iter().chain(counterevidence_checked);
    let texts = texts.chain(evidence.iter().flat_map(|one| [&one.claim, &one.source]));
    let are_lines = texts.clone().all(|text| is_line(text));
    let sources: BTreeSet<&str> = evidence.iter().map(|one| one.source.trim()).collect();
    let low = decision.hundredths().is_none_or(|hundredths| !(CLOSE_MINIMUM..=100).contains(&hundredths));
    let invalid = &codes::CLOSED_REVIEW_DECISION_INVALID;
    refuse(decision.schema_version != 1, invalid, "schema_version", "the decision is of another schema");
    refuse(!are_lines, invalid, "texts", "a text of the decision is blank, has several lines or is too long");
    refuse(!CLOSE_CODES.contains(&code.as_str()), &codes::CLOSED_REVIEW_CODE_INVALID, "code", "the close code is none of the eight");
    refuse(!advisory_only, &codes::CLOSED_REVIEW_NOT_ADVISORY, "advisory_only", "the decision does not say that it is advice alone");
    refuse(*head_sha != pr.head_oid, &codes::CLOSED_REVIEW_HEAD_MISMATCH, "head_sha", "the decision is about another head");
    let distinct = &codes::CLOSED_REVIEW_DISTINCT_EVIDENCE_REQUIRED;
    refuse(evidence.len() < 2 || sources.len() < 2, distinct, "evidence", "fewer than two claims of two sources speak for closing");
    let counter = &codes::CLOSED_REVIEW_COUNTEREVIDENCE_REQUIRED;
    refuse(counterevidence_checked.is_empty(), counter, "counterevidence_checked", "nothing was looked for that speaks against closing");
    refuse(
        low,
        &codes::CLOSED_REVIEW_CONFIDENCE_BELOW_THRESHOLD,
        "confidence",
        "the confidence is below 0.90, or has more than two decimals",
    );
    let fallback = &codes::CLOSED_REVIEW_PUBLIC_FALLBACK_INSUFFICIENT;
    refuse(pr.fallback.is_some(), fallback, "transport", "the pull request was read from its public pages alone");
    found
}

/// One line of text: the notes give each its own paragraph or item.
fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.trim() == text && control_free(text, false) && text.chars().count() <= MAX_TEXT_CHARACTERS
}
