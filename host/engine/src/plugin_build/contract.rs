//! The contract as WIT files, for tools that read it: the texts are this binary's own, so that an upgrade of it never meets an old copy.

use std::path::Path;

use code_polishy_core::{diagnostic::Failure, plugin::PluginKind};
use tempfile::TempDir;

/// Every file of `wit/`, by name.
const FILES: [(&str, &str); 6] = [
    ("path-roles.wit", include_str!("../../../../wit/path-roles.wit")),
    ("report-renderer.wit", include_str!("../../../../wit/report-renderer.wit")),
    ("reviewer-adapter.wit", include_str!("../../../../wit/reviewer-adapter.wit")),
    ("suite-runner.wit", include_str!("../../../../wit/suite-runner.wit")),
    ("types.wit", include_str!("../../../../wit/types.wit")),
    ("worlds.wit", include_str!("../../../../wit/worlds.wit")),
];

/// A temporary folder with the contract in `wit/`, and room for what is made beside it.
pub fn workshop() -> Result<TempDir, Failure> {
    let written = tempfile::tempdir().and_then(|folder| write(&folder.path().join("wit")).map(|()| folder));
    written.map_err(|error| {
        let message = format!("cannot write the plugin contract to a temporary folder: {error}");
        Failure::operational("plugin-build.unwritable", message, "make room, or name another folder in TMPDIR")
    })
}

fn write(wit: &Path) -> std::io::Result<()> {
    std::fs::create_dir(wit)?;
    FILES.iter().try_for_each(|(name, text)| std::fs::write(wit.join(name), text))
}

/// The world that plugins of this kind are built from.
pub fn world(kind: PluginKind) -> String {
    format!("{kind}-plugin")
}

/// The kind's interface as languages spell a type: `SuiteRunner`.
pub fn interface_name(kind: PluginKind) -> String {
    let capitalised = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    kind.name().split('-').map(capitalised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_contract_is_carried() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit")).expect("the contract");
        let mut names: Vec<String> = folder.map(|file| file.expect("a file").file_name().into_string().expect("a name")).collect();
        names.sort();
        assert_eq!(names, FILES.map(|(name, _)| name));
    }

    #[test]
    fn every_kind_has_its_world() {
        let worlds = FILES.iter().find(|(name, _)| *name == "worlds.wit").expect("is carried").1;
        for kind in PluginKind::ALL {
            assert!(worlds.contains(&format!("world {} {{", world(kind))), "{kind}");
            assert!(worlds.contains(&format!("export {kind};")), "{kind}");
        }
    }
}
