//! Python: the SDK's package lies inside the project, which needs nothing from PyPI but the builder.

use code_polishy_core::plugin::PluginKind::{PathRoles, ReportRenderer, SuiteRunner};

use super::TemplateFile;

/// A file of `sdk/python/template`.
macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../../../sdk/python/template/", $path))
    };
}

/// A module of the SDK.
macro_rules! sdk {
    ($path:literal) => {
        TemplateFile::common(concat!("code_polishy/", $path), include_str!(concat!("../../../../sdk/python/code_polishy/", $path)))
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
    TemplateFile::common("pyproject.toml", template!("common/pyproject.toml.in")),
    TemplateFile::common("requirements.txt", template!("common/requirements.txt")),
    TemplateFile::of(SuiteRunner, "README.md", template!("common/README.md")),
    TemplateFile::of(SuiteRunner, "plugin.py", template!("suite-runner/plugin.py")),
    TemplateFile::of(SuiteRunner, "test_plugin.py", template!("suite-runner/test_plugin.py")),
    case!(SuiteRunner, "suite-runner", "one-fails.json"),
    case!(SuiteRunner, "suite-runner", "plan.json"),
    TemplateFile::of(PathRoles, "README.md", template!("path-roles/README.md")),
    TemplateFile::of(PathRoles, "plugin.py", template!("path-roles/plugin.py")),
    TemplateFile::of(PathRoles, "test_plugin.py", template!("path-roles/test_plugin.py")),
    case!(PathRoles, "path-roles", "default.json"),
    case!(PathRoles, "path-roles", "own-folders.json"),
    TemplateFile::of(ReportRenderer, "README.md", template!("common/README.md")),
    TemplateFile::of(ReportRenderer, "plugin.py", template!("report-renderer/plugin.py")),
    TemplateFile::of(ReportRenderer, "test_plugin.py", template!("report-renderer/test_plugin.py")),
    case!(ReportRenderer, "report-renderer", "failed.json"),
    case!(ReportRenderer, "report-renderer", "no-report.json"),
    sdk!("__init__.py"),
    sdk!("component.py"),
    sdk!("export_path_roles.py"),
    sdk!("export_report_renderer.py"),
    sdk!("export_suite_runner.py"),
    sdk!("failure.py"),
    sdk!("guard.py"),
    sdk!("log.py"),
    sdk!("options.py"),
    sdk!("path_roles.py"),
    sdk!("report_renderer.py"),
    sdk!("suite_runner.py"),
    sdk!("system.py"),
];
