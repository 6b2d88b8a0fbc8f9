//! What each gate is going to run: the command line, else the environment, else the configuration (CR-131, CR-132).

use std::collections::BTreeMap;

use super::{
    prover::{ProofPlan, PytestOptions, TESTS, runs_pytest},
    record::GATES,
};
use crate::{
    code_review::{
        codes::{self, Code},
        config::{GateCommand, GateConfig},
        run::RunRecord,
        vocabulary::Scope,
    },
    diagnostic::Failure,
    policy::suites::MAX_TIMEOUT_SECONDS,
    text::control_free,
};

/// Seconds of a gate that nobody limits (CR-201).
const DEFAULT_TIMEOUT_SECONDS: u32 = 900;
/// Ids of the tree without entries, by the length of an id.
const EMPTY_TREES: [&str; 2] =
    ["4b825dc642cb6eb9a060e54bf8d69288fbee4904", "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"];

/// What the command line says of one gate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateOptions {
    /// `--<gate>`.
    pub command: Option<String>,
    /// `--<gate>-runner`.
    pub runner: Option<String>,
    /// `--skip-<gate>`.
    pub skip: Option<String>,
    /// `--unavailable-<gate>`.
    pub unavailable: Option<String>,
    /// `--gate-env`.
    pub environment: BTreeMap<String, String>,
}

/// Everything that decides what is run.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// By gate, in the order of [`GATES`].
    pub options: &'a [GateOptions; 5],
    /// `--timeout-seconds`.
    pub timeout_seconds: Option<u32>,
    /// A variable of the caller's environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The gates of `config.json`.
    pub configured: &'a BTreeMap<String, GateConfig>,
    /// What is reviewed.
    pub run: &'a RunRecord,
    /// How pytest runs the tests.
    pub pytest: &'a PytestOptions,
}

/// One gate, decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedGate {
    /// One of [`GATES`].
    pub id: &'static str,
    /// What is done.
    pub way: Way,
    /// Seconds that the command may take.
    pub timeout_seconds: u32,
    /// Values that it is given.
    pub environment: BTreeMap<String, String>,
    /// What its command has to prove; `None` when green is enough.
    pub proof: Option<ProofPlan>,
}

impl PlannedGate {
    /// Its command in one line, with what it has to prove.
    pub fn text(&self) -> Option<String> {
        match &self.way {
            Way::Run { command, .. } => Some(ProofPlan::text(self.proof.as_ref(), command)),
            _ => None,
        }
    }
}

/// What is done about a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// A command runs.
    Run {
        /// With a runner, its words.
        command: GateCommand,
        /// The suite runner that judges it.
        runner: Option<String>,
    },
    /// Nobody says what to run.
    NoCommand,
    /// What it needs cannot be had; the reason.
    Unavailable(String),
    /// It does not apply; the reason.
    NotApplicable(String),
}

impl GateCommand {
    /// One line for people, and for comparing (CR-132): words in the shell's quotes where they need them.
    pub fn text(&self) -> String {
        match self {
            Self::Shell(line) => line.clone(),
            Self::Argv(words) => words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "),
        }
    }
}

/// The five gates.
///
/// # Errors
/// Exit 2: `usage-error`, `invalid-skip-reason`, `missing-required`, `pr-review-gate-command-invalid`.
pub fn plan(asked: Asked<'_>) -> Result<Vec<PlannedGate>, Failure> {
    let limit = limit(asked)?;
    let gates = GATES.into_iter().zip(asked.options).map(|(id, options)| {
        let configured = asked.configured.get(id);
        let timeout_seconds = limit.or_else(|| configured?.timeout_seconds).unwrap_or(DEFAULT_TIMEOUT_SECONDS);
        let way = match id {
            "review" => review(asked, options)?,
            TESTS => tests(asked, options)?,
            _ => way(asked, id, options)?,
        };
        let proof = proof(asked, id, &way)?;
        Ok(PlannedGate { id, way, timeout_seconds, environment: options.environment.clone(), proof })
    });
    gates.collect()
}

/// The limit of every gate, of the command line or the environment.
fn limit(asked: Asked<'_>) -> Result<Option<u32>, Failure> {
    const VARIABLE: &str = "GATE_TIMEOUT_SECONDS";
    let given = match asked.timeout_seconds {
        Some(seconds) => Some((Some(seconds), "--timeout-seconds")),
        None => (asked.variable)(VARIABLE).filter(|text| !text.is_empty()).map(|text| (text.parse().ok(), VARIABLE)),
    };
    match given {
        None => Ok(None),
        Some((Some(seconds @ 1..=MAX_TIMEOUT_SECONDS), _)) => Ok(Some(seconds)),
        Some((_, name)) => {
            let message = format!("{name} is no number of seconds from 1 to {MAX_TIMEOUT_SECONDS}");
            Err(usage(&codes::USAGE_ERROR, message, "give a number of seconds"))
        }
    }
}

fn way(asked: Asked<'_>, id: &str, options: &GateOptions) -> Result<Way, Failure> {
    let flags = [options.command.is_some() || options.runner.is_some(), options.skip.is_some(), options.unavailable.is_some()];
    if flags.into_iter().filter(|given| *given).count() > 1 {
        let message = format!("a command, --skip-{id} and --unavailable-{id} exclude each other");
        return Err(usage(&codes::USAGE_ERROR, message, "keep the one that says what becomes of the gate"));
    }
    if let Some(reason) = &options.skip {
        return Ok(Way::NotApplicable(reason_of(&format!("--skip-{id}"), reason)?));
    }
    if let Some(reason) = &options.unavailable {
        return Ok(Way::Unavailable(reason_of(&format!("--unavailable-{id}"), reason)?));
    }
    let configured = asked.configured.get(id);
    let variable = (asked.variable)(&format!("{}_CMD", id.to_uppercase())).filter(|line| !line.trim().is_empty());
    let line = options.command.clone().or(variable);
    match (&options.runner, line, configured) {
        (Some(runner), Some(line), _) => Ok(Way::Run { command: GateCommand::Argv(words(id, &line)?), runner: Some(runner.clone()) }),
        (Some(runner), None, Some(GateConfig { args, .. })) if !args.is_empty() => {
            Ok(Way::Run { command: GateCommand::Argv(args.clone()), runner: Some(runner.clone()) })
        }
        (Some(_), None, _) => {
            let message = format!("--{id}-runner judges a command, and there is none");
            Err(usage(&codes::USAGE_ERROR, message, format!("give it with the option of the {id} gate, or as `codeReview.gates.{id}`")))
        }
        (None, Some(line), _) => Ok(Way::Run { command: GateCommand::Shell(line_of(id, line)?), runner: None }),
        (None, None, Some(configured)) => from_configuration(id, configured),
        (None, None, None) => Ok(Way::NoCommand),
    }
}

/// The tests, which pytest may run (CR-131). Interpreter and arguments make the command; modules alone go with one that there is.
fn tests(asked: Asked<'_>, options: &GateOptions) -> Result<Way, Failure> {
    let pytest = asked.pytest;
    if !pytest.are_given() {
        return way(asked, TESTS, options);
    }
    let other = options.runner.as_deref().is_some_and(|runner| runner != "pytest");
    let excluded = options.skip.is_some() || options.unavailable.is_some() || (pytest.make_a_command() && options.command.is_some());
    if other || excluded {
        let message = "the options of pytest say how the tests run, and so does another option of the gate";
        return Err(usage(&codes::USAGE_ERROR, message, "keep --pytest-python, --pytest-import and --pytest-args-json, or the other one"));
    }
    if !pytest.make_a_command() {
        let configured = way(asked, TESTS, options)?;
        if runs_pytest(&configured) {
            return Ok(configured);
        }
        if options.command.is_some() {
            let message = "--pytest-import is for the runner `pytest`, and the tests run without it";
            return Err(usage(&codes::USAGE_ERROR, message, "add --tests-runner pytest, or leave the command to --pytest-args-json"));
        }
    }
    let next = "give an absolute interpreter that has pytest, and its arguments as a JSON array of strings";
    pytest.command().map_err(|message| usage(&codes::USAGE_ERROR, message, next))
}

/// What the command has to prove.
fn proof(asked: Asked<'_>, id: &str, way: &Way) -> Result<Option<ProofPlan>, Failure> {
    let Way::Run { runner, .. } = way else { return Ok(None) };
    if id != TESTS || !runs_pytest(way) {
        return Ok(ProofPlan::of(id, runner.as_deref(), &[]));
    }
    let next = "name each module whose source the tests have to exercise with --pytest-import, or as `codeReview.gates.tests.imports`";
    let modules = asked.pytest.modules(asked.configured.get(TESTS)).map_err(|message| usage(&codes::USAGE_ERROR, message, next))?;
    if modules.is_empty() {
        return Err(usage(&codes::MISSING_REQUIRED, "nothing says which modules pytest has to exercise", next));
    }
    Ok(ProofPlan::of(id, runner.as_deref(), &modules))
}

fn from_configuration(id: &str, configured: &GateConfig) -> Result<Way, Failure> {
    let GateConfig { command, runner, args, not_applicable, .. } = configured;
    match (not_applicable, runner, command) {
        (Some(reason), _, _) => Ok(Way::NotApplicable(reason.clone())),
        (None, Some(_), _) if args.is_empty() => {
            let message = format!("`codeReview.gates.{id}` names a runner, and no words to run");
            Err(usage(&codes::REVIEW_CONFIG_INVALID, message, "add program and arguments as `args`, and start a new run"))
        }
        (None, Some(runner), _) => Ok(Way::Run { command: GateCommand::Argv(args.clone()), runner: Some(runner.clone()) }),
        (None, None, Some(command)) => Ok(Way::Run { command: command.clone(), runner: None }),
        (None, None, None) => Ok(Way::NoCommand),
    }
}

/// The one gate that always has a command. For a pull request it is fixed (CR-132).
fn review(asked: Asked<'_>, options: &GateOptions) -> Result<Way, Failure> {
    let check = default_review(asked.run)?;
    if asked.run.scope != Scope::Pr {
        return Ok(match way(asked, "review", options)? {
            Way::NoCommand => Way::Run { command: check, runner: None },
            way => way,
        });
    }
    let fixed = check.text();
    let other = options.command.as_ref().is_some_and(|command| *command != fixed);
    if other || options.runner.is_some() || options.skip.is_some() || options.unavailable.is_some() {
        let message = "the review gate of a pull request checks the whole change, and nothing replaces that";
        return Err(usage(&codes::PR_REVIEW_GATE_COMMAND_INVALID, message, format!("leave the option out: the gate runs `{fixed}`")));
    }
    Ok(Way::Run { command: check, runner: None })
}

fn default_review(run: &RunRecord) -> Result<GateCommand, Failure> {
    let (base, head) = (run.base_oid.as_deref(), run.head_oid.as_deref());
    let empty = EMPTY_TREES[usize::from(head.is_some_and(|head| head.len() == 64))];
    let operands = match (run.scope, base, head) {
        (Scope::Pr, Some(base), Some(head)) => vec![format!("{base}...{head}")],
        (Scope::Pr | Scope::Commit, _, None) | (Scope::Pr, None, _) => {
            let message = "the reviewed commits are not known yet";
            return Err(usage(&codes::MISSING_REQUIRED, message, "collect the pull request with import-pr first"));
        }
        (Scope::Commit, base, Some(head)) => vec![base.unwrap_or(empty).to_owned(), head.to_owned()],
        (Scope::WorkingTree | Scope::Path, _, Some(_)) => vec!["HEAD".to_owned()],
        (Scope::WorkingTree | Scope::Path, _, None) => vec![empty.to_owned()],
    };
    let words = ["git", "diff", "--check"].map(str::to_owned);
    Ok(GateCommand::Argv(words.into_iter().chain(operands).collect()))
}

fn reason_of(flag: &str, reason: &str) -> Result<String, Failure> {
    if reason.trim().is_empty() || !control_free(reason, false) {
        let message = format!("{flag} needs a reason in one line");
        return Err(usage(&codes::INVALID_SKIP_REASON, message, "say in one line why"));
    }
    Ok(reason.to_owned())
}

fn line_of(id: &str, line: String) -> Result<String, Failure> {
    if line.trim().is_empty() || !control_free(&line, false) {
        return Err(usage(&codes::USAGE_ERROR, format!("the command of the {id} gate is not one line"), "give a command in one line"));
    }
    Ok(line)
}

/// The words of a runner's command, which no shell sees.
fn words(id: &str, line: &str) -> Result<Vec<String>, Failure> {
    let line = line_of(id, line.to_owned())?;
    if line.contains(['"', '\'', '\\', '$', '`', '|', '&', ';', '<', '>', '(', ')', '*', '?']) {
        let message = format!("the command of the {id} gate has a runner, and is more than plain words");
        return Err(usage(&codes::USAGE_ERROR, message, format!("configure `codeReview.gates.{id}` with `runner` and `args`")));
    }
    Ok(line.split_whitespace().map(str::to_owned).collect())
}

fn quote(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./^-".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn usage(code: &Code, message: impl Into<String>, next: impl Into<String>) -> Failure {
    Failure::usage(code.name, message, next)
}

#[cfg(test)]
mod tests;
