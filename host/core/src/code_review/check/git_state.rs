//! The step `git-state`: the checkout's operations in progress are as they were when the run was started (CR-34, CR-205).

use crate::code_review::{
    codes,
    context::Context,
    reading::record,
    t0::{GIT_STATE_FILE, GitState},
    violation::{Sink, Violation},
};

/// Checks the step.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let missing = &codes::GIT_STATE_RECEIPT_MISSING;
    let Some(start) = record::<GitState>(context.facts.image, GIT_STATE_FILE, missing, &codes::RUN_JSON_INVALID, sink) else { return };
    let Some(now) = context.facts.git_state else {
        let message = format!("the checkout `{}` cannot be looked at", start.source_worktree);
        sink.push(Violation::new(missing, message, "restore the checkout that the review was started in").file(GIT_STATE_FILE));
        return;
    };
    for (name, then, now) in [
        ("merge_head", &start.merge_head, &now.merge_head),
        ("rebase_head", &start.rebase_head, &now.rebase_head),
        ("cherry_pick_head", &start.cherry_pick_head, &now.cherry_pick_head),
        ("revert_head", &start.revert_head, &now.revert_head),
    ] {
        if then != now {
            let word = |id: &Option<String>| id.clone().unwrap_or_else(|| "none".to_owned());
            sink.push(changed(name, &format!("`{name}` was {}, and is {}", word(then), word(now))));
        }
    }
    if start.unmerged_paths != now.unmerged_paths {
        let list = |paths: &[String]| if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
        let message = format!("unmerged paths were {}, and are {}", list(&start.unmerged_paths), list(&now.unmerged_paths));
        sink.push(changed("unmerged_paths", &message));
    }
}

fn changed(name: &str, message: &str) -> Violation {
    let hint = "a review leaves operations of the checkout alone: find out who changed it, and ask the user";
    Violation::new(&codes::REVIEW_OPERATION_STATE_CHANGED, message, hint).subject(name).at(GIT_STATE_FILE, format!("/{name}"))
}
