//! Commands: one file each, from arguments to a reply.

mod behavior_review;
mod code_review;
mod completions;
mod demo;
mod explain;
mod gate;
mod init;
mod plugin;
mod regression_proof;
mod report;
mod schema;
mod test;
mod test_levels;

use code_polishy_core::diagnostic::Failure;

use crate::{
    arguments::{Arguments, Command},
    reply::Reply,
    setup::Setup,
    view::Console,
};

/// What every command gets beside its own arguments.
pub struct Context {
    /// Around the command.
    pub setup: Setup,
    /// For commands that show what they do while they do it.
    pub console: Console,
    /// Say more.
    pub verbose: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, console: Console) -> Result<Reply, Failure> {
    let global = &arguments.global;
    let context = || Setup::new(global).map(|setup| Context { setup, console, verbose: global.verbose });
    match &arguments.command {
        Command::BehaviorReview(action) => behavior_review::run(&context()?, action),
        Command::CodeReview(command) => code_review::run(&context()?, command),
        Command::RegressionProof(proof) => regression_proof::run(&context()?, proof),
        Command::CheckpointGate(checkpoint) => gate::checkpoint(&context()?, checkpoint),
        Command::MergeGate(merge) => gate::merge(&context()?, merge),
        Command::Report(report) => report::run(&context()?, report),
        Command::Test(test) => test::run(&context()?, test),
        Command::TestLevels(levels) => test_levels::run(&context()?, levels),
        Command::Init => init::run(&context()?),
        Command::Schema(schema) => schema::run(schema),
        Command::Explain(explain) => explain::run(explain),
        Command::Plugin(action) => plugin::run(&context()?, action),
        Command::Demo(demo) => demo::run(&context()?, demo),
        Command::Completions(completions) => Ok(completions::run(completions)),
    }
}
