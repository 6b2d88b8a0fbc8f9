//! Reads a component before anything is compiled, and says in words why it may not come in.

mod refusal;
mod surface;

use semver::Version;

use code_polishy_core::{canonical::digest_bytes, plugin::PluginKind};

use self::surface::Surface;
use crate::limits::{DEFAULT_COMPONENT_MIB, WARN_COMPONENT_BYTES};

pub use refusal::{AdmissionError, CONTRACT};

/// Name of the contract's package, with the separator before an interface.
const PACKAGE: &str = "code-polishy:plugin/";

/// What is known about a component that may come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// From the interface that it exports.
    pub kind: PluginKind,
    /// Contract version that it was built with.
    pub wit_version: Version,
    /// Bytes of the component.
    pub size: usize,
    /// Digest of the component's bytes.
    pub sha256: String,
    /// What the author should know; each a sentence without its full stop.
    pub warnings: Vec<String>,
}

/// Refuses a component above the limit; the cheap check that stands before every load.
pub fn check_size(size: usize, limit_mib: Option<u32>) -> Result<(), AdmissionError> {
    let limit_mib = limit_mib.unwrap_or(DEFAULT_COMPONENT_MIB);
    let limit = usize::try_from(limit_mib).unwrap_or(usize::MAX).saturating_mul(1 << 20);
    if size > limit { Err(AdmissionError::TooLarge { size, limit_mib }) } else { Ok(()) }
}

/// Walks the component: size, form, imports, exports, contract version. `limit_mib` is the pin's `sizeMiB`.
///
/// Costs about a millisecond for each 100 KiB, because the whole component is validated, so that the compiler meets only what plugins may use and
/// what it can digest.
pub fn admit(bytes: &[u8], limit_mib: Option<u32>) -> Result<Admitted, AdmissionError> {
    check_size(bytes.len(), limit_mib)?;
    let surface = Surface::read(bytes)?;
    surface.function_imports().iter().try_for_each(|name| check_import(name))?;
    let (kind, wit_version) = kind_of(&surface.exports)?;
    check_contract(&wit_version)?;
    if !surface.exports_function("describe") {
        return Err(AdmissionError::NoDescribe);
    }
    Ok(Admitted {
        kind,
        wit_version,
        size: bytes.len(),
        sha256: digest_bytes(bytes),
        warnings: size_warning(bytes.len()).into_iter().collect(),
    })
}

/// What stands at a component's edge, whether or not it may come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What it needs beside types: `interface#function`, in the component's order.
    pub imports: Vec<String>,
    /// What it offers, in the component's order.
    pub exports: Vec<String>,
    /// The one kind that it exports, with the contract's version.
    pub kind: Option<(PluginKind, Version)>,
}

/// Reads the edge of a valid component.
pub fn edge(bytes: &[u8]) -> Result<Edge, AdmissionError> {
    let surface = Surface::read(bytes)?;
    Ok(Edge { imports: surface.function_imports(), kind: kind_of(&surface.exports).ok(), exports: surface.exports })
}

/// The warning that a large component gets.
pub fn size_warning(size: usize) -> Option<String> {
    let kib = |bytes: usize| bytes.div_ceil(1 << 10);
    (size > WARN_COMPONENT_BYTES)
        .then(|| format!("the component has {} KiB; above {} KiB its first compilation is felt", kib(size), kib(WARN_COMPONENT_BYTES)))
}

fn kind_of(exports: &[String]) -> Result<(PluginKind, Version), AdmissionError> {
    let found: Vec<(&str, PluginKind, Version)> = exports.iter().filter_map(|name| exported_kind(name)).collect();
    match found.as_slice() {
        [(_, kind, version)] => Ok((*kind, version.clone())),
        [] => Err(AdmissionError::NoKind { found: "none of the contract's interfaces".to_owned() }),
        several => {
            let names: Vec<String> = several.iter().map(|(name, ..)| format!("`{name}`")).collect();
            Err(AdmissionError::NoKind { found: names.join(" and ") })
        }
    }
}

/// The contract's interface name and version in `code-polishy:plugin/<interface>@<version>`.
fn contract_name(name: &str) -> Option<(&str, Version)> {
    let (interface, version) = name.strip_prefix(PACKAGE)?.split_once('@')?;
    Some((interface, Version::parse(version).ok()?))
}

fn exported_kind(name: &str) -> Option<(&str, PluginKind, Version)> {
    let (interface, version) = contract_name(name)?;
    let kind = PluginKind::ALL.into_iter().find(|kind| kind.name() == interface)?;
    Some((name, kind, version))
}

/// `name` is `interface#function` or a bare name.
fn check_import(name: &str) -> Result<(), AdmissionError> {
    let (interface, function) = name.split_once('#').unwrap_or((name, ""));
    if interface.starts_with("wasi:") {
        return Err(AdmissionError::WasiImport { name: name.to_owned() });
    }
    match contract_name(interface) {
        Some(("log", version)) => {
            check_contract(&version)?;
            if function == "write" { Ok(()) } else { Err(AdmissionError::ForeignImport { name: name.to_owned() }) }
        }
        _ => Err(AdmissionError::ForeignImport { name: name.to_owned() }),
    }
}

/// Within a major version what an earlier minor version had is there in every later one; what a later one has is not known to this host.
fn check_contract(theirs: &Version) -> Result<(), AdmissionError> {
    let compatible = theirs.major == CONTRACT.major && theirs.minor <= CONTRACT.minor && theirs.pre.is_empty();
    if compatible { Ok(()) } else { Err(AdmissionError::OtherContract { theirs: theirs.clone() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(text: &str) -> Vec<u8> {
        wat::parse_str(format!("(component {text})")).expect("well-formed")
    }

    fn refusal(text: &str) -> AdmissionError {
        admit(&component(text), None).expect_err("must be refused")
    }

    #[test]
    fn system_imports_are_answered_with_the_builders_flag() {
        let error = refusal(r#"(import "wasi:cli/environment@0.2.9" (instance (export "get-environment" (func))))"#);
        assert_eq!(error, AdmissionError::WasiImport { name: "wasi:cli/environment@0.2.9#get-environment".to_owned() });
        assert!(error.next().contains("--stub-wasi"));
    }

    #[test]
    fn unknown_imports_are_refused_by_name() {
        let error = refusal(r#"(import "acme:net/http@1.0.0" (instance (export "get" (func))))"#);
        assert_eq!(error, AdmissionError::ForeignImport { name: "acme:net/http@1.0.0#get".to_owned() });
        let error = refusal(r#"(import "host" (func))"#);
        assert_eq!(error, AdmissionError::ForeignImport { name: "host".to_owned() });
        let error = refusal(r#"(import "code-polishy:plugin/log@1.0.0" (instance (export "read" (func))))"#);
        assert_eq!(error, AdmissionError::ForeignImport { name: "code-polishy:plugin/log@1.0.0#read".to_owned() });
    }

    #[test]
    fn resources_are_no_plain_types() {
        let error = refusal(r#"(import "acme:io/streams@1.0.0" (instance (export "stream" (type (sub resource)))))"#);
        assert_eq!(error, AdmissionError::ForeignImport { name: "acme:io/streams@1.0.0#stream".to_owned() });
    }

    #[test]
    fn an_imported_resource_is_refused_wherever_it_stands() {
        let error = refusal(r#"(import "handle" (type (sub resource)))"#);
        assert_eq!(error, AdmissionError::ForeignImport { name: "handle".to_owned() });
    }

    #[test]
    fn imported_types_alone_are_fine() {
        let error = refusal(r#"(import "acme:data/types@3.0.0" (instance (type $t string) (export "text" (type (eq $t)))))"#);
        assert!(matches!(error, AdmissionError::NoKind { .. }), "{error}");
    }

    #[test]
    fn a_version_mismatch_says_which_side_to_upgrade() {
        let exporting =
            |version: &str| refusal(&format!(r#"(instance $i) (export "code-polishy:plugin/path-roles@{version}" (instance $i))"#));
        for newer in ["2.0.0", "1.2.0"] {
            assert_eq!(exporting(newer).next(), "upgrade code-polishy: the plugin needs a newer one", "{newer}");
        }
        assert_eq!(exporting("0.9.0").next(), "rebuild the plugin with the current SDK");
        for known in ["1.0.0", "1.1.0", "1.1.7"] {
            assert_eq!(exporting(known), AdmissionError::NoDescribe, "{known} is this contract");
        }
        let error = refusal(r#"(import "code-polishy:plugin/log@1.2.0" (instance (export "flush" (func))))"#);
        assert_eq!(error.next(), "upgrade code-polishy: the plugin needs a newer one");
    }

    #[test]
    fn one_interface_makes_the_kind() {
        let text = r#"(instance $i)
            (export "code-polishy:plugin/path-roles@1.0.0" (instance $i))
            (export "code-polishy:plugin/suite-runner@1.0.0" (instance $i))"#;
        assert!(matches!(refusal(text), AdmissionError::NoKind { .. }));
        assert!(matches!(refusal(""), AdmissionError::NoKind { .. }));
    }

    #[test]
    fn what_is_no_component_is_named() {
        let module = wat::parse_str("(module)").expect("well-formed");
        assert_eq!(admit(&module, None), Err(AdmissionError::CoreModule));
        let whole = component(r#"(instance $i) (export "a:b/c" (instance $i))"#);
        assert!(matches!(admit(&whole[..whole.len() - 3], None), Err(AdmissionError::Invalid(_))));
        assert!(matches!(admit(b"not wasm", None), Err(AdmissionError::Invalid(_))));
        assert!(matches!(admit(b"", None), Err(AdmissionError::Invalid(_))));
    }

    #[test]
    fn large_components_are_warned_about_then_refused_unless_raised() {
        assert_eq!(size_warning(WARN_COMPONENT_BYTES), None);
        assert!(size_warning(WARN_COMPONENT_BYTES + 1).expect("warned").contains("101 KiB"));
        let error = check_size((1 << 20) + 1, None).expect_err("too large");
        assert!(error.next().contains("`limits.sizeMiB` of its pin to 2"), "{}", error.next());
        assert_eq!(check_size((1 << 20) + 1, Some(2)), Ok(()));
    }

    #[test]
    fn webassembly_that_differs_between_machines_is_refused() {
        let text =
            r"(core module (func (param v128 v128 v128) (result v128) (f32x4.relaxed_madd (local.get 0) (local.get 1) (local.get 2))))";
        assert!(matches!(refusal(text), AdmissionError::Invalid(_)));
    }
}
