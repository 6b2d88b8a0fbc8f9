//! Code review: from the frozen run directory to the verdict (`CR-n`).

pub mod assessment;
pub mod blocked;
pub mod candidate;
mod check;
pub mod codes;
pub mod completion;
pub mod confidence;
pub mod config;
pub mod context;
pub mod decision;
pub mod discard;
pub mod draft;
pub mod events;
pub mod evidence;
pub mod finalize;
pub mod finder;
pub mod finding;
pub mod finding_evidence;
#[cfg(test)]
mod fixture;
pub mod gates;
pub mod handoff;
pub mod image;
pub mod manifest;
#[cfg(test)]
mod mutation;
pub mod next_action;
pub mod notes;
pub mod outline;
pub mod prior;
pub mod pull_request;
mod reading;
pub mod response;
pub mod result;
pub mod routing;
pub mod run;
pub mod run_manifest;
pub mod snapshot;
pub mod source_finding;
pub mod source_proof;
pub mod step;
pub mod t0;
pub mod terminal;
pub mod triage;
pub mod validation;
pub mod violation;
pub mod vocabulary;
