//! Reads the command line; what cannot be read is answered in the asked format before anything is opened.

use std::ffi::OsString;

use clap::{Parser, error::ErrorKind};
use code_polishy_core::{
    diagnostic::{Diagnostic, Failure},
    text::escape_line,
};

use crate::{
    arguments::{Arguments, Color, Format, Global},
    exit::Exit,
    view::{Console, json::Protocol},
};

/// The parsed command line, or how the process ends: help and version are printed and end well.
pub fn command_line() -> Result<Arguments, Exit> {
    let words: Vec<OsString> = std::env::args_os().collect();
    Arguments::try_parse_from(&words).map_err(|error| {
        let words: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let hints = Hints::read(&words);
        let console = Console::new(&hints.global());
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                let printed = console.print(&[error.render().ansi().to_string().trim_end().to_owned()]);
                if printed.is_ok() { Exit::Done } else { Exit::Operational }
            }
            _ => {
                let names = names(&hints.commands);
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                console.finish(Protocol::guess(&names), Err(refusal(&error, &names)))
            }
        }
    })
}

/// What can be told about a command line that does not parse.
#[derive(Debug)]
struct Hints {
    format: Format,
    color: Color,
    /// The words that name the command.
    commands: Vec<String>,
}

impl Hints {
    fn read(words: &[String]) -> Self {
        let value = |option: &str| {
            let joined = format!("{option}=");
            let after = words.windows(2).filter(|pair| pair[0] == option).map(|pair| pair[1].as_str()).next_back();
            words.iter().find_map(|word| word.strip_prefix(&joined)).or(after)
        };
        let color = match value("--color") {
            Some("always") => Color::Always,
            Some("never") => Color::Never,
            _ => Color::Auto,
        };
        let format = if value("--format") == Some("json") { Format::Json } else { Format::Human };
        Self { format, color, commands: commands(words) }
    }

    fn global(&self) -> Global {
        Global { repo: None, format: self.format, color: self.color, no_progress: false, verbose: false, quiet: false }
    }
}

/// The first words that are neither an option nor the value of a global one.
fn commands(words: &[String]) -> Vec<String> {
    let with_value = ["--repo", "--format", "--color"];
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if with_value.contains(&word.as_str()) {
            words.next();
        } else if !word.starts_with('-') {
            found.push(word.clone());
        }
    }
    found.truncate(2);
    found
}

/// Values that a refusal lists.
const MOST_VALUES: usize = 12;

/// clap's words as one diagnostic. They quote the caller, so every line of them is escaped.
fn refusal(error: &clap::Error, names: &[&str]) -> Failure {
    let text = error.render().to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or_default().split("\n\nFor more information").next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let shown: Vec<String> = message.lines().map(str::trim).filter(|line| !line.is_empty()).map(escape_line).collect();
    let (code, message) = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            ("usage.missing-subcommand", "a command is missing".to_owned())
        }
        kind => (code(kind), shortened(&shown.join(" "))),
    };
    let help = ["code-polishy"].iter().chain(names).chain(&["--help"]).copied().collect::<Vec<_>>().join(" ");
    Failure::from(Diagnostic::new(code, message, help))
}

/// A list of values that nobody reads to its end is left to the help.
fn shortened(message: &str) -> String {
    const OPENING: &str = "[possible values: ";
    let list = message.split_once(OPENING).and_then(|(before, rest)| Some((before, rest.split_once(']')?)));
    match list {
        Some((before, (values, after))) if values.split(", ").count() > MOST_VALUES => {
            format!("{}: --help lists the values{after}", before.trim_end())
        }
        _ => message.to_owned(),
    }
}

/// The names of the command and its action, as far as the words are known; aliases become names.
fn names(words: &[String]) -> Vec<String> {
    let root = <Arguments as clap::CommandFactory>::command();
    let mut names = Vec::new();
    let mut at = &root;
    for word in words {
        let Some(next) = at.find_subcommand(word) else { break };
        names.push(next.get_name().to_owned());
        at = next;
    }
    names
}

fn code(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::NoEquals | ErrorKind::InvalidUtf8 => "usage.invalid-value",
        ErrorKind::UnknownArgument => "usage.unknown-argument",
        ErrorKind::InvalidSubcommand => "usage.unknown-command",
        ErrorKind::MissingRequiredArgument => "usage.missing-argument",
        ErrorKind::ArgumentConflict => "usage.conflict",
        ErrorKind::TooManyValues | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => "usage.number-of-values",
        _ => "usage.malformed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(std::iter::once("code-polishy".to_owned()).chain(words(line)))
    }

    fn refused(line: &str) -> String {
        let error = parse(line).expect_err("must be refused");
        let names = names(&commands(&words(line)));
        let failure = refusal(&error, &names.iter().map(String::as_str).collect::<Vec<_>>());
        let diagnostic = &failure.diagnostics[0];
        format!("{}: {} -> {}", diagnostic.code, diagnostic.message, diagnostic.next)
    }

    #[test]
    fn the_definition_is_consistent() {
        <Arguments as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn global_options_stand_before_and_after() {
        for line in ["--format json --repo a init", "init --format json --repo a", "init --format=json --repo=a"] {
            let global = parse(line).expect("valid").global;
            assert_eq!((global.format, global.repo), (Format::Json, Some("a".into())), "{line}");
        }
    }

    #[test]
    fn refusals_say_what_and_where_help_is() {
        let lines = [
            "",
            "behavior-review",
            "behavior-review approve",
            "behavior-review prepare",
            "behavior-review status --base main --base main",
            "--repo x behavior-review require --base main",
            "merge-gate --base -main",
            "checkpoint-gate --base main --jobs none",
            "regression-proof --base a --suite b --id c --evidence d --red-exit 256",
            "test",
            "schema poem",
            "init --verbose --quiet",
        ];
        let shown: Vec<String> = lines.iter().map(|line| refused(line)).collect();
        insta::assert_snapshot!(shown.join("\n"), @r"
        usage.missing-subcommand: a command is missing -> code-polishy --help
        usage.missing-subcommand: a command is missing -> code-polishy behavior-review --help
        usage.unknown-command: unrecognized subcommand 'approve' -> code-polishy behavior-review --help
        usage.missing-argument: the following required arguments were not provided: --base <REF> -> code-polishy behavior-review prepare --help
        usage.conflict: the argument '--base <REF>' cannot be used multiple times -> code-polishy behavior-review status --help
        usage.missing-argument: the following required arguments were not provided: --feature <NAME> -> code-polishy behavior-review require --help
        usage.unknown-argument: unexpected argument '-m' found -> code-polishy merge-gate --help
        usage.invalid-value: invalid value 'none' for '--jobs <N>': invalid digit found in string -> code-polishy checkpoint-gate --help
        usage.invalid-value: invalid value '256' for '--red-exit <N>': 256 is not in 1..=255 -> code-polishy regression-proof --help
        usage.missing-argument: the following required arguments were not provided: <--suite <NAME>|--module <NAME>|--changed|--recommended|--all|--supplemental> -> code-polishy test --help
        usage.invalid-value: invalid value 'poem' for '<NAME>': --help lists the values -> code-polishy schema --help
        usage.conflict: the argument '--verbose' cannot be used with '--quiet' -> code-polishy init --help
        ");
    }

    #[test]
    fn a_refused_word_prints_no_line_of_ours() {
        let error = Arguments::try_parse_from(["code-polishy", "a\nNEXT: b\u{1b}[1m"]).expect_err("must be refused");
        let message = &refusal(&error, &[]).diagnostics[0].message;
        assert!(!message.contains(['\n', '\u{1b}']), "{message}");
    }

    #[test]
    fn the_format_of_a_refusal_is_found() {
        assert_eq!(Hints::read(&words("merge-gate --format json")).format, Format::Json);
        assert_eq!(Hints::read(&words("--format=json --base")).format, Format::Json);
        assert_eq!(Hints::read(&words("merge-gate --format xml")).format, Format::Human);
        assert_eq!(Hints::read(&words("--repo init --color never merge-gate")).commands, ["merge-gate"]);
    }
}
