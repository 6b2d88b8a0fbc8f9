//! The suite runner for any tool that writes JUnit XML: collects the files that its options name, and compares them with the exit status.

mod json;
mod options;
mod reports;

use code_polishy_sdk::options::UnreadOptions;
use code_polishy_sdk::suite_runner::{Execution, Invocation, Suite, Verdict};
use code_polishy_sdk::{Failure, SuiteRunner};

use options::Options;

struct Junit;

impl SuiteRunner for Junit {
    type Options = UnreadOptions;

    const OPTIONS_SCHEMA: &'static str = options::SCHEMA;

    fn plan(suite: &Suite, _: &UnreadOptions) -> Result<Invocation, Failure> {
        Ok(Options::of(suite)?.invocation())
    }

    fn judge(suite: &Suite, execution: &Execution, _: &UnreadOptions) -> Result<Verdict, Failure> {
        Ok(reports::judge(suite, execution, &Options::of(suite)?.reports))
    }
}

code_polishy_sdk::export_suite_runner!(Junit);

#[cfg(test)]
mod tests;
