//! Running the languages' own tools: their lines are shown as they come, and their end is quoted when they fail.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use code_polishy_core::diagnostic::Failure;

/// Lines that a diagnostic shows.
const SHOWN_LINES: usize = 30;

/// How a tool is spoken of.
#[derive(Clone, Copy)]
pub struct Tool {
    /// As its users call it.
    pub name: &'static str,
    /// Of the diagnostic when it fails.
    pub code: &'static str,
    /// What to do when it is not there.
    pub install: &'static str,
}

impl Tool {
    /// Runs the command to its end and returns its standard output, from the start.
    pub fn run(&self, mut command: Command, progress: &mut dyn FnMut(&str)) -> Result<File, Failure> {
        let failed = |error: std::io::Error| self.failure(format!("cannot run {}: {error}", self.name), self.install);
        let output = tempfile::tempfile().map_err(failed)?;
        command.stdin(Stdio::null()).stdout(output.try_clone().map_err(failed)?).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let mut said = Vec::new();
        // The pipe of a child that was asked for one.
        for line in child.stderr.take().into_iter().flat_map(|stderr| BufReader::new(stderr).split(b'\n')).map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            progress(&line);
            said.push(line);
        }
        let status = child.wait().map_err(failed)?;
        if status.success() { rewound(output).map_err(failed) } else { Err(self.refused(status, &said)) }
    }

    /// Something about the tool went wrong.
    pub fn failure(&self, message: String, next: &str) -> Failure {
        Failure::operational(self.code, message, next)
    }

    fn refused(&self, status: ExitStatus, said: &[String]) -> Failure {
        let shown = &said[said.len().saturating_sub(SHOWN_LINES)..];
        let next = format!("mend what {} reports, then build again", self.name);
        self.failure(format!("{} ended with {status}\n{}", self.name, shown.join("\n")), &next)
    }
}

fn rewound(mut file: File) -> std::io::Result<File> {
    file.rewind()?;
    Ok(file)
}

/// What the program prints, without white space around it; `None` when it is not there or fails.
pub fn answer(command: &mut Command, dir: &Path) -> Option<String> {
    let output = command.current_dir(dir).stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The refusal of a machine that lacks something.
pub fn missing(what: &str, install: impl Into<String>) -> Failure {
    Failure::usage("plugin-build.no-toolchain", what, install)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELL: Tool = Tool { name: "the shell", code: "plugin-build.tool", install: "install a shell" };

    fn shell(script: &str) -> (Result<String, Failure>, Vec<String>) {
        let mut lines = Vec::new();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let output = SHELL.run(command, &mut |line| lines.push(line.to_owned()));
        (output.map(|file| std::io::read_to_string(file).expect("text")), lines)
    }

    #[test]
    fn output_is_returned_and_diagnostics_are_shown_as_they_come() {
        let (output, lines) = shell("echo out; echo one >&2; echo two >&2");
        assert_eq!(output.expect("ends well"), "out\n");
        assert_eq!(lines, ["one", "two"]);
    }

    #[test]
    fn the_end_of_what_a_failing_tool_said_is_quoted() {
        let failure = shell("seq 1 50 >&2; exit 7").0.expect_err("fails");
        let message = &failure.diagnostics[0].message;
        assert!(message.contains("the shell ended with exit status: 7"), "{message}");
        assert!(message.ends_with("49\n50") && !message.contains("\n20\n"), "{message}");
    }

    #[test]
    fn a_tool_that_is_not_there_says_how_to_get_it() {
        let failure = SHELL.run(Command::new("/nowhere/sh"), &mut |_| {}).expect_err("is not there");
        assert_eq!(failure.diagnostics[0].next, "install a shell");
    }
}
