//! What each reviewer rated, and where the response says so (CR-86).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One reviewer's rating.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assessment {
    /// A label (CR-87), with the suffix of a substituted pass; or `Main reviewer`.
    pub role: String,
    /// 1 Approve to 5 Block; null when the scope was undecidable (CR-88).
    pub rating: Option<u8>,
    /// The pass's output, with a line or without (CR-89).
    pub evidence: String,
}
