//! Plugins of the kind `suite-runner`: how a test suite is run and what its output means.

use serde::de::DeserializeOwned;

use crate::Failure;
#[doc(inline)]
pub use crate::bindings::suite_runner::exports::code_polishy::plugin::suite_runner::{
    CaseOutcome, CollectedFile, Execution, Exit, Invocation, Outcome, ReportFile, Stream, Suite, TestCase, Variable, Verdict,
};

/// Says how a suite is run and what came of it. Export an implementation with [`export_suite_runner!`](crate::export_suite_runner).
///
/// The host runs the process; a runner only adds to its command and reads what it left.
pub trait SuiteRunner {
    /// The plugin's options; [`NoOptions`](crate::NoOptions) when there are none.
    type Options: DeserializeOwned + Default + 'static;

    /// JSON Schema text of the options object, at most 64 KiB.
    const OPTIONS_SCHEMA: &'static str = crate::options::NO_OPTIONS_SCHEMA;

    /// What to add to the suite's command; nothing by default.
    fn plan(suite: &Suite, options: &Self::Options) -> Result<Invocation, Failure> {
        let _ = (suite, options);
        Ok(Invocation::default())
    }

    /// What the run means. A timeout and a signal are judged by the host before this is asked.
    fn judge(suite: &Suite, execution: &Execution, options: &Self::Options) -> Result<Verdict, Failure>;
}

impl Default for Invocation {
    /// Nothing is added.
    fn default() -> Self {
        Self { arguments: Vec::new(), variables: Vec::new(), reports: Vec::new() }
    }
}

impl Stream {
    /// The whole stream, or `None` when the host had to leave out its middle.
    pub fn whole(&self) -> Option<Vec<u8>> {
        let kept = self.head.len() + self.tail.len();
        (u64::try_from(kept) == Ok(self.total)).then(|| [&self.head[..], &self.tail].concat())
    }
}

/// Makes the crate a `suite-runner` plugin: one call, with the type that implements [`SuiteRunner`](crate::SuiteRunner).
///
/// Name, version and summary come from the crate's `Cargo.toml`.
#[macro_export]
macro_rules! export_suite_runner {
    ($plugin:ty) => {
        #[allow(dead_code, unsafe_code)]
        const _: () = {
            use $crate::bindings::suite_runner as world;
            struct Exported;

            impl world::Guest for Exported {
                fn describe() -> $crate::export::Description {
                    $crate::__description!(<$plugin as $crate::SuiteRunner>::OPTIONS_SCHEMA)
                }
            }

            impl world::exports::code_polishy::plugin::suite_runner::Guest for Exported {
                fn plan(suite: $crate::suite_runner::Suite) -> ::std::result::Result<$crate::suite_runner::Invocation, $crate::Failure> {
                    $crate::export::call(&suite.options, |options| <$plugin as $crate::SuiteRunner>::plan(&suite, options))
                }

                fn judge(
                    suite: $crate::suite_runner::Suite,
                    execution: $crate::suite_runner::Execution,
                ) -> ::std::result::Result<$crate::suite_runner::Verdict, $crate::Failure> {
                    $crate::export::call(&suite.options, |options| <$plugin as $crate::SuiteRunner>::judge(&suite, &execution, options))
                }
            }

            // Linkers of native targets refuse the symbols of components.
            #[cfg(target_arch = "wasm32")]
            world::export! { Exported with_types_in world }
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_whole_only_when_nothing_was_left_out() {
        let stream = |total| Stream { head: b"ab".to_vec(), tail: b"c".to_vec(), total };
        assert_eq!(stream(3).whole(), Some(b"abc".to_vec()));
        assert_eq!(stream(4).whole(), None);
    }
}
