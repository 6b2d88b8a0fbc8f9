use super::ReviewResult;
use crate::diagnostic::Diagnostic;
/// TEMP
pub fn read(bytes: &[u8]) -> Result<ReviewResult, Vec<Diagnostic>> {
    crate::canonical::read_strict(bytes, "result.malformed", "").map_err(|d| vec![*d])
}
