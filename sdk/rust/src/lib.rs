#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

#[doc(hidden)]
#[allow(missing_docs, unsafe_code)]
pub mod bindings;
#[doc(hidden)]
pub mod export;
mod failure;
pub mod log;
pub mod options;
pub mod path_roles;
pub mod report_renderer;
pub mod reviewer_adapter;
pub mod suite_runner;

pub use bindings::shared::code_polishy::plugin::types::Failure;
pub use options::NoOptions;
pub use path_roles::PathRoles;
pub use report_renderer::ReportRenderer;
pub use reviewer_adapter::ReviewerAdapter;
pub use suite_runner::SuiteRunner;

/// For options types: `#[derive(serde::Deserialize)]` with `#[serde(crate = "code_polishy_sdk::serde")]`.
pub use serde;
/// For plugins that read or write JSON; its maps are ordered.
pub use serde_json;
