//! The two streams: one place decides who gets what (BR-8).

use std::io::{self, Write};

use anstream::ColorChoice;
use code_polishy_core::diagnostic::Failure;

use super::{diagnostics, json::Protocol};
use crate::{
    arguments::{Color, Format, Global},
    exit::Exit,
    reply::{Human, Reply},
};

/// Prints answers.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    format: Format,
    quiet: bool,
}

impl Console {
    /// For these options; the colour choice holds for the whole process.
    pub fn new(global: &Global) -> Self {
        choose_colors(global.color);
        Self { format: global.format, quiet: global.quiet }
    }

    /// Who reads.
    pub fn format(self) -> Format {
        self.format
    }

    /// Prints the end of a command and says how the process ends.
    pub fn finish(self, protocol: Protocol, outcome: Result<Reply, Failure>) -> Exit {
        let (written, exit) = match outcome {
            Ok(reply) => (self.reply(&reply), reply.exit),
            Err(failure) => (self.refusal(protocol, &failure), failure.kind.into()),
        };
        match written {
            Ok(()) => exit,
            // Who closed the pipe has read enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
            Err(error) => {
                let next = "make room for the output, and run the command again";
                errors(&diagnostics::refusal(&Failure::operational(
                    "output.unwritable",
                    format!("cannot write the output: {error}"),
                    next,
                )));
                Exit::Operational
            }
        }
    }

    /// Lines of a command that shows what it does while it does it.
    pub fn print(self, lines: &[String]) -> io::Result<()> {
        let mut output = anstream::stdout().lock();
        lines.iter().try_for_each(|line| writeln!(output, "{line}")).and_then(|()| output.flush())
    }

    fn reply(self, reply: &Reply) -> io::Result<()> {
        if let Some(fault) = &reply.fault {
            let lines = diagnostics::refusal(fault);
            // The answer itself ends with the next step.
            errors(&lines[..lines.len() - 1]);
        }
        if self.format == Format::Json {
            return document(&reply.document);
        }
        if !self.quiet {
            reply.remarks.iter().for_each(|remark| errors(&diagnostics::remark(remark)));
        }
        match &reply.human {
            Human::Lines(lines) => self.print(lines),
            Human::Exact(bytes) => {
                let mut output = io::stdout().lock();
                output.write_all(bytes).and_then(|()| output.flush())
            }
            Human::Errors(lines) => {
                errors(lines);
                Ok(())
            }
            Human::Printed => Ok(()),
        }
    }

    fn refusal(self, protocol: Protocol, failure: &Failure) -> io::Result<()> {
        match self.format {
            Format::Human => {
                errors(&diagnostics::refusal(failure));
                Ok(())
            }
            Format::Json => document(&protocol.refused(failure)),
        }
    }
}

fn document(document: &serde_json::Value) -> io::Result<()> {
    let mut output = io::stdout().lock();
    serde_json::to_writer_pretty(&mut output, document)?;
    output.write_all(b"\n").and_then(|()| output.flush())
}

/// There is nobody left to tell when standard error is gone.
fn errors(lines: &[String]) {
    let mut output = anstream::stderr().lock();
    for line in lines {
        let _ = writeln!(output, "{line}");
    }
}

fn choose_colors(color: Color) {
    match color {
        // anstream looks at the terminal and at NO_COLOR, CLICOLOR and CLICOLOR_FORCE.
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    }
    .write_global();
}
