//! Whether the tests ran the reviewed source: from what recorders saw and what lies in the tree to a source proof (CR-143 to CR-148, CR-228).
//!
//! The engine gathers [`ProofFacts`] and keeps them with the recorders' outputs; [`derive`] is the only way to a proof, so that validation
//! comes to the same one.

mod cargo;
mod facts;
mod judge;
mod pytest;
mod reason;

pub use facts::{CargoPackage, CargoTarget, FileFact, KeptRecord, ProofFacts, Seen, facts_file, record_file};
pub use judge::Reviewed;
pub use pytest::{ProcessRecord, ProcessRole, SeenFile, SeenModule, StartedWorker, read_record};
pub use reason::ProofReason;

use super::gates::SourceProof;

/// The paths that the facts have to tell of, as the recorders name them: sorted, each once.
pub fn named_files<'r>(seen: &Seen, record: &dyn Fn(&str) -> Option<&'r [u8]>) -> Vec<String> {
    let mut named = match seen {
        Seen::PytestImport { records, .. } => pytest::named_files(records, record),
        Seen::CargoManifest { root, packages, .. } => cargo::named_files(root, packages),
    };
    named.sort_unstable();
    named.dedup();
    named
}

/// The proof that follows from the facts; `record` gives the bytes of a kept output by its path in the run.
pub fn derive<'r>(facts: &ProofFacts, record: &dyn Fn(&str) -> Option<&'r [u8]>, reviewed: Reviewed<'_>) -> SourceProof {
    let judge = judge::Judge::new(facts, reviewed);
    let found = match &facts.seen {
        Seen::PytestImport { modules, records } => pytest::found(modules, records, record, &judge),
        Seen::CargoManifest { root, packages, tested } => cargo::found(root, packages, tested, &judge),
    };
    found.proof(facts)
}

#[cfg(test)]
mod tests;
