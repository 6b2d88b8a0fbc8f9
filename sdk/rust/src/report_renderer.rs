//! Plugins of the kind `report-renderer`: how a report looks.

use serde::de::DeserializeOwned;

use crate::Failure;
#[doc(inline)]
pub use crate::bindings::report_renderer::exports::code_polishy::plugin::report_renderer::Artifact;

/// Draws a finished report. Export an implementation with [`export_report_renderer!`](crate::export_report_renderer).
pub trait ReportRenderer {
    /// The plugin's options; [`NoOptions`](crate::NoOptions) when there are none.
    type Options: DeserializeOwned + Default + 'static;

    /// JSON Schema text of the options object, at most 64 KiB.
    const OPTIONS_SCHEMA: &'static str = crate::options::NO_OPTIONS_SCHEMA;

    /// At least one and at most 64 files.
    ///
    /// `report` is the RFC 8785 text of a `code-polishy-report/v1` document. Read it leniently: a later minor version may add keys.
    fn render(report: &str, options: &Self::Options) -> Result<Vec<Artifact>, Failure>;
}

impl Artifact {
    /// A text file; `name` is a relative path of at most 4 segments of `A-Za-z0-9._-`, none starting with `.`.
    pub fn text(name: impl Into<String>, media_type: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), media_type: media_type.into(), content: text.into().into_bytes() }
    }
}

/// Makes the crate a `report-renderer` plugin: one call, with the type that implements [`ReportRenderer`](crate::ReportRenderer).
///
/// Name, version and summary come from the crate's `Cargo.toml`.
#[macro_export]
macro_rules! export_report_renderer {
    ($plugin:ty) => {
        #[allow(dead_code, unsafe_code)]
        const _: () = {
            use $crate::bindings::report_renderer as world;
            struct Exported;

            impl world::Guest for Exported {
                fn describe() -> $crate::export::Description {
                    $crate::__description!(<$plugin as $crate::ReportRenderer>::OPTIONS_SCHEMA)
                }
            }

            impl world::exports::code_polishy::plugin::report_renderer::Guest for Exported {
                fn render(
                    report: ::std::string::String,
                    options: ::std::string::String,
                ) -> ::std::result::Result<::std::vec::Vec<$crate::report_renderer::Artifact>, $crate::Failure> {
                    $crate::export::call(&options, |options| <$plugin as $crate::ReportRenderer>::render(&report, options))
                }
            }

            // Linkers of native targets refuse the symbols of components.
            #[cfg(target_arch = "wasm32")]
            world::export! { Exported with_types_in world }
        };
    };
}
