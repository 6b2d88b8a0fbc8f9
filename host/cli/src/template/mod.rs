//! What `plugin new` writes: one table of files a language, real files of `sdk/` and `wit/` inside the program.

mod c;
mod js;
mod python;
mod rust;

use code_polishy_core::plugin::PluginKind;

use crate::arguments::plugin::Language;

/// A file of a new project.
#[derive(Debug)]
pub struct TemplateFile {
    /// The kind of plugin that has it; `None` for every kind.
    pub kind: Option<PluginKind>,
    /// Where it goes: relative to the project, `/`.
    pub path: &'static str,
    /// Its text. `{{name}}`, `{{identifier}}`, `{{summary}}` and `{{kind}}` are replaced, as [`Project`] says.
    pub text: &'static str,
}

impl TemplateFile {
    /// A file of every kind.
    const fn common(path: &'static str, text: &'static str) -> Self {
        Self { kind: None, path, text }
    }

    /// A file of one kind.
    const fn of(kind: PluginKind, path: &'static str, text: &'static str) -> Self {
        Self { kind: Some(kind), path, text }
    }
}

/// A project to be written.
#[derive(Clone, Copy, Debug)]
pub struct Project<'a> {
    /// `{{name}}`: lower-case words separated by `-`. `{{identifier}}` is the same with `_`.
    pub name: &'a str,
    /// `{{kind}}`.
    pub kind: PluginKind,
    /// The language that the plugin is written in.
    pub language: Language,
}

impl Project<'_> {
    /// Path and text of each file, in a fixed order; none when the language has no template of the kind.
    pub fn files(self) -> Vec<(&'static str, String)> {
        let table = table(self.language);
        let own = table.iter().any(|file| file.kind == Some(self.kind));
        let files = table.iter().filter(|file| own && file.kind.is_none_or(|kind| kind == self.kind));
        files.map(|file| (file.path, self.filled(file.text))).collect()
    }

    fn filled(self, text: &str) -> String {
        let values = [
            ("{{name}}", self.name),
            ("{{identifier}}", &self.name.replace('-', "_")),
            ("{{kind}}", self.kind.name()),
            ("{{summary}}", summary(self.kind)),
        ];
        values.iter().fold(text.to_owned(), |text, (placeholder, value)| text.replace(placeholder, value))
    }
}

fn table(language: Language) -> &'static [TemplateFile] {
    match language {
        Language::Rust => rust::FILES,
        Language::Js => js::FILES,
        Language::Python => python::FILES,
        Language::C => c::FILES,
    }
}

/// What the example of this kind does: one sentence without quotation marks, which stands in manifests of every language.
fn summary(kind: PluginKind) -> &'static str {
    match kind {
        PluginKind::SuiteRunner => "Reads lines that start with ok and not ok",
        PluginKind::PathRoles => "Says which paths are generated, by their folder and their first lines",
        PluginKind::ReportRenderer => "Writes a report as a short plain text",
        PluginKind::ReviewerAdapter => "Compares what a receipt says with the event that it came with",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, path::Path};

    const LANGUAGES: [Language; 4] = [Language::Rust, Language::Js, Language::Python, Language::C];

    #[test]
    fn no_placeholder_stays_and_no_path_leaves_the_project() {
        for (kind, language) in PluginKind::ALL.into_iter().flat_map(|kind| LANGUAGES.map(|language| (kind, language))) {
            let files = Project { name: "tap-lite", kind, language }.files();
            let paths: BTreeSet<&str> = files.iter().map(|(path, _)| *path).collect();
            assert_eq!(paths.len(), files.len(), "{language:?} {kind}: a path twice");
            for (path, text) in files {
                assert!(Path::new(path).components().all(|part| matches!(part, std::path::Component::Normal(_))), "{path}");
                for placeholder in ["{{name}}", "{{identifier}}", "{{summary}}", "{{kind}}"] {
                    assert!(!text.contains(placeholder), "{language:?} {path}: {placeholder}");
                }
            }
        }
    }

    #[test]
    fn a_rust_project_has_the_whole_sdk_and_the_whole_contract() {
        let files = Project { name: "tap-lite", kind: PluginKind::PathRoles, language: Language::Rust }.files();
        let paths: BTreeSet<&str> = files.iter().map(|(path, _)| *path).collect();
        for folder in ["sdk/rust/src", "wit"] {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
            for entry in std::fs::read_dir(source).expect("a folder of this repository") {
                let path = format!("{folder}/{}", entry.expect("readable").file_name().to_string_lossy());
                assert!(paths.contains(path.as_str()), "{path} is not in the table");
            }
        }
    }

    #[test]
    fn a_project_in_javascript_or_python_has_every_module_of_its_sdk() {
        for (language, sdk, copied) in
            [(Language::Js, "sdk/js/code-polishy", "code-polishy"), (Language::Python, "sdk/python/code_polishy", "code_polishy")]
        {
            let files = Project { name: "tap-lite", kind: PluginKind::PathRoles, language }.files();
            let modules: BTreeSet<&str> = files.iter().filter_map(|(path, _)| path.strip_prefix(copied)?.strip_prefix('/')).collect();
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(sdk);
            let names = std::fs::read_dir(source).expect("a folder of this repository");
            let names = names.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
            let names: BTreeSet<String> = names.filter(|name| name != "__pycache__").collect();
            assert_eq!(modules, names.iter().map(String::as_str).collect::<BTreeSet<_>>(), "{language:?}");
        }
    }
}
