//! The suite runner for cargo: understands what `cargo test` and `cargo nextest run` print, and asks them for no colours.

mod block;
mod json;
mod libtest;
mod location;
mod naming;
mod nextest;
mod target;
mod text;
mod verdict;

use code_polishy_sdk::suite_runner::{Execution, Invocation, Suite, Variable, Verdict};
use code_polishy_sdk::{Failure, NoOptions, SuiteRunner};

struct Cargo;

impl SuiteRunner for Cargo {
    type Options = NoOptions;

    fn plan(_: &Suite, _: &NoOptions) -> Result<Invocation, Failure> {
        let variable = |(name, value): (&str, &str)| Variable { name: name.to_owned(), value: value.to_owned() };
        let variables = [("CARGO_TERM_COLOR", "never"), ("NO_COLOR", "1")].map(variable).into();
        Ok(Invocation { variables, ..Invocation::default() })
    }

    fn judge(suite: &Suite, execution: &Execution, _: &NoOptions) -> Result<Verdict, Failure> {
        Ok(verdict::judge(suite, execution))
    }
}

code_polishy_sdk::export_suite_runner!(Cargo);

#[cfg(test)]
mod tests;
