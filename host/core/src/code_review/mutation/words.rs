//! What the parts of a generated review call the same things.

/// Where its result lies.
pub(super) const RESULT_FILE: &str = "result.candidate.json";
/// The other file of the change, inspected by everybody.
pub(super) const OTHER: &str = "src/b.rs";

/// The id of a claim.
pub(super) fn claim_id(number: usize) -> String {
    format!("F-{}", number + 1)
}
