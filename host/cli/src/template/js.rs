//! JavaScript: the SDK's modules lie inside the project, which needs nothing from npm but the builder.

use code_polishy_core::plugin::PluginKind::{PathRoles, ReportRenderer, SuiteRunner};

use super::TemplateFile;

/// A file of `sdk/js/template`.
macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../../../sdk/js/template/", $path))
    };
}

/// A module of the SDK.
macro_rules! sdk {
    ($path:literal) => {
        TemplateFile::common(concat!("code-polishy/", $path), include_str!(concat!("../../../../sdk/js/code-polishy/", $path)))
    };
}

/// A case that plugins of every language answer alike.
macro_rules! case {
    ($kind:ident, $folder:literal, $name:literal) => {
        TemplateFile::of(
            $kind,
            concat!("cases/", $name),
            include_str!(concat!("../../../../sdk/rust/template/", $folder, "/cases/", $name)),
        )
    };
}

/// Every file.
pub const FILES: &[TemplateFile] = &[
    TemplateFile::common(".gitignore", template!("common/gitignore")),
    TemplateFile::common("package.json", template!("common/package.json.in")),
    TemplateFile::of(SuiteRunner, "README.md", template!("common/README.md")),
    TemplateFile::of(SuiteRunner, "plugin.js", template!("suite-runner/plugin.js")),
    TemplateFile::of(SuiteRunner, "plugin.test.js", template!("suite-runner/plugin.test.js")),
    case!(SuiteRunner, "suite-runner", "one-fails.json"),
    case!(SuiteRunner, "suite-runner", "plan.json"),
    TemplateFile::of(PathRoles, "README.md", template!("path-roles/README.md")),
    TemplateFile::of(PathRoles, "plugin.js", template!("path-roles/plugin.js")),
    TemplateFile::of(PathRoles, "plugin.test.js", template!("path-roles/plugin.test.js")),
    case!(PathRoles, "path-roles", "default.json"),
    case!(PathRoles, "path-roles", "own-folders.json"),
    TemplateFile::of(ReportRenderer, "README.md", template!("common/README.md")),
    TemplateFile::of(ReportRenderer, "plugin.js", template!("report-renderer/plugin.js")),
    TemplateFile::of(ReportRenderer, "plugin.test.js", template!("report-renderer/plugin.test.js")),
    case!(ReportRenderer, "report-renderer", "failed.json"),
    case!(ReportRenderer, "report-renderer", "no-report.json"),
    sdk!("answer.js"),
    sdk!("component.js"),
    sdk!("failure.js"),
    sdk!("index.js"),
    sdk!("log.js"),
    sdk!("options.js"),
    sdk!("plugin.js"),
    sdk!("stream.js"),
    sdk!("system.js"),
    sdk!("testing.js"),
    sdk!("types.js"),
    sdk!("utf8.js"),
];
