//! The step `git-state`: the checkout's operations in progress are as they were when the run was started, and at a completion its index too
//! (CR-34, CR-205, CR-211).

use crate::code_review::{
    codes,
    completion::Accepted,
    context::Context,
    reading::record,
    t0::{GIT_STATE_FILE, GIT_STATE_FINALIZE_FILE, GitState},
    violation::{Sink, Violation},
    vocabulary::Scope,
};

/// Checks the step.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let missing = &codes::GIT_STATE_RECEIPT_MISSING;
    let image = context.facts.image;
    let Some(start) = record::<GitState>(image, GIT_STATE_FILE, missing, &codes::RUN_JSON_INVALID, sink) else { return };
    if context.facts.promoted
        && let Some(finalized) = record::<GitState>(image, GIT_STATE_FINALIZE_FILE, missing, &codes::RUN_JSON_INVALID, sink)
    {
        sink.extend(operation_changes(&start, &finalized));
    }
    let Some(now) = context.facts.git_state else {
        let message = format!("the checkout `{}` cannot be looked at", start.source_worktree);
        sink.push(Violation::new(missing, message, "restore the checkout that the review was started in").file(GIT_STATE_FILE));
        return;
    };
    let accepted = context.accepted.clone();
    if accepted.as_ref().is_none_or(|accepted| accepted.operation.is_none()) {
        sink.extend(operation_changes(&start, now));
    }
    if let Some(accepted) = accepted {
        sink.extend(index_change(&start, now, &accepted, context.t0.as_ref().map(|t0| t0.run.scope)));
    }
}

/// Every operation that was begun, continued or ended.
fn operation_changes(start: &GitState, now: &GitState) -> Vec<Violation> {
    let heads = [
        ("merge_head", &start.merge_head, &now.merge_head),
        ("rebase_head", &start.rebase_head, &now.rebase_head),
        ("cherry_pick_head", &start.cherry_pick_head, &now.cherry_pick_head),
        ("revert_head", &start.revert_head, &now.revert_head),
    ];
    let word = |id: &Option<String>| id.clone().unwrap_or_else(|| "none".to_owned());
    let head = |(name, then, now): (&str, _, _)| (then != now).then(|| changed(name, &word(then), &word(now)));
    let list = |paths: &[String]| if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
    let unmerged = [&start.unmerged_paths, &now.unmerged_paths];
    let unmerged = (unmerged[0] != unmerged[1]).then(|| changed("unmerged_paths", &list(unmerged[0]), &list(unmerged[1])));
    heads.into_iter().filter_map(head).chain(unmerged).collect()
}

fn changed(name: &str, then: &str, now: &str) -> Violation {
    let message = format!("`{name}` was {then}, and is {now}");
    let hint = "a review leaves operations of the checkout alone: find out who changed it, and ask the user";
    Violation::new(&codes::REVIEW_OPERATION_STATE_CHANGED, message, hint).subject(name).at(GIT_STATE_FILE, format!("/{name}"))
}

/// A changed index; only a warning where the review does not read the checkout.
fn index_change(start: &GitState, now: &GitState, accepted: &Accepted, scope: Option<Scope>) -> Option<Violation> {
    if start.index_sha256 == now.index_sha256 || accepted.operation.is_some() {
        return None;
    }
    let began_in_operation = start.operations().next().is_some();
    if accepted.index.is_some() && !began_in_operation {
        return None;
    }
    let message = match accepted.index {
        Some(_) => "the index changed during an operation that was in progress at the start: accept the operation instead",
        None => "what is staged in the checkout is not what was staged at the start",
    };
    let hint = match began_in_operation {
        true => "ask the user; then give their reason with --accept-operation-change, or restore the index",
        false => "ask the user; then give their reason with --accept-index-change, or restore the index",
    };
    let violation = Violation::new(&codes::REVIEW_INDEX_CHANGED, message, hint).at(GIT_STATE_FILE, "/index_sha256");
    Some(if matches!(scope, Some(Scope::Pr | Scope::Commit)) { violation.as_warning() } else { violation })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{
        canonical::{artifact_bytes, digest_bytes},
        code_review::{
            context::Facts,
            image::{ImageFile, RunImage},
            step::Step,
        },
    };

    fn state(merge: Option<&str>, index: &str) -> GitState {
        GitState {
            schema_version: 1,
            source_worktree: "/source".to_owned(),
            observed_at: "2026-01-01T00:00:00Z".to_owned(),
            head: None,
            merge_head: merge.map(|digit| digit.repeat(40)),
            rebase_head: None,
            cherry_pick_head: None,
            revert_head: None,
            unmerged_paths: Vec::new(),
            index_sha256: index.repeat(64),
        }
    }

    fn found(start: &GitState, finalized: Option<&GitState>, now: &GitState, accepted: Option<Accepted>) -> Vec<String> {
        let file = |state: &GitState| {
            let bytes = artifact_bytes(state);
            ImageFile { size: bytes.len() as u64, sha256: digest_bytes(&bytes), content: Some(bytes) }
        };
        let mut image = RunImage::default();
        image.files.insert(GIT_STATE_FILE.to_owned(), file(start));
        image.files.extend(finalized.map(|state| (GIT_STATE_FINALIZE_FILE.to_owned(), file(state))));
        let (cards, resolved) = (BTreeMap::new(), BTreeMap::new());
        let facts = Facts {
            image: &image,
            run_path: "/run",
            producer_id: None,
            git_state: Some(now),
            mirror: None,
            role_cards: &cards,
            prior: None,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: None,
            promoted: accepted.is_some(),
        };
        let mut context = Context::new(&facts, None);
        context.accepted = accepted;
        let mut sink = Sink::new(Step::GitState);
        check(&mut context, &mut sink);
        sink.finish().0.iter().map(Violation::token).collect()
    }

    fn with(index: Option<&str>, operation: Option<&str>) -> Option<Accepted> {
        Some(Accepted { index: index.map(str::to_owned), operation: operation.map(str::to_owned) })
    }

    #[test]
    fn a_changed_operation_is_no_review_of_ours_unless_the_user_accepts_it() {
        let (start, done) = (state(Some("a"), "1"), state(None, "2"));
        let none = [""; 0];
        assert_eq!(found(&start, None, &start, None), none);
        assert_eq!(found(&start, None, &done, None), ["review-operation-state-changed:merge_head"]);
        let both = ["review-operation-state-changed:merge_head", "review-index-changed"];
        assert_eq!(found(&start, Some(&start), &done, with(None, None)), both);
        assert_eq!(found(&start, Some(&start), &done, with(Some("mine"), None)), both, "the index alone is not enough");
        assert_eq!(found(&start, Some(&start), &done, with(None, Some("I finished my merge"))), none);
    }

    #[test]
    fn a_changed_index_counts_at_the_completion() {
        let (start, staged) = (state(None, "1"), state(None, "2"));
        assert_eq!(found(&start, None, &staged, None), [""; 0]);
        assert_eq!(found(&start, Some(&staged), &staged, with(None, None)), ["review-index-changed"]);
        assert_eq!(found(&start, Some(&start), &staged, with(Some("for later"), None)), [""; 0]);
    }

    #[test]
    fn a_promoted_run_has_the_state_at_its_end_too() {
        let (start, merging) = (state(None, "1"), state(Some("a"), "1"));
        assert_eq!(found(&start, None, &start, with(None, None)), ["git-state-receipt-missing:git-state.finalize.json"]);
        assert_eq!(found(&start, Some(&merging), &start, with(None, None)), ["review-operation-state-changed:merge_head"]);
    }
}
