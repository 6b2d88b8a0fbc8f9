//! The examples that `plugin new` writes, with their own unit tests: they keep the lints and the form of this workspace.
#![allow(missing_docs, reason = "an example needs no more words than its own")]

#[path = "../template/path-roles/src/lib.rs"]
mod path_roles;
#[path = "../template/report-renderer/src/lib.rs"]
mod report_renderer;
#[path = "../template/reviewer-adapter/src/lib.rs"]
mod reviewer_adapter;
#[path = "../template/suite-runner/src/lib.rs"]
mod suite_runner;
