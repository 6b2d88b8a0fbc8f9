//! The first-party plugins, inside the program. They are loaded, limited and called like anyone's.

use std::sync::OnceLock;

use code_polishy_core::{
    canonical::digest_bytes,
    plugin::{PluginIdentity, PluginKind},
};

/// A component that comes with the program.
#[derive(Debug)]
pub struct Bundled {
    /// What it is used as.
    pub kind: PluginKind,
    /// Its name in policies.
    pub name: &'static str,
    /// The component.
    pub bytes: &'static [u8],
    digest: OnceLock<String>,
}

static BUNDLED: [Bundled; 17] = [
    Bundled::new(PluginKind::PathRoles, "attributes", include_bytes!("../../../plugins/dist/attributes.wasm")),
    Bundled::new(PluginKind::PathRoles, "conventions", include_bytes!("../../../plugins/dist/conventions.wasm")),
    Bundled::new(PluginKind::SuiteRunner, "cargo", include_bytes!("../../../plugins/dist/cargo.wasm")),
    Bundled::new(PluginKind::SuiteRunner, "exec", include_bytes!("../../../plugins/dist/exec.wasm")),
    Bundled::new(PluginKind::SuiteRunner, "go-test", include_bytes!("../../../plugins/dist/go-test.wasm")),
    Bundled::new(PluginKind::SuiteRunner, "junit", include_bytes!("../../../plugins/dist/junit.wasm")),
    Bundled::new(PluginKind::SuiteRunner, "node-test", include_bytes!("../../../plugins/dist/node-test.wasm")),
    Bundled::new(PluginKind::SuiteRunner, "pytest", include_bytes!("../../../plugins/dist/pytest.wasm")),
    Bundled::new(PluginKind::SuiteRunner, "tap", include_bytes!("../../../plugins/dist/tap.wasm")),
    Bundled::new(PluginKind::ReportRenderer, "github", include_bytes!("../../../plugins/dist/github.wasm")),
    Bundled::new(PluginKind::ReportRenderer, "gitlab", include_bytes!("../../../plugins/dist/gitlab.wasm")),
    Bundled::new(PluginKind::ReportRenderer, "handoff", include_bytes!("../../../plugins/dist/handoff.wasm")),
    Bundled::new(PluginKind::ReportRenderer, "handoff-html", include_bytes!("../../../plugins/dist/handoff-html.wasm")),
    Bundled::new(PluginKind::ReportRenderer, "html", include_bytes!("../../../plugins/dist/html.wasm")),
    Bundled::new(PluginKind::ReportRenderer, "junit", include_bytes!("../../../plugins/dist/junit-report.wasm")),
    Bundled::new(PluginKind::ReportRenderer, "markdown", include_bytes!("../../../plugins/dist/markdown.wasm")),
    Bundled::new(PluginKind::ReportRenderer, "sarif", include_bytes!("../../../plugins/dist/sarif.wasm")),
];

/// All of them, by kind and name.
pub fn all() -> &'static [Bundled] {
    &BUNDLED
}

/// The one of this kind and name.
pub fn find(kind: PluginKind, name: &str) -> Option<&'static Bundled> {
    BUNDLED.iter().find(|bundled| bundled.kind == kind && bundled.name == name)
}

impl Bundled {
    const fn new(kind: PluginKind, name: &'static str, bytes: &'static [u8]) -> Self {
        Self { kind, name, bytes, digest: OnceLock::new() }
    }

    /// Digest of the component's bytes, computed when first asked for.
    pub fn sha256(&self) -> &str {
        self.digest.get_or_init(|| digest_bytes(self.bytes))
    }

    /// What evidence records.
    pub fn identity(&self) -> PluginIdentity {
        PluginIdentity { name: self.name.to_owned(), sha256: self.sha256().to_owned() }
    }
}
