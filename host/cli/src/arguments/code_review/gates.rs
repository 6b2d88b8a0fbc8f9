//! `code-review gates`: four options for each of the five gates, made alike.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use code_polishy_core::{
    canonical::read_strict,
    code_review::{
        codes,
        gates::{GATES, GateOptions, GateVariable, PytestOptions},
    },
    diagnostic::Failure,
};

/// `code-review gates`.
#[derive(Args, Debug)]
#[command(after_help = "A command comes from its option, else from LINT_CMD, FORMAT_CMD, TYPES_CMD, TESTS_CMD or REVIEW_CMD, else from \
    `codeReview.gates`.\nPython: gates --run RUN --pytest-import shop --pytest-args-json '[\"-q\"]'; Rust: gates --run RUN --tests-runner cargo \
    --tests 'cargo test --workspace'. Both prove that the tests ran the reviewed source.\nExit status: 0 every gate passes or does not apply; 1 a gate failed or has no command; 124 a gate timed out.")]
pub struct Gates {
    /// The run, as `start` printed it
    #[arg(long, value_name = "RUN")]
    pub run: PathBuf,
    /// The reviewed tree: the review worktree of the run, or a checkout of its commit if it has none
    #[arg(long, value_name = "PATH")]
    pub worktree: Option<PathBuf>,
    /// The reviewed commit, which the run names too
    #[arg(long, value_name = "ID")]
    pub expected_head: Option<String>,
    /// Seconds that each gate may take; GATE_TIMEOUT_SECONDS, the configuration, or 900 when absent
    #[arg(long, value_name = "N")]
    pub timeout_seconds: Option<u32>,
    /// A variable of one gate; a list of folders keeps the entries that you have
    #[arg(long, value_name = "GATE:NAME=VALUE")]
    pub gate_env: Vec<String>,
    /// The Python that runs pytest for the gate of the tests; the active environment, .venv, or python3 when absent
    #[arg(long, value_name = "ABS", help_heading = "Gate tests under pytest")]
    pub pytest_python: Option<String>,
    /// A module that the tests have to load from the reviewed tree; may be repeated
    #[arg(long, value_name = "MODULE", help_heading = "Gate tests under pytest")]
    pub pytest_import: Vec<String>,
    /// The arguments of pytest: a JSON array of strings
    #[arg(long, value_name = "ARRAY", help_heading = "Gate tests under pytest")]
    pub pytest_args_json: Option<String>,
    /// A folder of prepared packages that the tests may import: the overlay of a preparation in `dependency-evidence.json`
    #[arg(long, value_name = "DIR", help_heading = "Gate tests under pytest")]
    pub overlay: Option<PathBuf>,
    /// Why another command than the recorded one replaces a failure
    #[arg(long, value_name = "REASON")]
    pub changed_command: Option<String>,
    /// Give the review worktree its reviewed bytes again before the gates run
    #[arg(long)]
    pub reset_worktree: bool,
    /// What is said of each gate.
    #[command(flatten)]
    pub each: EachGate,
}

impl Gates {
    /// What is said of each gate, its variables too.
    ///
    /// # Errors
    /// Exit 2 `usage-error`: a variable is none, or looks like a secret. Its value is not repeated.
    pub fn options(&self) -> Result<[GateOptions; 5], Failure> {
        let mut options = self.each.0.clone();
        for text in &self.gate_env {
            let variable = GateVariable::parse(text).map_err(|message| {
                let next = "give it as GATE:NAME=VALUE, and let the command read secrets itself";
                Failure::usage(codes::USAGE_ERROR.name, format!("--gate-env: {message}"), next)
            })?;
            if let Some(gate) = GATES.iter().position(|gate| *gate == variable.gate) {
                options[gate].environment.insert(variable.name, variable.value);
            }
        }
        Ok(options)
    }

    /// How pytest runs the tests.
    ///
    /// # Errors
    /// Exit 2 `usage-error`: its arguments are no JSON array of strings.
    pub fn pytest(&self) -> Result<PytestOptions, Failure> {
        let arguments = self.pytest_args_json.as_deref().map(|text| {
            read_strict::<Vec<String>>(text.as_bytes(), codes::USAGE_ERROR.name, "").map_err(|diagnostic| {
                let message = format!("--pytest-args-json is no JSON array of strings: {}", diagnostic.message);
                Failure::usage(codes::USAGE_ERROR.name, message, "write it like this: '[\"-q\", \"tests\"]'")
            })
        });
        let imports = self.pytest_import.clone();
        Ok(PytestOptions { python: self.pytest_python.clone(), imports, arguments: arguments.transpose()?, found: None })
    }
}

/// The options that every gate has, in the order of the gates.
#[derive(Debug)]
pub struct EachGate([GateOptions; 5]);

/// The values of the four options, with what each means.
const KINDS: [(&str, &str); 4] = [
    ("COMMAND", "Run this line"),
    ("PLUGIN", "Let this suite runner judge it"),
    ("REASON", "It does not apply"),
    ("REASON", "What it needs cannot be had"),
];

/// The names of the four options, by gate. `--format` is the form of the output, so that the gate `format` has its command at `--format-cmd`.
const NAMES: [[&str; 4]; 5] = [
    ["lint", "lint-runner", "skip-lint", "unavailable-lint"],
    ["format-cmd", "format-runner", "skip-format", "unavailable-format"],
    ["types", "types-runner", "skip-types", "unavailable-types"],
    ["tests", "tests-runner", "skip-tests", "unavailable-tests"],
    ["review", "review-runner", "skip-review", "unavailable-review"],
];
const HEADINGS: [&str; 5] = ["Gate lint", "Gate format", "Gate types", "Gate tests", "Gate review"];

impl Args for EachGate {
    fn augment_args(command: Command) -> Command {
        let option = |name: &'static str, (value, help): (&'static str, &'static str), heading: &'static str| {
            Arg::new(name).long(name).value_name(value).help(help).help_heading(heading)
        };
        let of_gate = |(names, heading): ([&'static str; 4], &'static str)| {
            names.into_iter().zip(KINDS).map(move |(name, kind)| option(name, kind, heading))
        };
        command.args(NAMES.into_iter().zip(HEADINGS).flat_map(of_gate))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EachGate {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |name: &str| matches.get_one::<String>(name).cloned();
        Ok(Self(NAMES.map(|[command, runner, skip, unavailable]| GateOptions {
            command: given(command),
            runner: given(runner),
            skip: given(skip),
            unavailable: given(unavailable),
            ..GateOptions::default()
        })))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
