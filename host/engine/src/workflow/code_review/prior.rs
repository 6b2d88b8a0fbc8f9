//! What remediations of earlier runs of the same pull request settled (CR-47, CR-218).

use code_polishy_core::{
    code_review::prior::{LEDGER_FILE, Ledger, PriorRecord, merge},
    diagnostic::Failure,
};

use super::run::{RESULT_FILE, Run};

/// What the ledgers of all earlier runs give now; `None` when none of them has one.
///
/// # Errors
/// Exit 3.
pub(super) fn resolutions(run: &Run) -> Result<Option<PriorRecord>, Failure> {
    let mut found = Vec::new();
    for earlier in run.earlier()? {
        if let Some(lines) = earlier.read(LEDGER_FILE)? {
            found.push((earlier.name().to_owned(), lines, earlier.read(RESULT_FILE)?));
        }
    }
    let ledgers: Vec<Ledger<'_>> = found.iter().map(|(run, lines, result)| Ledger { run, lines, result: result.as_deref() }).collect();
    Ok(merge(&ledgers))
}
