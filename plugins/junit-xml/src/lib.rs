//! What suite runners share that read JUnit XML. It is no plugin.
//!
//! There is no standard. What the tools agree on is read: suites in suites, cases in suites, and in a case what went wrong or why
//! it did not run. A document that ends early gives the cases that ended before it.

mod case;
mod encoding;
mod reader;
mod xml;

pub use case::Case;
pub use encoding::decode;
pub use reader::{Ending, Report, read};

/// Cases that the contract takes in one answer.
pub const MAX_CASES: usize = 200_000;

/// Bytes of names that fit into an answer beside the rest.
pub const MAX_NAME_BYTES: usize = 24 << 20;

/// Failed cases that are told with reason and place; finding those is what costs most.
pub const MAX_REASONS: usize = 5_000;
