//! Plugins of the kind `suite-runner`: how a test suite is run and what its output means.
//!
//! A whole plugin, with its test:
//!
//! ```
//! use code_polishy_sdk::suite_runner::{CaseOutcome, Execution, Invocation, Outcome, ReportFile, Suite, TestCase, Verdict};
//! use code_polishy_sdk::{Failure, NoOptions, SuiteRunner};
//!
//! /// The suite writes `results.txt`: one line a test, `ok NAME` or `not ok NAME`.
//! struct Results;
//!
//! const REPORT: &str = "results.txt";
//!
//! impl SuiteRunner for Results {
//!     type Options = NoOptions;
//!
//!     fn plan(_: &Suite, _: &NoOptions) -> Result<Invocation, Failure> {
//!         let report = ReportFile { path: REPORT.to_owned(), max_bytes: 1 << 20 };
//!         Ok(Invocation { arguments: vec![format!("--write={REPORT}")], reports: vec![report], ..Invocation::default() })
//!     }
//!
//!     fn judge(suite: &Suite, execution: &Execution, _: &NoOptions) -> Result<Verdict, Failure> {
//!         let Some(report) = execution.files.iter().find(|file| file.path == REPORT) else {
//!             return Ok(Verdict { outcome: Outcome::Broken, cases: None, summary: format!("`{}` wrote no {REPORT}", suite.name) });
//!         };
//!         if report.truncated {
//!             return Err(Failure::new("report-too-long", format!("{REPORT} is above 1 MiB")).hint("split the suite"));
//!         }
//!         let text = String::from_utf8_lossy(&report.content);
//!         let cases: Vec<TestCase> = text.lines().filter_map(case).collect();
//!         let failed = cases.iter().filter(|case| case.outcome == CaseOutcome::Failed).count();
//!         let outcome = match (failed, cases.len()) {
//!             (0, 0) => Outcome::NoTests,
//!             (0, _) => Outcome::Passed,
//!             _ => Outcome::Failed,
//!         };
//!         Ok(Verdict { outcome, summary: format!("{failed} of {} failed", cases.len()), cases: Some(cases) })
//!     }
//! }
//!
//! fn case(line: &str) -> Option<TestCase> {
//!     let (outcome, name) = match line.strip_prefix("not ok ") {
//!         Some(name) => (CaseOutcome::Failed, name),
//!         None => (CaseOutcome::Passed, line.strip_prefix("ok ")?),
//!     };
//!     Some(TestCase { name: name.to_owned(), outcome, message: None, path: None, line: None })
//! }
//!
//! code_polishy_sdk::export_suite_runner!(Results);
//!
//! # fn main() {
//! # use code_polishy_sdk::suite_runner::{CollectedFile, Exit, Stream};
//! # let silent = || Stream { head: Vec::new(), tail: Vec::new(), total: 0 };
//! let suite = Suite { name: "unit".into(), kind: "unit".into(), argv: vec!["./t".into()], cwd: ".".into(), options: "{}".into() };
//! let written = CollectedFile { path: REPORT.into(), content: b"ok adds\nnot ok divides\n".to_vec(), truncated: false };
//! let execution = Execution { exit: Exit::Code(1), output: silent(), errors: silent(), files: vec![written] };
//! let verdict = Results::judge(&suite, &execution, &NoOptions {}).expect("a verdict");
//! assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Failed, "1 of 2 failed"));
//! # }
//! ```
//!
//! # What is told about a suite
//!
//! | field of [`Suite`] | holds |
//! | --- | --- |
//! | `name` | the suite's name in the policy |
//! | `kind` | such as `unit`, `integration`, `e2e` |
//! | `argv` | the configured program and arguments |
//! | `cwd` | the folder it runs in, relative to the repository's root; `.` for the root |
//! | `options` | the options' text, which `plan` and `judge` get typed |
//!
//! # What a plan adds
//!
//! | field of [`Invocation`] | holds |
//! | --- | --- |
//! | `arguments` | words appended to `argv` |
//! | `variables` | each [`Variable`] with a `name`, one of `NO_COLOR`, `CARGO_TERM_COLOR`, `PYTHONUNBUFFERED`, `PYTHONDONTWRITEBYTECODE`, and a `value` |
//! | `reports` | each [`ReportFile`] with a `path` relative to `cwd`, and `max_bytes` of it, at most 8 MiB |
//!
//! # What is told about a run
//!
//! | field of [`Execution`] | holds |
//! | --- | --- |
//! | `exit` | [`Exit`]: `Code` with the exit status, `Signal` with its number, `TimedOut`; the last two are judged by the host |
//! | `output`, `errors` | each a [`Stream`]: the first and the last bytes of what was written, and its `total` |
//! | `files` | each [`CollectedFile`] with its `path` as planned, its `content`, and whether that was `truncated` |
//!
//! # What is answered
//!
//! | field of [`Verdict`] | holds |
//! | --- | --- |
//! | `outcome` | [`Outcome`]: `Passed`; `Failed` when at least one test did; `Broken` when they could not be built, collected or loaded; `NoTests` |
//! | `cases` | `None` when only the exit status is known; an empty list means that no test ran |
//! | `summary` | one line for people, at most 1 KiB |
//!
//! | field of [`TestCase`] | holds |
//! | --- | --- |
//! | `name` | unique in the run, and the same in every run |
//! | `outcome` | [`CaseOutcome`]: `Passed`, `Failed` or `Skipped` |
//! | `message` | why it failed, at most 4 KiB |
//! | `path`, `line` | where it is, relative to the repository's root; lines count from 1 |

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
    ///
    /// # Errors
    ///
    /// A [`Failure`] fails the command that asked, before anything runs.
    fn plan(suite: &Suite, options: &Self::Options) -> Result<Invocation, Failure> {
        let _ = (suite, options);
        Ok(Invocation::default())
    }

    /// What the run means. A timeout and a signal are judged by the host before this is asked.
    ///
    /// # Errors
    ///
    /// A [`Failure`] fails the command that asked: there is no verdict, and nothing counts as passed. Tests that fail, do not build or do not
    /// exist are verdicts.
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
    ///
    /// ```
    /// use code_polishy_sdk::suite_runner::Stream;
    ///
    /// let stream = Stream { head: b"first ".to_vec(), tail: b"last".to_vec(), total: 10 };
    /// assert_eq!(stream.whole(), Some(b"first last".to_vec()));
    /// assert_eq!(Stream { total: 11, ..stream }.whole(), None);
    /// ```
    pub fn whole(&self) -> Option<Vec<u8>> {
        let kept = self.head.len() + self.tail.len();
        (u64::try_from(kept) == Ok(self.total)).then(|| [&self.head[..], &self.tail].concat())
    }
}

/// Makes the crate a `suite-runner` plugin: one call, with the type that implements [`SuiteRunner`](crate::SuiteRunner).
///
/// Name, version and summary come from the crate's `Cargo.toml`; `export_suite_runner!(Type, name = "other")` gives another name. On
/// targets other than WebAssembly it only checks the types. [The module](crate::suite_runner) has a whole plugin.
#[macro_export]
macro_rules! export_suite_runner {
    ($plugin:ty $(, name = $name:literal)?) => {
        #[allow(dead_code, unsafe_code)]
        const _: () = {
            use $crate::bindings::suite_runner as world;
            struct Exported;

            impl world::Guest for Exported {
                fn describe() -> $crate::export::Description {
                    $crate::__description!(<$plugin as $crate::SuiteRunner>::OPTIONS_SCHEMA $(, $name)?)
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
