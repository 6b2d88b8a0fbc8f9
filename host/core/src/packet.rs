//! The one file that the isolated reviewer reads, and its marker (contract 5).

mod evidence;
mod intents;

pub use evidence::{EvidenceHunk, EvidencePath, FinalStateEvidence, SourceContext};
pub use intents::{EntryFacts, PacketIntent, Position, positioned};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    canonical::{artifact_bytes, derived_id, digest_bytes, digest_json, nullable, read_strict},
    diagnostic::{Diagnostic, Failure},
    journal::{MAX_INTENT_BYTES, MAX_RECORDS, Requirement},
    patch::FilePatch,
    plugin::Role,
    policy::model::RedKind,
    selection::{Selection, decision_sha256, requirement_sha256},
};

/// The only version that is read and written.
pub const VERSION: u32 = 4;
/// Bytes of a packet (BR-43), and of any artifact that is read.
pub const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// Bytes of a design document.
pub const MAX_DOCUMENT_BYTES: u64 = 256 * 1024;
/// The folder of all review artifacts, repository-relative.
pub const FOLDER: &str = ".code-polishy-reports/behavior-review";
/// Where the caller puts the reviewer's result.
pub const RESULT_PATH: &str = ".code-polishy-reports/behavior-review/result.json";
/// Where proofs are recorded.
pub const PROOF_DIRECTORY: &str = ".code-polishy-reports/behavior-review/proofs";
/// The built-in reviewer instructions (5.5); their first line carries their version.
pub const INSTRUCTIONS: &str = include_str!("packet/instructions.md");

/// The file `packet.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Packet {
    /// Always 4.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// `review-` and 32 hex digits, derived from everything else.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub review_id: String,
    /// The reviewed merge base.
    pub base: String,
    /// The reviewed commit.
    pub candidate: String,
    /// Why a refused review is followed by another, in one line; null for the first.
    #[serde(deserialize_with = "nullable")]
    #[schemars(length(min = 1, max = 1024))]
    pub follow_up: Option<String>,
    /// Every captured request, oldest first.
    #[schemars(length(min = 1, max = MAX_RECORDS))]
    pub intents: Vec<PacketIntent>,
    /// Digest of `intents`.
    pub intent_sha256: String,
    /// Every requirement, oldest first.
    #[schemars(length(max = MAX_RECORDS))]
    pub task_requirements: Vec<Requirement>,
    /// Digest of `task_requirements`.
    pub requirement_sha256: String,
    /// What the review must cover.
    pub selection: Selection,
    /// Digest of `selection` without its boundary.
    pub selection_sha256: String,
    /// Digest of selection and requirements.
    pub decision_sha256: String,
    /// The canonical patch.
    pub patch: String,
    /// Digest of its bytes.
    pub patch_sha256: String,
    /// Roles, hunks and source context of every changed path.
    pub final_state_evidence: FinalStateEvidence,
    /// Documents that explain changed paths, by path.
    pub design_documents: Vec<DesignDocument>,
    /// Kinds of red that proofs may have.
    #[schemars(extend("uniqueItems" = true))]
    pub allowed_red_kinds: Vec<RedKind>,
    /// What the reviewer does.
    #[schemars(length(max = MAX_INTENT_BYTES))]
    pub instructions: String,
    /// Digest of its bytes.
    pub instructions_sha256: String,
    /// JSON Schema of the result.
    #[schemars(extend("type" = "object"))]
    pub result_schema: serde_json::Value,
    /// Where the caller saves the result, repository-relative.
    #[schemars(extend("const" = RESULT_PATH))]
    pub result_path: String,
    /// Where proofs are recorded, repository-relative.
    #[schemars(extend("const" = PROOF_DIRECTORY))]
    pub proof_directory: String,
}

/// A document that explains changed paths (3.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DesignDocument {
    /// Repository-relative.
    pub path: String,
    /// At the candidate; the base's, after a line that says so, when the candidate has deleted it.
    pub content: String,
    /// Digest of the content.
    pub sha256: String,
}

/// Everything that a packet is made from.
#[derive(Clone, Debug)]
pub struct PacketFacts {
    /// The merge base.
    pub base: String,
    /// The commit under review.
    pub candidate: String,
    /// Why another review follows a refused one.
    pub follow_up: Option<String>,
    /// From [`positioned`].
    pub intents: Vec<PacketIntent>,
    /// Every requirement of the journal.
    pub requirements: Vec<Requirement>,
    /// From [`crate::selection::select`].
    pub selection: Selection,
    /// The canonical patch, by path.
    pub patches: Vec<FilePatch>,
    /// The role of each patch's path.
    pub roles: Vec<Role>,
    /// By path.
    pub documents: Vec<DesignDocument>,
    /// Allowed by base and candidate policy.
    pub allowed_red_kinds: Vec<RedKind>,
    /// The organisation's instructions; `None` for the built-in ones.
    pub instructions: Option<String>,
    /// From [`crate::schema::result`].
    pub result_schema: serde_json::Value,
}

impl Packet {
    /// Builds the packet. Equal facts give equal bytes (BR-42).
    pub fn build(facts: PacketFacts) -> Self {
        let patch: String = facts.patches.iter().map(|patch| patch.text.as_str()).collect();
        let instructions = facts.instructions.unwrap_or_else(|| INSTRUCTIONS.to_owned());
        let requirement_sha256 = requirement_sha256(&facts.requirements);
        let selection_sha256 = facts.selection.sha256();
        let mut packet = Self {
            version: VERSION,
            review_id: String::new(),
            base: facts.base,
            candidate: facts.candidate,
            follow_up: facts.follow_up,
            intent_sha256: digest_json(&facts.intents),
            intents: facts.intents,
            task_requirements: facts.requirements,
            decision_sha256: decision_sha256(&selection_sha256, &requirement_sha256),
            requirement_sha256,
            selection: facts.selection,
            selection_sha256,
            patch_sha256: digest_bytes(patch.as_bytes()),
            patch,
            final_state_evidence: FinalStateEvidence::of(&facts.patches, &facts.roles),
            design_documents: facts.documents,
            allowed_red_kinds: facts.allowed_red_kinds,
            instructions_sha256: digest_bytes(instructions.as_bytes()),
            instructions,
            result_schema: facts.result_schema,
            result_path: RESULT_PATH.to_owned(),
            proof_directory: PROOF_DIRECTORY.to_owned(),
        };
        packet.review_id = derived_id("review", &digest_json(&packet));
        packet
    }

    /// Reads a packet strictly.
    pub fn read(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        read_strict(bytes, "packet.malformed", PREPARE_AGAIN)
    }

    /// The file's bytes; over 8 MiB it is refused with its largest contributors (BR-43).
    pub fn to_bytes(&self) -> Result<Vec<u8>, Failure> {
        let bytes = artifact_bytes(self);
        if bytes.len() as u64 <= MAX_BYTES {
            return Ok(bytes);
        }
        Err(Failure::blocked(
            "packet.too-large",
            format!("the packet would be {} bytes, over its limit of {MAX_BYTES}; the largest parts are {}", bytes.len(), self.largest()),
            "split the change, or exclude generated files with `scope.exclude` at the base and the candidate",
        ))
    }

    fn largest(&self) -> String {
        let evidence_size =
            |path: &EvidencePath| -> usize { path.hunks.iter().map(|hunk| 2 * hunk.patch.len() + hunk.source_context.content.len()).sum() };
        let mut parts: Vec<(usize, &str)> =
            self.final_state_evidence.paths.iter().map(|path| (evidence_size(path), path.path.as_str())).collect();
        parts.extend(self.design_documents.iter().map(|document| (document.content.len(), document.path.as_str())));
        parts.sort_by(|one, two| two.0.cmp(&one.0).then(one.1.cmp(two.1)));
        let shown = parts.iter().take(5).map(|(size, path)| format!("{} ({size} bytes)", crate::text::escape_line(path)));
        shown.collect::<Vec<_>>().join(", ")
    }
}

/// The file `prepare.json`: which packet is the current one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// Always 4.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// The packet's review.
    pub review_id: String,
    /// The packet's base.
    pub base: String,
    /// The packet's candidate.
    pub candidate: String,
    /// The packet's selection.
    pub selection_sha256: String,
    /// The packet's requirements.
    pub requirement_sha256: String,
    /// The packet's decision.
    pub decision_sha256: String,
    /// Digest of the packet file's bytes.
    pub packet_sha256: String,
}

impl Marker {
    /// The marker of a packet with these bytes.
    pub fn of(packet: &Packet, bytes: &[u8]) -> Self {
        Self {
            version: VERSION,
            review_id: packet.review_id.clone(),
            base: packet.base.clone(),
            candidate: packet.candidate.clone(),
            selection_sha256: packet.selection_sha256.clone(),
            requirement_sha256: packet.requirement_sha256.clone(),
            decision_sha256: packet.decision_sha256.clone(),
            packet_sha256: digest_bytes(bytes),
        }
    }

    /// Reads a marker strictly.
    pub fn read(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        read_strict(bytes, "marker.malformed", PREPARE_AGAIN)
    }
}

/// What mends a stale or edited packet.
pub const PREPARE_AGAIN: &str = "run `code-polishy behavior-review prepare` again";

/// What differs between the stored packet and the one derived again (BR-46); empty when nothing does.
pub fn differences(stored: &Packet, derived: &Packet) -> Vec<&'static str> {
    let checks: [(&'static str, bool); 12] = [
        ("base or candidate", stored.base == derived.base && stored.candidate == derived.candidate),
        ("intents", stored.intents == derived.intents && stored.intent_sha256 == derived.intent_sha256),
        ("requirements", stored.task_requirements == derived.task_requirements && stored.requirement_sha256 == derived.requirement_sha256),
        ("selection", stored.selection == derived.selection && stored.selection_sha256 == derived.selection_sha256),
        ("decision", stored.decision_sha256 == derived.decision_sha256),
        ("patch", stored.patch == derived.patch && stored.patch_sha256 == derived.patch_sha256),
        ("final-state evidence", stored.final_state_evidence == derived.final_state_evidence),
        ("design documents", stored.design_documents == derived.design_documents),
        ("allowed red kinds", stored.allowed_red_kinds == derived.allowed_red_kinds),
        ("instructions", stored.instructions == derived.instructions && stored.instructions_sha256 == derived.instructions_sha256),
        ("result schema", stored.result_schema == derived.result_schema),
        ("identity", stored == derived),
    ];
    let mut parts: Vec<&'static str> = checks.into_iter().filter(|(_, equal)| !equal).map(|(part, _)| part).collect();
    if parts.len() > 1 {
        parts.retain(|part| *part != "identity");
    }
    parts
}
