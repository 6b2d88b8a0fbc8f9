//! Plugins of the kind `path-roles`: what part a path plays in the repository.

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
    fn classify(paths: &[PathFact], options: &Self::Options) -> Result<Vec<Option<Role>>, Failure> {
        Ok(paths.iter().map(|fact| Self::role(fact, options)).collect())
    }

    /// The answer about one path, for plugins that need no others to give it.
    fn role(fact: &PathFact, options: &Self::Options) -> Option<Role> {
        let _ = (fact, options);
        None
    }
}

/// Makes the crate a `path-roles` plugin: one call, with the type that implements [`PathRoles`](crate::PathRoles).
///
/// Name, version and summary come from the crate's `Cargo.toml`.
#[macro_export]
macro_rules! export_path_roles {
    ($plugin:ty) => {
        #[allow(dead_code, unsafe_code)]
        const _: () = {
            use $crate::bindings::path_roles as world;
            struct Exported;

            impl world::Guest for Exported {
                fn describe() -> $crate::export::Description {
                    $crate::__description!(<$plugin as $crate::PathRoles>::OPTIONS_SCHEMA)
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
