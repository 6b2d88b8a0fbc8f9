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
