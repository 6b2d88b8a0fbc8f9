//! What comes back from a call, under the name that it has in the contract.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Bytes, Call};
use crate::{
    canonical::present,
    code_review::vocabulary::Attestation,
    plugin::{Artifact, CaseOutcome, Invocation, Outcome, Role, TestCase, Verdict, Verification},
};

/// The answer of one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Of `plan`.
    Invocation(InvocationAnswer),
    /// Of `judge`.
    Verdict(VerdictAnswer),
    /// Of `classify`: each path with its role, or null.
    Roles(BTreeMap<String, Option<Role>>),
    /// Of `render`.
    Artifacts(Vec<ArtifactAnswer>),
    /// Of `verify`.
    Attestation(AttestationAnswer),
    /// Of any call: what the plugin understood and cannot fulfil.
    Failure(FailureAnswer),
}

impl Answer {
    /// Its name in the document.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Invocation(_) => "invocation",
            Self::Verdict(_) => "verdict",
            Self::Roles(_) => "roles",
            Self::Artifacts(_) => "artifacts",
            Self::Attestation(_) => "attestation",
            Self::Failure(_) => "failure",
        }
    }

    /// Whether the call can give such an answer.
    pub(super) fn answers(&self, call: Call) -> bool {
        matches!(
            (self, call),
            (Self::Failure(_), _)
                | (Self::Invocation(_), Call::Plan)
                | (Self::Verdict(_), Call::Judge)
                | (Self::Roles(_), Call::Classify)
                | (Self::Artifacts(_), Call::Render)
                | (Self::Attestation(_), Call::Verify)
        )
    }
}

/// What a runner adds to the suite's command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InvocationAnswer {
    /// Appended to the configured words.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Variables by name.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    /// Files to collect.
    #[serde(default)]
    pub reports: Vec<ReportFileAnswer>,
}

/// A file that a runner wants to see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportFileAnswer {
    /// Relative to the suite's `cwd`.
    pub path: String,
    /// Bytes of it at most.
    pub max_bytes: u32,
}

/// What a run means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerdictAnswer {
    /// The judgement, after the host has turned zero executed cases into `no-tests`.
    pub outcome: Outcome,
    /// Null when only the exit status is known.
    #[serde(default)]
    pub cases: Option<Vec<CaseAnswer>>,
    /// One line.
    pub summary: String,
}

/// A single test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseAnswer {
    /// The same in every run.
    pub name: String,
    /// What it did.
    pub outcome: CaseOutcome,
    /// Why it failed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(transform = crate::schema::shape::without_null)]
    pub message: Option<String>,
    /// Where it is.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(transform = crate::schema::shape::without_null)]
    pub path: Option<String>,
    /// Line in `path`, from 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(transform = crate::schema::shape::without_null)]
    pub line: Option<u32>,
}

/// A file that a renderer made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactAnswer {
    /// Relative path.
    pub name: String,
    /// Media type.
    pub media_type: String,
    /// Its bytes.
    pub content: Bytes,
}

/// What an adapter says of a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttestationAnswer {
    /// Whether it is the harness's.
    pub answer: Attestation,
    /// One line.
    pub reason: String,
}

impl From<Verification> for Answer {
    fn from(verification: Verification) -> Self {
        Self::Attestation(AttestationAnswer { answer: verification.answer, reason: verification.reason })
    }
}

/// A plugin's own failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailureAnswer {
    /// Lower-case words separated by `-`.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What the user does next; may be empty.
    #[serde(default)]
    pub hint: String,
}

impl From<Invocation> for Answer {
    fn from(invocation: Invocation) -> Self {
        Self::Invocation(InvocationAnswer {
            arguments: invocation.arguments,
            variables: invocation.variables.into_iter().collect(),
            reports: invocation.reports.into_iter().map(|(path, max_bytes)| ReportFileAnswer { path, max_bytes }).collect(),
        })
    }
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        let cases = verdict.cases.map(|cases| cases.into_iter().map(CaseAnswer::from).collect());
        Self::Verdict(VerdictAnswer { outcome: verdict.outcome, cases, summary: verdict.summary })
    }
}

impl From<TestCase> for CaseAnswer {
    fn from(case: TestCase) -> Self {
        let TestCase { name, outcome, message, path, line } = case;
        Self { name, outcome, message, path, line }
    }
}

impl From<Vec<Artifact>> for Answer {
    fn from(artifacts: Vec<Artifact>) -> Self {
        let answer =
            |artifact: Artifact| ArtifactAnswer { name: artifact.name, media_type: artifact.media_type, content: Bytes(artifact.content) };
        Self::Artifacts(artifacts.into_iter().map(answer).collect())
    }
}
