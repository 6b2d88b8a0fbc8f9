//! A `code-polishy-report/v1` document, as far as renderers show it. Every member may be absent and others may be there: a later minor
//! version adds some.

use std::collections::BTreeSet;

use code_polishy_sdk::Failure;

use crate::value::Value;

const PROTOCOL: &str = "code-polishy-report/v1";

/// A gate's report.
#[derive(Debug, Default)]
pub struct Report {
    /// Which document it is.
    pub protocol: String,
    /// `merge` or `checkpoint`.
    pub gate: String,
    /// What the run is identified by.
    pub identity: Identity,
    /// Names the run; empty when nothing was to be run.
    pub execution_id: String,
    /// How it ended.
    pub status: Ending,
    /// The reference that the caller gave.
    pub base_requested: String,
    /// The base commit.
    pub base: String,
    /// The candidate commit.
    pub candidate: String,
    /// How much ran.
    pub level: String,
    /// Why this level.
    pub level_reasons: Vec<String>,
    /// The review, when the report has one.
    pub behavior_review: Option<Review>,
    /// Policy sections that nothing enforces.
    pub not_enforced: Vec<String>,
    /// Every planned command, in plan order.
    pub commands: Vec<Command>,
    /// Why the gate is not passed.
    pub findings: Vec<Finding>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// RFC 3339, UTC.
    pub completed_at: String,
    /// Digest of what the report says.
    pub sha256: String,
}

/// How a gate ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Everything passed.
    Passed,
    /// There are findings.
    Failed,
    /// Something outside failed.
    Operational,
    /// A word that this version does not know, or none.
    #[default]
    Unknown,
}

/// What the run is identified by.
#[derive(Debug, Default)]
pub struct Identity {
    /// Version of the engine.
    pub engine_version: String,
    /// Operating system and architecture.
    pub platform: String,
    /// Every plugin that was asked.
    pub plugins: Vec<Plugin>,
}

/// A plugin that was asked.
#[derive(Debug, Default)]
pub struct Plugin {
    /// Its name.
    pub name: String,
    /// Digest of its bytes.
    pub sha256: String,
}

/// The behavior review.
#[derive(Debug, Default)]
pub struct Review {
    /// `not-run`, `required`, `passed` or `failed`.
    pub state: String,
    /// `not-run-optional`, `not-run-required`, `passed` or `failed`.
    pub final_state: String,
    /// The gate that asked.
    pub boundary: String,
    /// Names of selected features.
    pub selected: Vec<String>,
    /// The full candidate is selected.
    pub full_candidate: bool,
    /// The accepted review; may be empty.
    pub review_id: String,
    /// The accepted receipt; may be empty.
    pub receipt_path: String,
}

/// A planned command and what became of it.
#[derive(Debug, Default)]
pub struct Command {
    /// The name that people see.
    pub name: String,
    /// Its phase.
    pub category: String,
    /// What became of it.
    pub status: Outcome,
    /// The run whose passed command counts.
    pub reused_from: Option<String>,
    /// What a replay has to show again.
    pub proof: Option<Proof>,
    /// What was started, oldest first.
    pub attempts: Vec<Attempt>,
}

/// What became of a command or an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// A phase before it failed, or the word is not known.
    #[default]
    NotStarted,
}

/// The record of a regression proof.
#[derive(Debug, Default)]
pub struct Proof {
    /// `failed` or `broken`.
    pub red_kind: String,
    /// Cases that turned green; empty: the red is known by exit status only.
    pub flipped_cases: Vec<String>,
}

/// One start of a command.
#[derive(Debug, Default)]
pub struct Attempt {
    /// From 1.
    pub number: u64,
    /// How it ended.
    pub status: Outcome,
    /// Why it is no pass.
    pub failure_category: Option<String>,
    /// Of the process; absent when a signal or the host ended it.
    pub exit_status: Option<i64>,
    /// Milliseconds.
    pub duration_ms: u64,
    /// Milliseconds before an exclusive resource was free.
    pub resource_wait_ms: u64,
    /// Counts, when the runner knows cases.
    pub cases: Option<Cases>,
    /// Repository-relative.
    pub log_path: String,
    /// The log holds less than was printed.
    pub truncated: bool,
}

/// Counts of test cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// Passed.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
    /// Skipped.
    pub skipped: usize,
}

/// Why a gate is not passed.
#[derive(Debug, Default)]
pub struct Finding {
    /// Such as `policy.behaviorReview`.
    pub rule: String,
    /// The path it is about; empty for none.
    pub path: String,
    /// The line in it.
    pub line: Option<u64>,
    /// What it is about.
    pub subject: String,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub remedy: String,
    /// The exact next command or action.
    pub next: String,
}

impl Report {
    /// Reads a report.
    ///
    /// # Errors
    ///
    /// `bad-report` for what is no report at all, `unknown-report` for another protocol.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let value = Value::read(text).map_err(|fault| Failure::new("bad-report", fault))?;
        if value.text("protocol") == PROTOCOL {
            Ok(Self::of(&value))
        } else {
            Err(Failure::new("unknown-report", format!("the document is no `{PROTOCOL}`")).hint("use a newer renderer"))
        }
    }

    fn of(value: &Value) -> Self {
        Self {
            protocol: value.text("protocol"),
            gate: value.text("gate"),
            identity: value.get("identity").map(Identity::of).unwrap_or_default(),
            execution_id: value.text("execution_id"),
            status: Ending::of(&value.text("status")),
            base_requested: value.text("base_requested"),
            base: value.text("base"),
            candidate: value.text("candidate"),
            level: value.text("level"),
            level_reasons: value.texts("level_reasons"),
            behavior_review: value.get("behavior_review").map(Review::of),
            not_enforced: value.texts("not_enforced"),
            commands: value.list("commands", Command::of),
            findings: value.list("findings", Finding::of),
            notes: value.texts("notes"),
            started_at: value.text("started_at"),
            completed_at: value.text("completed_at"),
            sha256: value.text("sha256"),
        }
    }

    /// The gate and its verdict, such as `Merge gate blocked`.
    pub fn headline(&self) -> String {
        let gate = if self.gate.is_empty() { "Gate".to_owned() } else { format!("{} gate", crate::words::capitalized(&self.gate)) };
        format!("{gate}{}", self.status.verdict())
    }

    /// What the findings ask for, each thing once, in their order.
    pub fn next_steps(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let steps = self.findings.iter().map(|finding| finding.next.as_str());
        steps.filter(|step| !step.is_empty() && seen.insert(*step)).collect()
    }
}

impl Ending {
    fn of(word: &str) -> Self {
        match word {
            "passed" => Self::Passed,
            "failed" => Self::Failed,
            "operational" => Self::Operational,
            _ => Self::Unknown,
        }
    }

    fn verdict(self) -> &'static str {
        match self {
            Self::Passed => " passed",
            Self::Failed => " blocked",
            Self::Operational => " ended by a fault",
            Self::Unknown => "",
        }
    }
}

impl Identity {
    fn of(value: &Value) -> Self {
        let plugin = |value: &Value| Plugin { name: value.text("name"), sha256: value.text("sha256") };
        Self { engine_version: value.text("engine_version"), platform: value.text("platform"), plugins: value.list("plugins", plugin) }
    }
}

impl Review {
    fn of(value: &Value) -> Self {
        Self {
            state: value.text("state"),
            final_state: value.text("final_state"),
            boundary: value.text("boundary"),
            selected: value.texts("selected"),
            full_candidate: value.get("full_candidate") == Some(&Value::Truth(true)),
            review_id: value.text("review_id"),
            receipt_path: value.text("receipt_path"),
        }
    }
}

impl Outcome {
    fn of(word: &str) -> Self {
        match word {
            "passed" => Self::Passed,
            "failed" => Self::Failed,
            _ => Self::NotStarted,
        }
    }
}

impl Command {
    fn of(value: &Value) -> Self {
        let proof = |value: &Value| Proof { red_kind: value.text("red_kind"), flipped_cases: value.texts("flipped_cases") };
        Self {
            name: value.text("name"),
            category: value.text("category"),
            status: Outcome::of(&value.text("status")),
            reused_from: value.optional_text("reused_from"),
            proof: value.get("proof").map(proof),
            attempts: value.list("attempts", Attempt::of),
        }
    }

    /// Milliseconds that its attempts took together.
    pub fn duration_ms(&self) -> u64 {
        self.attempts.iter().fold(0, |sum, attempt| sum.saturating_add(attempt.duration_ms))
    }
}

impl Attempt {
    fn of(value: &Value) -> Self {
        Self {
            number: value.count("number"),
            status: Outcome::of(&value.text("status")),
            failure_category: value.optional_text("failure_category"),
            exit_status: value.number("exit_status"),
            duration_ms: value.count("duration_ms"),
            resource_wait_ms: value.count("resource_wait_ms"),
            cases: value.get("cases").map(Cases::of),
            log_path: value.text("log_path"),
            truncated: value.get("truncated") == Some(&Value::Truth(true)),
        }
    }
}

impl Attempt {
    /// Why it is no pass: the exit status when that decided it.
    pub fn why(&self) -> Option<String> {
        let category = self.failure_category.as_deref()?;
        Some(match (category, self.exit_status) {
            ("command-exit", Some(status)) => format!("exit status {status}"),
            _ => crate::words::spoken(category),
        })
    }
}

impl Finding {
    fn of(value: &Value) -> Self {
        Self {
            rule: value.text("rule"),
            path: value.text("path"),
            line: value.number("line").and_then(|line| u64::try_from(line).ok()),
            subject: value.text("subject"),
            message: value.text("message"),
            remedy: value.text("remedy"),
            next: value.text("next"),
        }
    }
}

impl Cases {
    fn of(value: &Value) -> Self {
        let count = |key| usize::try_from(value.count(key)).unwrap_or(usize::MAX);
        Self { passed: count("passed"), failed: count("failed"), skipped: count("skipped") }
    }

    /// Such as `12 passed, 1 failed`.
    pub fn told(self) -> String {
        let counts = [(self.passed, "passed"), (self.failed, "failed"), (self.skipped, "skipped")];
        let told =
            counts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{} {what}", crate::words::grouped(*number)));
        let told = crate::words::joined(told, ", ");
        if told.is_empty() { "no cases".to_owned() } else { told }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        Report::read(text).expect_err("must be refused").code
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert_eq!(code("{"), "bad-report");
        assert_eq!(code("{}"), "unknown-report");
        assert_eq!(code(r#"{"protocol":"code-polishy-report/v2"}"#), "unknown-report");
    }

    #[test]
    fn members_may_be_absent_unknown_and_new() {
        let report = r#"{"protocol":"code-polishy-report/v1","status":"later","new":{},"commands":[{"status":"later"}]}"#;
        let report = Report::read(report).expect("lenient");
        assert_eq!((report.status, report.commands[0].status), (Ending::Unknown, Outcome::NotStarted));
        assert_eq!(report.headline(), "Gate");
    }

    #[test]
    fn an_attempt_tells_why() {
        let why = |category: Option<&str>, exit_status| {
            Attempt { failure_category: category.map(str::to_owned), exit_status, ..Attempt::default() }.why()
        };
        assert_eq!(why(Some("command-exit"), Some(101)).as_deref(), Some("exit status 101"));
        assert_eq!(why(Some("command-exit"), None).as_deref(), Some("command exit"));
        assert_eq!(why(Some("timeout"), Some(1)).as_deref(), Some("timeout"));
        assert_eq!(why(None, Some(0)), None);
    }

    #[test]
    fn cases_are_told() {
        assert_eq!(Cases { passed: 12_000, failed: 1, skipped: 0 }.told(), "12,000 passed, 1 failed");
        assert_eq!(Cases::default().told(), "no cases");
    }
}
