//! What a command said, with the questions that scenarios ask of it.

use std::process;

use serde_json::Value;

/// A finished command.
#[derive(Clone, Debug)]
pub struct Output {
    command: String,
    /// The exit status; `None` after a signal.
    pub status: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Output {
    /// What a process with this name left.
    pub fn new(command: String, output: process::Output) -> Self {
        Self {
            command,
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }

    /// Demands this exit status.
    #[track_caller]
    pub fn exits(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "exit status of {self}");
        self
    }

    /// Demands exit status 1 or 2, where the contract leaves open which of the two refuses.
    #[track_caller]
    pub fn refuses(self) -> Self {
        assert!(matches!(self.status, Some(1 | 2)), "must be refused: {self}");
        self
    }

    /// Demands this whole line on standard output.
    #[track_caller]
    pub fn says(self, line: &str) -> Self {
        assert!(self.stdout.lines().any(|candidate| candidate == line), "no line {line:?} in {self}");
        self
    }

    /// Demands that no line of standard output starts so.
    #[track_caller]
    pub fn never_says(self, start: &str) -> Self {
        assert!(!self.stdout.lines().any(|line| line.starts_with(start)), "a line starts with {start:?} in {self}");
        self
    }

    /// Demands this text somewhere on either stream, in words or, with hyphens, in a code.
    #[track_caller]
    pub fn names(self, text: &str) -> Self {
        let hyphened = text.replace(' ', "-");
        let named = [&self.stdout, &self.stderr].into_iter().any(|stream| stream.contains(text) || stream.contains(&hyphened));
        assert!(named, "{text:?} is not named in {self}");
        self
    }

    /// What stands after a label that starts a line of standard output.
    #[track_caller]
    pub fn after(&self, label: &str) -> String {
        let line = self.stdout.lines().find_map(|line| line.strip_prefix(label));
        line.unwrap_or_else(|| panic!("no line starts with {label:?} in {self}")).trim().to_owned()
    }

    /// The one document on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not one JSON document ({error}): {self}"))
    }

    /// The diagnostics of a refusal, each with the members of BR-4.
    #[track_caller]
    pub fn diagnostics(&self) -> Vec<Value> {
        let document = self.json();
        let diagnostics = document["diagnostics"].as_array().unwrap_or_else(|| panic!("no diagnostics in {self}")).clone();
        assert!(!diagnostics.is_empty(), "no diagnostic in {self}");
        for diagnostic in &diagnostics {
            for member in ["code", "message", "next"] {
                assert!(diagnostic[member].as_str().is_some_and(|text| !text.is_empty()), "no {member} in {diagnostic}");
            }
            assert!(diagnostic["pointer"].is_string(), "no pointer in {diagnostic}");
        }
        diagnostics
    }

    /// Where the violations are, in the order of the report.
    #[track_caller]
    pub fn pointers(&self) -> Vec<String> {
        self.diagnostics().iter().map(|diagnostic| diagnostic["pointer"].as_str().expect("a string").to_owned()).collect()
    }

    /// Demands a violation at each of these pointers.
    #[track_caller]
    pub fn points_at(self, expected: &[&str]) -> Self {
        let pointers = self.pointers();
        for pointer in expected {
            assert!(pointers.iter().any(|found| found == pointer), "nothing at {pointer}, only at {pointers:?}: {self}");
        }
        self
    }

    /// The step after `NEXT: `, which is the last line of what the command printed (BR-10).
    #[track_caller]
    pub fn next(&self) -> String {
        let last =
            [&self.stdout, &self.stderr].into_iter().filter_map(|text| text.lines().last()).find_map(|line| line.strip_prefix("NEXT: "));
        last.unwrap_or_else(|| panic!("the last line is no NEXT: {self}")).to_owned()
    }
}

impl std::fmt::Display for Output {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { command, status, stdout, stderr } = self;
        write!(formatter, "`{command}`\nstatus {status:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}")
    }
}
