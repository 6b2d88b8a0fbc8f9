//! Plugins of the kind `path-roles`: what part a path plays in the repository.
//!
//! A whole plugin, with its test:
//!
//! ```
//! use code_polishy_sdk::path_roles::{PathFact, PathKind, Role};
//! use code_polishy_sdk::{PathRoles, serde};
//!
//! /// What a schema compiler writes starts with its mark; the organisation keeps proofs of concept in folders of their own.
//! struct House;
//!
//! #[derive(serde::Deserialize)]
//! #[serde(crate = "code_polishy_sdk::serde", default)]
//! struct Options {
//!     mark: String,
//! }
//!
//! impl Default for Options {
//!     fn default() -> Self {
//!         Self { mark: "// written by protoc".to_owned() }
//!     }
//! }
//!
//! impl PathRoles for House {
//!     type Options = Options;
//!     const OPTIONS_SCHEMA: &'static str =
//!         r#"{"type":"object","properties":{"mark":{"type":"string"}},"additionalProperties":false}"#;
//!
//!     fn role(fact: &PathFact, options: &Options) -> Option<Role> {
//!         if fact.head.starts_with(options.mark.as_bytes()) {
//!             return Some(Role::Generated);
//!         }
//!         fact.path.starts_with("poc/").then_some(Role::Development)
//!     }
//! }
//!
//! code_polishy_sdk::export_path_roles!(House);
//!
//! # fn main() {
//! let fact = |path: &str, head: &str| PathFact {
//!     path: path.to_owned(),
//!     kind: PathKind::File,
//!     executable: false,
//!     size: head.len() as u64,
//!     head: head.into(),
//!     attributes: Vec::new(),
//! };
//! let paths = [fact("api.rs", "// written by protoc 3"), fact("poc/idea.rs", ""), fact("src/lib.rs", "// written by hand")];
//! assert_eq!(House::classify(&paths, &Options::default()), Ok(vec![Some(Role::Generated), Some(Role::Development), None]));
//! # }
//! ```
//!
//! # What is told about a path
//!
//! | field of [`PathFact`] | holds |
//! | --- | --- |
//! | `path` | relative to the repository's root, separated by `/`, without `.` or `..` segments |
//! | `kind` | [`PathKind`]: `File`, `Link` or `Gitlink`, which is a submodule |
//! | `executable` | whether the tree gives it the executable bit |
//! | `size` | bytes of the blob; 0 for a gitlink |
//! | `head` | the first 4 KiB of the blob: any bytes, in any encoding; empty for a gitlink, the target for a link |
//! | `attributes` | the `linguist-*` git attributes that the tree gives it; an [`Attribute`] has a `name` and a `value`: `true`, `false` or text |
//!
//! # What is answered
//!
//! | [`Role`] | the path is |
//! | --- | --- |
//! | `Generated` | made by a tool |
//! | `ProductInput` | documentation that the product reads |
//! | `Fixture` | data of tests |
//! | `Test` | a test |
//! | `Development` | code that develops the product and is not shipped |
//! | `Plan` | a plan |
//! | `Changelog` | a record of changes |
//! | `CurrentStateDocumentation` | documentation of the current state |
//! | `ProductionSource` | everything that ships |

use serde::de::DeserializeOwned;

use crate::Failure;
#[doc(inline)]
pub use crate::bindings::path_roles::exports::code_polishy::plugin::path_roles::{Attribute, PathFact, PathKind, Role};

/// Says what part a path plays. Export an implementation with [`export_path_roles!`](crate::export_path_roles).
pub trait PathRoles {
    /// The plugin's options; [`NoOptions`](crate::NoOptions) when there are none.
    type Options: DeserializeOwned + Default + 'static;

    /// JSON Schema text of the options object, at most 64 KiB.
    const OPTIONS_SCHEMA: &'static str = crate::options::NO_OPTIONS_SCHEMA;

    /// One answer a path, in the order of `paths`; `None` leaves the path to the next plugin.
    ///
    /// Called once a run, with at most 100,000 paths. The default asks [`role`](Self::role) about each.
    ///
    /// # Errors
    ///
    /// A [`Failure`] fails the command that asked, with its message and hint; no path gets a role.
    fn classify(paths: &[PathFact], options: &Self::Options) -> Result<Vec<Option<Role>>, Failure> {
        Ok(paths.iter().map(|fact| Self::role(fact, options)).collect())
    }

    /// The answer about one path, for plugins that need no others to give it. `None` by default.
    fn role(fact: &PathFact, options: &Self::Options) -> Option<Role> {
        let _ = (fact, options);
        None
    }
}

/// Makes the crate a `path-roles` plugin: one call, with the type that implements [`PathRoles`](crate::PathRoles).
///
/// Name, version and summary come from the crate's `Cargo.toml`; `export_path_roles!(Type, name = "other")` gives another name. On
/// targets other than WebAssembly it only checks the types. [The module](crate::path_roles) has a whole plugin.
#[macro_export]
macro_rules! export_path_roles {
    ($plugin:ty $(, name = $name:literal)?) => {
        #[allow(dead_code, unsafe_code)]
        const _: () = {
            use $crate::bindings::path_roles as world;
            struct Exported;

            impl world::Guest for Exported {
                fn describe() -> $crate::export::Description {
                    $crate::__description!(<$plugin as $crate::PathRoles>::OPTIONS_SCHEMA $(, $name)?)
                }
            }

            impl world::exports::code_polishy::plugin::path_roles::Guest for Exported {
                fn classify(
                    paths: ::std::vec::Vec<$crate::path_roles::PathFact>,
                    options: ::std::string::String,
                ) -> ::std::result::Result<::std::vec::Vec<::std::option::Option<$crate::path_roles::Role>>, $crate::Failure> {
                    $crate::export::call(&options, |options| <$plugin as $crate::PathRoles>::classify(&paths, options))
                }
            }

            // Linkers of native targets refuse the symbols of components.
            #[cfg(target_arch = "wasm32")]
            world::export! { Exported with_types_in world }
        };
    };
}
