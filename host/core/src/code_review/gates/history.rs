//! What may stand in the place of an earlier answer (CR-140, CR-227), and the earlier answers that a run keeps.

use super::{
    environment::is_path_list,
    plan::{PlannedGate, Way},
    record::{GateCheck, GateStatus},
};

/// Earlier outputs, each in a numbered folder.
pub const ATTEMPTS_FOLDER: &str = "gate-attempts";

/// The folder of an attempt, from 1: at least three digits.
pub fn attempt_folder(number: u32) -> String {
    format!("{ATTEMPTS_FOLDER}/{number:03}")
}

/// The numbers of attempts among the names of [`ATTEMPTS_FOLDER`], ascending.
pub fn attempts<'n>(names: impl Iterator<Item = &'n str>) -> Vec<u32> {
    let is_number = |name: &&str| name.len() >= 3 && name.bytes().all(|byte| byte.is_ascii_digit());
    let mut numbers: Vec<u32> = names.filter(is_number).filter_map(|name| name.parse().ok()).filter(|number| *number > 0).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// What a gate is about to become, or became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// It does not apply.
    Skipped,
    /// It has nothing to run.
    Absent,
    /// A command; the same one with the same runner and selection, or with a reason for the change.
    Command {
        /// As before.
        same: bool,
        /// The change has a reason.
        explained: bool,
    },
}

impl Replacement {
    /// Of a gate that is about to run. `command` is the text of the earlier command, if there was one.
    pub fn planned(before: &GateCheck, command: Option<&str>, gate: &PlannedGate, explained: bool) -> Self {
        match &gate.way {
            Way::NotApplicable(_) => Self::Skipped,
            Way::NoCommand | Way::Unavailable(_) => Self::Absent,
            Way::Run { runner, .. } => {
                let same_command = command.is_some() && command == gate.text().as_deref();
                let same = same_command && before.runner == *runner && same_selection(before, &gate.environment);
                Self::Command { same, explained }
            }
        }
    }

    /// Of a recorded gate. `same_command` says whether both command files have the same bytes.
    pub fn recorded(before: &GateCheck, same_command: bool, after: &GateCheck) -> Self {
        match after.gate_status {
            GateStatus::NotApplicable => Self::Skipped,
            GateStatus::MissingCommand if after.command_path.is_none() => Self::Absent,
            _ => {
                let same = same_command && before.runner == after.runner && same_selection(before, &after.environment);
                Self::Command { same, explained: after.changed_command().is_some() }
            }
        }
    }

    /// Why it may not stand in the place of the earlier answer; `None` when it may.
    pub fn refusal(self, before: &GateCheck) -> Option<String> {
        let (id, status) = (&before.id, before.gate_status.as_str());
        match (before.gate_status, self) {
            (GateStatus::Pass | GateStatus::NotApplicable, _)
            | (_, Self::Command { same: true, .. } | Self::Command { explained: true, .. }) => None,
            (GateStatus::MissingCommand, Self::Absent) => None,
            (GateStatus::MissingCommand, Self::Command { .. }) if before.command_path.is_none() => None,
            (_, Self::Skipped) => Some(format!("the {id} gate is `{status}`, and a skip would hide it")),
            (_, Self::Absent) => Some(format!("the {id} gate is `{status}`, and only a run of its command replaces that")),
            (_, Self::Command { .. }) => {
                Some(format!("the {id} gate is `{status}`, and another command than the recorded one would hide it"))
            }
        }
    }
}

/// Where things are found may differ; what is selected may not.
fn same_selection(before: &GateCheck, environment: &std::collections::BTreeMap<String, String>) -> bool {
    let selecting = |variables: &std::collections::BTreeMap<String, String>| {
        let kept = variables.iter().filter(|(name, _)| !is_path_list(name));
        kept.map(|(name, value)| (name.clone(), value.clone())).collect::<Vec<_>>()
    };
    selecting(&before.environment) == selecting(environment)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::code_review::{config::GateCommand, gates::record::GateReason};

    fn check(status: GateStatus, command: bool) -> GateCheck {
        let mut check = GateCheck::unstarted("lint", status, None, None);
        check.command_path = command.then(|| "checks/lint.command.txt".to_owned());
        check
    }

    fn gate(way: Way) -> PlannedGate {
        PlannedGate { id: "lint", way, timeout_seconds: 9, environment: BTreeMap::new(), proof: None }
    }

    fn run(line: &str) -> Way {
        Way::Run { command: GateCommand::Shell(line.to_owned()), runner: None }
    }

    #[test]
    fn only_the_same_command_or_an_explained_one_replaces_a_failure() {
        let ways = [run("lint"), run("true"), Way::NoCommand, Way::Unavailable("no".into()), Way::NotApplicable("no".into())];
        // Allowed: the same, another, nothing, unavailable, skipped.
        for (status, command, expected) in [
            (GateStatus::Fail, true, [true, false, false, false, false]),
            (GateStatus::Timeout, true, [true, false, false, false, false]),
            (GateStatus::MissingCommand, true, [true, false, true, true, false]),
            (GateStatus::MissingCommand, false, [true, true, true, true, false]),
            (GateStatus::Pass, true, [true; 5]),
            (GateStatus::NotApplicable, false, [true; 5]),
        ] {
            let before = check(status, command);
            let text = command.then_some("lint");
            let allowed = ways.clone().map(|way| Replacement::planned(&before, text, &gate(way), false).refusal(&before).is_none());
            assert_eq!(allowed, expected, "{status:?} {command}");
            let explained = Replacement::planned(&before, text, &gate(run("true")), true).refusal(&before);
            assert_eq!(explained, None, "{status:?}");
        }
    }

    #[test]
    fn a_runner_and_a_selecting_variable_are_part_of_the_command() {
        let before = check(GateStatus::Fail, true);
        let with = |change: &dyn Fn(&mut PlannedGate)| {
            let mut gate = gate(run("lint"));
            change(&mut gate);
            Replacement::planned(&before, Some("lint"), &gate, false).refusal(&before).is_none()
        };
        let variable = |name: &str| BTreeMap::from([(name.to_owned(), "x".to_owned())]);
        assert!(with(&|gate| gate.environment = variable("PYTHONPATH")));
        assert!(!with(&|gate| gate.environment = variable("PYTEST_ADDOPTS")));
        assert!(!with(&|gate| gate.way = Way::Run { command: GateCommand::Shell("lint".into()), runner: Some("tap".into()) }));
    }

    #[test]
    fn records_follow_the_same_rule() {
        let before = check(GateStatus::Fail, true);
        let mut after = check(GateStatus::Pass, true);
        assert_eq!(Replacement::recorded(&before, true, &after).refusal(&before), None);
        assert!(Replacement::recorded(&before, false, &after).refusal(&before).is_some());
        after.detail = Some("changed command: the tool was renamed".to_owned());
        assert_eq!(Replacement::recorded(&before, false, &after).refusal(&before), None);
        let mut skipped = check(GateStatus::NotApplicable, false);
        skipped.reason = Some(GateReason::Declared);
        assert!(Replacement::recorded(&before, false, &skipped).refusal(&before).is_some());
    }

    #[test]
    fn attempts_are_numbered_folders() {
        assert_eq!(attempts(["002", "001", "x", "1", "000", "1000"].into_iter()), [1, 2, 1000]);
        assert_eq!(attempt_folder(7), "gate-attempts/007");
    }
}
