//! The suite runner for pytest: asks it for a JUnit report, and reads what it prints where a configuration keeps it from writing one.

mod command;
mod node;
mod report;
mod terminal;
mod verdict;

use code_polishy_sdk::suite_runner::{Execution, Invocation, Suite, Verdict};
use code_polishy_sdk::{Failure, NoOptions, SuiteRunner};

struct Pytest;

impl SuiteRunner for Pytest {
    type Options = NoOptions;

    fn plan(suite: &Suite, _: &NoOptions) -> Result<Invocation, Failure> {
        Ok(command::invocation(suite))
    }

    fn judge(suite: &Suite, execution: &Execution, _: &NoOptions) -> Result<Verdict, Failure> {
        Ok(verdict::judge(suite, execution))
    }
}

code_polishy_sdk::export_suite_runner!(Pytest);

#[cfg(test)]
mod tests;
