//! The step `reported`: what notes, hand-off and metadata say of facts that the preflight judged (CR-207).

use super::independence;
use crate::{
    canonical::read_strict,
    code_review::{
        codes,
        context::Context,
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

/// Each operation in progress when the run was started has its line in `Scope` (CR-35).
fn operations(context: &Context<'_>, sink: &mut Sink) {
    let Some(bytes) = context.facts.image.bytes(GIT_STATE_FILE) else { return };
    let Ok(start) = read_strict::<GitState>(bytes, GIT_STATE_FILE, "the state of the checkout") else { return };
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::code_review::{fixture::Fixture, step::Step, t0::GIT_STATE_FILE};

    #[test]
    fn an_operation_in_progress_is_told_in_the_scope() {
        let mut fixture = Fixture::new(&[]);
        let id = "d".repeat(40);
        let state = json!({"schema_version": 1, "source_worktree": "/source", "observed_at": "2026-01-01T00:00:00Z", "head": null,
            "merge_head": null, "rebase_head": null, "cherry_pick_head": id, "revert_head": null, "unmerged_paths": [], "index_sha256": ""});
        fixture.write(GIT_STATE_FILE, state.to_string().as_bytes());
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
}
