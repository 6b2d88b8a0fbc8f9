//! Plugins of the kind `report-renderer`: how a report looks.
//!
//! A whole plugin, with its test:
//!
//! ```
//! use code_polishy_sdk::report_renderer::Artifact;
//! use code_polishy_sdk::serde_json::{self, Value};
//! use code_polishy_sdk::{Failure, NoOptions, ReportRenderer};
//!
//! /// One line a finding, for whoever reads with `cut`.
//! struct Columns;
//!
//! impl ReportRenderer for Columns {
//!     type Options = NoOptions;
//!
//!     fn render(report: &str, _: &NoOptions) -> Result<Vec<Artifact>, Failure> {
//!         let report: Value = serde_json::from_str(report).map_err(|error| Failure::new("bad-report", error.to_string()))?;
//!         if report["protocol"] != "code-polishy-report/v1" {
//!             return Err(Failure::new("unknown-report", "the document is of another version").hint("use a newer renderer"));
//!         }
//!         let findings = report["findings"].as_array().map_or(&[][..], Vec::as_slice);
//!         let lines = findings.iter().map(|finding| format!("{}\t{}\n", cell(&finding["rule"]), cell(&finding["message"])));
//!         Ok(vec![Artifact::text("findings.tsv", "text/tab-separated-values; charset=utf-8", lines.collect::<String>())])
//!     }
//! }
//!
//! /// The report's texts are foreign: a message must not make a column, a line or a command of a terminal.
//! fn cell(value: &Value) -> String {
//!     value.as_str().unwrap_or_default().replace(char::is_control, " ")
//! }
//!
//! code_polishy_sdk::export_report_renderer!(Columns);
//!
//! # fn main() {
//! let report = r#"{"protocol":"code-polishy-report/v1","findings":[{"rule":"gate.timeout","message":"out\tof\ntime"}]}"#;
//! let artifacts = Columns::render(report, &NoOptions {}).expect("a report");
//! assert_eq!(artifacts[0].content, b"gate.timeout\tout of time\n");
//! # }
//! ```
//!
//! # What is answered
//!
//! | field of [`Artifact`] | holds |
//! | --- | --- |
//! | `name` | a relative path of at most 4 segments of `A-Za-z0-9._-`, none starting with `.`; unique in the answer |
//! | `media_type` | such as `text/html; charset=utf-8` |
//! | `content` | the file's bytes |
//!
//! The host writes them to `renders/<renderer>/` beside the report, so names of two renderers never collide.

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
    /// `report` is the RFC 8785 text of a `code-polishy-report/v1` document, as `docs/schemas/report.json` describes it. Read it leniently: a
    /// later minor version may add keys.
    ///
    /// # Errors
    ///
    /// A [`Failure`] is noted beside the gate's lines and changes neither the report nor the exit status, unless the policy's `reports.strict`
    /// says so.
    fn render(report: &str, options: &Self::Options) -> Result<Vec<Artifact>, Failure>;
}

impl Artifact {
    /// A text file; `name` is a relative path of at most 4 segments of `A-Za-z0-9._-`, none starting with `.`.
    ///
    /// ```
    /// use code_polishy_sdk::report_renderer::Artifact;
    ///
    /// let artifact = Artifact::text("summary.txt", "text/plain; charset=utf-8", "All is well.\n");
    /// assert_eq!(artifact.content.len(), 13);
    /// ```
    pub fn text(name: impl Into<String>, media_type: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), media_type: media_type.into(), content: text.into().into_bytes() }
    }
}

/// Makes the crate a `report-renderer` plugin: one call, with the type that implements [`ReportRenderer`](crate::ReportRenderer).
///
/// Name, version and summary come from the crate's `Cargo.toml`; `export_report_renderer!(Type, name = "other")` gives another name. On
/// targets other than WebAssembly it only checks the types. [The module](crate::report_renderer) has a whole plugin.
#[macro_export]
macro_rules! export_report_renderer {
    ($plugin:ty $(, name = $name:literal)?) => {
        #[allow(dead_code, unsafe_code)]
        const _: () = {
            use $crate::bindings::report_renderer as world;
            struct Exported;

            impl world::Guest for Exported {
                fn describe() -> $crate::export::Description {
                    $crate::__description!(<$plugin as $crate::ReportRenderer>::OPTIONS_SCHEMA $(, $name)?)
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
