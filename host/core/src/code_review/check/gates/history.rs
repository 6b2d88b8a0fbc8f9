//! Each kept answer of a gate was replaced as the rules allow (CR-140, CR-227).

use std::collections::BTreeMap;

use crate::{
    canonical::read_strict,
    code_review::{
        codes,
        gates::{ATTEMPTS_FOLDER, CHECKS_LOG_FILE, GATES_FILE, GateCheck, Gates, Replacement, attempt_folder, attempts},
        image::RunImage,
        violation::{Sink, Violation},
    },
};

/// An answer with the digest of its command.
struct Answer<'i> {
    check: GateCheck,
    command: Option<&'i str>,
}

/// Follows each gate through the attempts to the record.
pub(super) fn check(gates: &Gates, image: &RunImage, sink: &mut Sink) {
    let mut standing: BTreeMap<String, Answer<'_>> = BTreeMap::new();
    let folder = format!("{ATTEMPTS_FOLDER}/");
    let names = image.below(ATTEMPTS_FOLDER).filter_map(|path| path.strip_prefix(&folder)?.split('/').next());
    for attempt in attempts(names) {
        let place = format!("{}/", attempt_folder(attempt));
        for check in kept(image, &format!("{place}{CHECKS_LOG_FILE}"), sink) {
            replace(&mut standing, check, &place, image, sink);
        }
    }
    for check in gates.checks.clone() {
        replace(&mut standing, check, "", image, sink);
    }
}

/// The answers of an attempt; one that was archived half has none here.
fn kept(image: &RunImage, file: &str, sink: &mut Sink) -> Vec<GateCheck> {
    let mut checks = Vec::new();
    for line in image.text(file).unwrap_or_default().lines() {
        match read_strict(line.as_bytes(), codes::GATES_FIELDS_INVALID.name, "") {
            Ok(check) => checks.push(check),
            Err(diagnostic) => {
                let hint = "restore the attempt as it was archived, or start a new run";
                sink.push(Violation::new(&codes::GATES_FIELDS_INVALID, diagnostic.message, hint).file(file));
            }
        }
    }
    checks
}

fn replace<'i>(standing: &mut BTreeMap<String, Answer<'i>>, check: GateCheck, place: &str, image: &'i RunImage, sink: &mut Sink) {
    let command = check.command_path.as_deref().and_then(|path| image.sha256(&format!("{place}{path}")));
    if let Some(before) = standing.get(&check.id) {
        let replacement = Replacement::recorded(&before.check, before.command.is_some() && before.command == command, &check);
        let forgotten = before.check.changed_command().is_some() && check.changed_command().is_none();
        let forgotten = forgotten.then(|| format!("the {} gate no longer says that its command was changed after a failure", check.id));
        if let Some(message) = replacement.refusal(&before.check).or(forgotten) {
            let hint = "run the recorded command again, or give the reason of the change with --changed-command";
            let violation = Violation::new(&codes::GATE_CHECK_STATUS_INVALID, message, hint);
            sink.push(violation.subject(&check.id).file(format!("{place}{GATES_FILE}")));
        }
    }
    standing.insert(check.id.clone(), Answer { check, command });
}
