//! C: the SDK and the bindings lie inside the project, so that nothing but the compiler decides what comes out.

use code_polishy_core::plugin::PluginKind::{PathRoles, ReportRenderer, SuiteRunner};

use super::TemplateFile;

/// A file of `sdk/c`.
macro_rules! sdk {
    ($path:literal) => {
        include_str!(concat!("../../../../sdk/c/", $path))
    };
}

/// Cases that the examples of every language answer alike.
macro_rules! cases {
    ($path:literal) => {
        include_str!(concat!("../../../../sdk/rust/template/", $path))
    };
}

/// Every file.
pub const FILES: &[TemplateFile] = &[
    TemplateFile::common(".gitignore", sdk!("template/common/gitignore")),
    TemplateFile::common("README.md", sdk!("template/common/README.md")),
    TemplateFile::common("plugin.json", sdk!("template/common/plugin.json.in")),
    TemplateFile::of(SuiteRunner, "plugin.c", sdk!("template/suite-runner/plugin.c")),
    TemplateFile::of(SuiteRunner, "cases/one-fails.json", cases!("suite-runner/cases/one-fails.json")),
    TemplateFile::of(SuiteRunner, "cases/plan.json", cases!("suite-runner/cases/plan.json")),
    TemplateFile::of(PathRoles, "plugin.c", sdk!("template/path-roles/plugin.c")),
    TemplateFile::of(PathRoles, "cases/default.json", cases!("path-roles/cases/default.json")),
    TemplateFile::of(PathRoles, "cases/own-folders.json", cases!("path-roles/cases/own-folders.json")),
    TemplateFile::of(ReportRenderer, "plugin.c", sdk!("template/report-renderer/plugin.c")),
    TemplateFile::of(ReportRenderer, "cases/failed.json", cases!("report-renderer/cases/failed.json")),
    TemplateFile::of(ReportRenderer, "cases/no-report.json", cases!("report-renderer/cases/no-report.json")),
    TemplateFile::common("code_polishy/abort.c", sdk!("abort.c")),
    TemplateFile::common("code_polishy/code_polishy.c", sdk!("code_polishy.c")),
    TemplateFile::common("code_polishy/code_polishy.h", sdk!("code_polishy.h")),
    TemplateFile::common("code_polishy/json.c", sdk!("json.c")),
    TemplateFile::common("code_polishy/json.h", sdk!("json.h")),
    TemplateFile::common("code_polishy/system.c", sdk!("system.c")),
    TemplateFile::of(SuiteRunner, "code_polishy/cp.c", sdk!("suite-runner/cp.c")),
    TemplateFile::of(SuiteRunner, "code_polishy/cp.h", sdk!("suite-runner/cp.h")),
    TemplateFile::of(SuiteRunner, "code_polishy/suite_runner.c", sdk!("suite-runner/suite_runner.c")),
    TemplateFile::of(SuiteRunner, "code_polishy/suite_runner.h", sdk!("suite-runner/suite_runner.h")),
    TemplateFile::of(PathRoles, "code_polishy/cp.c", sdk!("path-roles/cp.c")),
    TemplateFile::of(PathRoles, "code_polishy/cp.h", sdk!("path-roles/cp.h")),
    TemplateFile::of(PathRoles, "code_polishy/path_roles.c", sdk!("path-roles/path_roles.c")),
    TemplateFile::of(PathRoles, "code_polishy/path_roles.h", sdk!("path-roles/path_roles.h")),
    TemplateFile::of(ReportRenderer, "code_polishy/cp.c", sdk!("report-renderer/cp.c")),
    TemplateFile::of(ReportRenderer, "code_polishy/cp.h", sdk!("report-renderer/cp.h")),
    TemplateFile::of(ReportRenderer, "code_polishy/report_renderer.c", sdk!("report-renderer/report_renderer.c")),
    TemplateFile::of(ReportRenderer, "code_polishy/report_renderer.h", sdk!("report-renderer/report_renderer.h")),
];
