//! What the notes tell of the gates, as values of their lines (CR-117, CR-227).

use super::text::normal;
use crate::code_review::{gates::Gates, image::RunImage};

/// The command of the tests gate as it was recorded; `None` when it has none.
pub(in crate::code_review) fn tests_command(gates: &Gates, image: &RunImage) -> Option<String> {
    let tests = gates.checks.iter().find(|check| check.id == "tests")?;
    image.text(tests.command_path.as_deref()?).map(normal)
}

/// `<gate>: <reason>` of every gate whose command was changed after a failure.
pub(in crate::code_review) fn changed_commands(gates: &Gates) -> Vec<String> {
    let changed = gates.checks.iter().filter_map(|check| Some((check, check.changed_command()?)));
    changed.map(|(check, reason)| normal(&format!("{}: {reason}", check.id))).collect()
}

/// `<gate>:<NAME>=<VALUE>` of every value that a gate was given.
pub(in crate::code_review) fn environment(gates: &Gates) -> Vec<String> {
    let given = gates.checks.iter().flat_map(|check| check.environment.iter().map(move |(name, value)| (&check.id, name, value)));
    given.map(|(gate, name, value)| normal(&format!("{gate}:{name}={value}"))).collect()
}
