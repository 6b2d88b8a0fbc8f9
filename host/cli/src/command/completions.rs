//! `completions`: prints the completion script of a shell.

use clap::CommandFactory;

use crate::{
    arguments::{Arguments, Completions},
    reply::Reply,
    view::json::Protocol,
};

/// The script, to be put where the shell looks for it.
pub fn run(arguments: &Completions) -> Reply {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "code-polishy", &mut script);
    let document = Protocol::Report("completions").done("done", "script", &String::from_utf8_lossy(&script));
    Reply::exact(script, document)
}
