//! The commands: each gathers facts, asks the core, and writes.

pub mod capture;
pub mod change;
pub mod classifiers;
pub mod cleanup;
pub mod code_review;
pub mod derive;
pub mod documents;
pub mod finalize;
pub mod gate;
pub mod guard;
pub mod init;
pub mod levels;
pub mod policies;
pub mod prepare;
pub mod proofs;
pub mod prove;
pub mod require;
pub mod roles;
pub mod standing;
pub mod status;
pub mod suite;
pub mod tests;
pub mod working;
