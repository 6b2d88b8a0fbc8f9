//! `regression-proof`.

use code_polishy_core::diagnostic::Failure;
use code_polishy_engine::workflow::prove::{ProofRequest, prove};

use super::Context;
use crate::{
    arguments::RegressionProof,
    reply::Reply,
    view::{human, json::Protocol},
};

/// Records red and green.
pub fn run(context: &Context, arguments: &RegressionProof) -> Result<Reply, Failure> {
    let request = ProofRequest {
        base: arguments.base.clone(),
        suite: arguments.suite.clone(),
        id: arguments.id.clone(),
        evidence: arguments.evidence.clone(),
        red_exit: arguments.red_exit,
        replace: arguments.replace,
    };
    let proved = prove(&context.setup.workspace()?, &request)?;
    let document = Protocol::Review("regression-proof").done("proved", "proof", &proved);
    Ok(Reply::lines(human::proved(&proved), document))
}
