//! The step `reported`: what notes, hand-off and metadata say of facts that the preflight judged (CR-207).

use super::independence;
use crate::{
    canonical::read_strict,
    code_review::{
        codes,
        context::Context,
        handoff::{HANDOFF_FILE, Handoff, OPERATION, OPERATION_OWNER, Remaining},
        notes::NOTES_FILE,
        t0::{GIT_STATE_FILE, GitState},
        violation::{Sink, Violation},
    },
};

/// Checks the step.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    independence::reported(context, sink);
    independence::disclosed(context, sink);
    operations(context, sink);
}

/// Each operation in progress when the run was started is told in the notes and left to others in the hand-off (CR-35).
fn operations(context: &Context<'_>, sink: &mut Sink) {
    let Some(bytes) = context.facts.image.bytes(GIT_STATE_FILE) else { return };
    let Ok(start) = read_strict::<GitState>(bytes, GIT_STATE_FILE, "the state of the checkout") else { return };
    in_scope(context, &start, sink);
    if let Some(handoff) = &context.handoff {
        among_what_remains(handoff, &start, sink);
    }
}

/// The line in `Scope`.
fn in_scope(context: &Context<'_>, start: &GitState, sink: &mut Sink) {
    let section = context.notes.as_ref().and_then(|notes| notes.section("Scope"));
    let stated = section.map(|section| section.labelled("In-progress operation")).unwrap_or_default();
    for (kind, id) in start.operations() {
        let expected = format!("{kind} {id}; left untouched");
        if stated.iter().all(|(value, _)| *value != expected) {
            let message = format!("a {kind} was in progress when the review was started, and `Scope` does not say so");
            let hint = format!("write `In-progress operation: {expected}`");
            let violation = Violation::new(&codes::REVIEW_INPROGRESS_OPERATION_UNREPORTED, message, hint).subject(kind);
            sink.push(match section {
                Some(section) => violation.line(NOTES_FILE, section.line),
                None => violation.file(NOTES_FILE),
            });
        }
    }
}

/// One entry names them all; the review finishes none of them.
fn among_what_remains(handoff: &Handoff, start: &GitState, sink: &mut Sink) {
    let entry = handoff.remaining.iter().enumerate().find(|(_, entry)| entry.row_id == OPERATION);
    let pointer = entry.map_or_else(|| "/remaining".to_owned(), |(index, _)| format!("/remaining/{index}"));
    for (kind, id) in start.operations() {
        let is_left = |entry: &Remaining| entry.owner == OPERATION_OWNER && entry.item.contains(&format!("{kind} {id}"));
        if !entry.is_some_and(|(_, entry)| is_left(entry)) {
            let message = format!("a {kind} was in progress when the review was started, and the hand-off does not leave it to its owner");
            let hint = format!("add to `remaining` the row `{OPERATION}` with the owner `{OPERATION_OWNER}`, whose item names {kind} {id}");
            let violation = Violation::new(&codes::REVIEW_INPROGRESS_OPERATION_UNREPORTED, message, hint).subject(kind);
            sink.push(violation.at(HANDOFF_FILE, pointer.as_str()));
        }
    }
    if entry.is_some() && start.operations().next().is_none() {
        let message = "no operation was in progress when the review was started";
        let violation = Violation::new(&codes::HANDOFF_REMAINING_INVALID, message, "remove the entry").subject(OPERATION);
        sink.push(violation.at(HANDOFF_FILE, pointer));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::handoff::case::Case;
    use crate::code_review::{fixture::Fixture, step::Step, t0::GIT_STATE_FILE};

    #[test]
    fn an_operation_in_progress_is_told_in_the_scope() {
        let mut fixture = Fixture::new(&[]);
        let id = "d".repeat(40);
        started_during(&mut fixture, Some(&id));
        let unreported = ["review-inprogress-operation-unreported:cherry-pick"];
        for (line, expected) in [
            (String::new(), unreported.as_slice()),
            (format!("In-progress operation: merge {id}; left untouched"), &unreported),
            (format!("In-progress operation: cherry-pick {id}; left untouched"), &[]),
        ] {
            fixture.notes = format!("## Scope\n\nThe working tree.\n\n{line}\n");
            assert_eq!(fixture.found(&[Step::Reported]), expected, "{line}");
        }
    }

    fn started_during(fixture: &mut Fixture, cherry_pick: Option<&str>) {
        let state = json!({"schema_version": 1, "source_worktree": "/source", "observed_at": "2026-01-01T00:00:00Z", "head": null,
            "merge_head": null, "rebase_head": null, "cherry_pick_head": cherry_pick, "revert_head": null, "unmerged_paths": [],
            "index_sha256": ""});
        fixture.write(GIT_STATE_FILE, state.to_string().as_bytes());
    }

    #[test]
    fn an_operation_in_progress_is_left_to_its_owner() {
        let id = "d".repeat(40);
        let steps = [Step::Handoff, Step::Reported];
        let found = |case: &mut Case| {
            let tokens = case.found(&steps);
            tokens.into_iter().filter(|token| !token.starts_with("independence")).collect::<Vec<_>>()
        };
        let mut case = Case::new();
        started_during(&mut case.fixture, Some(&id));
        case.notes.push_str(&format!("\n## Scope\n\nIn-progress operation: cherry-pick {id}; left untouched\n"));
        let unreported = ["review-inprogress-operation-unreported:cherry-pick"];
        assert_eq!(found(&mut case), unreported);
        let left = |owner: &str, item: String| json!([{"row_id": "in-progress-operation", "item": item, "owner": owner, "next_action": "Finish it."}]);
        case.set("/next_steps", json!(["in-progress-operation"]));
        for (entry, expected) in [
            (left("review", format!("The cherry-pick {id}.")), unreported.as_slice()),
            (left("remediation", "A merge.".to_owned()), &unreported),
            (left("remediation", format!("The cherry-pick {id}.")), &[]),
        ] {
            case.set("/remaining", entry.clone());
            assert_eq!(found(&mut case), expected, "{entry}");
        }
        started_during(&mut case.fixture, None);
        assert_eq!(found(&mut case), ["handoff-remaining-invalid:in-progress-operation"]);
    }
}
