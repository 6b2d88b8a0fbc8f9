//! `code-polishy`: what people and programs see of it.

mod arguments;
mod command;
mod exit;
mod parse;
mod progress;
mod reply;
mod setup;
mod template;
mod view;

use std::process::ExitCode;

use view::{Console, json::Protocol};

fn main() -> ExitCode {
    let arguments = match parse::command_line() {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    let console = Console::new(&arguments.global);
    let outcome = command::run(&arguments, console);
    console.finish(Protocol::of(&arguments.command), outcome).into()
}
