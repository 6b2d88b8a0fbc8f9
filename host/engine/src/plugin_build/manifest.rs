//! What a plugin's manifest says about it, whichever language it is written in.

use std::path::Path;

use code_polishy_core::{diagnostic::Failure, plugin::PluginKind, policy::names::identifier_fault};
use semver::Version;

/// The kinds that a manifest may name.
const KINDS: [PluginKind; 3] = [PluginKind::PathRoles, PluginKind::ReportRenderer, PluginKind::SuiteRunner];

/// Bytes of a summary.
const MAX_SUMMARY_BYTES: usize = 512;

/// A manifest, checked against what the contract asks of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The plugin's name: an identifier of at most 80 characters.
    pub name: String,
    /// A semantic version.
    pub version: String,
    /// One line for people, at most 512 bytes.
    pub summary: String,
    /// What the plugin is.
    pub kind: PluginKind,
}

/// The same as the manifest has it; `None` for what is absent.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// Of the plugin.
    pub name: Option<String>,
    /// Of the plugin.
    pub version: Option<String>,
    /// Of the plugin.
    pub summary: Option<String>,
    /// Of the plugin.
    pub kind: Option<String>,
}

/// Where a manifest keeps its fields, for messages.
#[derive(Clone, Copy)]
pub struct Places {
    /// The file's name.
    pub file: &'static str,
    /// The name of the summary's field.
    pub summary: &'static str,
    /// The name of the kind's field.
    pub kind: &'static str,
}

impl Places {
    /// The manifest's text.
    pub fn read(&self, dir: &Path) -> Result<String, Failure> {
        let path = dir.join(self.file);
        std::fs::read_to_string(&path)
            .map_err(|error| self.bad(format!("cannot read `{}`: {error}", path.display()), "make it a text file"))
    }

    /// Checks every field.
    pub fn manifest(&self, fields: Fields) -> Result<Manifest, Failure> {
        let name = self.required("name", fields.name)?;
        if let Some(fault) = identifier_fault(&name) {
            let message = format!("{}: the name `{}` {fault}", self.file, name.escape_debug());
            return Err(self.bad(message, "use lower-case letters and digits, joined by single `-` or `.`"));
        }
        let version = self.required("version", fields.version)?;
        if Version::parse(&version).is_err() {
            let message = format!("{}: `{}` is no semantic version", self.file, version.escape_debug());
            return Err(self.bad(message, "write three numbers, such as 0.1.0"));
        }
        let summary = self.required(self.summary, fields.summary)?;
        if summary.len() > MAX_SUMMARY_BYTES || summary.chars().any(char::is_control) {
            let message = format!("{}: `{}` is no line of at most {MAX_SUMMARY_BYTES} bytes", self.file, self.summary);
            return Err(self.bad(message, "say in one sentence what the plugin does"));
        }
        let kind = self.kind(&self.required(self.kind, fields.kind)?)?;
        Ok(Manifest { name, version, summary, kind })
    }

    /// The manifest is not one of a plugin.
    pub fn bad(&self, message: String, next: &str) -> Failure {
        Failure::usage("plugin-build.bad-manifest", message, next)
    }

    fn required(&self, field: &str, value: Option<String>) -> Result<String, Failure> {
        value.ok_or_else(|| {
            let next = if field == self.kind { format!("set it to {}", kinds()) } else { format!("add it to {}", self.file) };
            self.bad(format!("{} has no `{field}`", self.file), &next)
        })
    }

    fn kind(&self, name: &str) -> Result<PluginKind, Failure> {
        KINDS.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let message = format!("{}: `{}` is `{}`, which is no kind of plugin", self.file, self.kind, name.escape_debug());
            self.bad(message, &format!("set it to {}", kinds()))
        })
    }
}

fn kinds() -> String {
    KINDS.map(|kind| format!("`{kind}`")).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: Places = Places { file: "package.json", summary: "description", kind: "code-polishy.kind" };

    fn fields() -> Fields {
        let text = |text: &str| Some(text.to_owned());
        Fields { name: text("tap-lite"), version: text("0.1.0"), summary: text("Reads lines"), kind: text("suite-runner") }
    }

    fn refusal(fields: Fields) -> String {
        let failure = PLACES.manifest(fields).expect_err("must be refused");
        assert_eq!(failure.diagnostics[0].code, "plugin-build.bad-manifest");
        format!("{}; {}", failure.diagnostics[0].message, failure.diagnostics[0].next)
    }

    #[test]
    fn a_whole_manifest_is_taken() {
        let manifest = PLACES.manifest(fields()).expect("whole");
        assert_eq!((manifest.name.as_str(), manifest.kind), ("tap-lite", PluginKind::SuiteRunner));
    }

    #[test]
    fn what_is_absent_or_malformed_is_named_with_its_remedy() {
        let text = |text: &str| Some(text.to_owned());
        assert!(refusal(Fields { name: text("@acme/tap"), ..fields() }).contains("does not start with a lower-case letter"));
        assert!(refusal(Fields { version: text("0.1"), ..fields() }).contains("`0.1` is no semantic version; write three numbers"));
        assert!(refusal(Fields { summary: None, ..fields() }).contains("package.json has no `description`"));
        assert!(refusal(Fields { summary: text("two\nlines"), ..fields() }).contains("no line"));
        assert!(
            refusal(Fields { kind: text("runner"), ..fields() }).contains("`runner`, which is no kind of plugin; set it to `path-roles`")
        );
        assert!(refusal(Fields { kind: None, ..fields() }).contains("has no `code-polishy.kind`; set it to"));
    }
}
