//! Rust: the SDK and the contract lie inside the project, because a crate outside its workspace would get an identity, and with it
//! bytes, that depend on the checkout's folder.

use code_polishy_core::plugin::PluginKind::{PathRoles, ReportRenderer, ReviewerAdapter, SuiteRunner};

use super::TemplateFile;

/// A file of `sdk/rust/template`.
macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../../../sdk/rust/template/", $path))
    };
}

/// A file that goes where it is in this repository.
macro_rules! copied {
    ($path:literal) => {
        TemplateFile::common($path, include_str!(concat!("../../../../", $path)))
    };
}

/// Every file.
pub const FILES: &[TemplateFile] = &[
    TemplateFile::common(".gitignore", template!("common/gitignore")),
    TemplateFile::common("Cargo.toml", template!("common/Cargo.toml.in")),
    TemplateFile::common("README.md", template!("common/README.md")),
    TemplateFile::of(SuiteRunner, "src/lib.rs", template!("suite-runner/src/lib.rs")),
    TemplateFile::of(SuiteRunner, "cases/one-fails.json", template!("suite-runner/cases/one-fails.json")),
    TemplateFile::of(SuiteRunner, "cases/plan.json", template!("suite-runner/cases/plan.json")),
    TemplateFile::of(PathRoles, "src/lib.rs", template!("path-roles/src/lib.rs")),
    TemplateFile::of(PathRoles, "cases/default.json", template!("path-roles/cases/default.json")),
    TemplateFile::of(PathRoles, "cases/own-folders.json", template!("path-roles/cases/own-folders.json")),
    TemplateFile::of(ReportRenderer, "src/lib.rs", template!("report-renderer/src/lib.rs")),
    TemplateFile::of(ReportRenderer, "cases/failed.json", template!("report-renderer/cases/failed.json")),
    TemplateFile::of(ReportRenderer, "cases/no-report.json", template!("report-renderer/cases/no-report.json")),
    TemplateFile::of(ReviewerAdapter, "src/lib.rs", template!("reviewer-adapter/src/lib.rs")),
    TemplateFile::of(ReviewerAdapter, "cases/another-event.json", template!("reviewer-adapter/cases/another-event.json")),
    TemplateFile::of(ReviewerAdapter, "cases/fits.json", template!("reviewer-adapter/cases/fits.json")),
    copied!("sdk/rust/Cargo.toml"),
    copied!("sdk/rust/README.md"),
    copied!("sdk/rust/src/bindings.rs"),
    copied!("sdk/rust/src/export.rs"),
    copied!("sdk/rust/src/failure.rs"),
    copied!("sdk/rust/src/lib.rs"),
    copied!("sdk/rust/src/log.rs"),
    copied!("sdk/rust/src/options.rs"),
    copied!("sdk/rust/src/path_roles.rs"),
    copied!("sdk/rust/src/report_renderer.rs"),
    copied!("sdk/rust/src/reviewer_adapter.rs"),
    copied!("sdk/rust/src/suite_runner.rs"),
    copied!("wit/path-roles.wit"),
    copied!("wit/report-renderer.wit"),
    copied!("wit/reviewer-adapter.wit"),
    copied!("wit/suite-runner.wit"),
    copied!("wit/types.wit"),
    copied!("wit/worlds.wit"),
];
