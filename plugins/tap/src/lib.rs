//! The suite runner for the Test Anything Protocol: judges a stream on standard output, whoever printed it.

mod judge;

use code_polishy_sdk::suite_runner::{Execution, Invocation, Suite, Variable, Verdict};
use code_polishy_sdk::{Failure, NoOptions, SuiteRunner};

struct Tap;

impl SuiteRunner for Tap {
    type Options = NoOptions;

    fn plan(_: &Suite, _: &NoOptions) -> Result<Invocation, Failure> {
        let no_colour = Variable { name: "NO_COLOR".to_owned(), value: "1".to_owned() };
        Ok(Invocation { variables: vec![no_colour], ..Invocation::default() })
    }

    fn judge(suite: &Suite, execution: &Execution, _: &NoOptions) -> Result<Verdict, Failure> {
        Ok(judge::judge(suite, execution))
    }
}

code_polishy_sdk::export_suite_runner!(Tap);

#[cfg(test)]
mod tests;
