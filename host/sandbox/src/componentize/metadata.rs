//! The contract's types for core modules that come without them: C compilers know nothing of WIT, and its bindings name what they export.

use std::borrow::Cow;

use code_polishy_core::plugin::PluginKind;
use wasmparser::{Parser, Payload};
use wit_component::{StringEncoding, embed_component_metadata};
use wit_parser::{PackageId, Resolve, SourceMap};

use super::fault::ComponentizeError;

/// Every file of `wit/`.
const CONTRACT: [(&str, &str); 6] = [
    ("path-roles.wit", include_str!("../../../../wit/path-roles.wit")),
    ("report-renderer.wit", include_str!("../../../../wit/report-renderer.wit")),
    ("reviewer-adapter.wit", include_str!("../../../../wit/reviewer-adapter.wit")),
    ("suite-runner.wit", include_str!("../../../../wit/suite-runner.wit")),
    ("types.wit", include_str!("../../../../wit/types.wit")),
    ("worlds.wit", include_str!("../../../../wit/worlds.wit")),
];

/// How the sections start that carry a module's types.
const SECTION: &str = "component-type";

/// The module with the types of the world whose interface it exports; as it is, when it has types or exports no interface of the contract.
///
/// Fails for bytes that are no module.
pub fn completed(core: &[u8]) -> Result<Cow<'_, [u8]>, ComponentizeError> {
    match missing_world(core)? {
        None => Ok(Cow::Borrowed(core)),
        Some(kind) => {
            let mut module = core.to_vec();
            let (resolve, package) = contract()?;
            let world = resolve.select_world(&[package], Some(&format!("{kind}-plugin"))).map_err(ComponentizeError::of)?;
            embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).map_err(ComponentizeError::of)?;
            Ok(Cow::Owned(module))
        }
    }
}

/// The kind of a module without types.
fn missing_world(core: &[u8]) -> Result<Option<PluginKind>, ComponentizeError> {
    let mut kind = None;
    for payload in Parser::new(0).parse_all(core) {
        match payload.map_err(ComponentizeError::of)? {
            Payload::CustomSection(section) if section.name().starts_with(SECTION) => return Ok(None),
            Payload::ExportSection(exports) => {
                for export in exports {
                    kind = kind.or(kind_of(export.map_err(ComponentizeError::of)?.name));
                }
            }
            _ => (),
        }
    }
    Ok(kind)
}

/// Such as `suite-runner` for `code-polishy:plugin/suite-runner@1.1.0#judge`.
fn kind_of(export: &str) -> Option<PluginKind> {
    let (interface, _) = export.strip_prefix("code-polishy:plugin/")?.split_once('@')?;
    PluginKind::ALL.into_iter().find(|kind| kind.name() == interface)
}

fn contract() -> Result<(Resolve, PackageId), ComponentizeError> {
    let mut sources = SourceMap::default();
    for (name, text) in CONTRACT {
        sources.push_str(name, text);
    }
    let mut resolve = Resolve::default();
    let group = sources.parse().map_err(|(_, error)| ComponentizeError::of(error))?;
    let package = resolve.push_group(group).map_err(ComponentizeError::of)?;
    Ok((resolve, package))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(text: &str) -> Vec<u8> {
        wat::parse_str(text).expect("a module")
    }

    const RENDERER: &str = r#"(func (export "code-polishy:plugin/report-renderer@1.1.0#render"))"#;

    fn has_types(module: &[u8]) -> bool {
        let sections = Parser::new(0).parse_all(module).map(|payload| payload.expect("a module"));
        sections.into_iter().any(|payload| matches!(payload, Payload::CustomSection(section) if section.name().starts_with(SECTION)))
    }

    #[test]
    fn a_module_gets_the_types_of_what_it_exports() {
        let bare = module(&format!("(module {RENDERER})"));
        let completed = completed(&bare).expect("a module");
        assert!(!has_types(&bare) && has_types(&completed) && completed.starts_with(&bare));
    }

    #[test]
    fn a_module_with_types_or_without_an_interface_stays_as_it_is() {
        for text in
            ["(module)", &format!("(module (@custom \"component-type:x\" \"\") {RENDERER})"), "(module (func (export \"describe\")))"]
        {
            let module = module(text);
            assert_eq!(completed(&module).expect("a module"), module);
        }
    }

    #[test]
    fn what_is_no_module_is_refused() {
        assert!(completed(b"no module").is_err());
    }

    #[test]
    fn every_kind_has_its_world() {
        let (resolve, package) = contract().expect("is read by the build of every plugin");
        for kind in PluginKind::ALL {
            assert!(resolve.select_world(&[package], Some(&format!("{kind}-plugin"))).is_ok(), "{kind}");
            assert_eq!(kind_of(&format!("code-polishy:plugin/{kind}@1.2.3#x")), Some(kind));
        }
    }
}
