//! The accepted review, bound to packet, result and proofs (contract 8.1, BR-65).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    canonical::read_strict,
    diagnostic::Diagnostic,
    policy::model::RedKind,
    selection::{SelectedFeature, Selection},
};

/// The only version that is read and written.
pub const VERSION: u32 = 4;

/// The file `receipt.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// Always 4.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// The packet's review.
    pub review_id: String,
    /// The packet's base.
    pub base: String,
    /// The packet's candidate.
    pub candidate: String,
    /// Digest of the packet's intents.
    pub intent_sha256: String,
    /// What the review had to cover.
    pub selection: Selection,
    /// Digest of the selection without its boundary.
    pub selection_sha256: String,
    /// Digest of the applying requirements.
    pub requirement_sha256: String,
    /// Digest of selection and requirements.
    pub decision_sha256: String,
    /// Digest of `packet.json`.
    pub packet_sha256: String,
    /// Digest of `prepare.json`.
    pub prepare_sha256: String,
    /// Digest of `review.json`.
    pub review_sha256: String,
    /// Every cited proof, by id.
    pub proofs: Vec<ProofReference>,
}

/// A cited proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProofReference {
    /// The proof's id.
    #[schemars(regex(pattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"))]
    pub id: String,
    /// Digest of its record's bytes.
    pub sha256: String,
    /// How its red came to be red.
    pub red_kind: RedKind,
    /// Cases that turned green; empty: the red is known by exit status only.
    pub flipped_cases: Vec<String>,
}

impl Receipt {
    /// Reads a receipt strictly.
    pub fn read(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let next = "run `code-polishy behavior-review finalize` again";
        let receipt: Self = read_strict(bytes, "receipt.malformed", next)?;
        if receipt.version != VERSION {
            let message = format!("version {} is not {VERSION}", receipt.version);
            return Err(Box::new(Diagnostic::new("receipt.version", message, next).at_pointer("/version")));
        }
        Ok(receipt)
    }
}

/// What of a gate's selection the receipt does not cover; empty when it covers all (BR-65).
///
/// A feature is covered by its equal merged definition, whose level may be stronger; reasons may differ between boundaries.
pub fn uncovered(receipt: &Selection, gate: &Selection) -> Vec<String> {
    let mut missing = Vec::new();
    if gate.full_candidate && !receipt.full_candidate {
        missing.push("all changes".to_owned());
    }
    for wanted in &gate.features {
        let covered = receipt.features.iter().any(|have| same_definition(have, wanted) && have.required_at >= wanted.required_at);
        if !covered {
            missing.push(wanted.name.clone());
        }
    }
    missing
}

fn same_definition(one: &SelectedFeature, two: &SelectedFeature) -> bool {
    one.name == two.name
        && one.description == two.description
        && one.modules == two.modules
        && one.paths == two.paths
        && one.suites == two.suites
}
