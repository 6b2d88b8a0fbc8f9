//! Roles, hunks and source context that a finding can cite (5.3, BR-51).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    canonical::{digest_bytes, digest_json},
    patch::{ChangeStatus, FilePatch},
    plugin::Role,
};

/// Roles, hunks and source context of every governed changed path (5.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinalStateEvidence {
    /// Always 1.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// By path bytes.
    pub paths: Vec<EvidencePath>,
    /// Digest of this object without this field.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sha256: String,
}

/// A changed path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidencePath {
    /// Repository-relative.
    pub path: String,
    /// The part it plays; where base and candidate policy disagree, the one that asks for more review.
    pub role: Role,
    /// What happened.
    pub status: ChangeStatus,
    /// In file order, at least one.
    #[schemars(length(min = 1))]
    pub hunks: Vec<EvidenceHunk>,
}

/// A hunk that a finding can cite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceHunk {
    /// `hunk-` and 16 hex digits of `sha256`.
    #[schemars(regex(pattern = "^hunk-[0-9a-f]{16}$"))]
    pub id: String,
    /// Digest of path and patch: equal on every machine.
    pub sha256: String,
    /// First line in the candidate.
    pub candidate_start: u32,
    /// Lines in the candidate.
    pub candidate_lines: u32,
    /// Header and lines.
    pub patch: String,
    /// The candidate's lines around it.
    pub source_context: SourceContext,
}

/// Candidate lines around a hunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceContext {
    /// False for deleted, binary and over-size files; then the lines are 0 and the content is empty.
    pub available: bool,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The lines.
    pub content: String,
    /// Digest of the content.
    pub sha256: String,
}

impl FinalStateEvidence {
    /// Builds the evidence of these patches; `roles` are in their order.
    pub fn of(patches: &[FilePatch], roles: &[Role]) -> Self {
        let paths = patches.iter().zip(roles).map(|(patch, role)| EvidencePath {
            path: patch.path.clone(),
            role: *role,
            status: patch.status,
            hunks: patch.hunks.iter().map(|hunk| EvidenceHunk::of(&patch.path, hunk)).collect(),
        });
        let mut evidence = Self { version: 1, paths: paths.collect(), sha256: String::new() };
        evidence.sha256 = digest_json(&evidence);
        evidence
    }

    /// The changed path.
    pub fn path(&self, path: &str) -> Option<&EvidencePath> {
        self.paths.iter().find(|evidence| evidence.path == path)
    }
}

impl EvidenceHunk {
    fn of(path: &str, hunk: &crate::patch::PatchHunk) -> Self {
        let sha256 = digest_json(&serde_json::json!({"path": path, "patch": hunk.text}));
        let context = hunk.context.as_ref();
        let content = context.map_or(String::new(), |context| context.content.clone());
        Self {
            id: format!("hunk-{}", &sha256[..16]),
            sha256,
            candidate_start: hunk.candidate_start,
            candidate_lines: hunk.candidate_lines,
            patch: hunk.text.clone(),
            source_context: SourceContext {
                available: context.is_some(),
                start_line: context.map_or(0, |context| context.start_line),
                end_line: context.map_or(0, |context| context.end_line),
                sha256: digest_bytes(content.as_bytes()),
                content,
            },
        }
    }

    /// Lines that a finding may cite (BR-51): the context's; `candidate_start`, at least 1, where there is none.
    pub fn citable_lines(&self) -> std::ops::RangeInclusive<u32> {
        let only = self.candidate_start.max(1);
        match (self.candidate_lines, self.source_context.available) {
            (0, _) | (_, false) => only..=only,
            _ => self.source_context.start_line..=self.source_context.end_line,
        }
    }
}
