//! A report's commands by phase: a phase starts when everything before it has passed.

use crate::report::{Command, Outcome, Report};

/// The commands of one phase, in plan order.
#[derive(Debug)]
pub struct Phase<'a> {
    /// The category that they share.
    pub category: &'a str,
    /// At least one.
    pub commands: &'a [Command],
}

/// What became of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Every command passed.
    Passed,
    /// A command failed: nothing after this phase starts.
    Blocked,
    /// Something was not started and nothing failed.
    NotStarted,
}

impl<'a> Phase<'a> {
    /// The phases of a report, in the order in which they run.
    pub fn of(report: &'a Report) -> Vec<Self> {
        let same = |one: &Command, two: &Command| one.category == two.category;
        report.commands.chunk_by(same).map(|commands| Self { category: &commands[0].category, commands }).collect()
    }

    /// As people call it.
    pub fn title(&self) -> String {
        match self.category {
            "behavior-proof-replay" => "Proof replays".to_owned(),
            "documentation" => "Documentation".to_owned(),
            "check" => "Checks".to_owned(),
            "test" => "Tests".to_owned(),
            "build" => "Builds".to_owned(),
            "supply-chain" => "Supply chain".to_owned(),
            "" => "Commands".to_owned(),
            other => crate::words::capitalized(&crate::words::spoken(other)),
        }
    }

    /// What became of it.
    pub fn standing(&self) -> Standing {
        if self.commands.iter().any(|command| command.status == Outcome::Failed) {
            Standing::Blocked
        } else if self.passed() == self.commands.len() {
            Standing::Passed
        } else {
            Standing::NotStarted
        }
    }

    /// How many of its commands passed.
    pub fn passed(&self) -> usize {
        self.commands.iter().filter(|command| command.status == Outcome::Passed).count()
    }

    /// Milliseconds of its commands together; those of tests may have passed side by side.
    pub fn duration_ms(&self) -> u64 {
        self.commands.iter().fold(0, |sum, command| sum.saturating_add(command.duration_ms()))
    }
}

impl Standing {
    /// One or two words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Blocked => "blocked",
            Self::NotStarted => "not started",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(commands: &[(&str, Outcome)]) -> Report {
        let command =
            |(category, status): &(&str, Outcome)| Command { category: (*category).into(), status: *status, ..Command::default() };
        Report { commands: commands.iter().map(command).collect(), ..Report::default() }
    }

    #[test]
    fn commands_are_grouped_in_order() {
        use Outcome::{Failed, NotStarted, Passed};
        let report = report(&[
            ("check", Passed),
            ("check", Passed),
            ("test", Passed),
            ("test", Failed),
            ("test", NotStarted),
            ("build", NotStarted),
        ]);
        let told: Vec<_> = Phase::of(&report).iter().map(|phase| (phase.title(), phase.standing(), phase.passed())).collect();
        let expected = [("Checks", Standing::Passed, 2), ("Tests", Standing::Blocked, 1), ("Builds", Standing::NotStarted, 0)];
        assert_eq!(told, expected.map(|(title, standing, passed)| (title.to_owned(), standing, passed)));
    }

    #[test]
    fn a_report_without_commands_has_no_phases() {
        assert!(Phase::of(&Report::default()).is_empty());
    }
}
