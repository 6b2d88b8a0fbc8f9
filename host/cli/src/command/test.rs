//! `test`.

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::workflow::tests::{TestRequest, TestStatus, test};

use super::Context;
use crate::{
    arguments::{Test, processors},
    exit::Exit,
    reply::Reply,
    view::human,
};

/// Runs suites of the working policy; it is no gate.
pub fn run(context: &Context, arguments: &Test) -> Result<Reply, Failure> {
    let request = TestRequest {
        suites: arguments.suite.clone(),
        module: arguments.module.clone(),
        changed: arguments.changed,
        recommended: arguments.recommended,
        all: arguments.all,
        supplemental: arguments.supplemental,
        base: arguments.base.clone(),
        jobs: processors(),
    };
    let run = test(&context.setup.workspace()?, &request)?;
    let document = serde_json::to_value(&run).expect("results have string keys");
    let exit = match (&run.fault, run.status) {
        (Some(fault), _) => fault.kind.into(),
        (None, TestStatus::Failed) => Exit::Blocked,
        (None, TestStatus::Operational) => Exit::Operational,
        (None, TestStatus::Passed | TestStatus::NothingSelected) => Exit::Done,
    };
    let mut reply = Reply::lines(human::tested(&run, context.verbose), document).ending(exit);
    reply.fault = run.fault;
    Ok(reply)
}
