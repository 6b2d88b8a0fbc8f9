//! The suite runner for Node.js: asks `node --test` for TAP and understands its spec reporter, too.

mod counters;
mod files;
mod judge;
mod plan;
mod spec;

use code_polishy_sdk::suite_runner::{Execution, Invocation, Suite, Verdict};
use code_polishy_sdk::{Failure, NoOptions, SuiteRunner};

struct NodeTest;

impl SuiteRunner for NodeTest {
    type Options = NoOptions;

    fn plan(suite: &Suite, _: &NoOptions) -> Result<Invocation, Failure> {
        Ok(plan::plan(&suite.argv))
    }

    fn judge(suite: &Suite, execution: &Execution, _: &NoOptions) -> Result<Verdict, Failure> {
        Ok(judge::judge(suite, execution))
    }
}

code_polishy_sdk::export_suite_runner!(NodeTest);

#[cfg(test)]
mod tests;
