//! `plugin`: one file an action.

mod add;
mod build;
mod cases;
mod check;
mod component;
mod cost;
mod inspect;
mod list;
mod new;
mod origin;
mod run;
mod verdict;
mod warm;

use code_polishy_core::diagnostic::Failure;

use super::Context;
use crate::{arguments::Plugin, reply::Reply};

/// Runs the action.
pub fn run(context: &Context, action: &Plugin) -> Result<Reply, Failure> {
    match action {
        Plugin::New(arguments) => new::run(context, arguments),
        Plugin::Build(arguments) => build::run(context, arguments),
        Plugin::Add(arguments) => add::run(context, arguments),
        Plugin::List => list::run(context),
        Plugin::Check(arguments) => check::run(context, arguments),
        Plugin::Run(arguments) => run::run(context, arguments),
        Plugin::Inspect(arguments) => inspect::run(context, arguments),
        Plugin::Warm => warm::run(context),
    }
}
