//! The suite runner for Go: asks `go test` for events and understands the text of `go test -v`, too.

mod command;
mod event;
mod judge;
mod package;
mod said;
mod text;

use code_polishy_sdk::suite_runner::{Execution, Invocation, Suite, Variable, Verdict};
use code_polishy_sdk::{Failure, NoOptions, SuiteRunner};

struct GoTest;

impl SuiteRunner for GoTest {
    type Options = NoOptions;

    fn plan(suite: &Suite, _: &NoOptions) -> Result<Invocation, Failure> {
        let no_colour = Variable { name: "NO_COLOR".to_owned(), value: "1".to_owned() };
        let events = command::Command::read(&suite.argv).is_some_and(|command| command.takes_json);
        let arguments = if events { vec!["-json".to_owned()] } else { Vec::new() };
        Ok(Invocation { arguments, variables: vec![no_colour], ..Invocation::default() })
    }

    fn judge(suite: &Suite, execution: &Execution, _: &NoOptions) -> Result<Verdict, Failure> {
        Ok(judge::judge(suite, execution))
    }
}

code_polishy_sdk::export_suite_runner!(GoTest);

#[cfg(test)]
mod tests;
